import { plural } from '../lib/text.ts';
import { context, lines, section, SIGN, topText } from '../slack/kit/blocks.ts';
import { pack, cutText } from '../slack/kit/fit.ts';
import { joinMrkdwn, mrkdwn, Mrkdwn } from '../slack/kit/text.ts';
import type { Keys, RedisConnection } from '../store/redis.ts';
import type { LookBack } from './channels.ts';
import { MAX_COVERS, type Message, type MessageContent } from './message.ts';
import type { Outbox } from './outbox.ts';
import { numberedKey, type MessageRecord, type MessageRecords } from './records.ts';

type Named = Pick<Message, 'channel' | 'key'>;

/** The next call for a message. Slack limits each kind separately, so each waits separately. */
export type SlackCall = 'post' | 'edit';

/** The keys of the messages waiting for a channel, in order, and the channel's own waits. */
export interface Queue {
  /** The first message whose next call is not blocked. */
  next(channel: string): Promise<string | undefined>;
  /** The first groupable messages without an attempt so far, in order. */
  groupable(channel: string): Promise<string[]>;
  /** Moves a waiting message right before the other one. @returns whether it was moved */
  moveBefore(message: Named, other: Named): Promise<boolean>;
  /** Blocks one kind of call in a channel for `ms` milliseconds. */
  backOff(channel: string, call: SlackCall, ms: number): Promise<void>;
  /**
   * Counts a call with an unknown result. After many of them the message lets others pass; it is never given
   * up, because Slack itself may be down.
   * @returns the number of such results in a row
   */
  defer(message: Named): Promise<number>;
  drop(channel: string, key: string): Promise<void>;
  /** Forgets a channel without waiting messages. @returns whether it did */
  forgetEmpty(channel: string): Promise<boolean>;
}

/** Fields of a record that was sent, or never will be. */
const TRIED = ['ts', 'older', 'pendingSince', 'dead'] as const;

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

