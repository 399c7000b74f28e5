import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { WebClient } from '@slack/web-api';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../../src/lib/time.ts';
import type { Clock } from '../../../src/lib/time.ts';
import { createLogger } from '../../../src/lib/logger.ts';
import { createMetrics } from '../../../src/lib/metrics.ts';
import { createScrubber } from '../../../src/lib/secret.ts';
import { createDeliverer } from '../../../src/notify/deliver.ts';
import type { Deliverer } from '../../../src/notify/deliver.ts';
import type { SlackCall } from '../../../src/notify/queue.ts';
import { createMessageSender } from '../../../src/notify/message.ts';
import type { Message, MessageSender } from '../../../src/notify/message.ts';
import { createOutbox } from '../../../src/notify/outbox.ts';
import type { Outbox } from '../../../src/notify/outbox.ts';
import { createSandboxSlack } from '../../../src/sandbox/slack/server.ts';
import { clientOptions } from '../../../src/slack/connection/connection.ts';
import { createOwnPosts } from '../../../src/slack/own-posts.ts';
import { createSlackSender } from '../../../src/slack/sender.ts';
import { createKeys } from '../../../src/store/redis.ts';
import type { Keys, RedisConnection } from '../../../src/store/redis.ts';
import { connectTo } from '../../support/redis.ts';

export const CHANNEL = 'C0DEPLOYS';
export const OTHER_CHANNEL = 'C0OPS';
/** Where the bot tells what Slack refuses. */
export const OPS_CHANNEL = 'C0OPS';
export const SECRET = 'known-to-the-bot-alone';

export const BOT_TOKEN = 'xoxb-test-bot';
const MANIFEST = fileURLToPath(new URL('../../../manifest.yml', import.meta.url));
/** Short, so that an answer can be too late within a test. Milliseconds. */
export const SLACK_TIMEOUT_MS = 400;

export const silentLogger = createLogger({ level: 'silent', secrets: [] });

/** A message as the stand-in workspace accepted it. */
interface AcceptedMessage {
  channel: string;
  ts: string;
  text: string;
  blocks: unknown[];
  metadata: { event_type: string; event_payload: { key: string; covers?: string } } | null;
  thread_ts: string | null;
  broadcast: boolean;
  edit_count: number;
}

export interface Harness {
  redis: RedisConnection;
  keys: Keys;
  outbox: Outbox;
  deliverer: Deliverer;
  prefix: string;
  slackUrl: string;
  /** Stops the harness's own deliverer. */
  stopping: AbortController;
  /** One more deliverer on the same Redis and the same workspace, as another process has it. */
  anotherDeliverer(changes?: {
    sender?: (real: MessageSender) => MessageSender;
    outbox?: (real: Outbox) => Outbox;
    token?: string;
    clock?: Clock;
    slackUrl?: string;
    stopping?: AbortSignal;
    /** With the pause between two posts that the bot keeps in earnest. */
    paced?: boolean;
  }): Deliverer;
  /** What the workspace ever accepted in a channel, in order. */
  accepted(channel?: string): Promise<AcceptedMessage[]>;
  /** What a channel was told, as `key: text`. */
  told(channel?: string): Promise<string[]>;
  /** Calls of a method of the Web API that arrived. */
  calls(method: string): Promise<{ args: Record<string, unknown>; error?: string }[]>;
  faults(...faults: Record<string, unknown>[]): Promise<void>;
  /** Milliseconds for which the posts, or the edits, of a channel have to wait; none when they may go on. */
  waits(channel?: string, call?: SlackCall): Promise<number>;
  /** The time to wait is over. */
  waitIsOver(channel?: string): Promise<void>;
  /** A person, or the bot itself, deletes a message in Slack. */
  deleteInSlack(ts: string): Promise<void>;
  /** Somebody else writes in the channel, with the metadata of a message of the bot's. */
  copyOf(key: string, text: string): Promise<void>;
}

/** An outbox and its relay on a Redis of one's own prefix, before a stand-in workspace of one's own. */
export async function openHarness(redisUrl: string): Promise<Harness> {
  const redis = await connectTo(redisUrl);
  const slack = createSandboxSlack({
    botToken: BOT_TOKEN,
    appToken: 'xapp-test-app',
    signingSecret: 'test-signing-secret',
    manifestPath: MANIFEST,
  });
  await slack.listen();
  const prefix = `test-${randomUUID()}`;
  const keys = createKeys(prefix);
  const stopping = new AbortController();
  onTestFinished(async () => {
    stopping.abort();
    redis.disconnect();
    await slack.close();
  });
  const outbox = createOutbox(redis, keys, createScrubber([SECRET]));
  const anotherDeliverer: Harness['anotherDeliverer'] = (changes = {}) => {
    const real = realSender(changes.slackUrl ?? slack.url, changes.token ?? BOT_TOKEN);
    return delivererOf({
      redis,
      keys,
      sender: changes.sender?.(real) ?? real,
      outbox: changes.outbox?.(outbox) ?? outbox,
      ...(changes.clock && { clock: changes.clock }),
      stopping: changes.stopping ?? stopping.signal,
      ...(changes.paced && { spacingMs: 1_000 }),
    });
  };
  return {
    redis,
    keys,
    prefix,
    stopping,
    slackUrl: slack.url,
    outbox,
    deliverer: anotherDeliverer(),
    anotherDeliverer,
    ...workspaceOf(slack.url),
    waits: async (channel = CHANNEL, call = 'post') =>
      Math.max(0, await redis.pttl(keys.channelBackoff(channel, call))),
    async waitIsOver(channel = CHANNEL) {
      await redis.del(keys.channelBackoff(channel, 'post'), keys.channelBackoff(channel, 'edit'));
    },
  };
}

