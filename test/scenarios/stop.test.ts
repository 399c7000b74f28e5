import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../src/sandbox/redis.ts';
import { until } from '../support/until.ts';
import { createWorld } from '../support/world.ts';
import type { World } from '../support/world.ts';

const CHANNEL = 'C0DEPLOYS';
const LIMIT_MS = 25_000;

let world: World;

beforeEach(async () => {
  world = await createWorld();
});

afterEach(() => world.close());

/** SIGTERM ends it with exit code 0 in time, whatever goes on. */
async function stopsWell(bot: { stop(): Promise<number | null>; log(): string }): Promise<void> {
  const asked = Date.now();
  expect(await bot.stop(), bot.log()).toBe(0);
  expect(Date.now() - asked).toBeLessThan(LIMIT_MS);
}

describe('SIGTERM ends the bot well', () => {
  it('while Slack cannot be reached yet', async () => {
    const bot = await world.startBot({
      until: 'healthz',
      environment: { SLACK_API_URL: `http://127.0.0.1:${await freePort()}/api/` },
    });

    await stopsWell(bot);
  });

  it('while someone holds a connection open and says nothing', async () => {
    const bot = await world.startBot();
    const socket = connect(bot.port, '127.0.0.1');
    await until('the connection', () => socket.readyState === 'open');

    await stopsWell(bot);
    socket.destroy();
  });

  it('while a command waits for the platform, and the person is told', async () => {
    const bot = await world.startBot();
    await world.platform('faults', { faults: [{ path: '-deployment', delayMs: 20_000 }] });
    const answer = world.command('U0DANA', CHANNEL, '/deployments shop');
    await until('the question', async () => {
      const { requests } = await world.platformRequests();
      return requests.some(({ path }) => path.includes('-deployment'));
    });

    await stopsWell(bot);
    expect((await answer).text).toContain('Purser is being restarted');
  });

  it('while Slack takes its time with a post, which is neither lost nor doubled', async () => {
    const first = await world.startBot({ environment: { WATCHES: 'acme/shop' } });
    await world.polled();
    await world.slack('faults', {
      faults: [{ method: 'chat.postMessage', kind: 'delay-after', delayMs: 60_000, times: 1 }],
    });
    const place = { org: 'acme', gvc: 'shop', workload: 'web' };
    const { version } = await world.platform('rollout', { ...place, seconds: 4 });
    const card = `acme/shop/web/${String(version)}/card`;
    await world.message(CHANNEL, card);

    await stopsWell(first);

    const second = await world.startBot({ environment: { WATCHES: 'acme/shop' } });
    await world.message(CHANNEL, card.replace('card', 'ready'));
    const keys = (await world.messages(CHANNEL)).map((one) => one.metadata?.event_payload.key);
    expect(keys).toEqual([card, card.replace('card', 'ready')]);
    await stopsWell(second);
  });

  it.skipIf(process.env['REDIS_URL'] !== undefined)('while Redis is away', async () => {
    const bot = await world.startBot({ environment: { WATCHES: 'acme/shop' } });
    await world.polled();
    await world.endRedis();

    await stopsWell(bot);
  });
});
