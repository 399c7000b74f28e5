import { createApp } from '../../../src/app.ts';
import type { PurserApp } from '../../../src/app.ts';
import { loadConfig, secretsOf } from '../../../src/config/config.ts';
import { botEnvironment, CREDENTIALS } from '../../../src/sandbox/bot.ts';
import { createSandboxPlatform } from '../../../src/sandbox/platform/server.ts';
import { startRedis } from '../../../src/sandbox/redis.ts';
import { createSandboxSlack } from '../../../src/sandbox/slack/server.ts';
import { until } from '../../support/until.ts';
import { MANIFEST, freshPrefix, listeningLogger } from '../slack/support.ts';

/** A message as the stand-in workspace took it. */
export interface Seen {
  ts: string;
  /** Later ones have a higher one. */
  order: number;
  text: string;
  blocks: { type: string; block_id: string; elements?: { action_id?: string; value?: string }[] }[];
  ephemeral_to: string | null;
  deleted: boolean;
  edits: { text: string }[];
}

export interface Harness {
  slackUrl: string;
  platformUrl: string;
  opsUrl: string;
  /** What a bot that knows the billing and the usage API finds in its environment besides. */
  money: Readonly<Record<string, string>>;
  lines(): string;
  /** A person types a command. */
  type(user: string, channel: string, text: string): Promise<void>;
  /** A person types a command; the private answer. */
  ask(user: string, channel: string, text: string): Promise<Seen>;
  press(user: string, channel: string, message: Seen, action: string): Promise<void>;
  messages(channel: string): Promise<Seen[]>;
  slack(path: string, body?: object): Promise<Record<string, unknown>>;
  platform(path: string, body: object): Promise<Record<string, unknown>>;
  /** What the platform was asked, oldest first. */
  platformRequests(): Promise<{ method: string; path: string }[]>;
  restartBot(environment: Record<string, string>): Promise<void>;
  close(): Promise<void>;
}

async function post(address: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Record<string, unknown>;
}

/** The bot in this process, between the stand-ins and a real Redis. */
export async function createHarness(environment: Record<string, string> = {}): Promise<Harness> {
  const redis = await startRedis(process.env['REDIS_URL']);
  const platform = createSandboxPlatform();
  await platform.listen();
  const slack = createSandboxSlack({
    ...CREDENTIALS,
    manifestPath: MANIFEST,
    platformUrl: platform.url,
  });
  await slack.listen();
  const around = {
    slackUrl: slack.url,
    platformUrl: platform.url,
    orgTokens: platform.tokens,
    redisUrl: redis.url,
    port: 0,
    opsPort: 0,
  };
  let bot: { app: PurserApp; lines: () => string } | undefined;

  async function start(changes: Record<string, string>): Promise<void> {
    const config = loadConfig({
      ...botEnvironment(around),
      REDIS_PREFIX: freshPrefix(),
      ...environment,
      ...changes,
    });
    const { logger, lines } = listeningLogger(secretsOf(config));
    const app = createApp(config, logger);
    bot = { app, lines };
    await app.start();
    const { slack: port } = app.ports();
    if (port !== undefined) slack.setRequestUrl(`http://127.0.0.1:${port}/slack/events`);
  }
  await start({});

  const messages: Harness['messages'] = async (channel) => {
    const answer = await fetch(`${slack.url}/_sandbox/messages?channel=${channel}`);
    return ((await answer.json()) as { messages: Seen[] }).messages;
  };
  const type: Harness['type'] = async (user, channel, text) => {
    await post(`${slack.url}/page/command`, { user, channel, text });
  };
  return {
    slackUrl: slack.url,
    platformUrl: platform.url,
    get opsUrl() {
      return `http://127.0.0.1:${bot?.app.ports().ops ?? 0}`;
    },
    money: botEnvironment({
      ...around,
      billingUrl: platform.billingUrl,
      usageUrl: platform.usageUrl,
    }),
    lines: () => bot?.lines() ?? '',
    messages,
    type,
    async ask(user, channel, text) {
      const known = new Set((await messages(channel)).map(({ ts }) => ts));
      await type(user, channel, text);
      return until(`an answer to ${text}`, async () =>
        (await messages(channel)).find(
          (one) => one.ephemeral_to === user && !known.has(one.ts) && !one.text.startsWith('Still'),
        ),
      );
    },
    async press(user, channel, message, action) {
      const block = message.blocks.find(({ elements }) =>
        elements?.some(({ action_id: id }) => id === action),
      );
      const container = { type: 'message', channel, ts: message.ts };
      await post(`${slack.url}/page/action`, {
        user,
        container,
        block_id: block?.block_id,
        action_id: action,
        element: { type: 'button' },
      });
    },
    slack: (path, body = {}) => post(`${slack.url}/_sandbox/${path}`, body),
    platform: (path, body) => post(`${platform.url}/_sandbox/${path}`, body),
    async platformRequests() {
      const answer = await fetch(`${platform.url}/_sandbox/requests`);
      return ((await answer.json()) as { requests: { method: string; path: string }[] }).requests;
    },
    async restartBot(changes) {
      await bot?.app.stop();
      await start(changes);
    },
    async close() {
      await bot?.app.stop();
      await slack.close();
      await platform.close();
      await redis.close();
    },
  };
}
