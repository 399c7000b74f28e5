import { type Scrub, scrubStrings } from '../lib/secret.ts';
import { DAY_MS } from '../lib/time.ts';
import { record } from '../metrics.ts';
import { AUDIT_FUNCTIONS, findHash, type AuditLine } from '../store/audit.ts';
import type { Keys, Lock, RedisConnection } from '../store/redis.ts';
import { MAX_COVERS, type Message } from './message.ts';

/**
 * Lua functions for records.
 *
 * `forgetContent(record)` drops the content that Slack has, or never gets. It keeps the message's place
 * (`ts`), its covers, and a hash by which the next commit sees whether the content changed. The record is
 * written again, because Redis keeps a hash that held a long text in its large encoding forever.
 *
 * `isContent(record, body)` works with and without content.
 */
export const CONTENT_FUNCTIONS = `
local function hashOf(body)
  return string.sub(redis.sha1hex(body), 1, 16)
end

local function isContent(record, body)
  local known, hash = unpack(redis.call('HMGET', record, 'body', 'hash'))
  if known then return known == body end
  return hash == hashOf(body)
end

local FORGOTTEN = { body = true, thread = true, about = true, heldOrder = true, wantedAt = true }

local function forgetContent(record)
  local body = redis.call('HGET', record, 'body')
  if not body then return end
  local kept = { 'hash', hashOf(body) }
  local fields = redis.call('HGETALL', record)
  for at = 1, #fields, 2 do
    if not FORGOTTEN[fields[at]] and fields[at] ~= 'hash' then
      table.insert(kept, fields[at])
      table.insert(kept, fields[at + 1])
    end
  end
  local age = redis.call('PTTL', record)
  redis.call('DEL', record)
  redis.call('HSET', record, unpack(kept))
  if age > 0 then redis.call('PEXPIRE', record, age) end
end
`;

/** `now()`: milliseconds since the epoch by the clock of Redis. */
export const NOW_FUNCTION = `
local function now()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
`;

/**
 * Writes a change of state together with its messages in one step.
 *
 * KEYS: lock, hash, sequence, channels of the outbox, channels with held messages, shared hash; then the key
 * of each write; then the streams of the line of the audit, if there is one; then of each message its record, and
 * the outbox and the held messages of its channel.
 * ARGV: token of the lock ('' = none), change, messages, milliseconds that a record is kept, keys of the
 * messages that the first one gathers, number of streams of the audit, line of the audit.
 * Returns the hash of the line ('' = none), then the channels with something to deliver; 0 when the lock was lost,
 * when a hash is not as expected, or when a message to be gathered is posted or under way. Then nothing was written.
 *
 * A record holds a message, or only the key of the message that is posted in its place (`postedAs`). Its later
 * content is covered there, and replies to it go there. A message that the channel refused
 * (`refused`) is retried with new content, or before the next message in its thread. The names of other
 * records are made here: they have the prefix of the message's own, so they are in its slot.
 */
