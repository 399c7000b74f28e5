import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createWorkCheck } from '../../../../src/features/doctor/work.ts';
import { createKeys, type Keys } from '../../../../src/store/redis.ts';
import { useRedis } from '../../../support/redis.ts';
import { until } from '../../../support/until.ts';
import { lineOf } from '../../../unit/features/doctor/support.ts';
import { lookInto, openProcessForTest, type Process } from '../../jobs/support.ts';

const HOUR_MS = 3_600_000;

const server = useRedis();
let bot: Process;
let keys: Keys;
/** How much later it is for the doctor, in milliseconds. */
let laterMs: number;
beforeEach(async () => {
  laterMs = 0;
  keys = createKeys(`test-${randomUUID()}`);
  bot = await openProcessForTest(server.url, keys.queuePrefix);
  await bot.redis.set(keys.heartbeat, '1', 'PX', HOUR_MS);
});

/** @param due the changes that were due before a moment; ms since the epoch */
async function look(due: (before: number, now: number) => string[] = () => []): Promise<string[]> {
  const now = Date.now() + laterMs;
  const services = { ...bot, keys, clock: { now: () => now } };
  const check = createWorkCheck(services, {
    due: (before) => Promise.resolve(due(before, now)),
    get: (id) =>
      id.startsWith('odd') ? Promise.reject(new Error('odd')) : Promise.resolve(undefined),
  });
  return (await check.run(new AbortController().signal)).map(lineOf);
}

describe('the doctor checks the jobs that run by themselves', () => {
  it('and all is well', async () => {
    expect(await look()).toEqual([
      'well Worker: one is running',
      'well Queues: no job waits',
      'well Outbox: every message is delivered',
      'well Changes: none is overdue',
    ]);
  });

  it('and no one works', async () => {
    await bot.redis.del(keys.heartbeat);
    await bot.jobs.add('changes', 'advance', { id: 'k7m2' });
    laterMs = 10 * 60_000;

    const lines = await look();

    expect(lines).toContainEqual(expect.stringMatching(/^broken Worker: .*ROLE=worker/));
    expect(lines).toContainEqual(
      expect.stringMatching(/^broken Queue changes: 1 job waiting, the first for 10 min/),
    );
  });

  it('and the job that waits longest counts', async () => {
    const queue = lookInto('changes', bot, keys.queuePrefix);
    await queue.add('advance', {}, { timestamp: Date.now() - 180_500 });
    await queue.add('advance', {});

    expect(await look()).toContainEqual(
      expect.stringMatching(/^doubtful Queue changes: 2 jobs waiting, the first for 3 min/),
    );
    await queue.close();
  });

  it('and a job failed, until a day is over', async () => {
    await bot.jobs.work([
      { queue: 'billing', name: 'digest', run: () => Promise.reject(new Error('no')) },
    ]);
    await bot.jobs.add('billing', 'digest', {});
    const failed = /^doubtful Queue billing: 1 job failed within a day → .*A job failed/;

    await until('the job to fail', async () => (await look()).some((line) => failed.test(line)));
    laterMs = 25 * HOUR_MS;

    expect(await look()).toContainEqual('well Queues: no job waits');
  });

  it('and messages wait, one channel held back by Slack', async () => {
    await bot.redis.sadd(keys.outboxChannels, 'C1', 'C2', 'C3');
    await bot.redis.zadd(keys.outbox('C1'), 1, 'a', 2, 'b');
    await bot.redis.zadd(keys.outbox('C2'), 3, 'c');

    expect(await look()).toContainEqual(
      'well Outbox: 3 messages waiting for 2 channels, all on their way',
    );
    await bot.redis.set(keys.channelBackoff('C2', 'post'), '1', 'PX', 60_000);
    expect(await look()).toContainEqual(
      expect.stringMatching(
        /^doubtful Outbox: 3 messages .* for C2 now, next try within (?:59 s|1 min)/,
      ),
    );
  });

  it('and a change is overdue when it did not go on for 5 minutes', async () => {
    const since = (ms: number) => look((before, now) => (now - ms <= before ? ['k7m2'] : []));

    expect(await since(299_999)).toContainEqual('well Changes: none is overdue');
    expect(await since(300_000)).toContainEqual(expect.stringMatching(/^broken Changes: 1 change/));
  });

  it('and changes stand still, or cannot be read', async () => {
    expect(await look(() => ['k7m2', 'odd4'])).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^broken Changes: 1 change cannot be read: odd4/),
        expect.stringMatching(/^broken Changes: 1 change should have gone on/),
      ]),
    );
  });
});
