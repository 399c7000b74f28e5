import { pathToFileURL } from 'node:url';
import { inject } from 'vitest';
import { createApp, type PurserApp } from '../../../src/app.ts';
import { loadConfig, secretsOf } from '../../../src/config/config.ts';
import { botEnvironment } from '../../../src/sandbox/bot.ts';
import { post } from '../../support/http.ts';
import { userOf } from '../../support/user.ts';
import { openWorld, type SeenMessage } from '../../support/world.ts';
import { until } from '../../support/until.ts';
import { freshPrefix, listeningLogger } from '../slack/support.ts';

/** A message as the stand-in workspace took it. */
export interface Seen extends Omit<SeenMessage, 'blocks'> {
  blocks: { type: string; block_id: string; elements?: { action_id?: string; value?: string }[] }[];
}

export type Harness = Awaited<ReturnType<typeof createHarness>>;

/** Bundled: it starts in a third of the time. */
const reportThread = () => new URL('report-thread.mjs', pathToFileURL(inject('bot')));

/** The bot in this process, between the stand-ins and a real Redis. @param options how the stand-ins are made */
export async function createHarness(
  environment: Record<string, string> = {},
  options: Parameters<typeof openWorld>[0] = {},
) {
  const world = await openWorld(options);
  const { slackUrl, platformUrl } = world;
  const { billingUrl: _billing, usageUrl: _usage, ...known } = world.surroundings;
  const ports = { port: 0, opsPort: 0 };
  let bot: { app: PurserApp; lines: () => string } | undefined;

  async function start(changes: Record<string, string>): Promise<void> {
    const config = loadConfig({
      ...botEnvironment({ ...known, ...ports }),
      REDIS_PREFIX: freshPrefix(),
      // Tests send more commands as one person than a person does.
      PERSON_LIMIT: '0',
      ...environment,
      ...changes,
    });
    const { logger, lines } = listeningLogger(secretsOf(config));
    const app = await createApp(config, logger, { reportThread: reportThread() });
    bot = { app, lines };
    await app.start();
    const { slack: port } = app.ports();
    if (port === undefined) return;
    await world.slack('request-url', { url: `http://127.0.0.1:${port}/slack/events` });
  }
  await start({});

  const messages = (channel: string) =>
    world.messages(channel) as Promise<unknown> as Promise<Seen[]>;

  async function press(
    user: string,
    channel: string,
    message: Seen,
    action: string,
  ): Promise<void> {
    const block = message.blocks.find(({ elements }) =>
      elements?.some(({ action_id: id }) => id === action),
    );
    await post(`${slackUrl}/page/action`, {
      user,
      container: { type: 'message', channel, ts: message.ts },
      block_id: block?.block_id,
      action_id: action,
      element: { type: 'button' },
    });
  }

  return {
    slackUrl,
    platformUrl,
    /** Where the bot takes Slack's requests. */
    port: () => bot?.app.ports().slack ?? 0,
    opsUrl: () => `http://127.0.0.1:${bot?.app.ports().ops ?? 0}`,
    /** The environment of a bot that knows the billing and the usage API. */
    money: botEnvironment({ ...world.surroundings, ...ports }),
    lines: () => bot?.lines() ?? '',
    /** A person who clicks buttons by their labels. */
    user: (name: string) => userOf(world, name),
    /** A person types a command. */
    type: (user: string, channel: string, text: string) =>
      post(`${slackUrl}/page/command`, { user, channel, text }),
    /** A person types a command; the private answer. */
    ask: (user: string, channel: string, text: string) =>
      world.command(user, channel, text) as Promise<unknown> as Promise<Seen>,
    press,
    /** Presses a button whose answer replaces the message; returns the new content as JSON. */
    async turned(user: string, channel: string, message: Seen, action: string): Promise<string> {
      await press(user, channel, message, action);
      return until(`what ${action} shows`, async () => {
        const now = (await messages(channel)).find(({ ts }) => ts === message.ts);
        const blocks = JSON.stringify(now?.blocks);
        return blocks !== JSON.stringify(message.blocks) && blocks;
      });
    },
    messages,
    slack: (path: string, body = {}) => world.slack(path, body),
    platform: world.platform,
    /** Requests that the platform received, oldest first. */
    platformRequests: async () => (await world.platformRequests()).requests,
    stopBot: async () => bot?.app.stop(),
    async restartBot(changes: Record<string, string>): Promise<void> {
      await bot?.app.stop();
      await start(changes);
    },
    async close(): Promise<void> {
      await bot?.app.stop();
      await world.close();
    },
  };
}