const COMMIT = `${CONTENT_FUNCTIONS}${AUDIT_FUNCTIONS}${NOW_FUNCTION}
if ARGV[1] ~= '' and redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
local change, messages, gathered =
  cjson.decode(ARGV[2]), cjson.decode(ARGV[3]), cjson.decode(ARGV[5])
local function isAsExpected(hash, expected)
  for field, value in pairs(expected.same) do
    if redis.call('HGET', hash, field) ~= value then return false end
  end
  for _, field in ipairs(expected.absent) do
    if redis.call('HEXISTS', hash, field) == 1 then return false end
  end
  return true
end
if not (isAsExpected(KEYS[2], change) and isAsExpected(KEYS[6], change.shared)) then return 0 end

local streams = { unpack(KEYS, 7 + #change.writes, 6 + #change.writes + ARGV[6]) }
for index, message in ipairs(messages) do
  local at = 4 + #change.writes + #streams + 3 * index
  message.record, message.outbox, message.held = unpack(KEYS, at, at + 2)
  message.prefix = string.sub(message.record, 1, #message.record - #message.key)
end

for _, key in ipairs(gathered) do
  local revision, ts, older, pending, dead = unpack(redis.call(
    'HMGET', messages[1].prefix .. key, 'revision', 'ts', 'older', 'pendingSince', 'dead'))
  if not revision or ts or older or pending or dead then return 0 end
end

local waiting, isWaiting = {}, {}
local function enqueue(message, key, place)
  redis.call('ZADD', message.outbox, 'NX', place or redis.call('INCR', KEYS[3]), key)
  redis.call('HSETNX', message.prefix .. key, 'wantedAt', string.format('%.0f', now()))
  if isWaiting[message.channel] then return end
  isWaiting[message.channel] = true
  redis.call('SADD', KEYS[4], message.channel)
  table.insert(waiting, message.channel)
end

-- Beyond the limit the newest covers stay: the others were posted with it before.
local function addCovers(record, covers)
  local known = redis.call('HGET', record, 'covers') or ''
  local isKnown, isGiven, all, isMore = {}, {}, {}, false
  for key in string.gmatch(known, '%S+') do isKnown[key] = true end
  for _, key in ipairs(covers) do
    isMore = isMore or not isKnown[key]
    isGiven[key] = true
  end
  if not isMore then return false end
  for key in string.gmatch(known, '%S+') do
    if not isGiven[key] then table.insert(all, key) end
  end
  for _, key in ipairs(covers) do
    if isGiven[key] then table.insert(all, key) end
    isGiven[key] = nil
  end
  local first, room = #all + 1, ${MAX_COVERS + 1}
  while first > 1 and room > #all[first - 1] do
    first = first - 1
    room = room - #all[first] - 1
  end
  local newest = table.concat(all, ' ', first)
  if newest == known then return false end
  redis.call('HSET', record, 'covers', newest)
  return true
end

-- The key under which a message is posted.
local function postedKey(prefix, key)
  local other = redis.call('HGET', prefix .. key, 'postedAs')
  while other do
    redis.call('PEXPIRE', prefix .. key, ARGV[4])
    key = other
    other = redis.call('HGET', prefix .. key, 'postedAs')
  end
  return key
end

local function postAs(prefix, key, other)
  redis.call('DEL', prefix .. key)
  redis.call('HSET', prefix .. key, 'postedAs', other)
  redis.call('PEXPIRE', prefix .. key, ARGV[4])
end

local function coverElsewhere(message, key)
  local record = message.prefix .. key
  if redis.call('EXISTS', record) == 0 or not addCovers(record, message.covers) then return end
  redis.call('HINCRBY', record, 'revision', 1)
  redis.call('PEXPIRE', record, ARGV[4])
  local isUnseen = redis.call('HEXISTS', record, 'dead') + redis.call('HEXISTS', message.held, key) > 0
  if not isUnseen then enqueue(message, key) end
end

-- Returns the first place in the queue of those gathered.
local function gather(message)
  local first
  local covers = {}
  for _, key in ipairs(gathered) do
    table.insert(covers, key)
    local own = redis.call('HGET', message.prefix .. key, 'covers') or ''
    for covered in string.gmatch(own, '%S+') do table.insert(covers, covered) end
    postAs(message.prefix, key, message.key)
    local place = tonumber(redis.call('ZSCORE', message.outbox, key))
    if place and (not first or place < first) then first = place end
    redis.call('ZREM', message.outbox, key)
    redis.call('HDEL', message.held, key)
  end
  addCovers(message.record, covers)
  redis.call('HSET', message.record, 'gathers', 1)
  return first
end

-- What a reply is: false = dropped, 'reply', or 'root' = posted instead of its root.
local function placeOf(message, isNew)
  if not message.threadKey then return 'reply' end
  local root = message.prefix .. message.threadKey
  if redis.call('HGET', root, 'postedAs') == message.key then return 'root' end
  if not isNew or not message.orphan or redis.call('EXISTS', root) == 1 then return 'reply' end
  return message.orphan == 'root' and 'root'
end

-- The channel may take posts again by now.
local function retryRoot(message)
  if not message.threadKey then return end
  local key = postedKey(message.prefix, message.threadKey)
  local refused, dead = unpack(redis.call('HMGET', message.prefix .. key, 'refused', 'dead'))
  if refused and not dead then enqueue(message, key) end
end

-- First: if it cannot be written, nothing is.
local hash = ''
if #streams > 0 then
  hash = appendAudit(streams, ARGV[7])
  trimAudit(streams[1])
end
for field, value in pairs(change.set) do redis.call('HSET', KEYS[2], field, value) end
if next(change.set) then redis.call('PERSIST', KEYS[2]) end
for _, field in ipairs(change.remove) do redis.call('HDEL', KEYS[2], field) end
for field, value in pairs(change.shared.set) do redis.call('HSET', KEYS[6], field, value) end
for index, write in ipairs(change.writes) do
  if write.command == 'TRIM' then
    trimIndex(KEYS[6 + index])
  else
    redis.call(write.command, KEYS[6 + index], unpack(write.args))
  end
end

local function write(message, isGathering)
  local record, held = message.record, message.held
  local revision, dead, refused, ts, older =
    unpack(redis.call('HMGET', record, 'revision', 'dead', 'refused', 'ts', 'older'))
  local isNew = not revision
  local place = placeOf(message, isNew)
  if not place or (isNew and message.editOnly) then return end
  if message.keepMs and ts then redis.call('PEXPIRE', record, message.keepMs) end
  local isOther = not isContent(record, message.body)
  if not addCovers(record, message.covers) and not isOther then return end
  redis.call('HSET', record, 'revision', (tonumber(revision) or 0) + 1)
  redis.call('HSET', record, 'body', message.body, 'about', message.about)
  redis.call('PEXPIRE', record, message.keepMs or ARGV[4])
  if place == 'root' then
    if isNew then postAs(message.prefix, message.threadKey, message.key) end
  elseif message.thread then
    redis.call('HSET', record, 'thread', message.thread)
  end
  local first = isGathering and gather(message)
  if dead then return forgetContent(record) end
  if message.mark and (isNew or (refused and not ts and not older)) then
    redis.call('HSET', held, message.key, message.mark)
    redis.call('HSET', record, 'heldOrder', redis.call('INCR', KEYS[3]))
    redis.call('HDEL', record, 'refused')
    redis.call('SADD', KEYS[5], message.channel)
  elseif isNew or redis.call('HEXISTS', held, message.key) == 0 then
    if isNew and place ~= 'root' then retryRoot(message) end
    redis.call('HDEL', held, message.key)
    enqueue(message, message.key, first)
  end
end

for index, message in ipairs(messages) do
  local key = postedKey(message.prefix, message.key)
  if key == message.key then
    write(message, index == 1 and #gathered > 0)
  else
    coverElsewhere(message, key)
  end
end
return { hash, unpack(waiting) }`;

