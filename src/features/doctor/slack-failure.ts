import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { errorMessage } from '../../lib/errors.ts';

/**
 * Why Slack did not do what it was asked. `refused`: it said so, with its word for it; `limited`: it asks
 * for fewer calls; `away`: nobody answered, or somebody who is not Slack.
 */
export interface SlackFailure {
  readonly kind: 'refused' | 'limited' | 'away';
  /** Slack's word for it, or how it was away. Foreign text. */
  readonly word: string;
}

/** Slack's words are one of these; a page of a proxy is none. */
const WORD = /^\w{1,80}$/;

/** @throws what is no failure of a call to Slack: a defect of ours */
export function slackFailure(error: unknown): SlackFailure {
  if (error instanceof WebAPIRateLimitedError) return { kind: 'limited', word: 'ratelimited' };
  if (error instanceof WebAPIPlatformError) {
    const word = error.data.error;
    if (word === 'ratelimited') return { kind: 'limited', word };
    return WORD.test(word)
      ? { kind: 'refused', word }
      : { kind: 'away', word: 'what answers there is not Slack' };
  }
  if (error instanceof WebAPIHTTPError) return { kind: 'away', word: `HTTP ${error.statusCode}` };
  if (error instanceof WebAPIRequestError) {
    return { kind: 'away', word: causeOf(error.original) };
  }
  throw error;
}

/** What is at the bottom of it: the code of the network, or else the words. */
function causeOf(error: unknown): string {
  let last = error;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
    last = cause;
  }
  return errorMessage(last);
}
