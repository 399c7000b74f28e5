import * as fc from '../../support/fast-check.ts';
import { expect, it } from 'vitest';
import { createRoughBot, MISHAPS } from './rough-bot.ts';
import { useConnection } from '../../support/redis.ts';
import { CHANNEL, message } from './support.ts';

const server = useConnection();

const step = fc.oneof(
  fc.record({
    commit: fc.array(fc.record({ key: fc.nat({ max: 3 }), text: fc.nat({ max: 4 }) }), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
  fc.record({ deliver: fc.array(fc.constantFrom(...MISHAPS), { maxLength: 4 }) }),
  fc.record({ outageOf: fc.integer({ min: 4, max: 7 }) }),
);

/** Unclear ends of a message from which on it lets others pass: those of other workloads, and all. */
const PARK_FROM = 5;
const ALONE_FROM = 12;

/** Two messages each of two workloads; the first is the root of the others. */
const NAMES = ['api/7/card', 'api/7/ready', 'web/3/card', 'web/3/ready'].map(
  (name) => `acme/shop/${name}`,
);
const [ROOT = ''] = NAMES;

it('whatever goes wrong, every message is there once, with its last content, and in the order of its workload', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const { keys, channel, outbox, deliver } = createRoughBot(server.redis);
      const wanted = new Map<string, string>();

      for (const one of steps) {
        if ('commit' in one) {
          const messages = one.commit.map(({ key, text }) =>
            message(`${NAMES[key]}`, `text-${text}`, key === 0 ? {} : { threadKey: ROOT }),
          );
          for (const { key, text } of messages) wanted.set(key, text);
          await outbox.commit(messages);
        } else if ('deliver' in one) {
          channel.ahead.push(...one.deliver);
          await deliver();
        } else {
          for (let attempt = 0; attempt < one.outageOf; attempt += 1) {
            channel.ahead.unshift('request lost');
            await deliver();
          }
        }
      }
      channel.ahead.length = 0;
      await deliver();

      const shown = channel.posts.map((post) => `${post.message.key}: ${post.message.text}`);
      const reported = [...wanted].map(([key, text]) => `${key}: ${text}`);
      const arranged = arrangement(channel.unclearMost());
      expect(arranged(shown)).toEqual(arranged(reported));
      expect(await server.redis.zcard(keys.outbox(CHANNEL))).toBe(0);
      const root = channel.posts.find((post) => post.message.key === ROOT);
      const before = channel.posts.indexOf(root as never);
      for (const [index, post] of channel.posts.entries()) {
        expect(post.threadTs).toBe(root && index > before ? root.ts : undefined);
      }
    }),
    { numRuns: 200 },
  );
}, 60_000);

/** In the order that has to be right after so many unclear ends of one message. */
function arrangement(unclear: number): (reported: readonly string[]) => readonly string[] {
  if (unclear < PARK_FROM) return (reported) => reported;
  return unclear < ALONE_FROM ? byWorkload : (reported) => reported.toSorted();
}

/** Sorted by workload, in the given order within each. */
function byWorkload(reported: readonly string[]): string[] {
  const workloadOf = (line: string): string => line.split('/').slice(0, 3).join('/');
  return reported.toSorted((one, other) => workloadOf(one).localeCompare(workloadOf(other)));
}
