import { randomUUID } from 'node:crypto';
import type { Message, MessageSender } from '../../../src/notify/message.ts';
import { createOutbox, type Outbox } from '../../../src/notify/outbox.ts';
import type { SendResult } from '../../../src/slack/sender.ts';
import { createKeys, type RedisConnection } from '../../../src/store/redis.ts';
import { CHANNEL, delivererOf } from './support.ts';

/** How a call may go wrong. */
export const MISHAPS = [
  'none',
  'limited',
  'unsent',
  'request lost',
  'answer lost',
  'killed before',
  'killed after',
] as const;
type Mishap = (typeof MISHAPS)[number];

/** A channel in a few lines, with a list of what goes wrong with the next calls. */
function createChannel() {
  const posts: { message: Message; ts: string; threadTs: string | undefined }[] = [];
  const ahead: Mishap[] = [];
  const unclearEnds = new Map<string, number>();

  async function call(sent: Message, accept: () => string): Promise<SendResult> {
    const mishap = ahead.shift() ?? 'none';
    if (mishap === 'limited') {
      return { kind: 'limited', retryAfterMs: 60_000, error: 'ratelimited' };
    }
    if (mishap === 'unsent') return { kind: 'unsent', error: 'ECONNREFUSED' };
    const isLost = mishap === 'request lost' || mishap === 'killed before';
    const ts = isLost ? '' : accept();
    if (mishap.startsWith('killed')) throw new Error('killed');
    if (mishap === 'none') return { kind: 'sent', ts };
    unclearEnds.set(sent.key, (unclearEnds.get(sent.key) ?? 0) + 1);
    return { kind: 'unclear', error: 'timeout' };
  }

  const sender: MessageSender = {
    post: (sent, threadTs) =>
      call(sent, () => {
        const ts = `${posts.length + 1}`;
        posts.push({ message: sent, ts, threadTs });
        return ts;
      }),
    update: (sent, ts) =>
      call(sent, () => {
        const post = posts.find((one) => one.ts === ts);
        if (post === undefined) throw new Error('an edit of nothing');
        post.message = sent;
        return ts;
      }),
    async find(sought, _sinceMs, threadTs) {
      const post = posts.find((one) => one.message.key === sought.key && one.threadTs === threadTs);
      return post === undefined ? { kind: 'absent' } : { kind: 'found', ts: post.ts };
    },
    read: () => Promise.resolve({ kind: 'unknown', error: 'without a reader' }),
    time: () => Promise.resolve(undefined),
  };
  /** The most unclear ends of one message. */
  const unclearMost = (): number => Math.max(0, ...unclearEnds.values());
  return { posts, ahead, sender, unclearMost };
}

/** A bot with one channel, in which a lot goes wrong. */
export function createRoughBot(
  redis: RedisConnection,
  changes: { outbox?: (real: Outbox) => Outbox } = {},
) {
  const keys = createKeys(`test-${randomUUID()}`);
  const channel = createChannel();
  const outbox = createOutbox(redis, keys, (text) => text);
  const deliverer = delivererOf({
    redis,
    keys,
    sender: channel.sender,
    outbox: changes.outbox?.(outbox) ?? outbox,
  });
  return {
    keys,
    channel,
    outbox,
    deliver: async (): Promise<void> => {
      await redis.del(keys.channelBackoff(CHANNEL, 'post'), keys.channelBackoff(CHANNEL, 'edit'));
      while (await orKilled(deliverer.deliver(CHANNEL)));
    },
  };
}

/** The result of work; undefined when its process was killed. */
export async function orKilled<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: Error) => {
    if (error.message !== 'killed') throw error;
    return undefined;
  });
}
