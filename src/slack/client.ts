import { LogLevel, WebClient } from '@slack/web-api';
import type { WebClientOptions } from '@slack/web-api';
import { boltLogger } from '../lib/bolt-logger.ts';
import type { BoltLogger } from '../lib/bolt-logger.ts';
import type { Logger } from '../lib/logger.ts';

/** Long enough for a slow Slack to answer: a post that is given up on is an unclear one. Milliseconds. */
const TIMEOUT_MS = 30_000;

/**
 * Options of every Web API client. No repetition by the client itself: it would post twice when an
 * answer is lost, and one 429 would hold up all methods.
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

/** A fetch that takes down what time each answer says it is. */
function timedFetch(apiUrl: string): typeof fetch {
  return async (url, init) => {
    const answer = await fetch(url, init);
    const at = Date.parse(answer.headers.get('date') ?? '');
    if (answer.ok && !Number.isNaN(at)) offsets.set(apiUrl, at - performance.now());
    return answer;
  };
}

/**
 * What time it is by Slack's clock, in milliseconds since the epoch, exact to about a second; undefined
 * as long as no answer has said so.
 */
export function slackTime({ slackApiUrl }: WebClient): number | undefined {
  const offset = offsets.get(slackApiUrl);
  return offset === undefined ? undefined : offset + performance.now();
}

export function createSlackClient(token: string, apiUrl: string, logger: Logger): WebClient {
  return new WebClient(token, clientOptions(apiUrl, logger));
}

/** For both tries together less than the minute after which a secret that nobody has seen is given up. */
const DISCREET_TIMEOUT_MS = 15_000;

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
 * The same access, and not a word of it in the log: the library writes whole requests and answers at
 * the level debug, and no scrub knows a secret that was made a moment ago.
 */
export function discreetTwin({ token, slackApiUrl }: WebClient): WebClient {
  return new WebClient(token, {
    ...sharedOptions(slackApiUrl),
    logger: MUTE,
    timeout: DISCREET_TIMEOUT_MS,
  });
}
