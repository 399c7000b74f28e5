import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { exitOf, freePort, startRedis } from '../../src/sandbox/redis.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';
import type { RunningBot } from '../support/running-bot.ts';

const CHANNEL = 'C0DEPLOYS';
const LIMIT_MS = 25_000;
/** Both longer than the time to stop, and shorter than the time limits of the bot's own calls. */
const SLOW = { delayMs: 30_000 };
const BUSY = { status: 503, headers: { 'retry-after': '30' } };

let world: World;

beforeEach(async () => {
  world = await openWorld();
});

afterEach(() => world.close());

/** How a SIGTERM ends: the exit code, and whether it came in time. */
async function stopped(bot: RunningBot): Promise<{ code: number | null; inTime: boolean }> {
  const asked = Date.now();
  const code = await bot.stop();
  return { code, inTime: Date.now() - asked < LIMIT_MS };
}

const WELL = { code: 0, inTime: true };

describe('SIGTERM ends the bot well', () => {
  it('while Slack cannot be reached yet', async () => {
    const bot = await world.startBot({
      until: 'healthz',
      environment: { SLACK_API_URL: `http://127.0.0.1:${await freePort()}/api/` },
    });

    expect(await stopped(bot)).toEqual(WELL);
  });

  it('while a client holds a connection open without sending anything', async () => {
    const bot = await world.startBot();
    const socket = connect(bot.port, '127.0.0.1');
    await until('the connection', () => socket.readyState === 'open');

    expect(await stopped(bot)).toEqual(WELL);
    socket.destroy();
  });

  it.each([
    ['/deployments shop', '-deployment', SLOW],
    ['/charges', 'charges/-query', SLOW],
    ['/usage', 'usage/org', SLOW],
    ['/charges', 'charges/-query', BUSY],
    ['/usage', 'usage/org', BUSY],
  ])('while %s waits for %s (%o), and the person is notified', async (command, path, fault) => {
    // Nothing but the person asks for charges.
    const bot = await world.startBot({ environment: { BILLING_CHANNEL: '' } });
    await world.platform('faults', { faults: [{ path, ...fault }] });
    const answer = world.command('U0ADA', CHANNEL, command);
    await until('the question', async () => {
      const { requests } = await world.platformRequests();
      return requests.some((asked) => asked.path.includes(path));
    });

    expect(await stopped(bot)).toEqual(WELL);
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

    expect(await stopped(first)).toEqual(WELL);

    const second = await world.startBot({ environment: { WATCHES: 'acme/shop' } });
    await world.message(CHANNEL, card.replace('card', 'ready'));
    const keys = (await world.messages(CHANNEL)).map((one) => one.metadata?.event_payload.key);
    expect(keys).toEqual([card, card.replace('card', 'ready')]);
    expect(await stopped(second)).toEqual(WELL);
  });

  it('while Redis is away', async () => {
    const redis = await startRedis();
    const environment = { WATCHES: 'acme/shop', REDIS_URL: redis.url };
    const bot = await world.startBot({ environment });
    await world.polled();
    await redis.close();

    expect(await stopped(bot)).toEqual(WELL);
  });
});

/** Of util-linux: runs a program with a terminal of its own. Other systems take other words. */
const SCRIPT = '/usr/bin/script';

describe.skipIf(process.platform !== 'linux' || !existsSync(SCRIPT))('in a terminal', () => {
  it('SIGHUP ends the bot, as the end of the terminal does', async () => {
    const words = `exec ${process.execPath} ${inject('bot')}`;
    const bot = await world.startBot({ program: [SCRIPT, '-qec', words, '/dev/null'] });
    const { pid } = bot.child;
    const inside = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'));

    process.kill(inside, 'SIGHUP');

    expect(await exitOf(bot.child)).toBe(0);
    expect(bot.log()).toContain('"signal":"SIGHUP"');
  });
});
