import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Message } from '../../../src/notify/message.ts';
import { createOutbox, type Outbox } from '../../../src/notify/outbox.ts';
import { createMessageRecords } from '../../../src/notify/records.ts';
import { changesOf, NO_POLL } from '../../../src/rollouts/gvc-store.ts';
import { createMutedMessages } from '../../../src/rollouts/muted-messages.ts';
import { EMPTY_GVC } from '../../../src/rollouts/watch/advance.ts';
import { addWatch, liftMutes, setMute } from '../../../src/rollouts/watches.ts';
import { createKeys, type Keys, type RedisConnection } from '../../../src/store/redis.ts';
import { connectTo, useRedis } from '../../support/redis.ts';
import { broken, polled, ready } from '../../unit/rollouts/platform-json.ts';

const CHANNEL = 'C0DEPLOYS';
const HOUR = 3_600_000;
const MINUTE = 60_000;

let redis: RedisConnection;
let keys: Keys;
let outbox: Outbox;
let now: number;
let woken: string[];
/** Whether the channel takes posts, as Slack says when it is asked, and how often it was asked. */
let takesPosts: boolean | undefined;
let asked: number;

beforeAll(async () => {
  redis = await connectTo(useRedis().url);
});
beforeEach(() => {
  keys = createKeys(`test-${randomUUID()}`);
  outbox = createOutbox(redis, keys, (text) => text);
  now = Date.UTC(2026, 9, 5, 12);
  woken = [];
  takesPosts = undefined;
  asked = 0;
});
afterAll(() => redis.disconnect());

const config = {
  watches: [],
  channels: { notify: CHANNEL },
  polling: { activeMs: 10_000, idleMs: 60_000, patience: 1 },
};

/** A process that posts the held-back messages. */
function reporter(through: Pick<Outbox, 'gather'> = outbox) {
  return createMutedMessages({
    redis,
    keys,
    outbox: through,
    wake: (channels) => {
      woken.push(...channels);
      return Promise.resolve();
    },
    clock: { now: () => now },
    config,
    takesPosts: () => {
      asked += 1;
      return Promise.resolve(takesPosts);
    },
  });
}

const services = () => ({ redis, keys, outbox, clock: { now: () => now } });
const unmute = () => liftMutes(services(), { channel: CHANNEL, by: 'U1' });

async function mute(place: { org?: string; gvc?: string; workload?: string }, ms = HOUR) {
  await setMute(services(), { channel: CHANNEL, ...place, since: now, until: now + ms, by: 'U1' });
}

/** News of a workload of acme/shop, while the channel is muted. */
async function holdBack(workload: string, text: string, more: Partial<Message> = {}) {
  const place = `acme/shop/${workload}`;
  const { held = place } = more;
  const news = {
    channel: CHANNEL,
    key: `${place}/7/${text}`,
    text: `shop/${workload} v7 ${text}`,
    blocks: [],
  };
  await outbox.commit([{ ...news, ...more, held: `${now} ${held}` }]);
}

/** Waiting messages, as `key: covers`, their text, and the lines of their blocks. */
async function waiting(
  channel = CHANNEL,
): Promise<{ reported: string; text: string; lines: string[] }[]> {
  const records = createMessageRecords(redis, keys);
  const names = await redis.zrange(keys.outbox(channel), '0', '-1');
  const found = await Promise.all(names.map((name) => records.read(channel, name)));
  return found.map((record) => ({
    reported: `${record?.message.key.replace(/\d+$/, 'n')}: ${record?.message.covers?.join(' ')}`,
    text: record?.message.text ?? '',
    lines: (record?.message.blocks ?? []).flatMap((block) =>
      block.type === 'section' ? (block.text?.text.split('\n') ?? []) : [],
    ),
  }));
}

/** Of the waiting messages, as `key: covers`. */
const reported = async (): Promise<string[]> => (await waiting()).map((one) => one.reported);

it('when the mute has run out, everything is posted in one message, with its times', async () => {
  await mute({ org: 'acme', gvc: 'shop' });
  const news = Array.from({ length: 9 }, (_, index) => `news-${index}`);
  for (const text of news) {
    await holdBack('api', text);
    now += MINUTE;
  }
  now += HOUR;

  await reporter().release();

  const [summary, ...others] = await waiting();
  expect(others).toEqual([]);
  expect(summary?.reported).toBe(
    `@mute/n: ${news.map((text) => `acme/shop/api/7/${text}`).join(' ')}`,
  );
  expect(summary?.text).toContain(
    'While acme/shop/api was muted: 9 messages · Nothing is hurt now',
  );
  const from = Date.UTC(2026, 9, 5, 12) / 1_000;
  expect(summary?.lines.slice(1)).toEqual(
    news.map(
      (text, index) =>
        expect.stringMatching(
          `^<!date\\^${from + index * 60}\\^.*> shop/api v7 ${text}$`,
        ) as string,
    ),
  );
  expect(woken).toEqual([CHANNEL]);
  expect(await redis.smembers(keys.heldChannels)).toEqual([]);
});

