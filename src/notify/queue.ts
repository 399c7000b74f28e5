import type { Keys } from '../store/keys.ts';
import type { RedisConnection } from '../store/redis.ts';
import type { OpenCalls } from './holds.ts';
import type { Message } from './message.ts';

type Named = Pick<Message, 'channel' | 'key'>;

/** The names that wait for a channel, in order. */
export interface Queue {
  /** The first message whose next call is open. */
  next(channel: string, open: OpenCalls): Promise<string | undefined>;
  /** Messages that may be told with others and are not tried yet, in order: the first of them. */
  groupable(channel: string): Promise<string[]>;
  /** Moves a message, if it waits, to right before the other one. @returns whether it does */
  moveBefore(message: Named, other: Named): Promise<boolean>;
  drop(channel: string, key: string): Promise<void>;
}

/** Messages that are looked at in one go. */
const BATCH = 500;

// Places are whole numbers, so there is room between two of them.
const MOVE_BEFORE = `
local place = redis.call('ZSCORE', KEYS[1], ARGV[2])
if not place or not redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 0 end
redis.call('ZADD', KEYS[1], 'XX', place - 0.5, ARGV[1])
return 1`;

export function createQueue(redis: RedisConnection, keys: Keys): Queue {
  const waiting = (channel: string, from: number): Promise<string[]> =>
    redis.zrange(keys.outbox(channel), String(from), String(from + BATCH - 1));
  return {
    async next(channel, open) {
      if (!open.post && !open.edit) return undefined;
      if (open.post && open.edit) return (await redis.zrange(keys.outbox(channel), '0', '0'))[0];
      for (let from = 0; ; from += BATCH) {
        const names = await waiting(channel, from);
        const posted = await Promise.all(
          names.map((key) => redis.hexists(keys.message(channel, key), 'ts')),
        );
        const index = posted.indexOf(open.edit ? 1 : 0);
        if (index >= 0 || names.length < BATCH) return names[index];
      }
    },
    async groupable(channel) {
      const names = await waiting(channel, 0);
      const marks = await Promise.all(
        names.map((key) =>
          redis.hmget(
            keys.message(channel, key),
            'groupable',
            'ts',
            'older',
            'pendingSince',
            'dead',
          ),
        ),
      );
      return names.filter((_, index) => {
        const [groupable, ...tried] = marks[index] ?? [];
        return typeof groupable === 'string' && tried.every((mark) => mark === null);
      });
    },
    async moveBefore({ channel, key }, other) {
      return (await redis.eval(MOVE_BEFORE, 1, keys.outbox(channel), key, other.key)) === 1;
    },
    async drop(channel, key) {
      await redis.zrem(keys.outbox(channel), key);
    },
  };
}
