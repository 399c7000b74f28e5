import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import type { Browser } from 'playwright-core';
import { inject } from 'vitest';
import { botEnvironment, CREDENTIALS } from '../../src/sandbox/bot.ts';
import { createSandboxPlatform } from '../../src/sandbox/platform/server.ts';
import { freePort, startRedis } from '../../src/sandbox/redis.ts';
import { buildPage } from '../../src/sandbox/slack/build-page.ts';
import { createSandboxSlack } from '../../src/sandbox/slack/server.ts';
import { findChromium, launchBrowser } from './browser.ts';
import { get, post } from './http.ts';
import { visit } from './page.ts';
import { launch, type RunningBot } from './running-bot.ts';
import { until } from './until.ts';

const MANIFEST = fileURLToPath(new URL('../../manifest.yml', import.meta.url));

/** A message as the stand-in workspace accepted it. */
export interface SeenMessage {
  channel: string;
  ts: string;
  /** Later ones have a higher one. */
  order: number;
  text: string;
  blocks: Record<string, unknown>[];
  metadata: { event_type: string; event_payload: { key: string; covers?: string } } | null;
  thread_ts: string | null;
  broadcast: boolean;
  ephemeral_to: string | null;
  deleted: boolean;
  edit_count: number;
  edits: { text: string }[];
}

/** A call as the stand-in platform took it. */
interface PlatformRequest {
  method: string;
  path: string;
  /** The status of the platform's answer, even if the caller did not get it; null when it was cut before. */
  status: number | null;
  body?: unknown;
}

interface BotOptions {
  environment?: Record<string, string>;
  /** The probe to wait for: that the bot does its work, or only that the process lives. */
  until?: 'readyz' | 'healthz';
  /** Through npm, as section 7 of the design promises; else the bundle of the same file. */
  npm?: boolean;
  /** Another program that starts the bot, with its words. */
  program?: readonly string[];
}

interface WorldOptions {
  /** How the stand-in of the platform is made. */
  platform?: Parameters<typeof createSandboxPlatform>[0];
  /** Starts a bot at once, with this in its environment. */
  bot?: Record<string, string>;
}

export type World = Awaited<ReturnType<typeof createWorld>>;

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

async function createWorld(options: WorldOptions['platform'] = {}) {
  const redis = await startRedis(process.env['REDIS_URL']);
  const platform = createSandboxPlatform(options);
  await platform.listen();
  const slack = createSandboxSlack({
    ...CREDENTIALS,
    manifestPath: MANIFEST,
    platformUrl: platform.url,
    pageScript: buildPage,
  });
  await slack.listen();
  const surroundings = {
    slackUrl: slack.url,
    platformUrl: platform.url,
    billingUrl: platform.billingUrl,
    usageUrl: platform.usageUrl,
    orgTokens: platform.tokens,
    redisUrl: redis.url,
  };
  const prefix = `test-${randomUUID().slice(0, 8)}`;
  const bots: RunningBot[] = [];
  let browser: Promise<Browser> | undefined;

  /** The settings that connect a bot with this world. */
  const environment = (ports: { port: number; opsPort: number }): Record<string, string> => ({
    ...botEnvironment({ ...surroundings, ...ports }),
    REDIS_PREFIX: prefix,
    // Tests send more commands as one person than a person does.
    PERSON_LIMIT: '0',
    POLL_ACTIVE_SECONDS: '0.3',
    POLL_IDLE_SECONDS: '0.5',
    // Three minutes of the watch are 1.8 seconds, ten are six.
    WATCH_PATIENCE: '0.01',
  });

  return {
    ...surroundings,
    surroundings,
    environment,
    ...peopleOf(slack.url),
    ...platformOf(platform.url),
    ...storeOf(redis.url, prefix, platform.url),
    /** Starts the bot; resolves when it says that it is ready. */
    async startBot({ environment: changes, npm = false, until: path, program }: BotOptions = {}) {
      const [port, opsPort] = [await freePort(), await freePort()];
      slack.setRequestUrl(`http://127.0.0.1:${port}/slack/events`);
      const usual = npm ? ['npm', 'start', '--silent'] : [process.execPath, inject('bot')];
      const bot = launch(program ?? usual, { ...environment({ port, opsPort }), ...changes });
      bots.push(bot);
      await bot.ready(path);
      return bot;
    },
    /** Opens the page in a browser as a person, at the place after `#` in its address. */
    async visit(user: string, place = 'C0BILLING') {
      browser ??= launchBrowser(findChromium() ?? '');
      return visit(await browser, slack.url, { user, place });
    },
    async close() {
      await (await browser)?.close();
      await Promise.all(bots.map((bot) => bot.kill()));
      await slack.close();
      await platform.close();
      await redis.close();
    },
  };
}

