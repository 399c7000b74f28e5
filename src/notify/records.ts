import { DAY_MS } from '../lib/time.ts';
import type { Keys, Lock, RedisConnection } from '../store/redis.ts';
import { isOfWatch, type Message } from './message.ts';
import { CONTENT_FUNCTIONS, MESSAGE_TTL_MS, NOW_FUNCTION } from './outbox.ts';

/** Kept after the content was dropped: Slack has it, or never gets it. */
export type MessagePlace = NonNullable<ReturnType<typeof placeOf>>;

/** A message as wanted, and as Slack is known to have it. */
export type MessageRecord = NonNullable<ReturnType<typeof recordOf>>;

/** `since`: ms since the epoch; `threadTs`: of the attempt, because the root may have been posted since. */
type PendingPost = NonNullable<MessageRecord['pending']>;

export type MessageRecords = ReturnType<typeof createMessageRecords>;

/** Longer than a message can fail before its replies go without it. */
const LAST_POST_SECONDS = 24 * 3600;

/** Redis may have lost the record meanwhile: one that is recreated here must expire, too. */
const KEEP = `
if redis.call('PTTL', KEYS[1]) == -1 then redis.call('PEXPIRE', KEYS[1], ${MESSAGE_TTL_MS}) end`;

const MARK_PENDING = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if redis.call('HEXISTS', KEYS[2], 'dead') + redis.call('HEXISTS', KEYS[2], 'postedAs') > 0 then return 0 end
redis.call('HSET', KEYS[2], 'pendingSince', ARGV[2], 'pendingThread', ARGV[3])
return 1`;

const RESTORE_PENDING = `
if redis.call('HEXISTS', KEYS[1], 'revision') == 0 then return 0 end
redis.call('HSET', KEYS[1], 'pendingSince', ARGV[1], 'pendingThread', ARGV[2])
return 1`;

const REFUSED_TTL_MS = 7 * DAY_MS;

const MARK_DEAD = `${CONTENT_FUNCTIONS}
redis.call('HSET', KEYS[1], 'dead', ARGV[2])
redis.call('HDEL', KEYS[1], 'pendingSince')
redis.call('ZREM', KEYS[2], ARGV[1])
forgetContent(KEYS[1])${KEEP}
return 1`;

// A posted message keeps its place as long as any other, and its content for these days.
const MARK_REFUSED = `
redis.call('HSET', KEYS[1], 'refused', ARGV[2])
redis.call('HDEL', KEYS[1], 'pendingSince')
redis.call('ZREM', KEYS[2], ARGV[1])
if redis.call('HEXISTS', KEYS[1], 'ts') == 0 then
  redis.call('PEXPIRE', KEYS[1], ${REFUSED_TTL_MS})
  if ARGV[6] ~= '' then
    redis.call('HSETNX', KEYS[5], ARGV[1], ARGV[3] .. ' ' .. ARGV[2])
    redis.call('PEXPIRE', KEYS[5], ${REFUSED_TTL_MS})
    redis.call('SADD', KEYS[6], ARGV[6])
    redis.call('HSETNX', KEYS[7], ARGV[6], '[]')
  end
else
  redis.call('ZADD', KEYS[3], ARGV[3] + ${REFUSED_TTL_MS}, KEYS[1])
