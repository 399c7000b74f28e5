import { DAY_MS } from '../lib/time.ts';
import { scrubStrings, type Scrub } from '../lib/secret.ts';
import type { Keys, Lock, RedisConnection } from '../store/redis.ts';
import { COMMIT } from './scripts.ts';
import type { Message } from './message.ts';

/** Something else that is written in the same step: a command of Redis, its key, and what comes after. */
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

/** A change of a hash that is written together with the messages, or not at all. */
interface GuardedChange {
  /** The lock under which the hash was read; a lost one refuses the whole. */
  lock?: Lock;
  hash: string;
  /** What fields of the hash have to be now, null = not there; anything else refuses the whole. */
  expect?: Readonly<Record<string, string | null>>;
  set: Record<string, string>;
  remove: string[];
  writes?: readonly Write[];
}

export interface Outbox {
  /**
   * Writes a change and the messages about it in one step: a crash cannot leave one without the other.
   * A message whose content is already wanted changes nothing. Secrets are taken out of messages only.
   * @returns the channels that have something to deliver now; undefined when nothing was written,
   *   because the lock was lost, the hash is not as expected, or a message to be absorbed is posted
   *   or under way
   */
  commit(messages: readonly Message[], change?: GuardedChange): Promise<string[] | undefined>;
}

/** How long a message can still be edited, and is not posted a second time, in milliseconds. */
export const MESSAGE_TTL_MS = 45 * DAY_MS;

/** @param scrub takes secrets out of what is to leave the process */
export function createOutbox(redis: RedisConnection, keys: Keys, scrub: Scrub): Outbox {
  return {
    async commit(unscrubbed, change) {
      // Many channels get the same texts.
      const scrubOnce = rememberingEach(scrub);
      const wanted = await wantedOf(redis, keys, unscrubbed, scrubOnce);
      // Keys and messages from one text, else a scrubbed name would be looked for in vain.
      const messages = scrubStrings(wanted, scrubOnce);
      const scriptKeys = [
        change?.lock?.key ?? keys.lock('none'),
        change?.hash ?? keys.lock('none'),
        keys.outboxSequence,
        keys.outboxChannels,
        keys.heldChannels,
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

/** All values as texts: the script's own numbers would lose digits. */
function toOrders(change: GuardedChange | undefined): object {
  const { set = {}, remove = [], expect = {}, writes = [] } = change ?? {};
  const expected = Object.entries(expect);
  return {
    set,
    remove,
    same: Object.fromEntries(expected.filter(([, value]) => value !== null)),
    absent: expected.filter(([, value]) => value === null).map(([field]) => field),
    writes: writes.map(([command, , ...args]) => ({ command, args: args.map(String) })),
  };
}

/** Records that are looked for in one go. */
const BATCH = 1_000;

const WHICH_EXIST = `
local exist = {}
for index, key in ipairs(KEYS) do exist[index] = redis.call('EXISTS', key) end
return exist`;

/**
 * Leaves out what requires a message that neither is there nor comes in the same commit: a GVC has
 * thousands of edits of cards that were never posted. Only the holder of a GVC's lock makes its
 * messages, so nothing that is missing here is there when the script looks again.
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

/** The body is what the message is to be; what concerns this commit alone stands beside it. */
function toEntry(message: Message): object {
  const { requires, held, absorbs = [], servesAs, ...body } = message;
  return {
    channel: message.channel,
    key: message.key,
    requires: requires !== undefined,
    place: held,
    absorbs,
    servesAs,
    groupable: message.groupable === true,
    threadKey: message.threadKey,
    about: subjectsOf(message).join(' '),
    body: JSON.stringify(body),
  };
}

/** What a message is about: the workloads, or locations, of its key, of its thread and of what it covers. */
function subjectsOf(message: Pick<Message, 'key' | 'threadKey' | 'covers'>): string[] {
  const keys = [message.key, message.threadKey ?? message.key, ...(message.covers ?? [])];
  return [...new Set(keys.map((key) => /^[^/]+\/[^/]+\/[^/]+/.exec(key)?.[0] ?? key))];
}
