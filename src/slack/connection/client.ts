import { LogLevel, WebClient } from '@slack/web-api';
import type { WebClientOptions } from '@slack/web-api';
import { boltLogger } from '../../lib/logger.ts';
import type { BoltLogger, Logger } from '../../lib/logger.ts';

/** Long enough for a slow Slack: after a timeout it is not known whether a post was made. Milliseconds. */
const TIMEOUT_MS = 30_000;

/**
 * Options of every Web API client. The client itself does not retry: it would post twice when an
 * answer is lost, and one 429 would delay all methods.
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

/** A fetch that remembers the time of each answer, for `slackTime`. */
function timedFetch(apiUrl: string): typeof fetch {
  return async (url, init) => {
    const answer = await fetch(url, init);
    const at = Date.parse(answer.headers.get('date') ?? '');
    if (answer.ok && !Number.isNaN(at)) offsets.set(apiUrl, at - performance.now());
    return answer;
  };
}

/**
 * The time by Slack's clock, in milliseconds since the epoch, exact to about a second; undefined before
 * the first answer.
 */
export function slackTime({ slackApiUrl }: WebClient): number | undefined {
  const offset = offsets.get(slackApiUrl);
  return offset === undefined ? undefined : offset + performance.now();
}

export function createSlackClient(token: string, apiUrl: string, logger: Logger): WebClient {
  return new WebClient(token, clientOptions(apiUrl, logger));
}

/** Two tries take less than the minute after which an unseen secret is given up. Milliseconds. */
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
 * The same access, but nothing of it is logged: the library writes whole requests and answers at the
 * level debug, and the scrub does not know a secret that was made a moment ago.
 */
export function createUnloggedClient({ token, slackApiUrl }: WebClient): WebClient {
  return new WebClient(token, {
    ...sharedOptions(slackApiUrl),
    logger: MUTE,
    timeout: SECRET_TIMEOUT_MS,
  });
}

/** Who the bot is in its workspace. */
export interface Identity {
  botId: string;
  botUserId: string;
  teamId: string;
}

/** Who the bot is, once Slack has said so. */
export interface IdentityStore {
  /** Asks Slack once; after a failure the next call asks again. @throws the client's errors, or when the answer lacks a part */
  get(): Promise<Identity>;
  /** As far as it is known: empty names before Slack has answered. */
  now(): Identity;
}

const UNKNOWN: Identity = { botId: '', botUserId: '', teamId: '' };

/** For processes and threads that may start before Slack can be asked. */
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

/** A right of the bot token. */
interface BotScope {
  readonly scope: string;
  /** What does not work without it, as the end of a sentence. */
  readonly without: string;
  /** Purser works without it, less well. */
  readonly works?: true;
}

/** Every scope that `manifest.yml` asks for. */
export const BOT_SCOPES: readonly BotScope[] = [
  { scope: 'commands', without: 'no slash command reaches Purser' },
  { scope: 'chat:write', without: 'Purser posts and edits no message' },
  {
    scope: 'channels:history',
    without: 'after a crash a message to a public channel may come twice',
    works: true,
  },
  {
    scope: 'groups:history',
    without: 'after a crash a message to a private channel may come twice',
    works: true,
  },
  {
    scope: 'im:history',
    without: 'after a crash a direct message may come twice',
    works: true,
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
    without: 'who asked for a change is not told how it ended, and no file reaches anybody',
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
  { scope: 'files:write', without: 'no CSV table, chart or invoice PDF can be sent' },
  {
    scope: 'files:read',
    without: '/workload check takes pasted manifests only, no files',
    works: true,
  },
];
