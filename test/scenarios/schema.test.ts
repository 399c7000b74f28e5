import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { exitOf, freePort } from '../../src/sandbox/redis.ts';
import { createDurableRedis, type DurableRedis } from '../support/durable-redis.ts';
import { launch, type RunningBot } from '../support/running-bot.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const LIMIT_MS = 15_000;
const PREFIX = 'schema-test';
const KEY = `{${PREFIX}}:schema`;
const ROLES = ['all', 'app', 'worker'] as const;

let world: World;
let redis: DurableRedis;
let store: Redis;

beforeAll(async () => {
  world = await openWorld();
});

afterAll(() => world.close());

beforeEach(async () => {
  redis = await createDurableRedis();
  store = new Redis(redis.url);
  store.on('error', () => undefined);
});

afterEach(async () => {
  store.disconnect();
  await redis.close();
});

const environment = (role: string) => ({
  REDIS_URL: redis.url,
  REDIS_PREFIX: PREFIX,
  ROLE: role,
  WATCHES: 'acme/shop',
});

/** People get an answer while the store is away. */
async function answering({ port }: RunningBot): Promise<void> {
  const address = `http://127.0.0.1:${port}/slack/events`;
  await until('the port of Slack', () =>
    fetch(address).then(
      () => true,
      () => false,
    ),
  );
  await world.command('U0DANA', 'C0DEPLOYS', '/purser help');
}

/** How a bot ended by itself, its error logs, and the contents of the store afterwards. */
async function endOf({ child, log, opsPort }: RunningBot, startedAt: number) {
  const ended = exitOf(child);
  let wasReady = false;
  // Each question for its readiness writes to Redis, if that is let through.
  const asking = setInterval(() => {
    fetch(`http://127.0.0.1:${opsPort}/readyz`).then(
      ({ ok }) => (wasReady ||= ok),
      () => undefined,
    );
  }, 5);
  const code = await ended;
  clearInterval(asking);
  const inTime = Date.now() - startedAt < LIMIT_MS;
  const lines = log().trim().split('\n');
  const errors = lines
    .map((line) => JSON.parse(line) as { level: string; msg: string })
    .filter(({ level, msg }) => /error|fatal/.test(level) && msg !== 'Redis cannot be reached')
    .map(({ msg, ...facts }) => ({ msg, facts: Object.keys(facts).toSorted() }));
  const naming = lines.filter((line) => line.includes('schema 999')).length;
  const held = { names: await store.keys('*'), schema: await store.get(KEY) };
  return { code, inTime, wasReady, errors, naming, held };
}

const REFUSED = {
  code: 1,
  inTime: true,
  wasReady: false,
  errors: [
    {
      msg: 'Redis holds data of schema 999, this Purser knows schema 1: start the newer release, or point REDIS_URL or REDIS_PREFIX at an empty store',
      facts: ['level', 'role', 'service', 'thread', 'time', 'version'],
    },
  ],
  naming: 1,
  held: { names: [KEY], schema: '999' },
};

describe.each(ROLES)('as %s', (role) => {
  it('does not start on data of a newer schema, and writes nothing', async () => {
    await store.set(KEY, '999');
    const startedAt = Date.now();
    const ports = { port: await freePort(), opsPort: await freePort() };

    const bot = launch([process.execPath, inject('bot')], {
      ...world.environment(ports),
      ...environment(role),
    });

    expect(await endOf(bot, startedAt)).toEqual(REFUSED);
  });

  it('waits for a Redis that is away, and ends when it comes back with a newer schema', async () => {
    await store.set(KEY, '999');
    await redis.stop();
    const bot = await world.startBot({ environment: environment(role), until: 'healthz' });
    await until('the bot to miss Redis', () => bot.log().includes('Redis cannot be reached'));
    if (role !== 'worker') await answering(bot);
    expect(bot.child.exitCode).toBeNull();

    const backAt = Date.now();
    await redis.start();

    expect(await endOf(bot, backAt)).toEqual(REFUSED);
  });

  it('notes the schema before it is ready, for good, and again when Redis was emptied', async () => {
    const bot = await world.startBot({ environment: environment(role) });
    expect(await store.get(KEY)).toBe('1');
    expect(await store.ttl(KEY)).toBe(-1);

    await store.flushall();
    await bot.ready();
    expect(await store.get(KEY)).toBe('1');
    expect(await store.ttl(KEY)).toBe(-1);

    expect(await bot.stop()).toBe(0);
  });
});
