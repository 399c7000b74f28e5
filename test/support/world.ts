import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import type { Browser } from 'playwright-core';
import { botEnvironment, CREDENTIALS } from '../../src/sandbox/bot.ts';
import { createSandboxPlatform } from '../../src/sandbox/platform/server.ts';
import { freePort, startRedis } from '../../src/sandbox/redis.ts';
import { buildPage } from '../../src/sandbox/slack/build-page.ts';
import { createSandboxSlack } from '../../src/sandbox/slack/server.ts';
import { findChromium, launchBrowser } from './browser.ts';
import { visit } from './page.ts';
import type { Visitor } from './page.ts';
import { launch } from './running-bot.ts';
import type { RunningBot } from './running-bot.ts';
import { until } from './until.ts';

/** Of a message what Slack shows to whoever reads the metadata, too. */
interface Posted {
  ts: string;
  text: string;
  metadata: { event_payload: { key: string; covers?: string } } | null;
  thread_ts: string | null;
  broadcast: boolean;
}

/** What a channel was told of something that happened. */
interface Told {
  key: string;
  /** Keys of what it stands for. */
  covers: string[];
  text: string;
  /** Key of the message in whose thread it is. */
  under: string | undefined;
  broadcast: boolean;
}

/** The messages that say in their metadata what they tell. */
function toldIn(messages: readonly Posted[]): Told[] {
  const keyed = messages.flatMap((message) => {
    const payload = message.metadata?.event_payload;
    return payload === undefined ? [] : [{ message, payload }];
  });
  const keyOf = new Map(keyed.map(({ message, payload }) => [message.ts, payload.key]));
  return keyed.map(({ message: { text, thread_ts: thread, broadcast }, payload }) => ({
    key: payload.key,
    covers: payload.covers?.split(' ') ?? [],
    text,
    under: thread === null ? undefined : keyOf.get(thread),
    broadcast,
  }));
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A message as the stand-in workspace accepted it. */
export interface SeenMessage {
  channel: string;
  ts: string;
  text: string;
  blocks: Record<string, unknown>[];
  metadata: { event_type: string; event_payload: { key: string; covers?: string } } | null;
  thread_ts: string | null;
  broadcast: boolean;
  ephemeral_to: string | null;
  edit_count: number;
  edits: { text: string }[];
}

/** A call as the stand-in platform took it. */
interface PlatformRequest {
  method: string;
  path: string;
  /** What became of it, whatever the caller got to know; null when it was cut before. */
  status: number | null;
  body?: unknown;
}

export interface World {
  slackUrl: string;
  platformUrl: string;
  billingUrl: string;
  redisUrl: string;
  /** Starts the bot; resolves when it says that it is ready. */
  startBot(options?: {
    environment?: Record<string, string>;
    /** What to wait for: that it does its work, or only that the process lives. */
    until?: 'readyz' | 'healthz';
    /** Through npm, as section 7 of the design promises; else what `bundle-bot` made of the same file. */
    npm?: boolean;
  }): Promise<RunningBot>;
  /** A person types a command in a channel; gives the private answer. */
  command(user: string, channel: string, text: string): Promise<SeenMessage>;
  messages(channel: string): Promise<SeenMessage[]>;
  /** Every message of a channel whose key begins so, in the order in which they were posted. */
  told(channel: string, beginning?: string): Promise<Told[]>;
  /** The first message of a channel with this key, waited for. */
  message(
    channel: string,
    key: string,
    fits?: (message: SeenMessage) => boolean,
  ): Promise<SeenMessage>;
  platform(path: string, body: object): Promise<Record<string, unknown>>;
  slack(path: string, body: object): Promise<Record<string, unknown>>;
  /** What the platform was asked. */
  platformRequests(): Promise<{ requests: PlatformRequest[] }>;
  /** How often GVCs were read so far. */
  polls(): Promise<number>;
  /** The GVCs were read at least twice since now: what was there is known, what follows is a change. */
  polled(times?: number): Promise<void>;
  /** What has happened by now is told: each GVC, at least so many (1), was read twice since, and nothing waits. */
  calm(gvcs?: number): Promise<void>;
  /** What connects a bot with this world. */
  environment(ports: { port: number; opsPort: number }): Record<string, string>;
  /** Redis goes away for good. */
  endRedis(): Promise<void>;
  /** Redis comes back empty, while everything runs. */
  loseRedis(): Promise<void>;
  /** Opens the page in a browser as a person, at what stands behind `#` in its address. */
  visit(user: string, place?: string): Promise<Visitor>;
  /** What the platform does wrong from now on; nothing without a fault. */
  faults(...faults: object[]): Promise<unknown>;
  close(): Promise<void>;
}

export interface WorldOptions {
  /** How the stand-in of the platform is made. */
  platform?: Parameters<typeof createSandboxPlatform>[0];
  /** Starts a bot at once, with this in its environment. */
  bot?: Record<string, string>;
}

/** Redis and the two stand-ins, the bots between them, and the browsers of people who look at it. */
export async function openWorld({ platform, bot }: WorldOptions = {}): Promise<World> {
  const world = await createWorld(platform);
  try {
    if (bot !== undefined) await world.startBot({ environment: bot });
    return world;
  } catch (error) {
    await world.close();
    throw error;
  }
}

async function createWorld(options: WorldOptions['platform'] = {}): Promise<World> {
  const redis = await startRedis(process.env['REDIS_URL']);
  const platform = createSandboxPlatform(options);
  await platform.listen();
  const slack = createSandboxSlack({
    ...CREDENTIALS,
    manifestPath: `${ROOT}manifest.yml`,
    platformUrl: platform.url,
    pageScript: buildPage,
  });
  await slack.listen();
  const bots: RunningBot[] = [];
  let browser: Promise<Browser> | undefined;
  const prefix = `test-${randomUUID().slice(0, 8)}`;

  async function messages(channel: string): Promise<SeenMessage[]> {
    const answer = await fetch(`${slack.url}/_sandbox/messages?channel=${channel}`);
    return ((await answer.json()) as { messages: SeenMessage[] }).messages;
  }

  const environmentOf: World['environment'] = (ports) => ({
    ...botEnvironment({
      slackUrl: slack.url,
      platformUrl: platform.url,
      billingUrl: platform.billingUrl,
      usageUrl: platform.usageUrl,
      orgTokens: platform.tokens,
      redisUrl: redis.url,
      ...ports,
    }),
    REDIS_PREFIX: prefix,
    POLL_ACTIVE_SECONDS: '0.3',
    POLL_IDLE_SECONDS: '0.5',
  });

  async function withKeys<T>(
    pattern: string,
    work: (keys: string[], connection: Redis) => T | Promise<T>,
  ): Promise<T> {
    const connection = new Redis(redis.url);
    try {
      return await work(await connection.keys(`{${prefix}}${pattern}`), connection);
    } finally {
      connection.disconnect();
    }
  }

  return {
    slackUrl: slack.url,
    platformUrl: platform.url,
    billingUrl: platform.billingUrl,
    redisUrl: redis.url,
    environment: environmentOf,
    messages,
    told: async (channel, beginning = '') =>
      toldIn(await messages(channel)).filter(({ key }) => key.startsWith(beginning)),
    async startBot({ environment = {}, npm = false, until: path = 'readyz' } = {}) {
      const [port, opsPort] = [await freePort(), await freePort()];
      slack.setRequestUrl(`http://127.0.0.1:${port}/slack/events`);
      const bot = await launch(
        { npm, path, opsPort, port },
        { ...environmentOf({ port, opsPort }), ...environment },
      );
      bots.push(bot);
      return bot;
    },
    async command(user, channel, text) {
      const known = new Set((await messages(channel)).map(({ ts }) => ts));
      await post(`${slack.url}/page/command`, { user, channel, text });
      return until(`an answer to ${text}`, async () =>
        (await messages(channel)).find(
          (one) => one.ephemeral_to === user && !known.has(one.ts) && !one.text.startsWith('Still'),
        ),
      );
    },
    message: (channel, key, fits = () => true) =>
      until(`message ${key} in ${channel}`, async () =>
        (await messages(channel)).find(
          (one) => one.metadata?.event_payload.key === key && fits(one),
        ),
      ),
    platform: (path, body) => post(`${platform.url}/_sandbox/${path}`, body),
    platformRequests: () => platformRequests(platform.url),
    slack: (path, body) => post(`${slack.url}/_sandbox/${path}`, body),
    polls: () => polls(platform.url),
    async polled(times = 2) {
      const before = await polls(platform.url);
      await until(`${times} polls`, async () => (await polls(platform.url)) >= before + times);
    },
    async calm(gvcs = 1) {
      const before = await readsOf(platform.url);
      await until('two more polls of each GVC', async () => {
        const now = await readsOf(platform.url);
        const isRead = [...now].every(([path, times]) => times >= (before.get(path) ?? 0) + 2);
        return isRead && now.size >= gvcs;
      });
      await until('everything to be told', () =>
        withKeys(':outbox:*', (channels) => channels.length === 0),
      );
    },
    endRedis: () => redis.close(),
    loseRedis: () =>
      withKeys('*', async (keys, connection) => void (await connection.del(...keys))),
    async visit(user, place = 'C0BILLING') {
      browser ??= launchBrowser(findChromium() ?? '');
      return visit(await browser, slack.url, { user, place });
    },
    faults: (...faults) => post(`${platform.url}/_sandbox/faults`, { faults }),
    async close() {
      await (await browser)?.close();
      await Promise.all(bots.map((bot) => bot.kill()));
      await slack.close();
      await platform.close();
      await redis.close();
    },
  };
}

async function platformRequests(platformUrl: string): Promise<{ requests: PlatformRequest[] }> {
  const answer = await fetch(`${platformUrl}/_sandbox/requests`);
  return (await answer.json()) as { requests: PlatformRequest[] };
}

async function polls(platformUrl: string): Promise<number> {
  return [...(await readsOf(platformUrl)).values()].reduce((sum, times) => sum + times, 0);
}

/** How often each GVC was read, by the path of its list. */
async function readsOf(platformUrl: string): Promise<Map<string, number>> {
  const reads = new Map<string, number>();
  const { requests } = await platformRequests(platformUrl);
  for (const { path } of requests) {
    if (path.includes('-deployment')) reads.set(path, (reads.get(path) ?? 0) + 1);
  }
  return reads;
}

async function post(address: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}
