import type { Clock } from '../lib/clock.ts';
import type { Keys } from './keys.ts';
import type { RedisConnection } from './redis.ts';

/** Whether this name is asked about for the first time on this day (UTC), over all processes. */
export type FirstToday = (name: string) => Promise<boolean>;

const DAY_MS = 24 * 60 * 60_000;

export function createFirstToday(deps: {
  redis: RedisConnection;
  keys: Keys;
  clock: Clock;
}): FirstToday {
  const { redis, keys, clock } = deps;
  return async (name) => {
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    try {
      return (await redis.set(keys.today(day, name), '1', 'PX', DAY_MS, 'NX')) === 'OK';
    } catch {
      // What Redis cannot remember is told again: twice is better than never.
      return true;
    }
  };
}
