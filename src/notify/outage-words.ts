import { formatDuration } from '../lib/text.ts';
import { sign } from '../slack/kit/blocks.ts';
import { code, moment, mrkdwn, type Mrkdwn } from '../slack/kit/text.ts';

// The words that messages about outages share (ADR 36). Times are in milliseconds since the epoch.

/** "since 12:03"; of an outage that is over "12:03 to 12:40". */
export function period(since: number, until?: number): Mrkdwn {
  return until === undefined
    ? mrkdwn`since ${moment(since)}`
    : mrkdwn`${moment(since)} to ${moment(until)}`;
}

/** The first line of a message that is over. @param isBack false: nothing was read again */
export function overLine(past: Mrkdwn, isBack: boolean, ms: number): Mrkdwn {
  const lasted = formatDuration(ms);
  const end = isBack ? `Over after ${lasted}` : `Closed after ${lasted}, and not known to be fixed`;
  return mrkdwn`${sign(isBack ? 'good' : 'unknown')} *${end}.* ${past}`;
}

/** A title while the outage lasts, and afterwards. */
export interface Titles {
  now: Mrkdwn;
  past: Mrkdwn;
}

export function titles(subject: Mrkdwn | string, now: string, past: string): Titles {
  return { now: mrkdwn`${subject} ${now}`, past: mrkdwn`${subject} ${past}` };
}

export const INTERNAL_ERROR = titles('Purser', 'has an internal error', 'had an internal error');

const BEHAVIOUR: Readonly<Record<string, readonly [now: string, past: string]>> = {
  'rate-limited': ['limits Purser’s calls', 'limited Purser’s calls'],
  unreachable: ['does not answer', 'did not answer'],
  timeout: ['does not answer', 'did not answer'],
  malformed: ['gives answers that Purser cannot read', 'gave answers that Purser could not read'],
  redirected: ['sends Purser elsewhere', 'sent Purser elsewhere'],
};

/** The behaviour of an API. @param reason of the failed call */
export function platformTitles(api: string, reason = ''): Titles {
  const [now, past] = BEHAVIOUR[reason] ?? ['answers with errors', 'answered with errors'];
  return titles(api, now, past);
}

/**
 * @param isAnswer the address is right, and its server fails
 * @param whenLimited what the administrator is asked when the platform limits calls
 * @param variable that has the address
 */
export function platformAdvice(
  { reason, isAnswer }: { reason: string | undefined; isAnswer: boolean },
  whenLimited: Mrkdwn,
  variable: string,
): { known: string; todo: Mrkdwn } {
  const ask = 'If this lasts, ask your Purser administrator';
  if (reason === 'rate-limited') {
    return {
      known: 'Purser waits as long as the platform asks',
      todo: mrkdwn`${ask} ${whenLimited}`,
    };
  }
  const remedy = isAnswer
    ? 'whether the platform has an incident'
    : mrkdwn`to check ${code(variable)} and the network between`;
  return { known: 'Purser goes on asking', todo: mrkdwn`${ask} ${remedy}` };
}

export const READ_LOG = mrkdwn`Ask your Purser administrator to read the error in Purser’s log`;
