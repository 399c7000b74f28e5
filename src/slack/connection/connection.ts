import { App, type Receiver, type ReceiverEvent } from '@slack/bolt';
import { z } from 'zod';
import type { LogLevel, WebClient } from '@slack/web-api';
import { boltLogger, type Logger } from '../../lib/logger.ts';
import type { Secret } from '../../lib/secret.ts';
import { settledWithin, type Clock } from '../../lib/time.ts';
import { logWork } from '../../lib/work-log.ts';
import { record } from '../../metrics.ts';
import type { Keys, RedisConnection } from '../../store/redis.ts';
import { clientOptions, type IdentityStore } from '../client.ts';
import {
  createDedupe,
  createHttpReceiver,
  dedupeDeliveries,
  RECEIVED_AT,
} from './http-receiver.ts';
import { createSocketReceiver } from './socket-receiver.ts';

/** Port 0: any free one. */
type ConnectionMode =
  { kind: 'http'; signingSecret: Secret; port: number } | { kind: 'socket'; appToken: Secret };

export type SlackConnection = ReturnType<typeof createSlackConnection>;

/** Reads are aborted when the process stops, so only answers on their way to Slack are left. Milliseconds. */
const DRAIN_MS = 8_000;

interface ConnectionServices {
  slack: WebClient;
  identity: Pick<IdentityStore, 'now'>;
  redis: RedisConnection;
  keys: Keys;
  clock: Clock;
  logger: Logger;
}

/** Neither listens nor calls Slack before `start`. */
export function createSlackConnection(mode: ConnectionMode, services: ConnectionServices) {
  const { slack, logger } = services;
  const dedupe = createDedupe(services.redis, services.keys);
  const running = new Set<Promise<void>>();
  const receiver =
    mode.kind === 'http'
      ? createHttpReceiver({ ...mode, dedupe, clock: services.clock, logger })
      : createSocketReceiver(mode.appToken, slack.slackApiUrl, logger);
  const app = createBoltApp(receiver, services);
  app.use(async ({ body, next }) => {
    const run = logWork(logger, workOf(body), next);
    running.add(run);
    await run.finally(() => running.delete(run));
  });
  app.use(dedupeDeliveries(dedupe, logger));

  return {
    app,
    /** Resolves when requests can come in. @throws StartRefused */
    async start(): Promise<void> {
      await receiver.start();
    },
    /** Accepts nothing new. */
    async stop(): Promise<void> {
      await receiver.stop();
    },
    /** Waits for requests in progress, for a few seconds. */
    async drain(): Promise<void> {
      if (await settledWithin(Promise.allSettled(running), DRAIN_MS)) return;
      logger.warn({ running: running.size }, 'Commands were still running at the end');
    },
    connected: () => receiver.connected(),
    /** In HTTP mode. */
    port: () => receiver.address(),
  };
}

/** Ids alone: a command's text can hold anything. */
function workOf(body: object): Record<string, unknown> {
  const { type, command, user_id: id, user, actions, view, event } = Work.parse(body);
  const [action] = actions ?? [];
  return {
    request: command === undefined ? type : 'command',
    what: command ?? action?.action_id ?? view?.callback_id ?? event?.type,
    user: id ?? user?.id ?? event?.user,
  };
}

const text = z.string().optional().catch(undefined);
/** The parts of Slack's requests that say who did what. */
const Work = z.object({
  type: text,
  command: text,
  user_id: text,
  user: z.object({ id: text }).optional().catch(undefined),
  actions: z
    .array(z.object({ action_id: text }))
    .optional()
    .catch(undefined),
  view: z.object({ callback_id: text }).optional().catch(undefined),
  event: z.object({ type: text, user: text }).optional().catch(undefined),
});

/** Measures how long Slack waits for each acknowledgement, from the receipt of the request. */
class MeasuredApp extends App {
  override async processEvent(event: ReceiverEvent): Promise<void> {
    const { [RECEIVED_AT]: receivedAt = performance.now() } = event.customProperties ?? {};
    let isAcknowledged = false;
    await super.processEvent({
      ...event,
      ack: async (response) => {
        if (!isAcknowledged)
          record.acks.observe({}, (performance.now() - Number(receivedAt)) / 1_000);
        isAcknowledged = true;
        await event.ack(response);
      },
    });
  }
}

function createBoltApp(receiver: Receiver, { slack, identity, logger }: ConnectionServices): App {
  const app = new MeasuredApp({
    receiver,
    logger: boltLogger<LogLevel>(logger),
    clientOptions: clientOptions(slack.slackApiUrl, logger),
    convoStore: false,
    // One workspace: no request has to wait for a call to Slack.
    authorize: () => Promise.resolve({ botToken: slack.token ?? '', ...identity.now() }),
  });
  app.error((error) => {
    logger.error({ err: error }, 'A listener failed');
    return Promise.resolve();
  });
  return app;
}
