import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { createFirstToday, createKeys } from '../../../src/store/redis.ts';
import { connectTo, useConnection } from '../../support/redis.ts';

const server = useConnection();

const MORNING = Date.parse('2026-11-20T09:00:00Z');
const MIDNIGHT = Date.parse('2026-11-21T00:00:00Z');

/** Two processes of one bot, with one clock. */
function startPair() {
  const time = { now: MORNING };
  const keys = createKeys(`test-${randomUUID()}`);
  const deps = { redis: server.redis, keys, clock: { now: () => time.now } };
  return { time, keys, one: createFirstToday(deps), other: createFirstToday(deps) };
}

it('the first time of a day is the first over all processes, for each name', async () => {
  const { one, other, time } = startPair();

  expect(await Promise.all([one('ada'), other('ada'), one('ada'), one('ben')])).toEqual([
    true,
    false,
    false,
    true,
  ]);
  time.now = MIDNIGHT - 1;
  expect(await other('ada')).toBe(false);
  time.now = MIDNIGHT;
  expect([await other('ada'), await one('ada')]).toEqual([true, false]);
});

it('the record of a day expires', async () => {
  const { one, keys } = startPair();

  await one('ada');

  const left = await server.redis.pttl(keys.today('2026-11-20', 'ada'));
  expect(left).toBeGreaterThan(15 * 60 * 60_000);
  expect(left).toBeLessThanOrEqual(24 * 60 * 60_000);
});

it('every time is the first while Redis is away', async () => {
  const lost = await connectTo(server.url);
  const firstToday = createFirstToday({
    redis: lost,
    keys: createKeys(`test-${randomUUID()}`),
    clock: { now: () => MORNING },
  });
  lost.disconnect();

  expect([await firstToday('ada'), await firstToday('ada')]).toEqual([true, true]);
});
