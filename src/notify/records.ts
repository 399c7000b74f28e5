import type { Keys } from '../store/keys.ts';
import type { Lock } from '../store/lock.ts';
import type { RedisConnection } from '../store/redis.ts';
import { MARK_UNCLEAR } from './parking.ts';
import { MAX_COVERS } from './message.ts';
import type { Message } from './message.ts';

/** A message as it is kept: what it is to be, and what Slack is known to have. */
export interface MessageRecord {
  message: Message;
  revision: number;
  /** Timestamp of the post, once it is known. */
  ts: string | undefined;
  sentRevision: number;
  /** A post whose end is not known. */
  pending: PendingPost | undefined;
  /** It had so many unclear ends that its replies go without it. */
  alone: boolean;
  /** Why it is never posted, or edited no more: Slack refused it for good, or another message tells it. */
  dead: string | undefined;
  /** Key of the message that tells this one. */
  toldIn: string | undefined;
  /** Rises in the order in which messages were held back; 0 = it never was. */
  heldOrder: number;
}

interface PendingPost {
  /** Milliseconds since the epoch. */
  since: number;
  /** The thread in which it was tried, because a root may have come since. */
  threadTs: string | undefined;
}

export interface MessageRecords {
  read(channel: string, key: string): Promise<MessageRecord | undefined>;
  /** As `read`; instead of a message that another one tells, that one. */
  readTeller(channel: string, key: string): Promise<MessageRecord | undefined>;
  /**
   * Marks a post as under way. False when the channel's lock is another's by now, or another message
   * tells this one.
   */
  markPending(record: MessageRecord, lock: Lock, mark: PendingPost): Promise<boolean>;
  clearPending(message: Message): Promise<void>;
  /**
   * Records what Slack has; takes the message from the outbox unless more is wanted by now. Then it
   * stays or comes back there: a process that was held up may have sent an old content last.
   */
  markSent(message: Message, ts: string, revision: number): Promise<void>;
  /**
   * Counts an end that is not known. After many of them the message lets others pass (`parking.ts`);
   * it is never given up, because Slack itself may be away.
   * @returns how many there were in a row
   */
  markUnclear(message: Message): Promise<number>;
  markDead(message: Message, reason: string): Promise<void>;
  /** The channel takes nothing: the message waits no more, until it is wanted anew. */
  markRefused(message: Message, reason: string): Promise<void>;
}

/** Longer than a message has to fail on and on until it goes alone. */
const LAST_POST_SECONDS = 24 * 3600;

const MARK_PENDING = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if redis.call('HEXISTS', KEYS[2], 'dead') == 1 then return 0 end
redis.call('HSET', KEYS[2], 'pendingSince', ARGV[2], 'pendingThread', ARGV[3])
return 1`;

const MARK_SENT = `
if redis.call('HEXISTS', KEYS[1], 'ts') == 0 then
  redis.call('SET', KEYS[5], redis.call('INCR', KEYS[4]), 'EX', ${LAST_POST_SECONDS})
end
redis.call('HSET', KEYS[1], 'ts', ARGV[1], 'sentRevision', ARGV[2])
redis.call('HDEL', KEYS[1], 'pendingSince', 'unclearEnds', 'unclearSince', 'alone', 'refused')
if redis.call('HGET', KEYS[1], 'revision') == ARGV[2] then
  redis.call('ZREM', KEYS[2], ARGV[3])
else
  redis.call('ZADD', KEYS[2], 'NX', 0, ARGV[3])
  redis.call('SADD', KEYS[3], ARGV[4])
end
return 1`;

export function createMessageRecords(redis: RedisConnection, keys: Keys): MessageRecords {
  const recordKey = (message: Message): string => keys.message(message.channel, message.key);
  const read = createReader(redis, keys);
  async function giveUp(message: Message, mark: 'dead' | 'refused', reason: string): Promise<void> {
    await redis
      .multi()
      .hset(recordKey(message), mark, reason)
      .hdel(recordKey(message), 'pendingSince')
      .zrem(keys.outbox(message.channel), message.key)
      .exec();
  }
  return {
    read,
    async readTeller(channel, key) {
      let record = await read(channel, key);
      while (record?.toldIn !== undefined) record = await read(channel, record.toldIn);
      return record;
    },
    async markPending(record, lock, mark) {
      const scriptKeys = [lock.key, recordKey(record.message)];
      const values = [lock.token, String(mark.since), mark.threadTs ?? ''];
      return (await redis.eval(MARK_PENDING, 2, ...scriptKeys, ...values)) === 1;
    },
    async clearPending(message) {
      await redis.hdel(recordKey(message), 'pendingSince');
    },
    async markSent(message, ts, revision) {
      const { channel, key } = message;
      const scriptKeys = [
        recordKey(message),
        keys.outbox(channel),
        keys.outboxChannels,
        keys.outboxSequence,
        keys.lastPost(channel),
      ];
      await redis.eval(MARK_SENT, 5, ...scriptKeys, ts, String(revision), key, channel);
    },
    async markUnclear(message) {
      const { channel, key } = message;
      const scriptKeys = [
        recordKey(message),
        keys.outbox(channel),
        keys.outboxSequence,
        keys.lastPost(channel),
      ];
      return Number(await redis.eval(MARK_UNCLEAR, 4, ...scriptKeys, key));
    },
    markDead: (message, reason) => giveUp(message, 'dead', reason),
    markRefused: (message, reason) => giveUp(message, 'refused', reason),
  };
}

function createReader(redis: RedisConnection, keys: Keys): MessageRecords['read'] {
  return async (channel, key) => recordOf(await redis.hgetall(keys.message(channel, key)));
}

function recordOf(fields: Record<string, string>): MessageRecord | undefined {
  if (fields['body'] === undefined) return undefined;
  const since = fields['pendingSince'];
  const threadTs = fields['pendingThread'] || undefined;
  return {
    message: withCovers(JSON.parse(fields['body']) as Message, fields['alsoCovers']),
    revision: Number(fields['revision']),
    ts: fields['ts'],
    sentRevision: Number(fields['sentRevision'] ?? 0),
    pending: since === undefined ? undefined : { since: Number(since), threadTs },
    alone: fields['alone'] !== undefined,
    dead: fields['dead'],
    toldIn: fields['toldIn'],
    heldOrder: Number(fields['heldOrder'] ?? 0),
  };
}

/** With what it stands for because it absorbed others: of more than it may stand for, the newest. */
function withCovers(message: Message, also: string | undefined): Message {
  if (also === undefined) return message;
  const covers = [...new Set([...(message.covers ?? []), ...also.split(' ')])];
  let room = MAX_COVERS + 1;
  const last = covers.findLastIndex((key) => (room -= key.length + 1) < 0);
  return { ...message, covers: covers.slice(last + 1) };
}
