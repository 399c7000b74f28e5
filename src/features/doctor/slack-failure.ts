import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { errorMessage } from '../../lib/errors.ts';
import { doubtful, RUN_AGAIN } from './check.ts';
import type { Finding } from './check.ts';

/**
 * Why a call to Slack failed. `refused`: Slack said so, with its word for it; `limited`: it asks for
 * fewer calls; `away`: there was no answer, or it was not Slack’s.
 */
export interface SlackFailure {
  readonly kind: 'refused' | 'limited' | 'away';
  /** Slack's word for it, or how it was away. Foreign text. */
  readonly word: string;
}

/** Slack's words are one of these; a page of a proxy is none. */
const WORD = /^\w{1,80}$/;

/** For the `catch` of a call to Slack. @throws any other error: a defect of ours */
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

export function rateLimited(what: string): Finding {
  return doubtful(what, 'Slack asks for fewer calls just now', RUN_AGAIN);
}

/** @param why a word for it */
export function unansweredBySlack(what: string, why: string): Finding {
  return doubtful(what, `Slack did not answer (${why})`, RUN_AGAIN);
}
