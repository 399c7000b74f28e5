import { spawn } from 'node:child_process';

import { ENDPOINT_PREFIXES } from './platform/seed.ts';
import { exitOf } from './redis.ts';

/** Invented, and good for the stand-ins only. */
export const CREDENTIALS = {
  botToken: 'xoxb-sandbox-bot-token',
  appToken: 'xapp-sandbox-app-token',
  signingSecret: 'sandbox-signing-secret',
} as const;

const BILLING = {
  BILLING_ACCOUNT_ID: '5f0c9d3e-8a41-4b7e-9c26-d1a7e3b0f482',
  BILLING_TOKEN: 'svc-bsat-sandbox-all',
  BILLING_USER_TOKEN: 'sandbox-user-ada',
  SECRET_KEY: Buffer.from('sandbox-secret-key-of-32-bytes..').toString('base64'),
} as const;

export interface BotSurroundings {
  slackUrl: string;
  platformUrl: string;
  /** Absent: the bot knows no billing API. */
  billingUrl?: string;
  /** Absent: the bot knows no usage API. */
  usageUrl?: string;
  orgTokens: Readonly<Record<string, string>>;
  redisUrl: string;
  port: number;
  opsPort: number;
}

/** The environment that connects a bot with the stand-ins: what a real one gets, with other addresses. */
export function botEnvironment(around: BotSurroundings): Record<string, string> {
  return {
    SLACK_MODE: 'http',
    SLACK_BOT_TOKEN: CREDENTIALS.botToken,
    SLACK_SIGNING_SECRET: CREDENTIALS.signingSecret,
    SLACK_API_URL: `${around.slackUrl}/api/`,
    PORT: String(around.port),
    OPS_PORT: String(around.opsPort),
    REDIS_URL: around.redisUrl,
    API_URL: around.platformUrl,
    ORG_TOKENS: JSON.stringify(around.orgTokens),
    DEFAULT_ORG: 'acme',
    ORG_ACCESS: JSON.stringify(
      Object.fromEntries(Object.keys(around.orgTokens).map((org) => [org, 'members'])),
    ),
    NOTIFY_CHANNEL: 'C0DEPLOYS',
    APPROVALS_CHANNEL: 'C0APPROVE',
    BILLING_CHANNEL: 'C0BILLING',
    OPS_CHANNEL: 'C0OPS',
    // Below localhost, so that a call to a workload comes to the stand-in and to no other person.
    GLOBAL_DOMAIN: `apps.localhost:${new URL(around.platformUrl).port}`,
    LOCATION_DOMAIN: 'svc-sandbox.example',
    INTERNAL_DOMAIN: 'svc.internal.example',
    ORG_ENDPOINT_PREFIXES: JSON.stringify(ENDPOINT_PREFIXES),
    POLL_ACTIVE_SECONDS: '1',
    POLL_IDLE_SECONDS: '2',
    ...(around.billingUrl === undefined ? {} : { BILLING_URL: around.billingUrl, ...BILLING }),
    ...(around.usageUrl === undefined ? {} : { USAGE_URL: around.usageUrl }),
  };
}

const MINUTE_MS = 60_000;

/** The minute of the digest of a demo that starts at `now`, one to two minutes later. Ms since the epoch. */
export function digestDue(now: number): number {
  return Math.floor((now + 2 * MINUTE_MS) / MINUTE_MS) * MINUTE_MS;
}

/** Messages about money come soon: a check every few seconds, and an early digest. */
export function eagerReports(now: number): Record<string, string> {
  return {
    BILLING_POLL_SECONDS: '5',
    DIGEST_TIME: new Date(digestDue(now))
      .toISOString()
      .slice('2026-10-05T'.length, -':00.000Z'.length),
  };
}

const READY_MS = 60_000;

export type BotProcess = ReturnType<typeof startBot>;

/**
 * Starts the bot as `npm start` does, as a process of its own whose `Date` can be moved.
 * @param onEnd called when it ends without having been stopped
 */
export function startBot(
  environment: Readonly<Record<string, string | undefined>>,
  onEnd: () => void,
) {
  let aheadMs = 0;
  let child = start();

  function start() {
    const clock = new URL(`preload.ts?ahead=${aheadMs}`, import.meta.url).href;
    const words = ['--import', 'tsx', '--import', clock, 'src/main.ts'];
    const bot = spawn(process.execPath, words, {
      cwd: new URL('../../', import.meta.url),
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    bot.stdout?.pipe(process.stdout);
    bot.once('exit', onEnd);
    return bot;
  }
  async function stop(): Promise<void> {
    child.removeListener('exit', onEnd);
    child.kill('SIGTERM');
    await exitOf(child);
  }
  /** @throws when it does not become ready */
  async function ready(): Promise<void> {
    const deadline = Date.now() + READY_MS;
    while (Date.now() < deadline && child.exitCode === null) {
      const address = `http://127.0.0.1:${environment['OPS_PORT']}/readyz`;
      if ((await fetch(address).catch(() => undefined))?.ok) return;
      await new Promise((resolve) => {
        setTimeout(resolve, 200);
      });
    }
    throw new Error('The bot did not become ready: see its log above.');
  }
  return {
    stop,
    ready,
    moveTo(ms: number): void {
      aheadMs = ms;
      if (child.connected) child.send(ms);
    },
    async restart(): Promise<void> {
      await stop();
      child = start();
      await ready();
    },
  };
}
