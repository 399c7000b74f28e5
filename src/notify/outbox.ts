import { type Scrub, scrubStrings } from '../lib/secret.ts';
import { DAY_MS } from '../lib/time.ts';
import type { Keys, Lock, RedisConnection } from '../store/redis.ts';
import { MAX_COVERS, type Message } from './message.ts';

/**
 * Lua functions for records.
 *
 * `forgetContent(record)` drops the content that Slack has, or never gets. It keeps the message's place
 * (`ts`), its covers, and a hash by which the next commit sees whether the content changed. The record is
 * written again, because Redis keeps a hash that held a long text in its large encoding forever.
 *
 * `isContent(record, body)` and `coversOf(record)` work with and without content.
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

local function coversOf(record)
  local body, covers = unpack(redis.call('HMGET', record, 'body', 'covers'))
  if body then return cjson.decode(body).covers or {} end
  local all = {}
  for key in string.gmatch(covers or '', '%S+') do table.insert(all, key) end
  return all
end

local FORGOTTEN = { body = true, about = true, groupable = true, heldOrder = true }

local function forgetContent(record)
  local body = redis.call('HGET', record, 'body')
  if not body then return end
  local kept = { 'hash', hashOf(body) }
  local covers = table.concat(cjson.decode(body).covers or {}, ' ')
  if covers ~= '' then
    table.insert(kept, 'covers')
    table.insert(kept, covers)
  end
  local fields = redis.call('HGETALL', record)
  for at = 1, #fields, 2 do
    if not FORGOTTEN[fields[at]] and fields[at] ~= 'hash' and fields[at] ~= 'covers' then
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

/**
 * Writes a change of state together with its messages in one step.
 *
 * KEYS: lock, hash, sequence, channels of the outbox, channels with held messages, shared hash; then the key
 * of each write; then of each message its record, the record that it requires, the outbox and the held
 * messages of its channel, and the records that it absorbs.
 * ARGV: token of the lock ('' = none), change, messages, milliseconds that a record is kept.
 * Returns the channels with something to deliver; 0 when the lock was lost, when a hash is not as expected,
 * or when a message to be absorbed is posted or under way. Then nothing was written.
 *
 * The record of an absorbed message names its replacement (`toldIn`). Covers that it gets later go to the
 * replacement (`alsoCovers`), because its own edits are never seen. The record of a message that another one
 * serves as (`served`) names that one only: contents are ignored. A message that the channel refused
 * (`refused`) is retried with new content, or before the next message in its thread. The names of these
 * records are made here: they have the prefix of the message's own, so they are in its slot.
 */
