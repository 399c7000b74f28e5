/** Number of unclear ends after which a message lets those about other subjects pass. */
const PARK_FROM = 5;
/** From here on it is the message and not Slack, if another one was posted since the first of them. */
const ALONE_FROM = 12;
/** After about an hour it lets all others pass, whatever Slack did with those. */
const ALONE_AT_LAST = 120;

/**
 * Counts an unclear end, and puts the message behind the others when it had many.
 *
 * What is about the same subject goes along in its order, so that nobody reads of a later version
 * first. Nothing has to wait for an edit, so one that fails goes by itself. The records have the
 * prefix of the message's own, so they are in its slot.
 *
 * KEYS: record, outbox, sequence, last post of the channel. ARGV: key of the message.
 * @returns how many unclear ends there were in a row; 1 of what Redis has forgotten
 */
export const MARK_UNCLEAR = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 1 end
local ends = redis.call('HINCRBY', KEYS[1], 'unclearEnds', 1)
redis.call('HSETNX', KEYS[1], 'unclearSince', redis.call('INCR', KEYS[3]))
local isPosted, since = unpack(redis.call('HMGET', KEYS[1], 'ts', 'unclearSince'))
local lastPost = tonumber(redis.call('GET', KEYS[4]) or 0)
local isAlone = ends >= ${ALONE_AT_LAST} or (ends >= ${ALONE_FROM} and lastPost > tonumber(since))
if isAlone then redis.call('HSET', KEYS[1], 'alone', 1) end
local place = redis.call('ZSCORE', KEYS[2], ARGV[1])
if not place or ends < ${PARK_FROM} then return ends end

local function toTheEnd(key)
  redis.call('ZADD', KEYS[2], redis.call('INCR', KEYS[3]), key)
end

local prefix = string.sub(KEYS[1], 1, #KEYS[1] - #ARGV[1])
local function subjectsOf(key)
  local about, also = unpack(redis.call('HMGET', prefix .. key, 'about', 'alsoCovers'))
  local subjects = {}
  for subject in string.gmatch(about or '', '%S+') do table.insert(subjects, subject) end
  for covered in string.gmatch(also or '', '%S+') do
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

/** What a message is about: the workloads, or locations, of its key, of its thread and of what it covers. */
export function subjectsOf(message: {
  key: string;
  threadKey?: string;
  covers?: readonly string[];
}): string[] {
  const keys = [message.key, message.threadKey ?? message.key, ...(message.covers ?? [])];
  return [...new Set(keys.map((key) => /^[^/]+\/[^/]+\/[^/]+/.exec(key)?.[0] ?? key))];
}
