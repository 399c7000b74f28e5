import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { WebClient } from '@slack/web-api';
import { beforeEach, onTestFinished } from 'vitest';
import { systemClock, type Clock } from '../../../src/lib/time.ts';
import { createLogger } from '../../../src/lib/logger.ts';
import { createScrubber } from '../../../src/lib/secret.ts';
import { createDeliverer, type Deliverer } from '../../../src/notify/deliver.ts';
import type { SlackCall } from '../../../src/notify/queue.ts';
import {
  createMessageSender,
  type Message,
  type MessageSender,
} from '../../../src/notify/message.ts';
import { createOutbox, type Outbox } from '../../../src/notify/outbox.ts';
import { createSandboxSlack } from '../../../src/sandbox/slack/server.ts';
import { clientOptions } from '../../../src/slack/client.ts';
import { createOwnPosts } from '../../../src/slack/own-posts.ts';
import { createSlackSender } from '../../../src/slack/sender.ts';
import { createKeys } from '../../../src/store/redis.ts';
import { nativeBlocks } from '../../support/native-blocks.ts';
import { get, post } from '../../support/http.ts';
import { connectTo, useRedis } from '../../support/redis.ts';
import { gate } from '../../support/until.ts';
import type { SeenMessage } from '../../support/world.ts';

export const CHANNEL = 'C0DEPLOYS';
export const OTHER_CHANNEL = 'C0OPS';
/** The channel for reports of refusals. */
export const OPS_CHANNEL = 'C0OPS';
export const SECRET = 'known-to-the-bot-alone';

/** Messages about the rollout of a workload. */
export const CARD = 'acme/shop/api/7/card';
export const READY = 'acme/shop/api/7/ready';
export const FAILED = 'acme/shop/api/7/failed';

export const BOT_TOKEN = 'xoxb-test-bot';
const MANIFEST = fileURLToPath(new URL('../../../manifest.yml', import.meta.url));
/** Short, so that an answer can be too late within a test. Milliseconds. */
export const SLACK_TIMEOUT_MS = 1_000;

export const silentLogger = createLogger({ level: 'silent', secrets: [] });

/** Differences of one more deliverer. */
interface DelivererChanges {
  sender?: (real: MessageSender) => MessageSender;
  outbox?: (real: Outbox) => Outbox;
  token?: string;
  clock?: Clock;
  slackUrl?: string;
  stopping?: AbortSignal;
  /** With the pause between two posts that the bot keeps in earnest. */
  paced?: boolean;
}

export type Harness = Awaited<ReturnType<typeof openHarness>>;

/** An outbox and its relay on a Redis of one's own prefix, before a stand-in workspace of one's own. */
export async function openHarness(redisUrl: string) {
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
  /** One more deliverer on the same Redis and the same workspace, as another process has it. */
  const anotherDeliverer = (changes: DelivererChanges = {}): Deliverer => {
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
  const harness = {
    redis,
    keys,
    prefix,
    /** Stops the harness's own deliverer. */
    stopping,
    slackUrl: slack.url,
    outbox,
    deliverer: anotherDeliverer(),
    anotherDeliverer,
    ...workspaceOf(slack.url),
    /** Milliseconds for which the posts, or the edits, of a channel have to wait; none when they may go on. */
    waits: async (channel = CHANNEL, call: SlackCall = 'post') =>
      Math.max(0, await redis.pttl(keys.channelBackoff(channel, call))),
    /** The time to wait is over. */
    async waitIsOver(channel = CHANNEL) {
      await redis.del(keys.channelBackoff(channel, 'post'), keys.channelBackoff(channel, 'edit'));
    },
  };
  return {
    ...harness,
    /** Commits the messages, and delivers until nothing waits. */
    async post(...messages: Message[]): Promise<void> {
      await outbox.commit(messages);
      await emptyOutbox(harness);
    },
    /** As `post`, for a message that is posted instead of those with these keys. */
    async gather(keys: readonly string[], message: Message): Promise<void> {
      await outbox.gather(keys, [message]);
      await emptyOutbox(harness);
    },
  };
}

/** The harness of the test that runs, in a file that asks for one with `useHarness`. */
export let harness: Harness;

export function useHarness(): void {
  const { url } = useRedis();
  beforeEach(async () => {
    harness = await openHarness(url);
  });
}

type DelivererOptions = Parameters<typeof createDeliverer>[0];

/** A deliverer of the bot's, with defaults for the rest. */
export function delivererOf(
  own: Pick<DelivererOptions, 'redis' | 'keys' | 'sender' | 'outbox'> & Partial<DelivererOptions>,
): Deliverer {
  return createDeliverer({
    wake: () => Promise.resolve(),
    opsChannel: OPS_CHANNEL,
    clock: systemClock,
    logger: silentLogger,
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
  return createMessageSender(createSlackSender(client, nativeBlocks()), createOwnPosts(client));
}

function workspaceOf(url: string) {
  /** All messages that the workspace accepted in a channel, in order. */
  const accepted = async (channel = CHANNEL): Promise<SeenMessage[]> =>
    (await get<{ messages: SeenMessage[] }>(`${url}/_sandbox/messages?channel=${channel}`))
      .messages;
  return {
    accepted,
    /** The messages in a channel, as `key: text`. */
    reported: async (channel?: string): Promise<string[]> =>
      (await accepted(channel)).map(
        ({ metadata, text }) => `${metadata?.event_payload.key}: ${text}`,
      ),
    /** Calls of a method of the Web API that arrived. */
    async calls(method: string) {
      const { requests } = await get<{
        requests: { method: string; args: Record<string, unknown>; error?: string }[];
      }>(`${url}/_sandbox/requests`);
      return requests.filter((request) => request.method === method);
    },
    async faults(...faults: Record<string, unknown>[]): Promise<void> {
      const withMethod = faults.map((fault) => ({ method: 'chat.postMessage', ...fault }));
      await post(`${url}/_sandbox/faults`, { faults: withMethod });
    },
    /** Another person writes in the channel, with the metadata of a message of the bot's. */
    async copyOf(key: string, text: string): Promise<void> {
      const metadata = { event_type: 'purser_event', event_payload: { key } };
      await post(`${url}/_sandbox/copy`, { channel: CHANNEL, text, metadata });
    },
    /** A person, or the bot itself, deletes a message in Slack. */
    async deleteInSlack(ts: string): Promise<void> {
      const client = new WebClient(BOT_TOKEN, { slackApiUrl: `${url}/api/` });
      await client.chat.delete({ channel: CHANNEL, ts });
    },
  };
}

/** A message with the same text in its blocks. */
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
  const [door, reached] = [gate(), gate()];
  async function wait(): Promise<void> {
    reached.open();
    await door.passed;
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
  return { sender, reached: reached.passed, letGo: door.open };
}

/** Delivers until nothing waits, as the sweeps of a bot do, without their pauses. */
export async function emptyOutbox(
  harness: Pick<Harness, 'redis' | 'keys' | 'waitIsOver' | 'deliverer'>,
  deliverer = harness.deliverer,
): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    await harness.waitIsOver();
    while (await deliverer.deliver(CHANNEL)) await harness.waitIsOver();
    if ((await harness.redis.zcard(harness.keys.outbox(CHANNEL))) === 0) return;
  }
  throw new Error('the outbox was never empty');
}

/** The result of work; undefined when its process was killed. */
export async function orKilled<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: Error) => {
    if (error.message !== 'killed') throw error;
    return undefined;
  });
}