it('the message lists all outages in the watched places of the channel', async () => {
  const hurt = broken(7);
  const { state } = polled([{ 'api/here': hurt, 'web/here': ready(7), 'cron/here': hurt }]);
  await redis.hset(keys.rollouts('acme', 'shop'), changesOf(EMPTY_GVC, state).set);
  await redis.set(keys.pulse('acme', 'shop'), JSON.stringify({ ...NO_POLL, at: now }));
  for (const workload of ['api', 'web']) {
    const place = { org: 'acme', gvc: 'shop', workload };
    await addWatch(services(), { ...place, channel: CHANNEL, quiet: false, configured: false });
  }
  await holdBack('web', 'failed');

  await reporter().release();

  expect((await waiting())[0]?.text).toContain('1 message · Hurt now: shop/api Outage');
});

it('a card has its newest state', async () => {
  await mute({});
  await holdBack('web', 'card', { text: 'shop/web v7 deploying' });
  await holdBack('web', 'card', { text: 'shop/web v7 failed' });
  await unmute();

  await reporter().release();

  expect((await waiting())[0]?.lines.slice(1)).toEqual([
    expect.stringMatching(/> shop\/web v7 failed$/),
  ]);
});

it('messages of a muted place stay back, and a place without a mute does not wait for them', async () => {
  await mute({ org: 'acme', gvc: 'shop', workload: 'api' });
  await mute({ org: 'acme', gvc: 'shop', workload: 'web' }, 2 * HOUR);
  await holdBack('api', 'failed');
  await holdBack('web', 'failed');
  now += HOUR;

  await reporter().release();
  expect(await reported()).toEqual([`@mute/n: acme/shop/api/7/failed`]);

  now += HOUR;
  await reporter().release();
  expect(await waiting()).toHaveLength(2);
});

it('messages that a wide mute held back stay back while a narrow one is left', async () => {
  await mute({ org: 'acme', gvc: 'shop', workload: 'api' });
  for (const name of ['api', 'web']) {
    await holdBack(name, 'failed', { held: `acme/shop/${name} *` });
  }

  await reporter().release();

  expect(await reported()).toEqual(['@mute/n: acme/shop/web/7/failed']);
});

it.each([
  [['acme/shop/api', 'acme/shop/web', 'acme/shop'], 'While acme/shop was muted'],
  [['acme/shop/api', 'acme/shop/api-2'], 'While acme/shop/api, acme/shop/api-2 were muted'],
  [['acme/shop/api', 'acme/pay/api'], 'While acme/shop/api, acme/pay/api were muted'],
  [['acme/shop', 'labs/shop'], 'While acme/shop, labs/shop were muted'],
  [['a/a/a', 'a/a/b', 'a/a/c', 'a/b', 'a/b/c'], 'While a/a/a, a/a/b, a/a/c and 1 more were muted'],
  [['acme/shop/api acme/shop'], 'While acme/shop was muted'],
  [['acme/shop/api *'], 'While muted'],
  [['acme/shop/web', 'acme/shop/api *'], 'While muted'],
])('names the muted places: %j', async (places, title) => {
  await mute({});
  for (const held of places) await holdBack('api', held, { held });
  await unmute();

  await reporter().release();

  expect((await waiting())[0]?.text).toContain(`${title}: ${places.length} message`);
});

it('a long mute is one message, which covers all in order, shows the first and counts the others', async () => {
  await mute({});
  // Redis gives the fields of a hash in no order once it is large, or a name in it is long.
  const news = Array.from({ length: 200 }, (_, index) => `news-${index}`);
  news[7] = 'long'.repeat(50);
  for (const text of news) await holdBack('api', text);
  await unmute();

  await reporter().release();

  const [summary, ...others] = await waiting();
  expect(others).toEqual([]);
  expect(summary?.lines.at(-1)).toBe('… and 191 more');
  const names = news.map((text) => `acme/shop/api/7/${text}`);
  const covered = summary?.reported.replace('@mute/n: ', '').split(' ') ?? [];
  // Only the newest 4,000 characters of the names fit into Slack's metadata.
  expect(covered).toEqual(names.slice(-covered.length));
  expect(covered.join(' ').length).toBeGreaterThan(3_900);
  expect(covered.join(' ').length).toBeLessThanOrEqual(4_000);
});

