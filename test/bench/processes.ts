import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { botEnvironment, CREDENTIALS } from '../../src/sandbox/bot.ts';
import { exitOf, freePort, startRedis } from '../../src/sandbox/redis.ts';
import { get } from '../support/http.ts';
import { launch, start } from '../support/running-bot.ts';
import type { Changing } from './fleet-items.ts';
import type { Open } from './measure.ts';
import { startSilentSlack } from './slack.ts';

export const CONNECTIONS = 32;
const STAND_IN = fileURLToPath(new URL('stand-in.ts', import.meta.url));

/** The options of the image, and the heap that Node takes in a container of 1 GB: half its memory. */
const NODE_OPTIONS = [
  '--enable-source-maps',
  '--max-semi-space-size=4',
  '--max-old-space-size=512',
];

/** A stand-in in a process of its own, and the address that it prints. */
async function startStandIn(...words: readonly string[]) {
  const child = start([process.execPath, '--import', 'tsx', STAND_IN, ...words]);
  child.stderr.pipe(process.stderr);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    said: line.toString().trim(),
    close: (): Promise<unknown> => {
      child.kill('SIGTERM');
      return exitOf(child);
    },
  };
}

/** A platform with so many deployments in every GVC, which change with every poll. */
export async function startFleet(deployments: number, changing: Changing) {
  const { said: url, close } = await startStandIn('fleet', String(deployments), changing);
  /** When each GVC was asked for, milliseconds since the epoch. */
  const asked = () => get<Record<string, number[]>>(`${url}/asked`);
  return { url, asked, close };
}

/** A platform that answers usage by steps with so many bytes. */
export async function startHeavyPlatform(bytes: number) {
  const { said: url, close } = await startStandIn('heavy', String(bytes));
  return { url, close };
}

/** Bolt by itself, in a process of its own. */
export async function startBareBolt(slackUrl: string) {
  const { said, close } = await startStandIn('bolt', CREDENTIALS.signingSecret, slackUrl);
  return { port: Number(said), close };
}

export type BenchedBot = Awaited<ReturnType<typeof startBenchedBot>>;

/** Redis, a Slack that says yes to everything, and the settings that connect a bot with them. */
export async function startAround(open: Open, platformUrl = 'http://127.0.0.1:1') {
  const redis = await open(startRedis(process.env['REDIS_URL']));
  const slack = await open(startSilentSlack());
  return { slack, around: { slackUrl: slack.url, platformUrl, redisUrl: redis.url } };
}

/** Works with the process that takes commands, over connections that stay open, and ends it. */
export async function withPool<T, One extends { port: number; close(): unknown }>(
  starting: Promise<One>,
  work: (pool: Pool, one: One) => Promise<T>,
): Promise<T> {
  const one = await starting;
  const pool = new Pool(`http://127.0.0.1:${one.port}`, { connections: CONNECTIONS });
  try {
    return await work(pool, one);
  } finally {
    await pool.close();
    await one.close();
  }
}

/** The bot as the image runs it, ready. */
export async function startBenchedBot(
  around: { slackUrl: string; platformUrl: string; redisUrl: string; usageUrl?: string },
  environment: Record<string, string>,
) {
  const [port, opsPort] = [await freePort(), await freePort()];
  const bot = launch([process.execPath, ...NODE_OPTIONS, 'dist/main.js'], {
    ...botEnvironment({ ...around, orgTokens: { acme: 'bench' }, port, opsPort }),
    LOG_LEVEL: 'error',
    REDIS_PREFIX: `bench-${port}`,
    ...environment,
  });
  await bot.ready();
  return { ...bot, close: bot.stop };
}

/** Compiles the bot, because the image runs compiled code. @throws Error */
export function compile(): void {
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('the bot does not compile');
}
