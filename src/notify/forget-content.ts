/**
 * A function for scripts: what a record needs no more once Slack has its content, or never gets it.
 *
 * `forgetContent(record)` leaves the place of the message (`ts`), what it stands for, and a hash of its
 * content, by which the next commit sees whether that changed. The record is written anew, because Redis keeps a hash that held a long text in its large form for ever.
 *
 * `isContent(record, body)` and `coversOf(record)` read a record with and without its content alike.
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