it('a channel to which it cannot be posted does not keep it from the others', async () => {
  const other = 'C0OTHER';
  await setMute(services(), { channel: other, since: now, until: now + HOUR, by: 'U1' });
  await mute({});
  await holdBack('api', 'failed');
  await holdBack('api', 'failed', { channel: other });
  now += HOUR;
  const first = (await redis.smembers(keys.heldChannels))[0] ?? '';
  const broken: Pick<Outbox, 'gather'> = {
    gather: (gathered, messages) =>
      messages[0]?.channel === first
        ? Promise.reject(new Error('broken'))
        : outbox.gather(gathered, messages),
  };

  await expect(reporter(broken).release()).rejects.toThrow('broken');

  expect(woken).toEqual([first === other ? CHANNEL : other]);
});

it('summaries are numbered by themselves', async () => {
  for (const text of ['failed', 'recovered']) {
    await mute({});
    await holdBack('api', text);
    await unmute();
    await reporter().release();
  }

  expect(await redis.zrange(keys.outbox(CHANNEL), '0', '-1')).toEqual(['@mute/1', '@mute/2']);
});

/** News of a workload of acme/shop that Slack refuses. */
async function refuse(workload: string, text: string, error = 'not_in_channel') {
  const key = `acme/shop/${workload}/7/${text}`;
  const news = { channel: CHANNEL, key, text: `shop/${workload} v7 ${text}`, blocks: [] };
  await outbox.commit([news]);
  await createMessageRecords(redis, keys, () => now).markRefused(news, error);
}

it('messages that a channel refused are posted in one, with their times, once it takes posts', async () => {
  await refuse('api', 'failed');
  now += MINUTE;
  await refuse('web', 'failed', 'is_archived');
  now += MINUTE;
  await reporter().release();
  expect(await waiting()).toEqual([]);

  // A post to the channel has succeeded.
  await redis.hdel(keys.refusals, CHANNEL);
  await reporter().release();
  await reporter().release();

  const [summary, ...others] = await waiting();
  expect(others).toEqual([]);
  expect(summary?.reported).toBe('@mute/n: acme/shop/api/7/failed acme/shop/web/7/failed');
  expect(summary?.text).toContain('While I could not post here: 2 messages · Nothing is hurt now');
  const from = Date.UTC(2026, 9, 5, 12) / 1_000;
  expect(summary?.lines[1]).toMatch(new RegExp(`^<!date.${from}.*> shop/api v7 failed$`));
  expect(await redis.smembers(keys.heldChannels)).toEqual([]);
});

it('Slack is asked once a minute whether the bot was invited again', async () => {
  await refuse('api', 'failed');
  for (let times = 0; times < 5; times += 1) await reporter().release();
  expect(asked).toBe(1);

  takesPosts = true;
  await redis.del(keys.lock(`ask:${CHANNEL}`));
  await reporter().release();

  expect(await reported()).toEqual(['@mute/n: acme/shop/api/7/failed']);
});

it('a channel with restricted posting gets it after the next post that succeeds', async () => {
  takesPosts = true;
  await refuse('api', 'failed', 'restricted_action');
  await reporter().release();
  expect(await waiting()).toEqual([]);

  await redis.hdel(keys.refusals, CHANNEL);
  await reporter().release();
  expect(await waiting()).toHaveLength(1);
});

it('a message that was posted after all is not in it', async () => {
  await refuse('api', 'failed');
  await refuse('web', 'failed');
  const records = createMessageRecords(redis, keys, () => now);
  const web = await records.read(CHANNEL, 'acme/shop/web/7/failed');
  if (web !== undefined) await records.markSent(web.message, '1.0', web.revision);
  await redis.hdel(keys.refusals, CHANNEL);

  await reporter().release();

  expect(await reported()).toEqual(['@mute/n: acme/shop/api/7/failed']);
});

it('several processes at once post it once', async () => {
  await mute({});
  for (const text of ['failed', 'recovered']) await holdBack('api', text);
  await unmute();

  await Promise.all([reporter(), reporter(), reporter()].map((one) => one.release()));

  expect(await waiting()).toHaveLength(1);
});

it.each(['before', 'after'])(
  'a process that is killed %s it posts neither loses nor doubles',
  async (moment) => {
    await mute({});
    await holdBack('api', 'failed');
    await unmute();
    const dying: Pick<Outbox, 'gather'> = {
      async gather(gathered, messages) {
        if (moment === 'after') await outbox.gather(gathered, messages);
        throw new Error('killed');
      },
    };

    await expect(reporter(dying).release()).rejects.toThrow('killed');
    await reporter().release();

    expect(await waiting()).toHaveLength(1);
  },
);

it('a message without a record is forgotten', async () => {
  await mute({});
  await holdBack('api', 'failed');
  await redis.del(keys.message(CHANNEL, 'acme/shop/api/7/failed'));
  await unmute();

  await reporter().release();

  expect(await waiting()).toEqual([]);
  expect(await redis.exists(keys.held(CHANNEL))).toBe(0);
});