type DelivererOptions = Parameters<typeof createDeliverer>[0];

/** A deliverer of the bot's, with defaults for what a test does not care about. */
export function delivererOf(
  own: Pick<DelivererOptions, 'redis' | 'keys' | 'sender' | 'outbox'> & Partial<DelivererOptions>,
): Deliverer {
  return createDeliverer({
    wake: () => Promise.resolve(),
    opsChannel: OPS_CHANNEL,
    clock: systemClock,
    logger: silentLogger,
    deliveries: createMetrics().counter('deliveries', 'Messages by what became of them'),
    stopping: new AbortController().signal,
    spacingMs: 0,
    ...own,
  });
}

const DELIVERER = fileURLToPath(new URL('deliver-process.ts', import.meta.url));

/** A process of its own that delivers the channel; ended with the test. */
export function spawnDeliverer({ prefix, slackUrl }: Harness, redisUrl: string): ChildProcess {
  const args = ['--import', 'tsx', DELIVERER, redisUrl, prefix, slackUrl, CHANNEL];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** The bot's own way to Slack; `timeout` in milliseconds. */
export function realSender(
  slackUrl: string,
  token = BOT_TOKEN,
  timeout = SLACK_TIMEOUT_MS,
): MessageSender {
  const options = clientOptions(`${slackUrl}/api/`, silentLogger);
  const client = new WebClient(token, { ...options, timeout });
  return createMessageSender(createSlackSender(client), createOwnPosts(client));
}

function workspaceOf(
  url: string,
): Pick<Harness, 'accepted' | 'told' | 'calls' | 'faults' | 'deleteInSlack' | 'copyOf'> {
  const accepted: Harness['accepted'] = async (channel = CHANNEL) => {
    const response = await fetch(`${url}/_sandbox/messages?channel=${channel}`);
    return ((await response.json()) as { messages: AcceptedMessage[] }).messages;
  };
  return {
    accepted,
    async told(channel) {
      const messages = await accepted(channel);
      return messages.map(({ metadata, text }) => `${metadata?.event_payload.key}: ${text}`);
    },
    async calls(method) {
      const response = await fetch(`${url}/_sandbox/requests`);
      const { requests } = (await response.json()) as {
        requests: { method: string; args: Record<string, unknown>; error?: string }[];
      };
      return requests.filter((request) => request.method === method);
    },
    async faults(...faults) {
      const withMethod = faults.map((fault) => ({ method: 'chat.postMessage', ...fault }));
      await fetch(`${url}/_sandbox/faults`, {
        method: 'POST',
        body: JSON.stringify({ faults: withMethod }),
      });
    },
    async copyOf(key, text) {
      const metadata = { event_type: 'purser_event', event_payload: { key } };
      await fetch(`${url}/_sandbox/copy`, {
        method: 'POST',
        body: JSON.stringify({ channel: CHANNEL, text, metadata }),
      });
    },
    async deleteInSlack(ts) {
      await new WebClient(BOT_TOKEN, { slackApiUrl: `${url}/api/` }).chat.delete({
        channel: CHANNEL,
        ts,
      });
    },
  };
}

/** A message whose blocks say what its text says. */
export function message(key: string, text: string, more: Partial<Message> = {}): Message {
  return {
    channel: CHANNEL,
    key,
    text,
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }],
    ...more,
  };
}

/** A sender whose first call of a method waits until it is let go. */
export function heldUp(method: 'post' | 'update') {
  const gate = createSignal();
  const reached = createSignal();
  async function wait(): Promise<void> {
    reached.give();
    await gate.given;
  }
  const sender = (real: MessageSender): MessageSender => ({
    ...real,
    async post(message, threadTs) {
      if (method === 'post') await wait();
      return real.post(message, threadTs);
    },
    async update(message, ts) {
      if (method === 'update') await wait();
      return real.update(message, ts);
    },
  });
  return { sender, reached: reached.given, letGo: gate.give };
}

function createSignal(): { given: Promise<void>; give: () => void } {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}

/** Delivers until nothing waits any more, as the sweeps of a bot do, without their pauses. */
export async function emptyOutbox(harness: Harness, deliverer = harness.deliverer): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    await harness.waitIsOver();
    while (await deliverer.deliver(CHANNEL)) await harness.waitIsOver();
    if ((await harness.redis.zcard(harness.keys.outbox(CHANNEL))) === 0) return;
  }
  throw new Error('the outbox was never empty');
}
