import { expect, it, onTestFinished } from 'vitest';
import { createDurableRedis } from '../../support/durable-redis.ts';
import { until } from '../../support/until.ts';
import { openProcessForTest } from './support.ts';

/** Slack waits this long; a job that cannot be added has to fail before. */
const ACKNOWLEDGE_MS = 3_000;

const PREFIX = '{test}';
const TICK_MS = 200;

// Beyond 6 s a worker's blocking read runs out while Redis is away: it once stopped for good then.
it.each([2_000, 7_000])(
  'work goes on after Redis was away for %d ms, and nothing that was accepted is lost',
  async (awayMs) => {
    const redis = await createDurableRedis();
    onTestFinished(() => redis.close());
    const bot = await openProcessForTest(redis.url, PREFIX);
    const done = new Set<string>();
    let ticks = 0;
    await bot.jobs.work([
      { queue: 'changes', name: 'execute', run: async ({ id = '' }) => void done.add(id) },
      { queue: 'rollouts', name: 'tick', every: TICK_MS, run: async () => void (ticks += 1) },
    ]);
    await until('it ticks', () => ticks >= 2);

    const early = Array.from({ length: 50 }, (_, index) => `early-${index}`);
    await Promise.all(early.map((id) => bot.jobs.add('changes', 'execute', { id })));
    await redis.stop();
    const since = Date.now();
    const refused = await bot.jobs.add('changes', 'execute', { id: 'refused' }).catch(() => true);
    expect(refused).toBe(true);
    expect(Date.now() - since).toBeLessThan(ACKNOWLEDGE_MS);
    await until('the time is over', () => Date.now() - since > awayMs);
    await redis.start();
    const before = ticks;

    await until('it ticks again', () => ticks > before + 1, 15_000);
    await until('Redis takes jobs', async () =>
      bot.jobs.add('changes', 'execute', { id: 'late' }).then(
        () => true,
        () => false,
      ),
    );
    await until('all is done', () => early.every((id) => done.has(id)) && done.has('late'), 15_000);
    expect(done).not.toContain('refused');
  },
  40_000,
);
