import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { startRedis } from '../../src/sandbox/redis.ts';
import { createHarness } from '../contract/app/harness.ts';
import type { Harness } from '../contract/app/harness.ts';
import { until } from '../support/until.ts';
import type { Figure } from './measure.ts';

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
export async function benchRedisBytes(): Promise<Figure[]> {
  const server = await startRedis(process.env['REDIS_URL']);
  const redis = new Redis(server.url);
  const prefix = `bench-${randomUUID()}`;
  const own = { REDIS_URL: server.url, REDIS_PREFIX: prefix, WATCHES: 'acme/shop' };
  const house = await createHarness({
    ...own,
    POLL_ACTIVE_SECONDS: '0.2',
    POLL_IDLE_SECONDS: '0.2',
  });
  const bytes = async (...patterns: string[]): Promise<number> => {
    const sizes = patterns.map((pattern) => redis.eval(BYTES, 0, `{${prefix}}:${pattern}`));
    return (await Promise.all(sizes)).reduce<number>((sum, size) => sum + Number(size), 0);
  };
  const grown = async (patterns: string[], act: () => Promise<void>): Promise<number> => {
    const before = await bytes(...patterns);
    await act();
    return (await bytes(...patterns)) - before;
  };
  try {
    await house.restartBot({ ...house.money, ...own });
    await until(
      'the first poll',
      async () => (await redis.exists(`{${prefix}}:pulse:acme/shop`)) > 0,
    );
    const rollout = await grown(['card:*'], () => rollOut(house, redis, prefix));
    const channel = await grown(
      ['watches', 'numbers', 'pulse:acme/data', 'rollouts:acme/data'],
      async () => {
        await house.ask('U0ADA', 'C0DEPLOYS', '/deployments watch data');
        await until(
          'its first poll',
          async () => (await redis.exists(`{${prefix}}:pulse:acme/data`)) > 0,
        );
      },
    );
    const person = await grown(['answer:*', 'kept:*', 'today:*', 'seen:*'], async () => {
      await house.ask('U0ADA', 'C0BILLING', '/charges');
    });
    const change = await grown(['change*', 'audit*'], () => askForAlert(house, redis, prefix));
    return [
      { what: 'Redis: a finished rollout', ratio: rollout / ROLLOUTS, target: 1_000, unit: 'B' },
      { what: 'Redis: a channel that watches a GVC', ratio: channel, target: 20_000, unit: 'B' },
      { what: 'Redis: an answer of a person, for a day', ratio: person, target: 20_000, unit: 'B' },
      { what: 'Redis: a change with its audit', ratio: change, target: 20_000, unit: 'B' },
    ];
  } finally {
    await house.close();
    redis.disconnect();
    await server.close();
  }
}

/** Some rollouts, one after another, until Redis keeps no more of them than it will. */
async function rollOut(house: Harness, redis: Redis, prefix: string): Promise<void> {
  for (let count = 1; count <= ROLLOUTS; count += 1) {
    const { version } = await house.platform('rollout', { ...SHOP, seconds: 0.3 });
    const place = `{${prefix}}:card:C0DEPLOYS:acme/shop/web/${String(version)}/ready`;
    await until('the outcome to be told', async () => (await redis.hexists(place, 'ts')) > 0);
  }
  await until('their contents to be dropped', async () => {
    const names = await redis.keys(`{${prefix}}:card:*`);
    const bodies = await Promise.all(names.map((name) => redis.hexists(name, 'body')));
    return bodies.every((one) => one === 0);
  });
}

async function askForAlert(house: Harness, redis: Redis, prefix: string): Promise<void> {
  const post = (path: string, body: object): Promise<Response> =>
    fetch(`${house.slackUrl}/page/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await post('command', { user: 'U0ADA', channel: 'C0BILLING', text: '/alert set' });
  const form = await until('the form', async () => {
    const page = await fetch(`${house.slackUrl}/page/bootstrap?user=U0ADA`);
    const { views } = (await page.json()) as { views: { id: string; submit?: unknown }[] };
    return views.find(({ submit }) => submit !== undefined);
  });
  const values = {
    'alert.set.amount': { 'alert.set.amount': { type: 'number_input', value: '7777' } },
  };
  await post('view/submit', { user: 'U0ADA', view_id: form.id, values });
  await until('the request', async () => (await redis.hlen(`{${prefix}}:changes-open`)) > 0);
}
