import type { Keys } from '../store/keys.ts';
import type { RedisConnection } from '../store/redis.ts';
import { fitting, gatheredContent } from './gather.ts';
import type { LookBack } from './look-back.ts';
import { numbered } from './numbered.ts';
import type { Outbox } from './outbox.ts';
import type { Queue } from './queue.ts';
import type { MessageRecord, MessageRecords } from './records.ts';

/** From this many waiting messages on they are told as one. */
const DIGEST_FROM = 5;
/** Ends of a look by which a message is posted, and those by which it is not. */
const MISSING: ReadonlySet<string> = new Set(['absent', 'unknown']);
const TOLD: ReadonlySet<string> = new Set(['found', 'told']);

/**
 * Makes one message of those that wait for a channel and may be told together (ADR 11, "Backlog").
 * It takes the place of the first of them. A crash leaves them as they are, or told in one.
 * @param next the channel's next message: while it is another's turn, nobody looks
 * @returns whether it made one
 */
export function createDigester(deps: {
  redis: RedisConnection;
  keys: Keys;
  outbox: Outbox;
  queue: Queue;
  records: MessageRecords;
  lookBack: Pick<LookBack, 'isOpen' | 'find'>;
}): (channel: string, next: string) => Promise<boolean> {
  const { redis, keys, records, lookBack } = deps;

  /** Redis may have forgotten that some of them are told already: those that Slack has not. */
  async function untold(waiting: readonly MessageRecord[]): Promise<MessageRecord[]> {
    if (!(await lookBack.isOpen())) return [...waiting];
    const all: MessageRecord[] = [];
    for (const record of waiting) {
      // What goes into a thread could stand there, and there is one for each.
      if (record.message.threadKey !== undefined) continue;
      const look = await lookBack.find(record.message, undefined, record.older);
      if (look === undefined || MISSING.has(look.kind)) all.push(record);
      // Its own turn brings it in order, and the look to an end that fails now.
      else if (all.length === 0 || !TOLD.has(look.kind)) return [];
    }
    return all;
  }

  /** A number that Redis has forgotten is another digest's, which must not be edited into this one. */
  async function unusedKey(channel: string): Promise<string> {
    const key = await numbered(redis, keys, `@digest/${channel}`);
    const look = await lookBack.find({ channel, key }, undefined, []);
    return look?.kind === 'found' ? unusedKey(channel) : key;
  }

  return async (channel, next) => {
    if ((await redis.zcard(keys.outbox(channel))) < DIGEST_FROM) return false;
    if ((await redis.hexists(keys.message(channel, next), 'groupable')) === 0) return false;
    const waiting = await deps.queue.groupable(channel);
    if (waiting.length < DIGEST_FROM) return false;
    const read = await Promise.all(waiting.map((key) => records.read(channel, key)));
    const missing = await untold(read.filter((record) => record !== undefined));
    if (missing.length < DIGEST_FROM) return false;
    const told = fitting(missing.map(({ message }) => message));
    if (told.length < 2) return false;
    const key = await unusedKey(channel);
    const content = gatheredContent(`${told.length} messages at once`, told);
    const absorbs = told.map((one) => one.key);
    // Refused when one of them is under way by now; then the rest is looked at again.
    return (await deps.outbox.commit([{ channel, key, ...content, absorbs }])) !== undefined;
  };
}
