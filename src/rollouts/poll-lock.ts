import type { Keys } from '../store/keys.ts';
import { withLock } from '../store/lock.ts';
import type { RedisConnection } from '../store/redis.ts';
import type { WatchedGvc } from './schedule.ts';

interface Store {
  redis: RedisConnection;
  keys: Keys;
}

const LOCK_MS = 10_000;

/** Who holds this lock may write the state of the GVC. */
export function pollLockOf(keys: Keys, { org, gvc }: WatchedGvc): string {
  return keys.lock(`poll:${org}/${gvc}`);
}

/**
 * Runs work while no poll of the GVC runs.
 * @throws after `patienceMs` milliseconds of waiting for the one that does
 */
export async function betweenPolls(
  { redis, keys }: Store,
  place: WatchedGvc,
  patienceMs: number,
  work: () => Promise<void>,
): Promise<void> {
  await withLock(redis, pollLockOf(keys, place), { ttlMs: LOCK_MS, patienceMs }, work);
}

/**
 * The same, but a poll that takes longer is not waited for any more: the platform keeps it waiting, and
 * it asks who watches when the answer is there.
 */
export async function soonBetweenPolls(
  store: Store,
  place: WatchedGvc,
  patienceMs: number,
  work: () => Promise<void>,
): Promise<void> {
  let began = false;
  try {
    await betweenPolls(store, place, patienceMs, async () => {
      began = true;
      await work();
    });
  } catch (error) {
    if (began) throw error;
    await work();
  }
}
