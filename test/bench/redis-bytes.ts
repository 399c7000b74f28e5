import { Redis } from 'ioredis';
import { freePort } from '../../src/sandbox/redis.ts';
import { createKeys } from '../../src/store/redis.ts';
import { request } from '../support/approvals.ts';
import { until } from '../support/until.ts';
import { userOf } from '../support/user.ts';
import { openWorld, type World } from '../support/world.ts';
import type { Figure, Open } from './measure.ts';
import { startBenchedBot } from './processes.ts';

const ROLLOUTS = 5;
const SHOP = { org: 'acme', gvc: 'shop', workload: 'web' };

const BYTES = `
local bytes, cursor = 0, '0'
repeat
  local page = redis.call('SCAN', cursor, 'MATCH', ARGV[1], 'COUNT', 1000)
  cursor = page[1]
  for _, key in ipairs(page[2]) do bytes = bytes + (redis.call('MEMORY', 'USAGE', key) or 0) end
until cursor == '0'
return bytes`;

/** What Redis keeps of a finished rollout, of a channel that watches, of a change and of a person who asked. */
export async function benchRedisBytes(open: Open): Promise<Figure[]> {
  const world = await open(openWorld());
  const ports = { port: await freePort(), opsPort: await freePort() };
  const own: Record<string, string> = {
    ...world.environment(ports),
    POLL_IDLE_SECONDS: '0.2',
    WATCHES: 'acme/shop',
  };
  const prefix = own['REDIS_PREFIX'] ?? '';
  await open(startBenchedBot(world.surroundings, own));
  await world.slack('request-url', { url: `http://127.0.0.1:${ports.port}/slack/events` });
  const redis = new Redis(world.redisUrl);
  await open(Promise.resolve({ close: () => redis.disconnect() }));
  const keys = createKeys(prefix);

  const bytes = async (...patterns: string[]): Promise<number> => {
    const sizes = patterns.map((pattern) => redis.eval(BYTES, 0, `{${prefix}}:${pattern}`));
    return (await Promise.all(sizes)).reduce<number>((sum, size) => sum + Number(size), 0);
  };
  const grown = async (patterns: string[], act: () => Promise<unknown>): Promise<number> => {
    const before = await bytes(...patterns);
    await act();
    return (await bytes(...patterns)) - before;
  };
  const polled = (gvc: string) =>
    until('its first poll', async () => (await redis.exists(keys.pulse('acme', gvc))) > 0);

  await polled('shop');
  const rollout = await grown(['card:*'], () => rollOut(world, redis, prefix));
  const watched = ['watches', 'numbers', 'pulse:acme/data', 'rollouts:acme/data'];
  const channel = await grown(watched, async () => {
    await world.command('U0ADA', 'C0DEPLOYS', '/deployments watch data');
    await polled('data');
  });
  const person = await grown(['answer:*', 'kept:*', 'today:*', 'seen:*'], () =>
    world.command('U0ADA', 'C0BILLING', '/charges'),
  );
  const change = await grown(['change*', 'audit*'], () =>
    request(world, userOf(world, 'U0ADA'), {
      command: '/alert set',
      entries: { Amount: '7777' },
    }),
  );
  return [
    { what: 'Redis: a finished rollout', ratio: rollout / ROLLOUTS, target: 1_000, unit: 'B' },
    { what: 'Redis: a channel that watches a GVC', ratio: channel, target: 20_000, unit: 'B' },
    { what: 'Redis: an answer of a person, for a day', ratio: person, target: 20_000, unit: 'B' },
    { what: 'Redis: a change with its audit', ratio: change, target: 20_000, unit: 'B' },
  ];
}

/** Some rollouts, one after another, until Redis keeps no more of them than it will. */
async function rollOut(world: World, redis: Redis, prefix: string): Promise<void> {
  for (let count = 1; count <= ROLLOUTS; count += 1) {
    const { version } = await world.platform('rollout', { ...SHOP, seconds: 0.3 });
    const place = `{${prefix}}:card:C0DEPLOYS:acme/shop/web/${String(version)}/ready`;
    await until('the outcome to be told', async () => (await redis.hexists(place, 'ts')) > 0);
  }
  await until('their contents to be dropped', async () => {
    const names = await redis.keys(`{${prefix}}:card:*`);
    const bodies = await Promise.all(names.map((name) => redis.hexists(name, 'body')));
    return bodies.every((one) => one === 0);
  });
}
