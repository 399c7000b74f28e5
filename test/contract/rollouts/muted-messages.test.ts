import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Message } from '../../../src/notify/message.ts';
import { createOutbox, type Outbox } from '../../../src/notify/outbox.ts';
import { createMessageRecords } from '../../../src/notify/records.ts';
import { createMutedMessages, createMutes, type Mutes } from '../../../src/rollouts/watches.ts';
import { createKeys, type Keys, type RedisConnection } from '../../../src/store/redis.ts';
import { connectTo, useRedis } from '../../support/redis.ts';

const CHANNEL = 'C0DEPLOYS';
const HOUR = 3_600_000;

let redis: RedisConnection;
let keys: Keys;
let outbox: Outbox;
let mutes: Mutes;
let now: number;
let woken: string[];

beforeAll(async () => {
  redis = await connectTo(useRedis().url);
});
beforeEach(() => {
  keys = createKeys(`test-${randomUUID()}`);
  outbox = createOutbox(redis, keys, (text) => text);
  mutes = createMutes({ redis, keys });
  now = Date.UTC(2026, 9, 5, 12);
  woken = [];
});
afterAll(() => redis.disconnect());

/** A process that tells what was held back. */
function teller(through: Outbox = outbox) {
  return createMutedMessages({
    redis,
    keys,
    outbox: through,
    wake: (channels) => {
      woken.push(...channels);
      return Promise.resolve();
    },
    clock: { now: () => now },
  });
}

async function mute(place: { org?: string; gvc?: string; workload?: string }, ms = HOUR) {
  await mutes.set({ channel: CHANNEL, ...place, since: now, until: now + ms, by: 'U1' });
}

/** News of a workload of acme/shop, while the channel is muted. */
async function holdBack(workload: string, text: string, more: Partial<Message> = {}) {
  const held = `acme/shop/${workload}`;
  const key = `${held}/7/${text}`;
  const news = { channel: CHANNEL, key, text: `shop/${workload} v7 ${text}`, blocks: [], held };
  await outbox.commit([{ ...news, ...more }]);
}

/** What waits to be posted, as `key: covers`, and its text. */
async function waiting(channel = CHANNEL): Promise<{ told: string; text: string }[]> {
  const records = createMessageRecords(redis, keys);
  const names = await redis.zrange(keys.outbox(channel), '0', '-1');
  const found = await Promise.all(names.map((name) => records.read(channel, name)));
  return found.map((record) => ({
    told: `${record?.message.key.replace(/\d+$/, 'n')}: ${record?.message.covers?.join(' ')}`,
    text: record?.message.text ?? '',
  }));
}

it('while a place is muted, nothing is told', async () => {
  await mute({ org: 'acme', gvc: 'shop' });
  await holdBack('api', 'failed');

  await teller().release();

  expect(await waiting()).toEqual([]);
});

it('when the mute has run out, all of it is told in one message, the newest first', async () => {
  await mute({ org: 'acme', gvc: 'shop' });
  const news = Array.from({ length: 9 }, (_, index) => `news-${index}`);
  for (const text of news) await holdBack('api', text);
  now += HOUR;

  await teller().release();

  const [summary, ...others] = await waiting();
  expect(others).toEqual([]);
  expect(summary?.told).toBe(
    `@mute/${CHANNEL}/n: ${news.map((text) => `acme/shop/api/7/${text}`).join(' ')}`,
  );
  expect(summary?.text.split('\n')).toEqual([
    'Held back while acme/shop/api was muted, newest first',
    ...news.toReversed().map((text) => `shop/api v7 ${text}`),
  ]);
  expect(woken).toEqual([CHANNEL]);
  expect(await redis.smembers(keys.heldChannels)).toEqual([]);
});

it('a card is told by its outcomes, and its newest state where it has none', async () => {
  await mute({});
  await holdBack('api', 'card');
  await holdBack('api', 'ready', { threadKey: 'acme/shop/api/7/card' });
  await holdBack('web', 'card', { text: 'shop/web v7 deploying' });
  await holdBack('web', 'card', { text: 'shop/web v7 failed' });
  await mutes.lift(CHANNEL, {});

  await teller().release();

  expect((await waiting())[0]?.text.split('\n').slice(1)).toEqual([
    'shop/web v7 failed',
    'shop/api v7 ready',
  ]);
});

it('what is still muted stays back, and a place without a mute does not wait for it', async () => {
  await mute({ org: 'acme', gvc: 'shop', workload: 'api' });
  await mute({ org: 'acme', gvc: 'shop', workload: 'web' }, 2 * HOUR);
  await holdBack('api', 'failed');
  await holdBack('web', 'failed');
  now += HOUR;

  await teller().release();
  expect((await waiting()).map(({ told }) => told)).toEqual([
    `@mute/${CHANNEL}/n: acme/shop/api/7/failed`,
  ]);

  now += HOUR;
  await teller().release();
  expect(await waiting()).toHaveLength(2);
});

it('what a wide mute held back stays back while a narrow one is left', async () => {
  await mute({ org: 'acme', gvc: 'shop', workload: 'api' });
  for (const name of ['api', 'web']) {
    await holdBack(name, 'failed', { held: `acme/shop/${name} *` });
  }

  await teller().release();

  expect(await waiting()).toEqual([
    { told: `@mute/${CHANNEL}/n: acme/shop/web/7/failed`, text: expect.any(String) },
  ]);
});

