import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CREDENTIALS } from '../../src/sandbox/bot.ts';
import { exitOf, freePort } from '../../src/sandbox/redis.ts';
import { until } from '../support/until.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const WITHOUT = fileURLToPath(new URL('without.ts', import.meta.url));

/** The guards of which each has a run without it. */
export type Guard = 'pending mark' | 'reconcile' | 'fencing' | 'silent adoption';

export interface BotSurroundings {
  slackApiUrl: string;
  platformUrl: string;
  redisPort: number;
  prefix: string;
  watches: string;
  without?: Guard | undefined;
  environment?: Readonly<Record<string, string>>;
}

/** A process of the bot. */
export interface Bot {
  readonly child: ChildProcess;
  /** Where it takes Slack's requests, if its role does. */
  readonly port: number;
  readonly opsPort: number;
  /** Lines of the log of at least the level `warn`. */
  readonly troubles: string[];
  /** SIGKILL, without waiting for the end. */
  strike(): void;
  /** SIGSTOP, and SIGCONT after `ms` milliseconds. */
  pause(ms: number): void;
  alive(): boolean;
  ready(): Promise<void>;
  /** SIGKILL, and its end. */
  kill(): Promise<void>;
}

/** Starts the bot as `npm start` does. */
export async function startBot(around: BotSurroundings): Promise<Bot> {
  const [port, opsPort] = [await freePort(), await freePort()];
  const hooks = around.without === undefined ? [] : ['--import', WITHOUT];
  const child = spawn(process.execPath, ['--import', 'tsx', ...hooks, 'src/main.ts'], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      ROLE: 'worker',
      SLACK_MODE: 'http',
      SLACK_BOT_TOKEN: CREDENTIALS.botToken,
      SLACK_SIGNING_SECRET: CREDENTIALS.signingSecret,
      SLACK_API_URL: around.slackApiUrl,
      PORT: String(port),
      OPS_PORT: String(opsPort),
      REDIS_URL: `redis://127.0.0.1:${around.redisPort}`,
      REDIS_PREFIX: around.prefix,
      API_URL: around.platformUrl,
      ORG_TOKENS: '{"acme":"key-of-acme"}',
      DEFAULT_ORG: 'acme',
      NOTIFY_CHANNEL: 'C0MAIN',
      OPS_CHANNEL: 'C0OPS',
      WATCHES: around.watches,
      POLL_ACTIVE_SECONDS: '0.5',
      POLL_IDLE_SECONDS: '0.5',
      CHAOS_WITHOUT: around.without,
      ...around.environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const troubles: string[] = [];
  let isReady = false;
  const read = (text: Buffer): void => {
    for (const line of text.toString().split('\n')) {
      isReady ||= line.includes('"Ready"');
      if (/"level":("(warn|error|fatal)|[456]0)/.test(line) || !line.startsWith('{')) {
        if (line !== '') troubles.push(line);
      }
    }
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  const alive = (): boolean => child.exitCode === null && child.signalCode === null;
  return {
    child,
    port,
    opsPort,
    troubles,
    alive,
    strike: () => void child.kill('SIGKILL'),
    pause(ms) {
      child.kill('SIGSTOP');
      setTimeout(() => child.kill('SIGCONT'), ms).unref();
    },
    async ready() {
      await until('the bot is ready', () => isReady || !alive(), 120_000);
    },
    async kill() {
      child.kill('SIGKILL');
      await exitOf(child);
    },
  };
}
