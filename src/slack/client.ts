import { setTimeout as sleep } from 'node:timers/promises';
import {
  type LogLevel,
  WebAPIRateLimitedError,
  WebClient,
  type WebClientOptions,
} from '@slack/web-api';
import { boltLogger, createLogger, type Logger } from '../lib/logger.ts';
import { closedValue } from '../lib/metrics.ts';
import type { Secret } from '../lib/secret.ts';
import { within } from '../lib/time.ts';
import { workHeaders } from '../lib/work-log.ts';
import { SLACK_METHODS } from '../metrics.ts';
import { measureCall, SHORT_LIMIT_S } from './calls.ts';

/** Long enough for a slow Slack: after a timeout it is unknown whether a post was made. Milliseconds. */
const TIMEOUT_MS = 30_000;

/**
 * Options of every Web API client. The library does not retry: it would post twice when an answer is lost, and one 429
 * would delay all methods.
 */
export function clientOptions(apiUrl: string, logger: Logger, token?: Secret): WebClientOptions {
  return {
    slackApiUrl: apiUrl,
    fetch: timedFetch(apiUrl, token),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    logger: boltLogger<LogLevel>(logger),
    timeout: TIMEOUT_MS,
  };
}

/** Milliseconds from this thread's steady clock to Slack's, by the address of the Web API. */
const offsets = new Map<string, number>();

/**
 * A fetch that carries the id of the work, and remembers the time of each answer, for `slackTime`.
 * @param token as it is at each call; a client keeps the one that it was made with
 */
export function timedFetch(apiUrl: string, token?: Secret): typeof fetch {
  return async (url, init) => {
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(workHeaders())) headers.set(name, value);
    if (token && headers.has('authorization')) {
      headers.set('authorization', `Bearer ${token.reveal()}`);
    }
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

/** Its calls, and its `token`, have the token of the moment. */
export function createSlackClient(token: Secret, apiUrl: string, logger: Logger): WebClient {
  const client = new MeasuredClient(token.reveal(), clientOptions(apiUrl, logger, token));
  return Object.defineProperty(client, 'token', { get: () => token.reveal() });
}

class MeasuredClient extends WebClient {
  override async apiCall(method: string, options?: Record<string, unknown>) {
    const call = () =>
      measureCall(closedValue(SLACK_METHODS, method), () => super.apiCall(method, options));
    try {
      return await call();
    } catch (error) {
      // Slack has done nothing for it, so it can be sent again.
      if (!(error instanceof WebAPIRateLimitedError) || error.retryAfter > SHORT_LIMIT_S)
        throw error;
      await sleep(error.retryAfter * 1_000);
      return call();
    }
  }
}

/** Two tries take less than the minute after which an unseen secret is discarded. Milliseconds. */
const SECRET_TIMEOUT_MS = 15_000;

/**
 * The same access without logs: at the level debug the library writes whole requests and answers, and the scrub does
 * not know a secret that was just created.
 */
export function createUnloggedClient({ token, slackApiUrl }: WebClient): WebClient {
  const silent = createLogger({ level: 'silent', secrets: [] });
  const options = clientOptions(slackApiUrl, silent);
  return new MeasuredClient(token, { ...options, timeout: SECRET_TIMEOUT_MS });
}

export interface Identity {
  botId: string;
  botUserId: string;
  teamId: string;
}

export type IdentityStore = ReturnType<typeof createIdentity>;

const UNKNOWN: Identity = { botId: '', botUserId: '', teamId: '' };

/** For processes and threads that may start before Slack can be reached. */
export function createIdentity(client: WebClient) {
  let known: Identity | undefined;
  let asking: Promise<Identity> | undefined;
  const ask = async (): Promise<Identity> => {
    const { bot_id: botId, user_id: botUserId, team_id: teamId } = await client.auth.test();
    if (!botId || !botUserId || !teamId)
      throw new Error('Slack’s auth.test names no bot or no team');
    return (known = { botId, botUserId, teamId });
  };
  return {
    /**
     * Asks Slack once; after a failure the next call asks again.
     * @throws the client's errors, or when the answer lacks a part
     */
    get: async (): Promise<Identity> =>
      known ?? (asking ??= ask().finally(() => void (asking = undefined))),
    /** Empty names before Slack has answered. */
    now: (): Identity => known ?? UNKNOWN,
  };
}

/** An answer is asked again at a scrape after this time. A slow one counts at the next scrape. Milliseconds. */
const ACCEPTED_MS = 10_000;
const ACCEPTED_PATIENCE_MS = 1_000;

/** Whether Slack accepted the token when it was last asked. */
export function createTokenCheck(
  client: WebClient,
  now: () => number = () => performance.now(),
): () => Promise<boolean> {
  let isAccepted = false;
  let answeredAt = -Infinity;
  let asking: Promise<void> | undefined;
  const ask = async (): Promise<void> => {
    isAccepted = await client.auth.test().then(
      () => true,
      () => false,
    );
    answeredAt = now();
    asking = undefined;
  };
  return async () => {
    if (now() - answeredAt >= ACCEPTED_MS) asking ??= ask();
    await within(asking ?? Promise.resolve(), ACCEPTED_PATIENCE_MS, undefined);
    return isAccepted;
  };
}
