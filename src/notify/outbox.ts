import { scrubStrings } from '../lib/scrub.ts';
import type { Scrub } from '../lib/scrub.ts';
import type { Keys } from '../store/keys.ts';
import type { Lock } from '../store/lock.ts';
import type { RedisConnection } from '../store/redis.ts';
import type { Message } from './message.ts';

/** A change of a hash that has to stand or fall together with the messages. */
interface GuardedChange {
  /** The lock under which the hash was read; a lost one refuses the whole. */
  lock: Lock;
  hash: string;
  set: Record<string, string>;
  remove: string[];
}

export interface Outbox {
  /**
   * Writes a change and the wish that these messages be so, in one step: a crash cannot part them.
   * A message whose content is already wanted changes nothing.
   * @returns the channels that have something to deliver now; undefined when the lock was lost
   */
  commit(messages: readonly Message[], change?: GuardedChange): Promise<string[] | undefined>;
}

/** How long a message can still be edited or stands against being doubled, in milliseconds. */
export const MESSAGE_TTL_MS = 45 * 24 * 3_600_000;

// KEYS: lock, hash, sequence, channels, then record, outbox and required record of each message.
const COMMIT = `
if ARGV[1] ~= '' and redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
local change = cjson.decode(ARGV[2])
for field, value in pairs(change.set) do redis.call('HSET', KEYS[2], field, value) end
if next(change.set) then redis.call('PERSIST', KEYS[2]) end
for _, field in ipairs(change.remove) do redis.call('HDEL', KEYS[2], field) end
local messages = cjson.decode(ARGV[3])
local waiting = {}
for index, message in ipairs(messages) do
  local at = 5 + (index - 1) * 3
  local record, outbox, required = KEYS[at], KEYS[at + 1], KEYS[at + 2]
  local wanted = (not message.requires) or redis.call('EXISTS', required) == 1
  if wanted and redis.call('HGET', record, 'body') ~= message.body then
    redis.call('HINCRBY', record, 'revision', 1)
    redis.call('HSET', record, 'body', message.body)
    redis.call('PEXPIRE', record, ARGV[4])
    if redis.call('HEXISTS', record, 'dead') == 0 then
      redis.call('ZADD', outbox, 'NX', redis.call('INCR', KEYS[3]), message.key)
      redis.call('SADD', KEYS[4], message.channel)
      table.insert(waiting, message.channel)
    end
  end
end
return waiting`;

/** @param scrub takes secrets out of what is to leave the process */
export function createOutbox(redis: RedisConnection, keys: Keys, scrub: Scrub): Outbox {
  return {
    async commit(unscrubbed, change) {
      // Keys and messages from one text, else a scrubbed name would be looked for in vain.
      const messages = scrubStrings(unscrubbed, scrub);
      const scriptKeys = [
        change?.lock.key ?? keys.lock('none'),
        change?.hash ?? keys.lock('none'),
        keys.outboxSequence,
        keys.outboxChannels,
        ...messages.flatMap((message) => [
          keys.message(message.channel, message.key),
          keys.outbox(message.channel),
          keys.message(message.channel, message.requires ?? message.key),
        ]),
      ];
      const answer = await redis.eval(
        COMMIT,
        scriptKeys.length,
        ...scriptKeys,
        change?.lock.token ?? '',
        JSON.stringify({ set: change?.set ?? {}, remove: change?.remove ?? [] }),
        JSON.stringify(messages.map(toEntry)),
        MESSAGE_TTL_MS,
      );
      return Array.isArray(answer) ? [...new Set(answer.map(String))] : undefined;
    },
  };
}

/** `requires` is about this one commit; the rest is what the message is to be. */
function toEntry(message: Message): object {
  const { requires, ...body } = message;
  return {
    channel: message.channel,
    key: message.key,
    requires: requires !== undefined,
    body: JSON.stringify(body),
  };
}
