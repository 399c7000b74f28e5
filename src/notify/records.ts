import type { Keys } from '../store/keys.ts';
import type { RedisConnection } from '../store/redis.ts';
import type { Message } from './message.ts';

/** A message as it is kept: what it is to be, and what Slack is known to have. */
export interface MessageRecord {
  message: Message;
  revision: number;
  /** Timestamp of the post, once it is known. */
  ts: string | undefined;
  sentRevision: number;
  /** Milliseconds since the epoch of a post whose end is not known. */
  pendingSince: number | undefined;
  /** Why Slack refused it for good. */
  dead: string | undefined;
}

export interface MessageRecords {
  next(channel: string): Promise<string | undefined>;
  read(channel: string, key: string): Promise<MessageRecord | undefined>;
  /** Marks a post as under way. False when the channel's lock is another's by now. */
  markPending(record: MessageRecord, lock: string, token: string, now: number): Promise<boolean>;
  clearPending(message: Message): Promise<void>;
  /**
   * Records what Slack has; takes the message from the outbox unless more is wanted by now. Then it
   * stays or comes back there: a process that was held up may have sent an old content last.
   */
  markSent(message: Message, ts: string, revision: number): Promise<void>;
  markDead(message: Message, reason: string): Promise<void>;
  drop(channel: string, key: string): Promise<void>;
}

const MARK_PENDING = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[2], 'pendingSince', ARGV[2])
return 1`;

const MARK_SENT = `
redis.call('HSET', KEYS[1], 'ts', ARGV[1], 'sentRevision', ARGV[2])
redis.call('HDEL', KEYS[1], 'pendingSince')
if redis.call('HGET', KEYS[1], 'revision') == ARGV[2] then
  redis.call('ZREM', KEYS[2], ARGV[3])
else
  redis.call('ZADD', KEYS[2], 'NX', 0, ARGV[3])
  redis.call('SADD', KEYS[3], ARGV[4])
end
return 1`;

export function createMessageRecords(redis: RedisConnection, keys: Keys): MessageRecords {
  const recordKey = (message: Message): string => keys.message(message.channel, message.key);
  return {
    async next(channel) {
      return (await redis.zrange(keys.outbox(channel), '0', '0'))[0];
    },
    async read(channel, key) {
      const fields = await redis.hgetall(keys.message(channel, key));
      if (fields['body'] === undefined) return undefined;
      const pending = fields['pendingSince'];
      return {
        message: JSON.parse(fields['body']) as Message,
        revision: Number(fields['revision']),
        ts: fields['ts'],
        sentRevision: Number(fields['sentRevision'] ?? 0),
        pendingSince: pending === undefined ? undefined : Number(pending),
        dead: fields['dead'],
      };
    },
    async markPending(record, lock, token, now) {
      const key = recordKey(record.message);
      return (await redis.eval(MARK_PENDING, 2, lock, key, token, String(now))) === 1;
    },
    async clearPending(message) {
      await redis.hdel(recordKey(message), 'pendingSince');
    },
    async markSent(message, ts, revision) {
      const { channel, key } = message;
      const scriptKeys = [recordKey(message), keys.outbox(channel), keys.outboxChannels];
      await redis.eval(MARK_SENT, 3, ...scriptKeys, ts, String(revision), key, channel);
    },
    async markDead(message, reason) {
      await redis
        .multi()
        .hset(recordKey(message), 'dead', reason)
        .hdel(recordKey(message), 'pendingSince')
        .zrem(keys.outbox(message.channel), message.key)
        .exec();
    },
    async drop(channel, key) {
      await redis.zrem(keys.outbox(channel), key);
    },
  };
}