const COMMIT = `${CONTENT_FUNCTIONS}
if ARGV[1] ~= '' and redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
local messages, change = cjson.decode(ARGV[3]), cjson.decode(ARGV[2])
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

local at = 7 + #change.writes
for _, message in ipairs(messages) do
  message.at = at
  at = at + 4 + #message.absorbs
  for index = message.at + 4, at - 1 do
    local revision, ts, older, pending, dead =
      unpack(redis.call('HMGET', KEYS[index], 'revision', 'ts', 'older', 'pendingSince', 'dead'))
    if not revision or ts or older or pending or dead then return 0 end
  end
end

local waiting, isWaiting = {}, {}
local function enqueue(outbox, channel, key, place)
  redis.call('ZADD', outbox, 'NX', place or redis.call('INCR', KEYS[3]), key)
  if isWaiting[channel] then return end
  isWaiting[channel] = true
  redis.call('SADD', KEYS[4], channel)
  table.insert(waiting, channel)
end

local function standsFor(record, key)
  local all = coversOf(record)
  table.insert(all, 1, key)
  local also = redis.call('HGET', record, 'alsoCovers') or ''
  for covered in string.gmatch(also, '%S+') do table.insert(all, covered) end
  return all
end

-- Beyond the limit the newest covers stay: the others were posted with it before.
local function cover(record, covered)
  local known = redis.call('HGET', record, 'alsoCovers') or ''
  local all, place, isKnown, isMore = {}, {}, {}, false
  for key in string.gmatch(known, '%S+') do isKnown[key] = true end
  for _, key in ipairs(covered) do
    isMore = isMore or not isKnown[key]
    place[key] = true
  end
  if not isMore then return false end
  for key in string.gmatch(known, '%S+') do
    if not place[key] then table.insert(all, key) end
  end
  for _, key in ipairs(covered) do
    if place[key] then table.insert(all, key) end
    place[key] = nil
  end
  local first, room = #all + 1, ${MAX_COVERS + 1}
  while first > 1 and room > #all[first - 1] do
    first = first - 1
    room = room - #all[first] - 1
  end
  local also = table.concat(all, ' ', first)
  if also == known then return false end
  redis.call('HSET', record, 'alsoCovers', also)
  return true
end

local function prefixOf(record, message)
  return string.sub(record, 1, #record - #message.key)
end

local function postElsewhere(record, outbox, held, message, told)
  local prefix = prefixOf(record, message)
  local covered = standsFor(record, message.key)
  local key = told
  while told do
    key = told
    told = redis.call('HGET', prefix .. key, 'toldIn')
  end
  local covering = prefix .. key
  if redis.call('EXISTS', covering) == 0 or not cover(covering, covered) then return end
  redis.call('HINCRBY', covering, 'revision', 1)
  redis.call('PEXPIRE', covering, ARGV[4])
  local seen = redis.call('HEXISTS', covering, 'dead') + redis.call('HEXISTS', held, key) == 0
  if seen then enqueue(outbox, message.channel, key) end
end

local function absorb(message, record, outbox, held)
  local first
  for index, key in ipairs(message.absorbs) do
    local absorbed = KEYS[message.at + 3 + index]
    cover(record, standsFor(absorbed, key))
    redis.call('HSET', absorbed, 'dead', 'told in ' .. message.key, 'toldIn', message.key)
    redis.call('HSET', record, 'tells', 1)
    forgetContent(absorbed)
    local place = tonumber(redis.call('ZSCORE', outbox, key))
    if place and (not first or place < first) then first = place end
    redis.call('ZREM', outbox, key)
    redis.call('HDEL', held, key)
  end
  return first
end

-- Whether this message serves as the other one, because that one was never posted.
local function servesAs(message, record, isNew)
  if not (message.servesAs or message.thread) then return false end
  local prefix = prefixOf(record, message)
  if message.threadKey and redis.call('HGET', prefix .. message.threadKey, 'toldIn') == message.key then
    return true
  end
  if not (isNew and message.servesAs) then return false end
  local other = prefix .. message.servesAs
  if redis.call('EXISTS', other) == 1 then return false end
  redis.call('HSET', other, 'revision', 1, 'served', 1,
    'dead', 'served by ' .. message.key, 'toldIn', message.key)
  redis.call('PEXPIRE', other, ARGV[4])
  return true
end

for field, value in pairs(change.set) do redis.call('HSET', KEYS[2], field, value) end
if next(change.set) then redis.call('PERSIST', KEYS[2]) end
for _, field in ipairs(change.remove) do redis.call('HDEL', KEYS[2], field) end
for field, value in pairs(change.shared.set) do redis.call('HSET', KEYS[6], field, value) end
for index, write in ipairs(change.writes) do
  redis.call(write.command, KEYS[6 + index], unpack(write.args))
end

-- The channel may take posts again by now.
local function retryRoot(record, outbox, message)
  if not message.threadKey then return end
  local prefix, key = prefixOf(record, message), message.threadKey
  local told = redis.call('HGET', prefix .. key, 'toldIn')
  while told do
    key = told
    told = redis.call('HGET', prefix .. key, 'toldIn')
  end
  local refused, dead = unpack(redis.call('HMGET', prefix .. key, 'refused', 'dead'))
  if refused and not dead then enqueue(outbox, message.channel, key) end
end

for _, message in ipairs(messages) do
  local record, required, outbox, held = unpack(KEYS, message.at, message.at + 3)
  local revision, dead, told, refused, ts, older, served = unpack(
    redis.call('HMGET', record, 'revision', 'dead', 'toldIn', 'refused', 'ts', 'older', 'served'))
  local isNew = not revision
  local wanted = ((not message.requires) or redis.call('EXISTS', required) == 1) and not served
  local serves = wanted and servesAs(message, record, isNew)
  local body = message.body
  if message.thread and not serves then
    body = string.sub(body, 1, -2) .. ',' .. string.sub(message.thread, 2)
  end
  if wanted and not isContent(record, body) then
    -- An edit without covers must not remove them from the metadata.
    if not isNew and not cjson.decode(body).covers then
      cover(record, coversOf(record))
    end
    redis.call('HSET', record, 'revision', (tonumber(revision) or 0) + 1)
    redis.call('HSET', record, 'body', body, 'about', message.about)
    redis.call('PEXPIRE', record, ARGV[4])
    if message.groupable then redis.call('HSET', record, 'groupable', 1) end
    local first = absorb(message, record, outbox, held)
    if told then
      postElsewhere(record, outbox, held, message, told)
    elseif not dead and message.place and (isNew or (refused and not ts and not older)) then
      redis.call('HSET', held, message.key, message.place)
      redis.call('HSET', record, 'heldOrder', redis.call('INCR', KEYS[3]))
      redis.call('HDEL', record, 'refused')
      redis.call('SADD', KEYS[5], message.channel)
    elseif not dead and (isNew or redis.call('HEXISTS', held, message.key) == 0) then
      if isNew and not serves then retryRoot(record, outbox, message) end
      redis.call('HDEL', held, message.key)
      enqueue(outbox, message.channel, message.key, first)
    end
    if dead then forgetContent(record) end
  end
end
return waiting`;