export function createQueue(redis: RedisConnection, keys: Keys): Queue {
  const waiting = (channel: string, from: number): Promise<string[]> =>
    redis.zrange(keys.outbox(channel), String(from), String(from + BATCH - 1));
  const isOpen = async (channel: string, call: SlackCall): Promise<boolean> =>
    (await redis.exists(keys.channelBackoff(channel, call))) === 0;
  return {
    async next(channel) {
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
    async groupable(channel) {
      const names = await waiting(channel, 0);
      const marks = await Promise.all(
        names.map((key) => redis.hmget(keys.message(channel, key), 'groupable', ...TRIED)),
      );
      return names.filter((_, index) => {
        const [groupable, ...tried] = marks[index] ?? [];
        return typeof groupable === 'string' && tried.every((mark) => mark === null);
      });
    },
    async moveBefore({ channel, key }, other) {
      return (await redis.eval(MOVE_BEFORE, 1, keys.outbox(channel), key, other.key)) === 1;
    },
    async backOff(channel, call, ms) {
      await redis.set(keys.channelBackoff(channel, call), '1', 'PX', Math.max(1, Math.ceil(ms)));
    },
    async defer({ channel, key }) {
      const scriptKeys = [
        keys.message(channel, key),
        keys.outbox(channel),
        keys.outboxSequence,
        keys.lastPost(channel),
      ];
      return Number(await redis.eval(DEFER, 4, ...scriptKeys, key));
    },
    async drop(channel, key) {
      await redis.zrem(keys.outbox(channel), key);
    },
    async forgetEmpty(channel) {
      const scriptKeys = [keys.outbox(channel), keys.outboxChannels];
      return (await redis.eval(FORGET_EMPTY, 2, ...scriptKeys, channel)) === 1;
    },
  };
}

/** Lines of a message; with more, the last one counts the rest. */
const MAX_LINES = 9;
/** Replies with the remaining lines; beyond that only their number is shown. */
const MAX_REPLIES = 5;
/** Length of all lines of a message, and of one line, in characters with its sign. */
const ROOM = 760;
const LINE_LENGTH = 220;

/** The first messages that one message can cover: at least one, if there is any. */
export function fitting(messages: readonly Message[]): Message[] {
  const sizesOf = ({ key, covers = [] }: Message): number[] => [
    [key, ...covers].join(' ').length + 1,
  ];
  return pack(messages, sizesOf, [MAX_COVERS + 1])[0] ?? [];
}

/**
 * One message for several: a title and a line for each, the newest first, because later ones often give the
 * outcome of earlier ones. Lines beyond its limit go into replies.
 * @param titleOf gets the number of lines
 */
export function batchOf(
  { channel, key }: Named,
  titleOf: (lines: number) => string,
  messages: readonly Message[],
): Message[] {
  const all = linesOf(messages);
  const name = titleOf(all.length);
  const shown = all.length <= MAX_LINES ? all : all.slice(0, MAX_LINES - 1);
  const rest = all.length - shown.length;
  const batch = contentOf(
    all.length === 1 ? name : `${name}, newest first`,
    shown,
    rest === 0 ? undefined : mrkdwn`… and ${rest} more in the thread`,
  );
  const posts: Message[] = [{ channel, key, ...batch }];
  let from = shown.length;
  for (let reply = 1; reply <= MAX_REPLIES && from < all.length; reply += 1) {
    const to = Math.min(from + MAX_LINES, all.length);
    const left = reply === MAX_REPLIES ? all.length - to : 0;
    const content = contentOf(
      `${name}: ${from + 1} to ${to}`,
      all.slice(from, to),
      left === 0 ? undefined : mrkdwn`… and ${left} more`,
    );
    posts.push({ channel, key: `${key}/rest/${reply}`, threadKey: key, ...content });
    from = to;
  }
  return posts;
}

interface Line {
  sign: string;
  text: string;
}

/**
 * The newest first. A card needs no line beside its outcomes, which say more; nor does a covering message if
 * a reply reports the recovery. Problems that a later line ended are marked as over.
 */
function linesOf(messages: readonly Message[]): Line[] {
  const roots = new Set(messages.map(({ threadKey }) => threadKey));
  const [good, recovered] = [new Set<string>(), new Set<string>()];
  const all: Line[] = [];
  for (const { key, covers, threadKey, text, blocks } of messages.toReversed()) {
    const sign = ANY_SIGN.exec(JSON.stringify(blocks))?.[0] ?? '•';
    const subject = subjectOf(key);
    const isNeedless = roots.has(key) && (covers === undefined || recovered.has(key));
    const isOver = HURT.has(sign) && good.has(subject);
    if (!isNeedless) all.push(isOver ? { sign: SIGN.over, text: `Over: ${text}` } : { sign, text });
    if (sign !== SIGN.good) continue;
    good.add(subject);
    if (threadKey !== undefined) recovered.add(threadKey);
  }
  return all;
}

const HURT: ReadonlySet<string> = new Set([SIGN.hurt, SIGN.wrong, SIGN.unknown]);

/**
 * The subject of a message: `org/gvc/workload`, `org/@location/<name>`, `org/gvc/@api`; each job
 * separately.
 */
function subjectOf(key: string): string {
  const [org, gvc, name, place] = key.split('/');
  if (place === '@job') return key;
  return [org, gvc, name].join('/');
}

/** The first sign in a message is that of its state. */
const ANY_SIGN = new RegExp(Object.values(SIGN).join('|'));

/** With which the texts of some messages begin. */
const OWN_SIGN = /^[🔴🟠⚪✅] /u;

function contentOf(title: string, all: readonly Line[], more: Mrkdwn | undefined): MessageContent {
  const width = Math.min(LINE_LENGTH, Math.floor(ROOM / all.length));
  const cut = all.map(({ sign, text }) => {
    const [line = ''] = text.split('\n');
    return { sign, text: new Mrkdwn(cutText(line, width - sign.length - 1)) };
  });
  const signed = cut.map(
    ({ sign, text }) => mrkdwn`${new Mrkdwn(sign)} ${new Mrkdwn(text.text.replace(OWN_SIGN, ''))}`,
  );
  const counted = more === undefined ? [] : [more];
  return {
    text: topText(joinMrkdwn([mrkdwn`${title}`, ...cut.map(({ text }) => text), ...counted], '\n')),
    blocks: [section(mrkdwn`*${title}*`), lines(signed), ...counted.map((line) => context(line))],
  };
}

/** From this many waiting messages on they are grouped. */
const BATCH_FROM = 5;
/** Search results after which a message is posted, and after which it is not. */
const MISSING: ReadonlySet<string> = new Set(['absent', 'unknown']);
const POSTED: ReadonlySet<string> = new Set(['found', 'covered']);

/**
 * Gathers the waiting groupable messages of a channel, in the order of the first one. A crash leaves them either as they are or gathered.
 * @param next the channel's next message: if it is not groupable, nothing is done
 * @returns whether a group was made
 */
export function createBatcher(deps: {
  redis: RedisConnection;
  keys: Keys;
  outbox: Outbox;
  queue: Queue;
  records: MessageRecords;
  lookBack: Pick<LookBack, 'isOpen' | 'find'>;
}): (channel: string, next: string) => Promise<boolean> {
  const { redis, keys, records, lookBack } = deps;

  /** Omits messages that Slack has although Redis has lost their posts. */
  async function unposted(waiting: readonly MessageRecord[]): Promise<MessageRecord[]> {
    if (!(await lookBack.isOpen())) return [...waiting];
    const all: MessageRecord[] = [];
    for (const record of waiting) {
      // A reply could be in its thread, and each has its own.
      if (record.message.threadKey !== undefined) continue;
      const found = await lookBack.find(record.message, undefined, record.older);
      if (found === undefined || MISSING.has(found.kind)) all.push(record);
      // Its own turn delivers it in order, and repeats the failed search.
      else if (all.length === 0 || !POSTED.has(found.kind)) return [];
    }
    return all;
  }

  /** A number that Redis has lost belongs to another group, which must not be edited into this one. */
  async function unusedKey(channel: string): Promise<string> {
    const key = await numberedKey(redis, keys, `@digest/${channel}`);
    const found = await lookBack.find({ channel, key }, undefined, []);
    return found?.kind === 'found' ? unusedKey(channel) : key;
  }

  return async (channel, next) => {
    if ((await redis.zcard(keys.outbox(channel))) < BATCH_FROM) return false;
    if ((await redis.hexists(keys.message(channel, next), 'groupable')) === 0) return false;
    const waiting = await deps.queue.groupable(channel);
    if (waiting.length < BATCH_FROM) return false;
    const read = await Promise.all(waiting.map((key) => records.read(channel, key)));
    const missing = await unposted(read.filter((record) => record !== undefined));
    if (missing.length < BATCH_FROM) return false;
    const grouped = fitting(missing.map(({ message }) => message));
    if (grouped.length < 2) return false;
    const key = await unusedKey(channel);
    const batch = batchOf({ channel, key }, (count) => plural(count, 'delayed message'), grouped);
    // Refused when one of them is under way by now; then the rest is examined again.
    const keysOfAll = grouped.map((message) => message.key);
    return (await deps.outbox.gather(keysOfAll, batch)) !== undefined;
  };
}
