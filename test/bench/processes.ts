import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { botEnvironment } from '../../src/sandbox/bot.ts';
import { exitOf, freePort } from '../../src/sandbox/redis.ts';
import { until } from '../support/until.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FLEET = fileURLToPath(new URL('fleet-process.ts', import.meta.url));

export interface Fleet {
  url: string;
  /** When each GVC was asked for, milliseconds since the epoch. */
  asked(): Promise<Record<string, number[]>>;
  close(): Promise<void>;
}

/** A platform with so many deployments in every GVC; `changing`: one in a hundred changes with each poll. */
export async function startFleet(deployments: number, changing: boolean): Promise<Fleet> {
  const child = start(FLEET, [String(deployments), changing ? 'changing' : 'steady']);
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  const url = line.toString().trim();
  return {
    url,
    asked: async () => (await (await fetch(`${url}/asked`)).json()) as Record<string, number[]>,
    close: () => end(child),
  };
}

export interface BenchedBot {
  port: number;
  /** Resident memory in MB; undefined where the system does not say. */
  memory(): Promise<number | undefined>;
  close(): Promise<void>;
}

/** The bot as `npm start` runs it, ready. */
export async function startBenchedBot(
  around: { slackUrl: string; platformUrl: string; redisUrl: string },
  environment: Record<string, string>,
): Promise<BenchedBot> {
  const [port, opsPort] = [await freePort(), await freePort()];
  const child = start('src/main.ts', [], {
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

function start(
  file: string,
  words: readonly string[],
  environment: Record<string, string> = {},
): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', file, ...words], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await exitOf(child);
}
