import type { Keys } from '../store/keys.ts';
import type { RedisConnection } from '../store/redis.ts';

/** What a message needs next. Slack limits each by itself, so each waits by itself. */
export type Call = 'post' | 'edit';

/** The calls that a channel may make now. */
export type OpenCalls = Readonly<Record<Call, boolean>>;

export interface Holds {
  open(channel: string): Promise<OpenCalls>;
  /** Lets one kind of call of a channel wait for `ms` milliseconds. */
  set(channel: string, call: Call, ms: number): Promise<void>;
}

/** The Redis key that is there while a channel has to wait with this kind of call. */
export function holdKey(keys: Keys, channel: string, call: Call): string {
  return keys.hold(call === 'post' ? channel : `${channel}:edits`);
}

export function createHolds(redis: RedisConnection, keys: Keys): Holds {
  const isOpen = async (channel: string, call: Call): Promise<boolean> =>
    (await redis.exists(holdKey(keys, channel, call))) === 0;
  return {
    async open(channel) {
      const [post, edit] = await Promise.all([isOpen(channel, 'post'), isOpen(channel, 'edit')]);
      return { post, edit };
    },
    async set(channel, call, ms) {
      await redis.set(holdKey(keys, channel, call), '1', 'PX', Math.max(1, Math.ceil(ms)));
    },
  };
}
