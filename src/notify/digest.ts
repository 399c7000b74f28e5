import type { Keys } from '../store/keys.ts';
import type { RedisConnection } from '../store/redis.ts';
import { fitting, gatheredContent } from './gather.ts';
import { numbered } from './numbered.ts';
import type { Outbox } from './outbox.ts';
import type { Queue } from './queue.ts';
import type { MessageRecords } from './records.ts';

/** From this many waiting messages on they are told as one. */
const DIGEST_FROM = 5;

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
}): (channel: string, next: string) => Promise<boolean> {
  const { redis, keys, records } = deps;
  return async (channel, next) => {
    if ((await redis.zcard(keys.outbox(channel))) < DIGEST_FROM) return false;
    if ((await redis.hexists(keys.message(channel, next), 'groupable')) === 0) return false;
    const waiting = await deps.queue.groupable(channel);
    if (waiting.length < DIGEST_FROM) return false;
    const read = await Promise.all(waiting.map((key) => records.read(channel, key)));
    const told = fitting(read.flatMap((record) => (record === undefined ? [] : [record.message])));
    if (told.length < 2) return false;
    const key = await numbered(redis, keys, `@digest/${channel}`);
    const content = gatheredContent(`${told.length} messages at once`, told);
    const absorbs = told.map((one) => one.key);
    // Refused when one of them is under way by now; then the rest is looked at again.
    return (await deps.outbox.commit([{ channel, key, ...content, absorbs }])) !== undefined;
  };
}
