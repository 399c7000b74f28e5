import * as fc from '../../support/fast-check.ts';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/lib/time.ts';
import { createMutedMessages } from '../../../src/rollouts/muted-messages.ts';
import type { Mute } from '../../../src/rollouts/watches.ts';
import { createRoughBot, MISHAPS, orKilled } from './rough-bot.ts';
import { useConnection } from '../../support/redis.ts';
import { CHANNEL, message } from './support.ts';

const server = useConnection();

const PLACES = ['acme/shop/api', 'acme/shop/web'] as const;
const kill = fc.constantFrom('no', 'before', 'after');
const gatheringStep = fc.oneof(
  fc.record({
    commit: fc.array(
      fc.record({ key: fc.nat({ max: 8 }), text: fc.nat(), covered: fc.nat({ max: 3 }) }),
      { minLength: 1, maxLength: 8 },
    ),
  }),
  fc.record({ deliver: fc.array(fc.constantFrom(...MISHAPS), { maxLength: 4 }), kill }),
  fc.record({ mute: fc.nat({ max: 1 }) }),
  fc.record({ notify: fc.boolean(), kill }),
);

it('whatever is held back or reported together, every name is reported once, in a post or in what a post stands for', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(gatheringStep, { maxLength: 16 }), async (steps) => {
      let killed = 'no';
      const bot = createRoughBot(server.redis, {
        outbox: (real) => ({
          commit: (messages) => mortal(() => real.commit(messages)),
          gather: (keys, messages) => mortal(() => real.gather(keys, messages)),
        }),
      });
      async function mortal<T>(write: () => Promise<T>): Promise<T> {
        const moment = killed;
        killed = 'no';
        if (moment === 'before') throw new Error('killed');
        const channels = await write();
        if (moment === 'after') throw new Error('killed');
        return channels;
      }
      const muted = new Set<string>();
      const reporter = createMutedMessages(
        {
          redis: server.redis,
          keys: bot.keys,
          outbox: {
            gather: (keys, messages) => mortal(() => bot.outbox.gather(keys, messages)),
          },
          wake: () => Promise.resolve(),
          clock: systemClock,
          takesPosts: () => Promise.resolve(undefined),
          config: {
            watches: [],
            channels: { notify: CHANNEL },
            polling: { activeMs: 10_000, idleMs: 60_000, patience: 1 },
          },
        },
        () => Promise.resolve([...muted].map(muteOfPlace)),
      );
      const wanted = new Set<string>();
      const covering = new Map<number, number>();
      const notify = async (): Promise<unknown> => {
        // The lock of a killed process expires.
        await server.redis.del(bot.keys.lock(`held:${CHANNEL}`));
        return orKilled(reporter.release());
      };

      for (const one of steps) {
        if ('commit' in one) {
          const messages = one.commit.map(({ key, text, covered }) => {
            const place = PLACES[key % 2]!;
            // The keys that a message covers only grow.
            const most = Math.max(covered, covering.get(key) ?? 0);
            covering.set(key, most);
            const covers = Array.from({ length: most }, (_, index) => `${key}-covers-${index}`);
            return message(`key-${key}`, `text-${text}`, {
              ...(most === 0 ? {} : { covers }),
              ...(key === 0 ? {} : { threadKey: 'key-0' }),
              ...(muted.has(place) ? { held: `0 ${place}` } : {}),
            });
          });
          for (const { key, covers = [] } of messages)
            for (const name of [key, ...covers]) wanted.add(name);
          await bot.outbox.commit(messages);
        } else if ('deliver' in one) {
          bot.channel.ahead.push(...one.deliver);
          killed = one.kill;
          await bot.deliver();
        } else if ('mute' in one) {
          const place = PLACES[one.mute]!;
          if (!muted.delete(place)) muted.add(place);
        } else {
          killed = one.kill;
          await notify();
        }
      }
      bot.channel.ahead.length = 0;
      killed = 'no';
      muted.clear();
      await notify();
      await bot.deliver();
      await bot.deliver();

      const reported = bot.channel.posts.flatMap((post) => [
        post.message.key,
        ...(post.message.covers ?? []),
      ]);
      const named = reported.filter((name) => !name.startsWith('@'));
      expect(named.toSorted()).toEqual([...wanted].toSorted());
      expect(await server.redis.zcard(bot.keys.outbox(CHANNEL))).toBe(0);
      expect(await server.redis.hlen(bot.keys.held(CHANNEL))).toBe(0);
    }),
    { numRuns: 300 },
  );
}, 120_000);

function muteOfPlace(place: string): Mute {
  const [org = '', gvc = '', workload = ''] = place.split('/');
  return {
    channel: CHANNEL,
    org,
    gvc,
    workload,
    since: 0,
    until: Number.MAX_SAFE_INTEGER,
    by: 'U1',
  };
}
