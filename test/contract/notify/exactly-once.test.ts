import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startRedis } from '../../../src/sandbox/redis.ts';
import type { SandboxRedis } from '../../../src/sandbox/redis.ts';
import type { RedisConnection } from '../../../src/store/redis.ts';
import { createRoughBot, MISHAPS } from './rough-bot.ts';
import { CHANNEL, connectTo, message } from './support.ts';

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
      const { keys, channel, outbox, deliver } = createRoughBot(redis);
      const wanted = new Map<string, string>();

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
