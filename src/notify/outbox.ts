import { scrubStrings } from '../lib/scrub.ts';
import type { Scrub } from '../lib/scrub.ts';
import type { Keys } from '../store/keys.ts';
import type { Lock } from '../store/lock.ts';
import type { RedisConnection } from '../store/redis.ts';
import { COMMIT } from './commit-script.ts';
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
   * @returns the channels that have something to deliver now; undefined when nothing was written,
   *   because the lock was lost, or a message to be absorbed is posted or under way
   */
  commit(messages: readonly Message[], change?: GuardedChange): Promise<string[] | undefined>;
}

/** How long a message can still be edited or stands against being doubled, in milliseconds. */
export const MESSAGE_TTL_MS = 45 * 24 * 3_600_000;

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
        keys.heldChannels,
        ...messages.flatMap((message) => keysOf(keys, message)),
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

function keysOf(keys: Keys, { channel, key, requires, absorbs = [] }: Message): string[] {
  return [
    keys.message(channel, key),
    keys.message(channel, requires ?? key),
    keys.outbox(channel),
    keys.held(channel),
    ...absorbs.map((absorbed) => keys.message(channel, absorbed)),
  ];
}

/** `requires`, `held` and `absorbs` are about this one commit; the rest is what the message is to be. */
function toEntry(message: Message): object {
  const { requires, held, absorbs = [], ...body } = message;
  return {
    channel: message.channel,
    key: message.key,
    requires: requires !== undefined,
    ...(held === undefined ? {} : { place: held }),
    absorbs,
    groupable: message.groupable === true,
    body: JSON.stringify(body),
  };
}
