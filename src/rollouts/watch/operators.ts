/** Remembered of the lists of one GVC (design section 4.8). Times in milliseconds since the epoch. */
export interface ApiState {
  /** Lists in a row with unreadable records, or that were suddenly empty. */
  odd: number;
  /** Number of the last message of each kind, and whether it is open. */
  unreadable: { n: number; since?: number | undefined };
  slow: { n: number; since?: number | undefined; posted?: true | undefined };
}

export const GOOD_API: ApiState = {
  odd: 0,
  unreadable: { n: 0 },
  slow: { n: 0 },
};

/** A message to operators about the lists of one GVC. */
export interface ApiNotice {
  what: 'unreadable' | 'slow';
  n: number;
  /** It ends the earlier message under the same key. */
  over?: true | undefined;
  /** Since when. */
  since: number;
  /** Number of records that cannot be read; 0 for a list that is suddenly empty. */
  records: number;
}

/** @see afterList */
export interface ListResult {
  now: number;
  /** Records that could not be read, and whether the list is suddenly empty. */
  odd: { unreadable: number; isEmpty: boolean };
  /** See `PollTime`. */
  inRow: boolean;
  isFirst: boolean;
  /** Failed polls before this one. */
  failures: number;
}

const FROM = 3;
const SLOW_MS = 15 * 60_000;

/** A poll that got a list. */
export function afterList(
  before: ApiState,
  { now, odd, inRow, isFirst, failures }: ListResult,
): { state: ApiState; notices: ApiNotice[] } {
  const notices: ApiNotice[] = [];
  const isOdd = odd.isEmpty || odd.unreadable > 0;
  const state: ApiState = {
    ...before,
    odd: isOdd ? Math.min(before.odd + 1, FROM) : 0,
  };
  const { unreadable } = before;
  if (isOdd && state.odd === FROM && unreadable.since === undefined) {
    const n = unreadable.n + 1;
    state.unreadable = { n, since: now };
    notices.push({
      what: 'unreadable',
      n,
      since: now,
      records: odd.isEmpty ? 0 : odd.unreadable,
    });
  } else if (!isOdd && unreadable.since !== undefined) {
    state.unreadable = { n: unreadable.n };
    notices.push({
      what: 'unreadable',
      n: unreadable.n,
      over: true,
      since: unreadable.since,
      records: 0,
    });
  }
  return withSlow({ state, notices }, { now, isSlow: !inRow && !isFirst && failures === 0 });
}

/** Polls that have been too far apart for a quarter of an hour. */
function withSlow(
  { state, notices }: { state: ApiState; notices: ApiNotice[] },
  { now, isSlow }: { now: number; isSlow: boolean },
): { state: ApiState; notices: ApiNotice[] } {
  const { slow } = state;
  if (!isSlow) {
    const over: ApiNotice[] =
      slow.posted === true
        ? [{ what: 'slow', n: slow.n, over: true, since: slow.since ?? now, records: 0 }]
        : [];
    return { state: { ...state, slow: { n: slow.n } }, notices: [...notices, ...over] };
  }
  const since = slow.since ?? now;
  if (slow.posted === true || now - since < SLOW_MS) {
    return { state: { ...state, slow: { ...slow, since } }, notices };
  }
  const n = slow.n + 1;
  const posted: ApiNotice = { what: 'slow', n, since, records: 0 };
  return { state: { ...state, slow: { n, since, posted: true } }, notices: [...notices, posted] };
}