it('a mute that held nothing back tells nothing', async () => {
  await mute({});
  await mutes.lift(CHANNEL, {});

  await teller().release();

  expect(woken).toEqual([]);
});

it.each([
  [['acme/shop/api', 'acme/shop/web', 'acme/shop'], 'acme/shop was'],
  [['acme/shop/api', 'acme/shop/api-2'], 'acme/shop/api, acme/shop/api-2 were'],
  [['acme/shop/api', 'acme/pay/api'], 'acme/shop/api, acme/pay/api were'],
  [['acme/shop', 'labs/shop'], 'acme/shop, labs/shop were'],
  [['a/a/a', 'a/a/b', 'a/a/c', 'a/b', 'a/b/c'], 'a/a/a, a/a/b, a/a/c and 1 more were'],
  [['acme/shop/api acme/shop'], 'acme/shop was'],
  [['acme/shop/api *'], 'this channel was'],
  [['acme/shop/web', 'acme/shop/api *'], 'this channel was'],
])('what was muted is named: %j', async (places, named) => {
  await mute({});
  for (const held of places) await holdBack('api', held, { held });
  await mutes.lift(CHANNEL, {});

  await teller().release();

  const [title] = (await waiting())[0]?.text.split('\n') ?? [];
  expect(title?.replace(', newest first', '')).toBe(`Held back while ${named} muted`);
});

it('a long mute is told in few messages, which stand for all in order, show a part and count the rest', async () => {
  await mute({});
  // Redis gives the fields of a hash in no order once it is large, or a name in it is long.
  const news = Array.from({ length: 200 }, (_, index) => `news-${index}`);
  news[7] = 'long'.repeat(50);
  for (const text of news) await holdBack('api', text);
  await mutes.lift(CHANNEL, {});

  await teller().release();

  const [summary, ...replies] = await waiting();
  expect(replies).toHaveLength(5);
  const names = news.map((text) => `acme/shop/api/7/${text}`);
  expect(summary?.told).toBe(`@mute/${CHANNEL}/n: ${names.join(' ')}`);
  expect(summary?.text.split('\n')).toHaveLength(10);
  expect(summary?.text.split('\n').at(-1)).toBe('… and 192 more in the thread');
  expect(replies.at(-1)?.told).toBe(`@mute/${CHANNEL}/1/rest/n: undefined`);
  expect(replies.at(-1)?.text.split('\n').at(-1)).toBe('… and 147 more');
});

it('a channel for which it cannot be told does not keep it from the others', async () => {
  const other = 'C0OTHER';
  await mutes.set({ channel: other, since: now, until: now + HOUR, by: 'U1' });
  await mute({});
  await holdBack('api', 'failed');
  await holdBack('api', 'failed', { channel: other });
  now += HOUR;
  const first = (await redis.smembers(keys.heldChannels))[0] ?? '';
  const broken: Outbox = {
    commit: (messages, change) =>
      messages[0]?.channel === first
        ? Promise.reject(new Error('broken'))
        : outbox.commit(messages, change),
  };

  await expect(teller(broken).release()).rejects.toThrow('broken');

  expect(woken).toEqual([first === other ? CHANNEL : other]);
});

it('summaries are numbered by themselves', async () => {
  for (const text of ['failed', 'recovered']) {
    await mute({});
    await holdBack('api', text);
    await mutes.lift(CHANNEL, {});
    await teller().release();
  }

  expect(await redis.zrange(keys.outbox(CHANNEL), '0', '-1')).toEqual([
    `@mute/${CHANNEL}/1`,
    `@mute/${CHANNEL}/2`,
  ]);
});

it('names of more than 8,000 characters take more than one message', async () => {
  await mute({});
  const long = 'x'.repeat(3_000);
  for (const text of ['a', 'b', 'c']) await holdBack('api', text, { covers: [`${text}-${long}`] });
  await mutes.lift(CHANNEL, {});

  await teller().release();

  const told = await waiting();
  expect(told).toHaveLength(2);
  for (const { told: names } of told) expect(names.length).toBeLessThan(8_100);
});

it('several processes at once tell it once', async () => {
  await mute({});
  for (const text of ['failed', 'recovered']) await holdBack('api', text);
  await mutes.lift(CHANNEL, {});

  await Promise.all([teller(), teller(), teller()].map((one) => one.release()));

  expect(await waiting()).toHaveLength(1);
});

it.each(['before', 'after'])(
  'a process that is killed %s it tells neither loses nor doubles',
  async (moment) => {
    await mute({});
    await holdBack('api', 'failed');
    await mutes.lift(CHANNEL, {});
    const dying: Outbox = {
      async commit(messages) {
        if (moment === 'after') await outbox.commit(messages);
        throw new Error('killed');
      },
    };

    await expect(teller(dying).release()).rejects.toThrow('killed');
    await teller().release();

    expect(await waiting()).toHaveLength(1);
  },
);

it('what is kept no longer is forgotten', async () => {
  await mute({});
  await holdBack('api', 'failed');
  await redis.del(keys.message(CHANNEL, 'acme/shop/api/7/failed'));
  await mutes.lift(CHANNEL, {});

  await teller().release();

  expect(await waiting()).toEqual([]);
  expect(await redis.exists(keys.held(CHANNEL))).toBe(0);
});
