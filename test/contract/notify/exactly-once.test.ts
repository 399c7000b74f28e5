import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/lib/time.ts';
import type { Message, MessageSender } from '../../../src/notify/message.ts';
import { createOutbox, type Outbox } from '../../../src/notify/outbox.ts';
import { createMutedMessages } from '../../../src/rollouts/muted-messages.ts';
import type { Mute } from '../../../src/rollouts/watches.ts';
import type { SendResult } from '../../../src/slack/sender.ts';
import { createKeys } from '../../../src/store/redis.ts';
import * as fc from '../../support/fast-check.ts';
import { useConnection } from '../../support/redis.ts';
import { CHANNEL, delivererOf, message, orKilled } from './support.ts';

const server = useConnection();

/** How a call may go wrong. */
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
function createRoughBot(wrapped: (real: Outbox) => Outbox = (real) => real) {
  const { redis } = server;
  const keys = createKeys(`test-${randomUUID()}`);
  const channel = createChannel();
  const outbox = createOutbox(redis, keys, (text) => text);
  const deliverer = delivererOf({
    redis,
    keys,
    sender: channel.sender,
    outbox: wrapped(outbox),
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
      const { keys, channel, outbox, deliver } = createRoughBot();
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
      const bot = createRoughBot((real) => ({
        commit: (messages) => mortal(() => real.commit(messages)),
        gather: (keys, messages) => mortal(() => real.gather(keys, messages)),
      }));
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