/** The messages of the workspace. */
function peopleOf(slackUrl: string) {
  const messages = async (channel: string): Promise<SeenMessage[]> =>
    (await get<{ messages: SeenMessage[] }>(`${slackUrl}/_sandbox/messages?channel=${channel}`))
      .messages;
  return {
    messages,
    /** A person types a command in a channel; gives the private answer. */
    async command(user: string, channel: string, text: string): Promise<SeenMessage> {
      const known = new Set((await messages(channel)).map(({ ts }) => ts));
      await post(`${slackUrl}/page/command`, { user, channel, text });
      return until(`an answer to ${text}`, async () =>
        (await messages(channel)).find(
          (one) => one.ephemeral_to === user && !known.has(one.ts) && !one.text.startsWith('Still'),
        ),
      );
    },
    /** The messages of a channel whose key begins so, in the order in which they were posted. */
    reported: async (channel: string, beginning = '') => {
      const keyed = (await messages(channel)).flatMap(({ metadata, ...message }) =>
        metadata === null ? [] : [{ ...message, ...metadata.event_payload }],
      );
      return keyed
        .filter(({ key }) => key.startsWith(beginning))
        .map(({ key, covers, text, thread_ts: thread, broadcast }) => ({
          key,
          /** Keys of the messages that it stands for. */
          covers: covers?.split(' ') ?? [],
          text,
          /** Key of the message in whose thread it is. */
          under: keyed.find(({ ts }) => ts === thread)?.key,
          broadcast,
        }));
    },
    /** The first message of a channel with this key, waited for. */
    message: (channel: string, key: string, fits = (_message: SeenMessage) => true) =>
      until(`message ${key} in ${channel}`, async () =>
        (await messages(channel)).find(
          (one) => one.metadata?.event_payload.key === key && fits(one),
        ),
      ),
    slack: (path: string, body: object) => post(`${slackUrl}/_sandbox/${path}`, body),
  };
}

/** How often each GVC was read, by the path of its list. */
async function readsOf(platformUrl: string): Promise<Map<string, number>> {
  const reads = new Map<string, number>();
  const { requests } = await platformOf(platformUrl).platformRequests();
  for (const { path } of requests) {
    if (path.includes('-deployment')) reads.set(path, (reads.get(path) ?? 0) + 1);
  }
  return reads;
}

function platformOf(platformUrl: string) {
  const control = (path: string, body: object) => post(`${platformUrl}/_sandbox/${path}`, body);
  /** How often GVCs were read so far. */
  const polls = async () =>
    [...(await readsOf(platformUrl)).values()].reduce((sum, times) => sum + times, 0);
  return {
    platform: control,
    /** The faults of the platform from now on; an empty list ends them. */
    faults: (...faults: object[]) => control('faults', { faults }),
    platformRequests: () =>
      get<{ requests: PlatformRequest[] }>(`${platformUrl}/_sandbox/requests`),
    polls,
    /** The GVCs were read at least twice since now: the current state is known, and anything after it is a change. */
    async polled(times = 2) {
      const before = await polls();
      await until(`${times} polls`, async () => (await polls()) >= before + times);
    },
  };
}

function storeOf(redisUrl: string, prefix: string, platformUrl: string) {
  async function withKeys<T>(
    pattern: string,
    work: (keys: string[], connection: Redis) => T | Promise<T>,
  ): Promise<T> {
    const connection = new Redis(redisUrl);
    try {
      return await work(await connection.keys(`{${prefix}}${pattern}`), connection);
    } finally {
      connection.disconnect();
    }
  }
  return {
    /** All events until now are reported: each GVC, at least so many (1), was read twice since, and nothing waits. */
    async calm(gvcs = 1) {
      const before = await readsOf(platformUrl);
      await until('two more polls of each GVC', async () => {
        const now = await readsOf(platformUrl);
        const isRead = [...now].every(([path, times]) => times >= (before.get(path) ?? 0) + 2);
        return isRead && now.size >= gvcs;
      });
      await until('everything to be reported', () =>
        withKeys(':outbox:*', (channels) => channels.length === 0),
      );
    },
    /** Redis comes back empty, while everything runs. */
    loseRedis: () =>
      withKeys('*', async (keys, connection) => void (await connection.del(...keys))),
  };
}
