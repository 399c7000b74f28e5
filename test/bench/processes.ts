import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { botEnvironment } from '../../src/sandbox/bot.ts';
import { exitOf, freePort } from '../../src/sandbox/redis.ts';
import { until } from '../support/until.ts';
import type { Changing } from './fleet-items.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FLEET = fileURLToPath(new URL('fleet-process.ts', import.meta.url));
const HEAVY = fileURLToPath(new URL('heavy-process.ts', import.meta.url));
const BOLT = fileURLToPath(new URL('bolt-process.ts', import.meta.url));

/** Those of the image, and the heap that Node takes in a container of 1 GB: half of it. */
const NODE_OPTIONS = [
  '--enable-source-maps',
  '--max-semi-space-size=4',
  '--max-old-space-size=512',
];

export interface Fleet {
  url: string;
  /** When each GVC was asked for, milliseconds since the epoch. */
  asked(): Promise<Record<string, number[]>>;
  close(): Promise<void>;
}

/** A platform with so many deployments in every GVC, which change with every poll. */
export async function startFleet(deployments: number, changing: Changing): Promise<Fleet> {
  const child = start(['--import', 'tsx', FLEET, String(deployments), changing]);
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  const url = line.toString().trim();
  return {
    url,
    asked: async () => (await (await fetch(`${url}/asked`)).json()) as Record<string, number[]>,
    close: () => end(child),
  };
}

/** A platform that answers usage by steps with so many bytes. */
export async function startHeavyPlatform(
  bytes: number,
): Promise<{ url: string; close(): Promise<void> }> {
  const child = start(['--import', 'tsx', HEAVY, String(bytes)]);
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  return { url: line.toString().trim(), close: () => end(child) };
}

/** Bolt by itself, in a process of its own. */
export async function startBareBolt(
  signingSecret: string,
  slackUrl: string,
): Promise<{ port: number; close(): Promise<void> }> {
  const child = start(['--import', 'tsx', BOLT, signingSecret, slackUrl]);
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  return { port: Number(line.toString()), close: () => end(child) };
}

export interface BenchedBot {
  port: number;
  /** Resident memory in MB; undefined where the system does not say. */
  memory(): Promise<number | undefined>;
  close(): Promise<void>;
}

/** The bot as the image runs it, ready. */
export async function startBenchedBot(
  around: { slackUrl: string; platformUrl: string; redisUrl: string; usageUrl?: string },
  environment: Record<string, string>,
): Promise<BenchedBot> {
  const [port, opsPort] = [await freePort(), await freePort()];
  const child = start([...NODE_OPTIONS, 'dist/main.js'], {
    ...botEnvironment({ ...around, orgTokens: { acme: 'bench' }, port, opsPort }),
    LOG_LEVEL: 'error',
    REDIS_PREFIX: `bench-${port}`,
    ...environment,
  });
  await until('the bot to be ready', async () => {
    if (child.exitCode !== null) throw new Error('the bot ended');
    return (await fetch(`http://127.0.0.1:${opsPort}/readyz`).catch(() => undefined))?.ok;
  });
  return {
    port,
    async memory() {
      const text = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
      const kilobytes = text.match(/VmRSS:\s+(\d+)/)?.[1];
      return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
    },
    close: () => end(child),
  };
}

/** Compiles the bot, because that is what the image runs. @throws Error */
export function compile(): void {
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('the bot does not compile');
}

function start(words: readonly string[], environment: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, words, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await exitOf(child);
}
