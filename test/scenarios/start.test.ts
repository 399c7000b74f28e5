import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CREDENTIALS } from '../../src/sandbox/bot.ts';
import { exitOf, freePort } from '../../src/sandbox/redis.ts';
import { startRedisServer } from '../support/durable-redis.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const STOP_MS = 25_000;

const INGEST = { org: 'acme', gvc: 'data', workload: 'ingest' };

let world: World;

beforeAll(async () => {
  world = await openWorld();
});

afterAll(() => world.close());

describe('npm start, from the environment alone', () => {
  it.each([
    { mode: 'http', environment: { SLACK_MODE: 'http' } },
    {
      mode: 'socket',
      environment: { SLACK_MODE: 'socket', SLACK_APP_TOKEN: CREDENTIALS.appToken },
    },
  ])(
    'answers in $mode mode, reports a rollout, and stops with exit code 0',
    async ({ environment }) => {
      const bot = await world.startBot({
        npm: true,
        environment: { ...environment, WATCHES: 'acme/data' },
      });
      const answer = await world.command(
        'U0DANA',
        'C0DEPLOYS',
        '/deployments watch shop/web in #ops',
      );
      expect(answer.text).toContain('acme/shop/web');
      await world.polled();
      const { version } = await world.platform('rollout', { ...INGEST, seconds: 3 });
      const key = `acme/data/ingest/${String(version)}/ready`;
      expect((await world.message('C0DEPLOYS', key)).text).toContain('data/ingest');

      const stopping = Date.now();
      expect(await bot.stop()).toBe(0);
      expect(Date.now() - stopping).toBeLessThan(STOP_MS);
    },
  );

  it('is one process, of which one thread answers and the other works', async () => {
    const bot = await world.startBot({ environment: { WATCHES: 'acme/data' } });
    await world.polled();
    await world.command('U0DANA', 'C0DEPLOYS', '/purser help');
    const lines = bot
      .log()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string; thread?: string; ports?: { ops: number } });
    const opsPort = lines.find(({ msg }) => msg === 'Ready')?.ports?.ops;

    const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
    const checks = await (await fetch(`http://127.0.0.1:${opsPort}/readyz`)).json();

    expect(metrics).toMatch(/^purser_polls_total\{result="done"\} [1-9]/m);
    expect(checks).toEqual({ ready: true, checks: { redis: true, slack: true, worker: true } });
    expect(await bot.stop()).toBe(0);
    expect(bot.log()).toContain('"thread":"worker"');
  });

  it('keeps a watch that was made by command over a restart', async () => {
    const bot = await world.startBot({ npm: true });

    const answer = await world.command('U0DANA', 'C0OPS', '/deployments watches');

    expect(JSON.stringify(answer.blocks)).toContain('acme/shop/web');
    await bot.stop();
  });
});

describe('an environment that cannot be', () => {
  it.each([
    { kind: 'a Redis', user: 'ann:hunter2@', cluster: 'false', says: 'WRONGPASS' },
    { kind: 'a single Redis as a cluster', user: '', cluster: 'true', says: 'ERR' },
  ])('$kind that refuses the connection is explained by /readyz and the log', async (one) => {
    const folder = await mkdtemp(join(tmpdir(), 'purser-refusing-'));
    const port = await freePort();
    const server = await startRedisServer(port, folder, []);
    onTestFinished(async () => {
      server.kill('SIGKILL');
      await exitOf(server);
      await rm(folder, { recursive: true, force: true });
    });
    const bot = await world.startBot({
      until: 'healthz',
      environment: {
        REDIS_URL: `redis://${one.user}127.0.0.1:${port}`,
        REDIS_CLUSTER: one.cluster,
      },
    });
    onTestFinished(() => bot.kill());

    await until('the reason', async () => {
      const answer = await fetch(`http://127.0.0.1:${bot.opsPort}/readyz`);
      return (await answer.text()).includes(`"redis":"it takes no writes (${one.says})"`);
    });
    expect(bot.log()).toMatch(new RegExp(`"message":"${one.says} [^\\n]*Redis cannot be reached`));
    expect(bot.log()).not.toContain('hunter2');
  });

  it('is refused whole, with every problem and exit code 2', async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], NOTIFY_CHANNEL: '#general', PORT: 'many' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (text: Buffer) => (said += text.toString()));

    expect(await exitOf(child)).toBe(2);
    for (const name of ['SLACK_BOT_TOKEN', 'API_URL', 'ORG_TOKENS', 'NOTIFY_CHANNEL', 'PORT']) {
      expect(said).toContain(`${name}: `);
    }
  });
});
