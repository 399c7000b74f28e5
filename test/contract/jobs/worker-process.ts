import { openProcess } from './support.ts';

/** A worker that takes a job, says so under a key, and never ends it; made to be killed. */
const [redisUrl = '', prefix = '', taken = ''] = process.argv.slice(2);

const { jobs, redis } = await openProcess(redisUrl, prefix);
await jobs.work([
  {
    queue: 'changes',
    name: 'execute',
    run: async () => {
      await redis.set(taken, '1');
      await new Promise(() => undefined);
    },
  },
]);
