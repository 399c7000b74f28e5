import { record } from '../metrics.ts';
import { readRedisTime, type Keys, type RedisConnection } from '../store/redis.ts';
import type { Message } from './message.ts';

type Named = Pick<Message, 'channel' | 'key'>;

/** The next call for a message. Slack limits each kind separately, so each waits separately. */
export type SlackCall = 'post' | 'edit';

export type Queue = ReturnType<typeof createQueue>;

const BATCH = 500;

// Places are whole numbers, so there is room between two.
const MOVE_BEFORE = `
local place = redis.call('ZSCORE', KEYS[1], ARGV[2])
if not place or not redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 0 end
redis.call('ZADD', KEYS[1], 'XX', place - 0.5, ARGV[1])
return 1`;

/** From this many unclear results on, a message lets those about other subjects pass. */
const DEFER_FROM = 5;
/** From here on the message is the cause and not Slack, if another one was posted since the first one. */
const ALONE_FROM = 12;
/** After about an hour it lets all others pass, whatever happened to those. */
const ALONE_AT_LAST = 120;

/**
 * Counts an unclear result, and moves a message with many to the end of the queue.
 *
 * Messages about the same subject move along in their order, so that no reader sees a later version first.
 * Nothing waits for an edit, so a failing edit moves alone. The records have the prefix of the message's own,
 * so they are in its slot.
 *
 * KEYS: record, outbox, sequence, last post of the channel. ARGV: key of the message.
 * @returns the number of unclear results in a row; 1 if Redis has lost the record
 */
const DEFER = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 1 end
local ends = redis.call('HINCRBY', KEYS[1], 'unclearEnds', 1)
redis.call('HSETNX', KEYS[1], 'unclearSince', redis.call('INCR', KEYS[3]))
local isPosted, since = unpack(redis.call('HMGET', KEYS[1], 'ts', 'unclearSince'))
local lastPost = tonumber(redis.call('GET', KEYS[4]) or 0)
local isAlone = ends >= ${ALONE_AT_LAST} or (ends >= ${ALONE_FROM} and lastPost > tonumber(since))
if isAlone then redis.call('HSET', KEYS[1], 'alone', 1) end
local place = redis.call('ZSCORE', KEYS[2], ARGV[1])
if not place or ends < ${DEFER_FROM} then return ends end

local function toTheEnd(key)
  redis.call('ZADD', KEYS[2], redis.call('INCR', KEYS[3]), key)
end

local prefix = string.sub(KEYS[1], 1, #KEYS[1] - #ARGV[1])
local function subjectsOf(key)
  local about, covers = unpack(redis.call('HMGET', prefix .. key, 'about', 'covers'))
  local subjects = {}
  for subject in string.gmatch(about or '', '%S+') do table.insert(subjects, subject) end
  for covered in string.gmatch(covers or '', '%S+') do
    table.insert(subjects, string.match(covered, '^[^/]+/[^/]+/[^/]+') or covered)
  end
  return subjects
end

local waiting = redis.call('ZRANGEBYSCORE', KEYS[2], place, '+inf')
toTheEnd(ARGV[1])
if isAlone or isPosted then return ends end
local moves = {}
for _, subject in ipairs(subjectsOf(ARGV[1])) do moves[subject] = true end
for _, key in ipairs(waiting) do
  local subjects, goesAlong = subjectsOf(key), false
  for _, subject in ipairs(subjects) do goesAlong = goesAlong or moves[subject] end
  if goesAlong and key ~= ARGV[1] then
    toTheEnd(key)
    for _, subject in ipairs(subjects) do moves[subject] = true end
  end
end
return ends`;

const FORGET_EMPTY = `
if redis.call('ZCARD', KEYS[1]) > 0 then return 0 end
redis.call('SREM', KEYS[2], ARGV[1])
return 1`;

/** The keys of the messages waiting for a channel, in order, and the channel's own waits. */
export function createQueue(redis: RedisConnection, keys: Keys) {
  const waiting = (channel: string, from: number): Promise<string[]> =>
    redis.zrange(keys.outbox(channel), String(from), String(from + BATCH - 1));
  const isOpen = async (channel: string, call: SlackCall): Promise<boolean> =>
    (await redis.exists(keys.channelBackoff(channel, call))) === 0;
  return {
    /** The first message whose next call is not blocked. */
    async next(channel: string): Promise<string | undefined> {
      const [post, edit] = await Promise.all([isOpen(channel, 'post'), isOpen(channel, 'edit')]);
      if (!post && !edit) return undefined;
      if (post && edit) return (await redis.zrange(keys.outbox(channel), '0', '0'))[0];
      for (let from = 0; ; from += BATCH) {
        const names = await waiting(channel, from);
        const posted = await Promise.all(
          names.map((key) => redis.hexists(keys.message(channel, key), 'ts')),
        );
        const index = posted.indexOf(edit ? 1 : 0);
        if (index >= 0 || names.length < BATCH) return names[index];
      }
    },
    /** Moves a waiting message right before the other one. @returns whether it was moved */
    async moveBefore({ channel, key }: Named, other: Named): Promise<boolean> {
      return (await redis.eval(MOVE_BEFORE, 1, keys.outbox(channel), key, other.key)) === 1;
    },
    /** Blocks one kind of call in a channel for `ms` milliseconds. */
    async backOff(channel: string, call: SlackCall, ms: number): Promise<void> {
      await redis.set(keys.channelBackoff(channel, call), '1', 'PX', Math.max(1, Math.ceil(ms)));
    },
    /**
     * Counts a call with an unknown result. After many of them the message lets others pass; it is never given
     * up, because Slack itself may be down.
     * @returns the number of such results in a row
     */
    async defer({ channel, key }: Named): Promise<number> {
      const scriptKeys = [
        keys.message(channel, key),
        keys.outbox(channel),
        keys.outboxSequence,
        keys.lastPost(channel),
      ];
      return Number(await redis.eval(DEFER, 4, ...scriptKeys, key));
    },
    async drop(channel: string, key: string): Promise<void> {
      await redis.zrem(keys.outbox(channel), key);
    },
    /** Forgets a channel without waiting messages. @returns whether it did */
    async forgetEmpty(channel: string): Promise<boolean> {
      const scriptKeys = [keys.outbox(channel), keys.outboxChannels];
      return (await redis.eval(FORGET_EMPTY, 2, ...scriptKeys, channel)) === 1;
    },
  };
}

/** Messages at the head of each channel's outbox whose age is read: one that failed often is moved to the end. */
const HEAD = 50;

/** Reads the waiting messages of all channels, for the metrics. */
export async function measureOutbox(deps: { redis: RedisConnection; keys: Keys }): Promise<void> {
  const { redis, keys } = deps;
  const [channels, now] = await Promise.all([
    redis.smembers(keys.outboxChannels),
    readRedisTime(redis),
  ]);
  const all = await Promise.all(
    channels.map(async (channel) => {
      const outbox = keys.outbox(channel);
      const [waiting, head] = await Promise.all([
        redis.zcard(outbox),
        redis.zrange(outbox, '0', String(HEAD - 1)),
      ]);
      const wanted = await Promise.all(
        head.map((key) => redis.hget(keys.message(channel, key), 'wantedAt')),
      );
      return { waiting, wanted: wanted.filter((at) => at !== null).map(Number) };
    }),
  );
  const oldest = Math.min(now, ...all.flatMap(({ wanted }) => wanted));
  record.outboxMessages.set(
    {},
    all.reduce((sum, { waiting }) => sum + waiting, 0),
  );
  record.outboxOldest.set({}, Math.max(0, now - oldest) / 1_000);
}