export type Write = readonly [
  command:
    | 'ZADD'
    | 'ZREM'
    | 'ZREMRANGEBYSCORE'
    | 'XADD'
    | 'XTRIM'
    | 'HSET'
    | 'HDEL'
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
}

export interface Outbox {
  /**
   * Writes a change and its messages in one step: a crash cannot leave one without the other. A message with
   * unchanged content is skipped. Secrets are removed from messages only.
   * @returns the channels that have something to deliver; undefined when nothing was written, because the
   *   lock was lost, a hash is not as expected, or a message to be absorbed is posted or under way
   */
  commit(messages: readonly Message[], change?: GuardedChange): Promise<string[] | undefined>;
}

/** How long a message can be edited, and is not posted again, in milliseconds. */
export const MESSAGE_TTL_MS = 45 * DAY_MS;

export function createOutbox(redis: RedisConnection, keys: Keys, scrub: Scrub): Outbox {
  return {
    async commit(unscrubbed, change) {
      const scrubOnce = rememberingEach(scrub);
      const wanted = await wantedOf(redis, keys, unscrubbed, scrubOnce);
      // Keys and messages are scrubbed alike, else a scrubbed name would not be found.
      const messages = scrubStrings(wanted, scrubOnce);
      const scriptKeys = [
        change?.lock?.key ?? keys.lock('none'),
        change?.hash ?? keys.lock('none'),
        keys.outboxSequence,
        keys.outboxChannels,
        keys.heldChannels,
        change?.shared?.hash ?? keys.lock('none'),
        ...(change?.writes ?? []).map(([, key]) => key),
        ...messages.flatMap((message) => keysOf(keys, message)),
      ];
      const values = [
        change?.lock?.token ?? '',
        JSON.stringify(toOrders(change)),
        JSON.stringify(messages.map(toEntry)),
        MESSAGE_TTL_MS,
      ];
      const answer = await evaluate(redis, COMMIT, scriptKeys, values);
      return Array.isArray(answer) ? [...new Set(answer.map(String))] : undefined;
    },
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
 * Omits messages whose required message neither exists nor is in the same commit: a GVC has thousands of
 * edits of cards that were never posted. Only the holder of a GVC's lock creates its messages, so none can
 * appear before the script checks again.
 */
async function wantedOf(
  redis: RedisConnection,
  keys: Keys,
  messages: readonly Message[],
  scrub: Scrub,
): Promise<Message[]> {
  const nameOf = (channel: string, key: string): string => keys.message(scrub(channel), scrub(key));
  const required = messages.map(({ channel, requires }) =>
    requires === undefined ? undefined : nameOf(channel, requires),
  );
  const names = [...new Set(required.filter((name) => name !== undefined))];
  const there = new Set<string>();
  for (let from = 0; from < names.length; from += BATCH) {
    const some = names.slice(from, from + BATCH);
    const exist = (await evaluate(redis, WHICH_EXIST, some)) as number[];
    for (const [index, name] of some.entries()) if (exist[index] === 1) there.add(name);
  }
  return messages.filter(({ channel, key, servesAs }, index) => {
    const name = required[index];
    if (name !== undefined && !there.has(name)) return false;
    there.add(nameOf(channel, key));
    if (servesAs !== undefined) there.add(nameOf(channel, servesAs));
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

function keysOf(keys: Keys, { channel, key, requires, absorbs = [] }: Message): string[] {
  return [
    keys.message(channel, key),
    keys.message(channel, requires ?? key),
    keys.outbox(channel),
    keys.held(channel),
    ...absorbs.map((absorbed) => keys.message(channel, absorbed)),
  ];
}

/**
 * The body is the content of the message; the other fields concern only this commit. The thread is added to
 * the body of a message that serves as no other one.
 */
function toEntry(message: Message): object {
  const { requires, held, absorbs = [], servesAs, threadKey, broadcast, ...body } = message;
  return {
    channel: message.channel,
    key: message.key,
    requires: requires !== undefined,
    place: held,
    absorbs,
    servesAs,
    groupable: message.groupable === true,
    threadKey,
    ...(threadKey === undefined ? {} : { thread: JSON.stringify({ threadKey, broadcast }) }),
    about: subjectsOf(message).join(' '),
    body: JSON.stringify(body),
  };
}

/** The workloads or locations in its key, its thread and its covers. */
function subjectsOf(message: Pick<Message, 'key' | 'threadKey' | 'covers'>): string[] {
  const keys = [message.key, message.threadKey ?? message.key, ...(message.covers ?? [])];
  return [...new Set(keys.map((key) => /^[^/]+\/[^/]+\/[^/]+/.exec(key)?.[0] ?? key))];
}