end
if ARGV[4] ~= '' then redis.call('ZADD', KEYS[4], ARGV[4], ARGV[5]) end
return 1`;

// A message that was posted meanwhile, or instead of which another one is, is not retried.
const RETRY_EDIT = `
redis.call('ZREM', KEYS[1], ARGV[1])
local refused, dead = unpack(redis.call('HMGET', KEYS[2], 'refused', 'dead'))
if not refused or dead then return 0 end
redis.call('ZADD', KEYS[3], 'NX', redis.call('INCR', KEYS[4]), ARGV[2])
redis.call('SADD', KEYS[5], ARGV[3])
return 1`;

/** More than one search covers, at ten minutes from one post to the next. */
const MAX_OLDER = 20;

const MARK_CLOSED = `
if redis.call('HGET', KEYS[1], 'ts') ~= ARGV[1] then return 0 end
local older = {}
for ts in string.gmatch(redis.call('HGET', KEYS[1], 'older') or '', '%S+') do table.insert(older, ts) end
table.insert(older, ARGV[1])
local last = table.concat(older, ' ', math.max(1, #older - ${MAX_OLDER - 1}))
redis.call('HSET', KEYS[1], 'older', last, 'reopenedAt', ARGV[2])
redis.call('HDEL', KEYS[1], 'ts', 'sentRevision')
return 1`;

/**
 * A delayed process may still send old content; then the new content is sent again: at once within this time,
 * later with the next commit.
 */
const SENT_CONTENT_MS = 3_000;
/** Its covers can grow, and an edit of the metadata needs the whole message. */
const GATHERING_CONTENT_MS = 7 * DAY_MS;

const FORGET_SENT = `${CONTENT_FUNCTIONS}
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, 500)
for _, record in ipairs(due) do
  redis.call('ZREM', KEYS[1], record)
  local revision, sent, refused =
    unpack(redis.call('HMGET', record, 'revision', 'sentRevision', 'refused'))
  if revision and (refused or revision == sent) then forgetContent(record) end
end
return #due`;

const MARK_SENT = `${NOW_FUNCTION}
local wantedAt, waited = redis.call('HGET', KEYS[1], 'wantedAt'), ''
if redis.call('HEXISTS', KEYS[1], 'ts') == 0 then
  redis.call('SET', KEYS[5], redis.call('INCR', KEYS[4]), 'EX', ${LAST_POST_SECONDS})
end
redis.call('HSET', KEYS[1], 'ts', ARGV[1], 'sentRevision', ARGV[2])
redis.call('HDEL', KEYS[1],
  'pendingSince', 'pendingThread', 'unclearEnds', 'unclearSince', 'alone', 'refused')
if redis.call('HGET', KEYS[1], 'revision') == ARGV[2] then
  redis.call('ZREM', KEYS[2], ARGV[3])
  redis.call('HDEL', KEYS[1], 'wantedAt')
  if wantedAt then waited = string.format('%.0f', math.max(0, now() - wantedAt)) end
  local keep = redis.call('HEXISTS', KEYS[1], 'gathers') == 1 and ${GATHERING_CONTENT_MS} or ${SENT_CONTENT_MS}
  redis.call('ZADD', KEYS[6], ARGV[5] + keep, KEYS[1])
else
  if redis.call('HEXISTS', KEYS[1], 'body') == 0 then redis.call('HDEL', KEYS[1], 'hash') end
  redis.call('ZADD', KEYS[2], 'NX', 0, ARGV[3])
  redis.call('SADD', KEYS[3], ARGV[4])
end${KEEP}
return waited`;

/** @param now milliseconds since the epoch */
export function createMessageRecords(
  redis: RedisConnection,
  keys: Keys,
  now: () => number = Date.now,
) {
  const recordKey = (message: Message): string => keys.message(message.channel, message.key);
  const fieldsOf = (channel: string, key: string): Promise<Record<string, string>> =>
    redis.hgetall(keys.message(channel, key));
  const readPlace = async (channel: string, key: string): Promise<MessagePlace | undefined> => {
    const fields = await fieldsOf(channel, key);
    const { postedAs } = fields;
    return postedAs === undefined ? placeOf(channel, key, fields) : readPlace(channel, postedAs);
  };
  return {
    /** A message with its content; undefined when it is absent, or Slack has the whole. */
    async read(channel: string, key: string): Promise<MessageRecord | undefined> {
      return recordOf(channel, key, await fieldsOf(channel, key));
    },
    /** The place of this message, or of the post in its place. */
    readPlace,
    /** Marks a post as under way. False when the channel's lock was lost, or another one is posted instead. */
    async markPending(record: MessageRecord, lock: Lock, mark: PendingPost): Promise<boolean> {
      const scriptKeys = [lock.key, recordKey(record.message)];
      const values = [lock.token, String(mark.since), mark.threadTs ?? ''];
      return (await redis.eval(MARK_PENDING, 2, ...scriptKeys, ...values)) === 1;
    },
    /**
     * A post certainly failed: removes its mark. The mark of an earlier post with an unclear result is restored
     * from the record, because that post may exist.
     */
    async restorePending({ message, pending }: MessageRecord): Promise<void> {
      const key = recordKey(message);
      if (pending === undefined) return void (await redis.hdel(key, 'pendingSince'));
      const { since, threadTs = '' } = pending;
      await redis.eval(RESTORE_PENDING, 1, key, String(since), threadTs);
    },
    /**
     * Records what Slack has, and removes the message from the outbox unless newer content is wanted. Then it
     * stays or returns there: a process that was delayed may have sent old content last.
     * @returns how long the message had been waiting, in milliseconds; undefined when newer content waits
     */
    async markSent(message: Message, ts: string, revision: number): Promise<number | undefined> {
      const { channel, key } = message;
      const scriptKeys = [
        recordKey(message),
        keys.outbox(channel),
        keys.outboxChannels,
        keys.outboxSequence,
        keys.lastPost(channel),
        keys.sentContents,
      ];
      const values = [ts, String(revision), key, channel, String(now())];
      const waited = await redis.eval(MARK_SENT, 6, ...scriptKeys, ...values);
      return waited === '' ? undefined : Number(waited);
    },
    ...createEndings(redis, keys, now),
  };
}

/** Messages that Slack refuses, and the end of their content. */
function createEndings(redis: RedisConnection, keys: Keys, now: () => number) {
  return {
    /**
     * Drops the content of messages that Slack has had for 3 s, and keeps their place and a hash; of messages
     * that gather others, after 7 days. At most 500 per call.
     */
    async forgetSent(): Promise<void> {
      await redis.eval(FORGET_SENT, 1, keys.sentContents, String(now()));
    },
    /** The post can no longer be edited: the message is queued to be posted again. */
    async markClosed({ channel, key }: Message, ts: string): Promise<void> {
      await redis.eval(MARK_CLOSED, 1, keys.message(channel, key), ts, String(now()));
    },
    async markDead({ channel, key }: Message, reason: string): Promise<void> {
      await redis.eval(MARK_DEAD, 2, keys.message(channel, key), keys.outbox(channel), key, reason);
    },
    /**
     * The channel takes no messages: the message leaves the queue until it is wanted again. One that was never
     * posted is kept for 7 days, and so is the content of one that was, so that a deleted channel does not fill
     * Redis. A watch message that was never posted is noted, for the summary that the channel gets when it takes
     * posts again (design section 4.8).
     * @param retryAt when it is retried all the same, in milliseconds since the epoch
     */
    async markRefused(message: Message, reason: string, retryAt?: number): Promise<void> {
      const { channel, key } = message;
      const scriptKeys = [
        keys.message(channel, key),
        keys.outbox(channel),
        keys.sentContents,
        keys.laterEdits,
        keys.refusedPosts(channel),
        keys.heldChannels,
        keys.refusals,
      ];
      const later = retryAt === undefined ? '' : String(retryAt);
      const summarized = isOfWatch(message) ? channel : '';
      const name = JSON.stringify([channel, key]);
      const values = [key, reason, String(now()), later, name, summarized];
      await redis.eval(MARK_REFUSED, 7, ...scriptKeys, ...values);
    },
    /** Puts refused messages whose time has come back into the outbox. At most 500 per call. */
    async retryEdits(): Promise<void> {
      const due = await redis.zrangebyscore(keys.laterEdits, '-inf', now(), 'LIMIT', 0, 500);
      for (const name of due) {
        const [channel, key] = JSON.parse(name) as [string, string];
        const scriptKeys = [
          keys.laterEdits,
          keys.message(channel, key),
          keys.outbox(channel),
          keys.outboxSequence,
          keys.outboxChannels,
        ];
        await redis.eval(RETRY_EDIT, 5, ...scriptKeys, name, key, channel);
      }
    },
  };
}

function placeOf(channel: string, key: string, fields: Record<string, string>) {
  const { revision, ts, alone, dead, older } = fields;
  if (revision === undefined) return undefined;
  return {
    channel,
    key,
    ts,
    /** After too many unclear results its replies do not wait for it. */
    alone: alone !== undefined,
    /** Why it is never posted or edited again: Slack refused it for good, or the channel has it in another. */
    dead,
    /** Timestamps of its posts that can no longer be edited. */
    older: older?.split(' ') ?? [],
  };
}

function recordOf(channel: string, key: string, fields: Record<string, string>) {
  const place = placeOf(channel, key, fields);
  const { revision, body, covers, thread = '{}', heldOrder = 0, reopenedAt = 0 } = fields;
  if (place === undefined || body === undefined) return undefined;
  const { pendingSince: since, pendingThread } = fields;
  const message: Message = {
    channel,
    key,
    ...(covers !== undefined && { covers: covers.split(' ') }),
    ...(JSON.parse(body) as Pick<Message, 'text' | 'blocks' | 'madeAt'>),
    ...(JSON.parse(thread) as Pick<Message, 'threadKey' | 'broadcast'>),
  };
  return {
    ...place,
    message,
    revision: Number(revision),
    pending:
      since === undefined
        ? undefined
        : { since: Number(since), threadTs: pendingThread || undefined },
    /** Order in which messages were held back; 0 = never. */
    heldOrder: Number(heldOrder),
    /** When its last post replaced an older one, in milliseconds since the epoch; 0 = never. */
    reopenedAt: Number(reopenedAt),
  };
}

/** An unused key: `name/<n>`, counted from 1. */
export async function numberedKey(
  redis: RedisConnection,
  keys: Keys,
  name: string,
): Promise<string> {
  return `${name}/${await redis.hincrby(keys.numbers, name, 1)}`;
}
