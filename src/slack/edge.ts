import { App } from '@slack/bolt';
import type { LogLevel, Receiver } from '@slack/bolt';
import { boltLogger } from '../lib/bolt-logger.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import { settledWithin } from '../lib/patience.ts';
import type { Keys } from '../store/keys.ts';
import type { RedisConnection } from '../store/redis.ts';
import { clientOptions } from './client.ts';
import { createHttpReceiver } from './http-receiver.ts';
import type { Identity } from './identity.ts';
import { createSeen, onlyOnce } from './once.ts';
import { createSocketReceiver } from './socket-receiver.ts';

export interface EdgeDeps {
  mode:
    { kind: 'http'; signingSecret: string; port: number } | { kind: 'socket'; appToken: string };
  apiUrl: string;
  botToken: string;
  /** Who the bot is; asked once, at start. */
  identity: () => Identity;
  redis: RedisConnection;
  keys: Keys;
  clock: Clock;
  logger: Logger;
}

/** The Bolt app and its receiver: where Slack comes in. */
export interface Edge {
  app: App;
  start(): Promise<void>;
  /** Takes nothing new. */
  stop(): Promise<void>;
  /** Waits for what was taken, for a few seconds. */
  drain(): Promise<void>;
  /** Slack can reach the bot now. */
  connected(): boolean;
  /** The port that is listened on, in HTTP mode. */
  port(): number | undefined;
}

/** Reads are aborted when the process stops, so what is left is an answer on its way to Slack. */
const DRAIN_MS = 8_000;

export function createEdge(deps: EdgeDeps): Edge {
  const { logger } = deps;
  const seen = createSeen(deps.redis, deps.keys);
  const running = new Set<Promise<void>>();
  let connected = false;
  let port = (): number | undefined => undefined;
  let receiver: Receiver;
  if (deps.mode.kind === 'http') {
    const { signingSecret, port: wanted } = deps.mode;
    const http = createHttpReceiver({
      signingSecret,
      port: wanted,
      seen,
      clock: deps.clock,
      logger,
    });
    port = () => http.address();
    receiver = http;
  } else {
    const { appToken } = deps.mode;
    const onConnected = (now: boolean): void => void (connected = now);
    receiver = createSocketReceiver({ appToken, apiUrl: deps.apiUrl, logger, onConnected });
  }
  const app = new App({
    receiver,
    logger: boltLogger<LogLevel>(logger),
    clientOptions: clientOptions(deps.apiUrl, logger),
    convoStore: false,
    // One workspace: the answer is known, so no request waits for a call to Slack.
    authorize: () => Promise.resolve({ botToken: deps.botToken, ...deps.identity() }),
  });
  app.use(async ({ next }) => {
    const run = next();
    running.add(run);
    await run.finally(() => running.delete(run));
  });
  app.use(onlyOnce(seen, logger));
  app.error((error) => {
    logger.error({ err: error }, 'A listener failed');
    return Promise.resolve();
  });

  return {
    app,
    async start() {
      await receiver.start();
      connected = true;
    },
    async stop() {
      connected = false;
      await receiver.stop();
    },
    async drain() {
      if (await settledWithin(Promise.allSettled(running), DRAIN_MS)) return;
      logger.warn({ running: running.size }, 'Commands were still running at the end');
    },
    connected: () => connected,
    port,
  };
}