export type Write = readonly [
  command:
    | 'ZADD'
    | 'ZREM'
    /** Of a sorted set by ms since the epoch: as the audit, by the clock of Redis. */
    | 'TRIM'
    | 'HSET'
    | 'HDEL'
    | 'HINCRBY'
    | 'SET'
    | 'DEL'
    | 'PEXPIRE',
  key: string,
  ...args: (string | number)[],
];

/** A change of a hash, written together with the messages or not at all. */
interface GuardedChange {
  /** The lock under which the hash was read; if it is lost, the commit is refused. */
  lock?: Lock;
  hash: string;
  /** Expected fields of the hash, null = absent; any difference refuses the commit. */
  expect?: Readonly<Record<string, string | null>>;
  set: Record<string, string>;
  remove: string[];
  /** Another hash, which others may write without the lock: its fields must be as expected, too. */
  shared?: Pick<GuardedChange, 'hash' | 'expect' | 'set'>;
  writes?: readonly Write[];
  /** Reports the change: appended to the audit, and to that of its own change. */
  audit?: AuditLine;
}

export type Outbox = ReturnType<typeof createOutbox>;

/** How long a message without `keepMs` can be edited, and is not posted again, in milliseconds. */
export const MESSAGE_TTL_MS = 45 * DAY_MS;

/** @param logAudit logs each line of the audit that was written, with its hash */
export function createOutbox(
  redis: RedisConnection,
  keys: Keys,
  scrub: Scrub,
  logAudit: (line: AuditLine, hash: string) => void = () => {},
) {
  async function commit(
    unscrubbed: readonly Message[],
    change?: GuardedChange,
    gathered: readonly string[] = [],
  ): Promise<string[] | undefined> {
    const scrubOnce = rememberingEach(scrub);
    const wanted = await wantedOf(redis, keys, unscrubbed, scrubOnce);
    // Keys and messages are scrubbed alike, else a scrubbed name would not be found.
    const messages = scrubStrings(wanted, scrubOnce);
    const { audit } = change ?? {};
    const ofChange = audit?.change === undefined ? [] : [keys.auditOf(audit.change)];
    const streams = audit === undefined ? [] : [keys.audit, ...ofChange];
    const line = JSON.stringify(audit ?? null);
    const scriptKeys = [
      change?.lock?.key ?? keys.lock('none'),
      change?.hash ?? keys.lock('none'),
      keys.outboxSequence,
      keys.outboxChannels,
      keys.heldChannels,
      change?.shared?.hash ?? keys.lock('none'),
      ...(change?.writes ?? []).map(([, key]) => key),
      ...streams,
      ...messages.flatMap(({ channel, key }) => [
        keys.message(channel, key),
        keys.outbox(channel),
        keys.held(channel),
      ]),
    ];
    const values = [
      change?.lock?.token ?? '',
      JSON.stringify(toOrders(change)),
      JSON.stringify(messages.map(toEntry)),
      MESSAGE_TTL_MS,
      JSON.stringify(gathered),
      streams.length,
      line,
    ];
    const answer = await evaluate(redis, COMMIT, scriptKeys, values);
    const [hash, ...channels] = Array.isArray(answer) ? answer.map(String) : [];
    if (audit !== undefined) {
      // After a lost connection the client sends the script again, which is refused because the first one was not.
      const written = hash ?? (await findHash(redis, keys.audit, line));
      if (written !== undefined) {
        record.auditLines.inc({});
        logAudit(audit, written);
      }
    }
    return hash === undefined ? undefined : [...new Set(channels)];
  }
  return {
    /**
     * Writes a change and its messages in one step: a crash cannot leave one without the other. A message with
     * unchanged content is skipped. Secrets are removed from messages only. A line of the audit is logged, too.
     * @returns the channels that have something to deliver; undefined when nothing was written, because the
     *   lock was lost, or a hash is not as expected
     */
    commit: (messages: readonly Message[], change?: GuardedChange) => commit(messages, change),
    /**
     * Posts the first message instead of several of its channel that are held back or wait.
     * @param gathered keys of those; from then on they are covered by the first message
     * @returns as `commit`; undefined when one of them is posted or under way, too
     */
    gather: (gathered: readonly string[], messages: readonly Message[]) =>
      commit(messages, undefined, gathered),
  };
}

