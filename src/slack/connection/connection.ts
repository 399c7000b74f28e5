import { App, SocketModeReceiver, type Receiver } from '@slack/bolt';
import { z } from 'zod';
import { LogLevel, WebClient, type WebClientOptions } from '@slack/web-api';
import { boltLogger, type BoltLogger, type Logger } from '../../lib/logger.ts';
import { settledWithin, type Clock } from '../../lib/time.ts';
import { logWork, workHeaders } from '../../lib/work-log.ts';
import type { Keys, RedisConnection } from '../../store/redis.ts';
import { createDedupe, createHttpReceiver, dedupeDeliveries } from './http-receiver.ts';

/** Long enough for a slow Slack: after a timeout it is unknown whether a post was made. Milliseconds. */
const TIMEOUT_MS = 30_000;

/**
 * Options of every Web API client. The client itself does not retry: it would post twice when an answer is lost, and
 * one 429 would delay all methods.
 */
export function clientOptions(apiUrl: string, logger: Logger): WebClientOptions {
  return { ...sharedOptions(apiUrl), logger: boltLogger<LogLevel>(logger), timeout: TIMEOUT_MS };
}

function sharedOptions(apiUrl: string): WebClientOptions {
  return {
    slackApiUrl: apiUrl,
    fetch: timedFetch(apiUrl),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
  };
}

/** Milliseconds from this thread's steady clock to Slack's, by the address of the Web API. */
const offsets = new Map<string, number>();

/** A fetch that carries the id of the work, and remembers the time of each answer, for `slackTime`. */
function timedFetch(apiUrl: string): typeof fetch {
  return async (url, init) => {
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(workHeaders())) headers.set(name, value);
    const answer = await fetch(url, { ...init, headers });
    const at = Date.parse(answer.headers.get('date') ?? '');
    if (answer.ok && !Number.isNaN(at)) offsets.set(apiUrl, at - performance.now());
    return answer;
  };
}

/**
 * The time by Slack's clock, in milliseconds since the epoch, exact to about a second; undefined before the first
 * answer.
 */
export function slackTime({ slackApiUrl }: WebClient): number | undefined {
  const offset = offsets.get(slackApiUrl);
  return offset === undefined ? undefined : offset + performance.now();
}

export function createSlackClient(token: string, apiUrl: string, logger: Logger): WebClient {
  return new WebClient(token, clientOptions(apiUrl, logger));
}

/** Two tries take less than the minute after which an unseen secret is discarded. Milliseconds. */
const SECRET_TIMEOUT_MS = 15_000;

const MUTE: BoltLogger<LogLevel> = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  setLevel: () => {},
  getLevel: () => LogLevel.ERROR,
  setName: () => {},
};

/**
 * The same access without logs: at the level debug the library writes whole requests and answers, and the scrub does
 * not know a secret that was just created.
 */
export function createUnloggedClient({ token, slackApiUrl }: WebClient): WebClient {
  return new WebClient(token, {
    ...sharedOptions(slackApiUrl),
    logger: MUTE,
    timeout: SECRET_TIMEOUT_MS,
  });
}

export interface Identity {
  botId: string;
  botUserId: string;
  teamId: string;
}

export interface IdentityStore {
  /**
   * Asks Slack once; after a failure the next call asks again.
   * @throws the client's errors, or when the answer lacks a part
   */
  get(): Promise<Identity>;
  /** Empty names before Slack has answered. */
  now(): Identity;
}

const UNKNOWN: Identity = { botId: '', botUserId: '', teamId: '' };

/** For processes and threads that may start before Slack can be reached. */
export function createIdentity(client: WebClient): IdentityStore {
  let known: Identity | undefined;
  let asking: Promise<Identity> | undefined;
  const ask = async (): Promise<Identity> => {
    try {
      known = await readIdentity(client);
      return known;
    } finally {
      asking = undefined;
    }
  };
  return {
    get: () => (known === undefined ? (asking ??= ask()) : Promise.resolve(known)),
    now: () => known ?? UNKNOWN,
  };
}

async function readIdentity(client: WebClient): Promise<Identity> {
  const { bot_id: botId, user_id: botUserId, team_id: teamId } = await client.auth.test();
  if (!botId || !botUserId || !teamId) throw new Error('Slack’s auth.test names no bot or no team');
  return { botId, botUserId, teamId };
}

interface BotScope {
  readonly scope: string;
  /** The missing function, as the end of a sentence. */
  readonly without: string;
  /** Purser can do without it: `bot_optional` in the manifest. */
  readonly works?: true;
}

export const BOT_SCOPES: readonly BotScope[] = [
  { scope: 'commands', without: 'no slash command reaches Purser' },
  { scope: 'chat:write', without: 'Purser posts and edits no message' },
  {
    scope: 'channels:history',
    without: 'after a crash a message to a public channel may come twice',
    works: true,
  },
  {
    scope: 'app_mentions:read',
    without: 'Purser does not see what people write after @Purser',
  },
  {
    scope: 'groups:history',
    without: 'after a crash a message to a private channel may come twice',
    works: true,
  },
  {
    scope: 'im:history',
    without:
      'Purser does not see what people write to it, and after a crash a direct message may come twice',
  },
  {
    scope: 'channels:read',
    without: 'Purser cannot see whether it is in the public channel that a watch names',
    works: true,
  },
  {
    scope: 'groups:read',
    without: 'Purser cannot see whether it is in the private channel that a watch names',
    works: true,
  },
  {
    scope: 'im:write',
    without: 'Purser can’t DM people about their requests or send files',
  },
  { scope: 'users:read', without: 'Purser does not know who is a guest, and refuses everybody' },
  {
    scope: 'users:read.email',
    without: 'nobody is found on the billing account, so nobody has a role',
  },
  {
    scope: 'usergroups:read',
    without: 'a user group in ORG_ACCESS lets nobody in, and no approvers are mentioned',
  },
  { scope: 'files:write', without: 'no CSV table or invoice PDF can be sent' },
  {
    scope: 'files:read',
    without: '/workload check takes pasted manifests only, no files',
    works: true,
  },
];

/** Port 0: any free one. */
type ConnectionMode =
  { kind: 'http'; signingSecret: string; port: number } | { kind: 'socket'; appToken: string };

export interface SlackConnection {
  app: App;
  start(): Promise<void>;
  /** Accepts nothing new. */
  stop(): Promise<void>;
  /** Waits for requests in progress, for a few seconds. */
  drain(): Promise<void>;
  connected(): boolean;
  /** In HTTP mode. */
  port(): number | undefined;
}

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
  app.use(async ({ body, next }) => {
    const run = logWork(logger, workOf(body), next);
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

function createBoltApp(receiver: Receiver, { slack, identity, logger }: ConnectionServices): App {
  const app = new App({
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

/**
 * Milliseconds. Bolt's 5 s end healthy connections on a slow network; but the client also waits this long before it
 * opens the next connection, and receives nothing meanwhile.
 */
const CLIENT_PING_TIMEOUT_MS = 8_000;
/** Only for opening a connection: about ten minutes of trying, with growing pauses. */
const OPEN_RETRIES = { retries: 30, factor: 1.5, minTimeout: 500, maxTimeout: 30_000 };

/** Socket Mode, for workspaces that cannot reach the bot. `onConnected` reports every connect and disconnect. */
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
  // Emitted at once; "reconnecting" comes only after the pause before the next try.
  receiver.client.on('close', () => onConnected(false));
  return receiver;
}
