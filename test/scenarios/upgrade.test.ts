import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { afterAll, expect, it } from 'vitest';
import { botEnvironment, CREDENTIALS } from '../../src/sandbox/bot.ts';
import { cardOf, decide, writes } from '../support/approvals.ts';
import { userOf } from '../support/user.ts';
import { openWorld, type World } from '../support/world.ts';

/**
 * A record in Redis outlives the code that wrote it. The fixture was dumped from a bot of 2026-11-23 that
 * was killed in the middle of a rollout, with one change waiting for its review and the call of another
 * sent and not answered. The bot of today goes on from there.
 */
interface Dump {
  /** When it was dumped, in milliseconds since the epoch. */
  readonly at: number;
  readonly version: number;
  readonly pending: string;
  readonly executing: string;
  /** What the bot had posted. */
  readonly posts: readonly { readonly channel: string; readonly ts: string }[];
  readonly keys: readonly {
    readonly key: string;
    readonly type: string;
    readonly ttl?: number;
    readonly value: never;
  }[];
}

const FIXTURE = new URL('../fixtures/redis-2026-11-23.json', import.meta.url);
const dump = JSON.parse(readFileSync(FIXTURE, 'utf8')) as Dump;
const PREFIX = `upgrade-${randomUUID().slice(0, 8)}`;
const SHOP = { org: 'acme', gvc: 'shop' };
const CARD = `acme/shop/payments/${dump.version}/card`;

let world: World;

afterAll(() => world.close());

/** Posts what the old bot had posted; gives the new time stamps by the old ones. */
async function repost(): Promise<Map<string, string>> {
  const places = new Map<string, string>();
  for (const { ts, ...post } of dump.posts) {
    const answer = await fetch(`${world.slackUrl}/api/chat.postMessage`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${CREDENTIALS.botToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(post),
    });
    places.set(ts, ((await answer.json()) as { ts: string }).ts);
  }
  return places;
}

/** So long ago the old bot was killed: longer than a call may be under way. Milliseconds. */
const AGO_MS = 120_000;

/** Writes the dump as if it were made two minutes ago: messages have their new places, and times are moved. */
async function restore(places: ReadonlyMap<string, string>): Promise<void> {
  const by = Date.now() - AGO_MS - dump.at;
  let text = JSON.stringify(dump.keys).replaceAll('{upgrade}', `{${PREFIX}}`);
  for (const [old, now] of places) text = text.replaceAll(old, now);
  // Milliseconds, and the scores of BullMQ's delayed jobs, which are milliseconds times 4,096.
  text = text
    .replaceAll(/\b1795\d{9}\b/g, (ms) => String(Number(ms) + by))
    .replaceAll(/\b7354\d{12}\b/g, (score) => String(Number(score) + by * 4_096));
  const redis = new Redis(world.redisUrl);
  for (const { key, type, ttl, value } of JSON.parse(text) as Dump['keys']) {
    if (ttl !== undefined && ttl <= AGO_MS) continue;
    await write(redis, key, { type, value });
    if (ttl !== undefined) await redis.pexpire(key, ttl - AGO_MS);
  }
  redis.disconnect();
}

async function write(redis: Redis, key: string, { type, value }: { type: string; value: never }) {
  if (type === 'string') await redis.set(key, value);
  else if (type === 'hash') await redis.hset(key, value);
  else if (type === 'set') await redis.sadd(key, ...(value as string[]));
  else if (type === 'zset') await redis.zadd(key, ...(value as string[]).toReversed());
  else if (type === 'list') await redis.rpush(key, ...(value as string[]));
  else if (type === 'stream') {
    for (const [id, fields] of value as [string, string[]][]) await redis.xadd(key, id, ...fields);
  } else throw new Error(`${key} is of the unknown type ${type}`);
}

/** Makes the recipient as the call of the old bot did, whose answer it never got. */
async function addRecipient(): Promise<void> {
  const { BILLING_ACCOUNT_ID: account, BILLING_TOKEN: token } = botEnvironment({
    slackUrl: world.slackUrl,
    platformUrl: world.platformUrl,
    billingUrl: world.billingUrl,
    orgTokens: {},
    redisUrl: '',
    port: 0,
    opsPort: 0,
  });
  const path = `/account/${account}/invoice-delivery/recipients`;
  const answer = await fetch(world.billingUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'news@acme.example', enabled: true }),
  });
  expect(answer.status).toBe(201);
}

it('what an older bot has begun is finished, and nothing is lost or doubled', async () => {
  world = await openWorld();
  const seconds = 3_000;
  const rolled = await world.platform('rollout', { ...SHOP, workload: 'payments', seconds });
  expect(rolled['version']).toBe(dump.version);
  await world.platform('clock', { advanceSeconds: 2_100 });
  await addRecipient();
  await restore(await repost());

  await world.startBot({ environment: { WATCHES: 'acme/shop', REDIS_PREFIX: PREFIX } });
  await world.platform('clock', { advanceSeconds: 600 });
  await world.message('C0DEPLOYS', CARD, (one) => one.text.includes('2 of 3 locations'));
  await world.platform('clock', { advanceSeconds: 300 });
  await world.message('C0DEPLOYS', CARD.replace('card', 'ready'));
  await cardOf(world, dump.executing, 'succeeded');
  await decide(world, userOf(world, 'U0BEN'), { id: dump.pending, decision: 'Approve' });
  await cardOf(world, dump.pending, 'succeeded');

  expect((await world.told('C0DEPLOYS')).map(({ key }) => key)).toEqual([
    CARD,
    CARD.replace('card', 'ready'),
  ]);
  const cards = (await world.told('C0APPROVE')).filter(({ key }) => key.endsWith('/card'));
  expect(cards.map(({ key }) => key)).toEqual([
    `@changes/${dump.pending}/card`,
    `@changes/${dump.executing}/card`,
  ]);
  expect((await writes(world)).map(({ call }) => call)).toEqual([
    'POST /invoice-delivery/recipients',
    expect.stringMatching(/^(POST|PUT) .*alert/) as string,
  ]);
});
