import { App, SocketModeReceiver } from '@slack/bolt';
import type { LogLevel, Receiver } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import { settledWithin } from '../../lib/async.ts';
import type { Clock } from '../../lib/clock.ts';
import { boltLogger } from '../../lib/logger.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Keys } from '../../store/keys.ts';
import type { RedisConnection } from '../../store/redis.ts';
import { clientOptions } from './client.ts';
import type { IdentityStore } from './client.ts';
import { createDedupe, dedupeDeliveries } from './dedupe.ts';
import { createHttpReceiver } from './http-receiver.ts';

/** How Slack reaches the bot. Port 0: any free one. */
type ConnectionMode =
  { kind: 'http'; signingSecret: string; port: number } | { kind: 'socket'; appToken: string };

/** The Bolt app and its receiver: where Slack comes in. */
export interface SlackConnection {
  app: App;
  start(): Promise<void>;
  /** Accepts nothing new. */
  stop(): Promise<void>;
  /** Waits for what was accepted, for a few seconds. */
  drain(): Promise<void>;
  /** Whether Slack can reach the bot now. */
  connected(): boolean;
  /** The port that is listened on, in HTTP mode. */
  port(): number | undefined;
}

/** Reads are aborted when the process stops, so what is left is an answer on its way to Slack. */
const DRAIN_MS = 8_000;

interface ConnectionServices {
  slack: WebClient;
  identity: Pick<IdentityStore, 'now'>;
  redis: RedisConnection;
  keys: Keys;
  clock: Clock;
  logger: Logger;
}

/** Nothing is listened on and nothing is asked of Slack before `start`. */
export function createSlackConnection(
  mode: ConnectionMode,
  services: ConnectionServices,
): SlackConnection {
  const { slack, logger } = services;
  const dedupe = createDedupe(services.redis, services.keys);
  const running = new Set<Promise<void>>();
  let connected = false;
  let port = (): number | undefined => undefined;
  let receiver: Receiver;
  if (mode.kind === 'http') {
    const http = createHttpReceiver({ ...mode, dedupe, clock: services.clock, logger });
    port = () => http.address();
    receiver = http;
  } else {
    receiver = createSocketReceiver(mode.appToken, {
      apiUrl: slack.slackApiUrl,
      logger,
      onConnected: (now) => void (connected = now),
    });
  }
  const app = createBoltApp(receiver, services);
  app.use(async ({ next }) => {
    const run = next();
    running.add(run);
    await run.finally(() => running.delete(run));
  });
  app.use(dedupeDeliveries(dedupe, logger));

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

function createBoltApp(receiver: Receiver, { slack, identity, logger }: ConnectionServices): App {
  const app = new App({
    receiver,
    logger: boltLogger<LogLevel>(logger),
    clientOptions: clientOptions(slack.slackApiUrl, logger),
    convoStore: false,
    // One workspace: the answer is known, so no request waits for a call to Slack.
    authorize: () => Promise.resolve({ botToken: slack.token ?? '', ...identity.now() }),
  });
  app.error((error) => {
    logger.error({ err: error }, 'A listener failed');
    return Promise.resolve();
  });
  return app;
}

/**
 * Milliseconds. Bolt's 5 s end healthy connections on a slow network; but the client also waits this
 * long before it opens the next connection, and hears nothing meanwhile.
 */
const CLIENT_PING_TIMEOUT_MS = 8_000;
/** Only for opening a connection: about ten minutes of trying, with growing pauses. */
const OPEN_RETRIES = { retries: 30, factor: 1.5, minTimeout: 500, maxTimeout: 30_000 };

/** Socket Mode, for workspaces that cannot reach the bot. `onConnected` follows the connection. */
function createSocketReceiver(
  appToken: string,
  options: { apiUrl: string; logger: Logger; onConnected: (connected: boolean) => void },
): SocketModeReceiver {
  const { apiUrl, logger, onConnected } = options;
  const receiver = new SocketModeReceiver({
    appToken,
    logger: boltLogger<LogLevel>(logger),
    clientPingTimeout: CLIENT_PING_TIMEOUT_MS,
    installerOptions: {
      clientOptions: {
        ...clientOptions(apiUrl, logger),
        retryConfig: OPEN_RETRIES,
        rejectRateLimitedCalls: false,
      },
    },
  });
  receiver.client.on('connected', () => onConnected(true));
  // Emitted at once; "reconnecting" comes only when the pause before the next try is over.
  receiver.client.on('close', () => onConnected(false));
  return receiver;
}
