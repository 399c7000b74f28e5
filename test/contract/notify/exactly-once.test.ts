import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../src/lib/clock.ts';
import { createMetrics } from '../../../src/lib/metrics.ts';
import { createDeliverer } from '../../../src/notify/deliver.ts';
import type { Message } from '../../../src/notify/message.ts';
import { createOutbox } from '../../../src/notify/outbox.ts';
import { holdKey } from '../../../src/notify/holds.ts';
import type { MessageSender } from '../../../src/notify/sender.ts';
import { startRedis } from '../../../src/sandbox/redis.ts';
import type { SandboxRedis } from '../../../src/sandbox/redis.ts';
import type { SendResult } from '../../../src/slack/sender.ts';
import { createKeys } from '../../../src/store/keys.ts';
import type { RedisConnection } from '../../../src/store/redis.ts';
import { CHANNEL, connectTo, message, silentLogger } from './support.ts';

let server: SandboxRedis;
let redis: RedisConnection;
beforeAll(async () => {
  server = await startRedis(process.env['REDIS_URL']);
  redis = await connectTo(server.url);
});
afterAll(async () => {
  redis.disconnect();
  await server.close();
});

const MISHAPS = [
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

  function unclear({ key }: Message): SendResult {
    unclearEnds.set(key, (unclearEnds.get(key) ?? 0) + 1);
    return { kind: 'unclear', error: 'timeout' };
  }

  async function call(sent: Message, accept: () => string): Promise<SendResult> {
    const mishap = ahead.shift() ?? 'none';
    switch (mishap) {
      case 'none':
        return { kind: 'sent', ts: accept() };
      case 'limited':
        return { kind: 'limited', retryAfterMs: 60_000, error: 'ratelimited' };
      case 'unsent':
        return { kind: 'unsent', error: 'ECONNREFUSED' };
      case 'request lost':
        return unclear(sent);
      case 'answer lost':
        accept();
        return unclear(sent);
      case 'killed before':
        throw new Error('killed');
      case 'killed after':
        accept();
        throw new Error('killed');
    }
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
  };
  /** A message with three unclear ends lets the others pass. */
  const inOrder = (): boolean => [...unclearEnds.values()].every((ends) => ends < 3);
  return { posts, ahead, sender, inOrder };
}

const step = fc.oneof(
  fc.record({
    commit: fc.array(fc.record({ key: fc.nat({ max: 3 }), text: fc.nat({ max: 4 }) }), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
  fc.record({ deliver: fc.array(fc.constantFrom(...MISHAPS), { maxLength: 4 }) }),
);

it('whatever goes wrong, every message is there once, with its last content, and in order if it was not long unclear', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const keys = createKeys(`test-${randomUUID()}`);
      const channel = createChannel();
      const outbox = createOutbox(redis, keys, (text) => text);
      const deliverer = createDeliverer({
        redis,
        keys,
        sender: channel.sender,
        clock: systemClock,
        logger: silentLogger,
        deliveries: createMetrics().counter('deliveries', 'Messages by what became of them'),
        stopping: new AbortController().signal,
        spacingMs: 0,
      });
      const wanted = new Map<string, string>();
      const deliver = async (): Promise<void> => {
        await redis.del(holdKey(keys, CHANNEL, 'post'), holdKey(keys, CHANNEL, 'edit'));
        await deliverer.deliver(CHANNEL).catch((error: Error) => {
          if (error.message !== 'killed') throw error;
        });
      };

      for (const one of steps) {
        if ('commit' in one) {
          const messages = one.commit.map(({ key, text }) =>
            message(`key-${key}`, `text-${text}`, key === 0 ? {} : { threadKey: 'key-0' }),
          );
          for (const { key, text } of messages) wanted.set(key, text);
          await outbox.commit(messages);
        } else {
          channel.ahead.push(...one.deliver);
          await deliver();
        }
      }
      channel.ahead.length = 0;
      await deliver();

      const shown = channel.posts.map((post) => `${post.message.key}: ${post.message.text}`);
      const arranged = (told: string[]) => (channel.inOrder() ? told : told.toSorted());
      expect(arranged(shown)).toEqual(
        arranged([...wanted].map(([key, text]) => `${key}: ${text}`)),
      );
      expect(await redis.zcard(keys.outbox(CHANNEL))).toBe(0);
      const root = channel.posts.find((post) => post.message.key === 'key-0');
      const before = channel.posts.indexOf(root as never);
      for (const [index, post] of channel.posts.entries()) {
        expect(post.threadTs).toBe(root && index > before ? root.ts : undefined);
      }
    }),
    { numRuns: 150 },
  );
}, 60_000);
