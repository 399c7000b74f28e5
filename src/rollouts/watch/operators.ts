import type { PollTime } from './spans.ts';

/** Remembered of the lists of one GVC (design section 4.8). Times in milliseconds since the epoch. */
export interface ApiState {
  /** Lists in a row with unreadable records, or that were suddenly empty. */
  odd: number;
  /** Number of the last message of each kind, and since when it is open. */
  unreadable: { n: number; since?: number | undefined };
  slow: { n: number; since?: number | undefined; posted?: true | undefined };
}

const GOOD: ApiState = { odd: 0, unreadable: { n: 0 }, slow: { n: 0 } };

/** A message to operators about the lists of one GVC. */
export interface ApiNotice {
  kind: 'api';
  what: 'unreadable' | 'slow';
  n: number;
  /** It ends the earlier message under the same key. */
  over?: true | undefined;
  /** Since when. */
  since: number;
  /** Number of records that cannot be read; 0 for a list that is suddenly empty. */
  records: number;
}

const FROM = 3;
const SLOW_MS = 15 * 60_000;

/**
 * A poll that got a list.
 * @param before absent: nothing was ever wrong
 * @param result `unread`: records that could not be read; `isEmpty`: suddenly; `failures`: polls that failed before
 */
export function afterList(
  before: ApiState = GOOD,
  result: { time: PollTime; unread: number; isEmpty: boolean; failures: number },
): { api: ApiState | undefined; notices: ApiNotice[] } {
  const { time, unread, isEmpty, failures } = result;
  const { now } = time;
  const notices: ApiNotice[] = [];
  const note = (what: ApiNotice['what'], about: Omit<ApiNotice, 'kind' | 'what'>): void =>
    void notices.push({ kind: 'api', what, ...about });

  const isOdd = isEmpty || unread > 0;
  const odd = isOdd ? Math.min(before.odd + 1, FROM) : 0;
  let { unreadable } = before;
  if (odd === FROM && unreadable.since === undefined) {
    unreadable = { n: unreadable.n + 1, since: now };
    note('unreadable', { n: unreadable.n, since: now, records: isEmpty ? 0 : unread });
  } else if (!isOdd && unreadable.since !== undefined) {
    note('unreadable', { n: unreadable.n, over: true, since: unreadable.since, records: 0 });
    unreadable = { n: unreadable.n };
  }

  // Polls that have been too far apart for a quarter of an hour.
  const isSlow = !time.inRow && time.previousAt > 0 && failures === 0;
  const { since = now, posted } = before.slow;
  let slow: ApiState['slow'] = { n: before.slow.n };
  if (isSlow) {
    const isDue = posted !== true && now - since >= SLOW_MS;
    slow = isDue ? { n: slow.n + 1, since, posted: true } : { n: slow.n, since, posted };
    if (isDue) note('slow', { n: slow.n, since, records: 0 });
  } else if (posted === true) note('slow', { n: slow.n, over: true, since, records: 0 });

  const isGood = odd + unreadable.n + slow.n === 0 && slow.since === undefined;
  return { api: isGood ? undefined : { odd, unreadable, slow }, notices };
}
