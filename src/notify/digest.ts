import type { Keys } from '../store/keys.ts';
import type { RedisConnection } from '../store/redis.ts';
import { fitting, gatheredContent, MAX_GATHERED } from './gather.ts';
import type { Outbox } from './outbox.ts';
import type { Queue } from './queue.ts';
import type { MessageRecords } from './records.ts';

/** From this many waiting messages on they are told as one. */
const DIGEST_FROM = 5;

/**
 * Makes one message of those that wait for a channel and may be told together (ADR 11, "Backlog").
 * It takes the place of the first of them. A crash leaves them as they are, or told in one.
 */
export function createDigester(deps: {
  redis: RedisConnection;
  keys: Keys;
  outbox: Outbox;
  queue: Queue;
  records: MessageRecords;
}): (channel: string) => Promise<void> {
  const { redis, keys, records } = deps;
  return async (channel) => {
    if ((await redis.zcard(keys.outbox(channel))) < DIGEST_FROM) return;
    const waiting = await deps.queue.groupable(channel);
    if (waiting.length < DIGEST_FROM) return;
    const read = await Promise.all(
      waiting.slice(0, MAX_GATHERED).map((key) => records.read(channel, key)),
    );
    const told = fitting(read.flatMap((record) => (record === undefined ? [] : [record.message])));
    if (told.length < 2) return;
    const key = `@digest/${channel}/${await redis.incr(keys.outboxSequence)}`;
    const content = gatheredContent(`${told.length} messages at once`, told);
    // Refused when one of them is under way by now; then the rest is looked at again.
    await deps.outbox.commit([{ channel, key, ...content, absorbs: told.map((one) => one.key) }]);
  };
}
