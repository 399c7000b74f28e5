import { spawn, type ChildProcess } from 'node:child_process';

import { ENDPOINT_PREFIXES } from './platform/seed.ts';

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
    // Below localhost, so that a call to a workload comes to the stand-in and to nobody else.
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

/**
 * What lets people see soon what is told of money by itself: looks every few seconds, and the digest one
 * to two minutes after `now` (ms since the epoch).
 */
export function eagerTelling(now: number): Record<string, string> {
  return {
    BILLING_POLL_SECONDS: '5',
    DIGEST_TIME: new Date(now + 2 * MINUTE_MS)
      .toISOString()
      .slice('2026-10-05T'.length, -':00.000Z'.length),
  };
}

/** Starts the bot as `npm start` does, as a process of its own that knows nothing of the sandbox. */
export function startBot(
  environment: Readonly<Record<string, string>>,
  inherited: Readonly<Record<string, string | undefined>>,
): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
    cwd: new URL('../../', import.meta.url),
    env: { ...inherited, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
