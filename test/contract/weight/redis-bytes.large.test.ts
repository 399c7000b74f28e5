import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scanItems } from '../../../src/platform/deployments/client.ts';
import { changesOf } from '../../../src/rollouts/gvc-store.ts';
import { advance, EMPTY_GVC } from '../../../src/rollouts/watch/advance.ts';
import { EMPTY_ORG } from '../../../src/rollouts/watch/group.ts';
import { createKeys } from '../../../src/store/redis.ts';
import { request } from '../../support/approvals.ts';
import { until } from '../../support/until.ts';
import { userOf } from '../../support/user.ts';
import { openWorld, type World } from '../../support/world.ts';
import { fleetItems } from '../../bench/fleet-items.ts';
import { openProcessForTest } from '../jobs/support.ts';

/*
 * Bytes in Redis by the family of keys, as MEMORY USAGE counts them: counts, which no busy machine changes.
 * A bound is the aim of the design; where today's figure is above it, the bound is that figure, and the aim
 * is beside it.
 */

const DEPLOYMENTS = 5_000;
const SCHEDULES = 500;
const ROLLOUTS = 2;
const SHOP = { org: 'acme', gvc: 'shop', workload: 'web' };
const POLL_SECONDS = '0.2';

const BYTES = `
local bytes, cursor = 0, '0'
repeat
  local page = redis.call('SCAN', cursor, 'MATCH', ARGV[1], 'COUNT', 1000)
  cursor = page[1]
  for _, key in ipairs(page[2]) do
    bytes = bytes + (redis.call('MEMORY', 'USAGE', key, 'SAMPLES', '0') or 0)
  end
until cursor == '0'
return bytes`;

let world: World;
let redis: Redis;
let prefix: string;

beforeAll(async () => {
  world = await openWorld();
  redis = new Redis(world.redisUrl);
  prefix = world.environment({ port: 0, opsPort: 0 })['REDIS_PREFIX'] ?? '';
  await world.startBot({
    environment: {
      POLL_ACTIVE_SECONDS: POLL_SECONDS,
      POLL_IDLE_SECONDS: POLL_SECONDS,
      WATCHES: 'acme/shop',
    },
  });
  await polled('shop');
});

afterAll(async () => {
  redis.disconnect();
  await world.close();
});

/** Bytes of all keys that begin with the prefix of the bot and one of the patterns. */
async function bytesOf(...patterns: string[]): Promise<number> {
  const sizes = patterns.map((pattern) => redis.eval(BYTES, 0, `{${prefix}}:${pattern}`));
  return (await Promise.all(sizes)).reduce<number>((sum, size) => sum + Number(size), 0);
}

/** By how many bytes the keys have grown. */
async function grown(patterns: string[], act: () => Promise<unknown>): Promise<number> {
  const before = await bytesOf(...patterns);
  await act();
  return (await bytesOf(...patterns)) - before;
}

const polled = (gvc: string): Promise<unknown> =>
  until(
    'its first poll',
    async () => (await redis.exists(createKeys(prefix).pulse('acme', gvc))) > 0,
  );

it('a deployment at rest takes at most 150 B', async () => {
  const key = `{weight-${randomUUID()}}`;
  const { listed: seen, ...unread } = scanItems(fleetItems(DEPLOYMENTS));
  const { state } = advance(
    EMPTY_GVC,
    EMPTY_ORG,
    { seen, ...unread },
    {
      gvc: 'shop',
      now: Date.UTC(2026, 9, 5),
      previousAt: 0,
      patience: 1,
      idleMs: 60_000,
      cache: new Map(),
    },
  );
  await redis.hset(key, changesOf(EMPTY_GVC, state).set);

  const bytes = Number(await redis.call('MEMORY', 'USAGE', key, 'SAMPLES', '0'));
  await redis.del(key);

  expect(bytes / DEPLOYMENTS).toBeLessThanOrEqual(150);
});

it('a schedule takes at most 1.5 KB', async () => {
  const own = `{weight-${randomUUID()}}`;
  const { jobs } = await openProcessForTest(world.redisUrl, own);
  const schedules = Array.from({ length: SCHEDULES + 1 }, (_, index) => ({
    id: `poll:acme/gvc-${index}`,
    name: 'poll',
    data: { org: 'acme', gvc: `gvc-${index}` },
    everyMs: 3_600_000,
    offsetMs: index * 3_600,
  }));

  const bytesWith = async (count: number): Promise<number> => {
    await jobs.reconcile('rollouts', 'poll:', schedules.slice(0, count));
    // The stream of BullMQ's events is capped, so it is no part of a schedule.
    await redis.del(`${own}:rollouts:events`);
    return Number(await redis.eval(BYTES, 0, `${own}:*`));
  };

  const one = await bytesWith(1);
  const bytes = (await bytesWith(SCHEDULES + 1)) - one;

  expect(bytes / SCHEDULES).toBeLessThanOrEqual(1_536);
});

it('a finished rollout takes at most 1 KB', async () => {
  const bytes = await grown(['card:*'], rollOut);
  expect(bytes / ROLLOUTS).toBeLessThanOrEqual(1_000);
});

it('a channel that watches a GVC takes at most 20 KB', async () => {
  const families = ['watches', 'numbers', 'pulse:acme/data', 'rollouts:acme/data'];
  const bytes = await grown(families, async () => {
    await world.command('U0ADA', 'C0DEPLOYS', '/deployments watch data');
    await polled('data');
  });
  expect(bytes).toBeLessThanOrEqual(20_000);
});

it('an answer takes at most 20 KB, for a day', async () => {
  const bytes = await grown(['answer:*', 'kept:*', 'seen:*'], () =>
    world.command('U0ADA', 'C0BILLING', '/charges'),
  );
  expect(bytes).toBeLessThanOrEqual(20_000);
});

it('a change takes at most 20 KB with its audit', async () => {
  const bytes = await grown(['change*', 'audit*'], () =>
    request(world, userOf(world, 'U0ADA'), {
      command: '/alert set',
      entries: { Amount: '7777' },
    }),
  );
  expect(bytes).toBeLessThanOrEqual(20_000);
});

it('the outbox takes nothing once its messages are posted', async () => {
  await expect.poll(() => bytesOf('outbox:*', 'outbox-channels')).toBe(0);
});

/** Some rollouts, one after another, until Redis holds no more of them than it keeps. */
async function rollOut(): Promise<void> {
  for (let count = 1; count <= ROLLOUTS; count += 1) {
    const { version } = await world.platform('rollout', { ...SHOP, seconds: 0.3 });
    const place = `{${prefix}}:card:C0DEPLOYS:acme/shop/web/${String(version)}/ready`;
    await until('the outcome to be posted', async () => (await redis.hexists(place, 'ts')) > 0);
  }
  await until('their contents to be dropped', async () => {
    const names = await redis.keys(`{${prefix}}:card:*`);
    const bodies = await Promise.all(names.map((name) => redis.hexists(name, 'body')));
    return bodies.every((one) => one === 0);
  });
}
