import { expect, it } from 'vitest';
import type { Keys, RedisConnection } from '../../../src/store/redis.ts';
import { changeOf, REQUESTED_AT } from '../../support/changes.ts';
import { MOST_KEPT } from '../../../src/store/audit.ts';
import { EVENTS } from '../../unit/changes/stages.ts';
import { useRedis } from '../../support/redis.ts';
import { openHarness } from './harness.ts';

const server = useRedis();
const DAY = 86_400_000;
const LINE = JSON.stringify({ at: 1, event: 'expire' });

interface Kept {
  readonly redis: RedisConnection;
  readonly keys: Keys;
}

/** Lines and listed changes of a day, one a minute, by the clock of Redis. */
async function fill({ redis, keys }: Kept, count: number, daysAgo: number): Promise<void> {
  const from = Date.now() - daysAgo * DAY;
  const pipeline = redis.pipeline();
  for (let minute = 0; minute < count; minute += 1) {
    const at = from + minute * 60_000;
    pipeline.xadd(keys.audit, `${at}-1`, 'data', LINE);
    pipeline.zadd(keys.changes, at, `c${daysAgo}-${minute}`);
  }
  await pipeline.exec();
}

async function sizes({ redis, keys }: Kept): Promise<number[]> {
  return [await redis.xlen(keys.audit), await redis.zcard(keys.changes)];
}

it('a writer whose clock is 500 days ahead erases neither the audit nor the list of changes', async () => {
  const harness = await openHarness(server.url);
  await fill(harness, 1_200, 3);
  await harness.changes.create(changeOf());

  const late = REQUESTED_AT + 500 * DAY;
  expect(await harness.changes.move(changeOf(), { ...EVENTS.expire, at: late })).toBeDefined();

  expect(await sizes(harness)).toEqual([1_202, 1_201]);
});

it('the newest 1,000 stay, however old they are', async () => {
  const harness = await openHarness(server.url);
  await fill(harness, 1_005, 900);

  await harness.changes.create(changeOf());

  // The new ones are among the 1,000.
  expect(await sizes(harness)).toEqual([1_000, 1_000]);
  const { redis, keys } = harness;
  expect(await redis.zscore(keys.changes, 'c900-1004')).not.toBeNull();
  expect(await redis.zscore(keys.changes, 'c900-5')).toBeNull();
});

it('one write removes 100 changes older than 400 days, the oldest first', async () => {
  const harness = await openHarness(server.url);
  await fill(harness, 250, 401);
  await fill(harness, 1_100, 399);

  await harness.changes.create(changeOf());
  expect(await sizes(harness)).toEqual([1_251, 1_251]);
  expect(await harness.redis.zscore(harness.keys.changes, 'c401-99')).toBeNull();
  expect(await harness.redis.zscore(harness.keys.changes, 'c401-100')).not.toBeNull();

  await harness.changes.move(changeOf(), EVENTS.approve);
  expect(await sizes(harness)).toEqual([1_152, 1_151]);
});

const LINES = `for _ = 1, ARGV[1] do redis.call('XADD', KEYS[1], '*', 'data', ARGV[2]) end`;

it('of more than 200,000 lines the oldest 100 go, however new they are', async () => {
  const harness = await openHarness(server.url);
  const { redis, keys } = harness;
  await redis.eval(LINES, 1, keys.audit, MOST_KEPT, LINE);

  await harness.changes.create(changeOf());

  expect(await redis.xlen(keys.audit)).toBe(MOST_KEPT - 99);
});