/** Values as texts: Lua numbers would lose digits. */
function toOrders(change: GuardedChange | undefined): object {
  const { set = {}, remove = [], expect, shared, writes = [] } = change ?? {};
  return {
    set,
    remove,
    ...toExpected(expect),
    shared: { set: shared?.set ?? {}, ...toExpected(shared?.expect) },
    writes: writes.map(([command, , ...args]) => ({ command, args: args.map(String) })),
  };
}

function toExpected(expect: GuardedChange['expect'] = {}): object {
  const expected = Object.entries(expect);
  return {
    same: Object.fromEntries(expected.filter(([, value]) => value !== null)),
    absent: expected.filter(([, value]) => value === null).map(([field]) => field),
  };
}

const BATCH = 1_000;

const WHICH_EXIST = `
local exist = {}
for index, key in ipairs(KEYS) do exist[index] = redis.call('EXISTS', key) end
return exist`;

/**
 * Omits edits of messages that do not exist, and replies that are dropped without their root: a GVC has
 * thousands of edits of cards that were never posted. Only the holder of a GVC's lock creates its messages, so
 * none can appear before the script checks again.
 */
async function wantedOf(
  redis: RedisConnection,
  keys: Keys,
  messages: readonly Message[],
  scrub: Scrub,
): Promise<Message[]> {
  const nameOf = (channel: string, key: string): string => keys.message(scrub(channel), scrub(key));
  const needed = messages.map(({ channel, key, editOnly, orphan, threadKey }) => {
    if (editOnly === true) return nameOf(channel, key);
    return orphan === 'drop' ? nameOf(channel, threadKey ?? key) : undefined;
  });
  const names = [...new Set(needed.filter((name) => name !== undefined))];
  const there = new Set<string>();
  for (let from = 0; from < names.length; from += BATCH) {
    const some = names.slice(from, from + BATCH);
    const exist = (await evaluate(redis, WHICH_EXIST, some)) as number[];
    for (const [index, name] of some.entries()) if (exist[index] === 1) there.add(name);
  }
  return messages.filter(({ channel, key, orphan, threadKey = key }, index) => {
    const name = needed[index];
    if (name !== undefined && !there.has(name)) return false;
    there.add(nameOf(channel, key));
    if (orphan === 'root') there.add(nameOf(channel, threadKey));
    return true;
  });
}

/** As `eval`, for any number of keys: too many arguments of a call overflow the stack. */
function evaluate(
  redis: RedisConnection,
  script: string,
  scriptKeys: readonly string[],
  values: readonly (string | number)[] = [],
): Promise<unknown> {
  return redis.call('eval', [script, scriptKeys.length, ...scriptKeys, ...values]);
}

function rememberingEach(scrub: Scrub): Scrub {
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const scrubbed = scrub(text);
    known.set(text, scrubbed);
    return scrubbed;
  };
}

/** Of these fields only the body is compared: nothing else of a posted message can be edited. */
function toEntry(message: Message): object {
  const { channel, key, covers = [], text, blocks, threadKey, broadcast, ...rest } = message;
  return {
    channel,
    key,
    covers,
    threadKey,
    thread: threadKey && JSON.stringify({ threadKey, broadcast }),
    orphan: rest.orphan,
    editOnly: rest.editOnly === true,
    mark: rest.held,
    keepMs: rest.keepMs,
    about: subjectsOf(message).join(' '),
    body: JSON.stringify({ text, blocks, madeAt: rest.madeAt }),
  };
}

/** The workloads or locations in its key, its thread and its covers. */
function subjectsOf(message: Pick<Message, 'key' | 'threadKey' | 'covers'>): string[] {
  const keys = [message.key, message.threadKey ?? message.key, ...(message.covers ?? [])];
  return [...new Set(keys.map((key) => /^[^/]+\/[^/]+\/[^/]+/.exec(key)?.[0] ?? key))];
}
