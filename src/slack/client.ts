import { WebClient } from '@slack/web-api';
import type { WebClientOptions } from '@slack/web-api';
import type { LogLevel } from '@slack/bolt';
import { boltLogger } from '../lib/bolt-logger.ts';
import type { Logger } from '../lib/logger.ts';

/** Long enough for a slow Slack to answer: a post that is given up on is an unclear one. Milliseconds. */
const TIMEOUT_MS = 30_000;

/**
 * Options of every Web API client. No repetition by the client itself: it would post twice when an
 * answer is lost, and one 429 would hold up all methods.
 */
export function clientOptions(apiUrl: string, logger: Logger): WebClientOptions {
  return {
    slackApiUrl: apiUrl,
    logger: boltLogger<LogLevel>(logger),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: TIMEOUT_MS,
    allowAbsoluteUrls: false,
  };
}

export function createSlackClient(token: string, apiUrl: string, logger: Logger): WebClient {
  return new WebClient(token, clientOptions(apiUrl, logger));
}
