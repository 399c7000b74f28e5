/** Remembered of the answers of the API about one GVC (design section 4.8). Times in milliseconds since the epoch. */
export interface ApiState {
  /** Failed polls in a row. */
  failures: number;
  /** Lists in a row with unreadable records, or that were suddenly empty. */
  odd: number;
  /** Number of the last message of each kind, and whether it is open. */
  down: { n: number; since?: number | undefined };
  unreadable: { n: number; since?: number | undefined };
  slow: { n: number; since?: number | undefined; posted?: true | undefined };
}

export const GOOD_API: ApiState = {
  failures: 0,
  odd: 0,
  down: { n: 0 },
  unreadable: { n: 0 },
  slow: { n: 0 },
};

/** A message to operators about the answers for one GVC. */
export interface ApiNotice {
  what: 'down' | 'up' | 'unreadable' | 'slow';
  n: number;
  /** It ends what was posted before under the same key. */
  over?: true | undefined;
  /** Since when. */
  since: number;
  /** Status or reason of a failure; number of records that cannot be read, '' for a list that is suddenly empty. */
  detail: string;
}

/** @see afterList */
export interface ListResult {
  now: number;
  /** Records that could not be read, and whether the list is suddenly empty. */
  odd: { unreadable: number; isEmpty: boolean };
  /** See `PollTime`. */
  inRow: boolean;
  isFirst: boolean;
}

const FROM = 3;
const SLOW_MS = 15 * 60_000;

/** A poll that failed. @param detail "HTTP 503" */
export function afterFailure(
  state: ApiState,
  now: number,
  detail: string,
): { state: ApiState; notices: ApiNotice[] } {
  const failures = state.failures + 1;
  if (failures !== FROM || state.down.since !== undefined)
    return { state: { ...state, failures }, notices: [] };
  const n = state.down.n + 1;
  const down = { n, since: now };
  return {
    state: { ...state, failures, down },
    notices: [{ what: 'down', n, since: now, detail }],
  };
}

/** A poll that got a list. */
export function afterList(
  before: ApiState,
  { now, odd, inRow, isFirst }: ListResult,
): { state: ApiState; notices: ApiNotice[] } {
  const notices: ApiNotice[] = [];
  const isOdd = odd.isEmpty || odd.unreadable > 0;
  const state: ApiState = {
    ...before,
    failures: 0,
    odd: isOdd ? Math.min(before.odd + 1, FROM) : 0,
  };
  if (before.down.since !== undefined) {
    notices.push({ what: 'up', n: before.down.n, since: before.down.since, detail: '' });
    state.down = { n: before.down.n };
  }
  const { unreadable } = before;
  if (isOdd && state.odd === FROM && unreadable.since === undefined) {
    const n = unreadable.n + 1;
    state.unreadable = { n, since: now };
    notices.push({
      what: 'unreadable',
      n,
      since: now,
      detail: odd.isEmpty ? '' : String(odd.unreadable),
    });
  } else if (!isOdd && unreadable.since !== undefined) {
    state.unreadable = { n: unreadable.n };
    notices.push({
      what: 'unreadable',
      n: unreadable.n,
      over: true,
      since: unreadable.since,
      detail: '',
    });
  }
  return withSlow({ state, notices }, { now, isSlow: !inRow && !isFirst && before.failures === 0 });
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
        ? [{ what: 'slow', n: slow.n, over: true, since: slow.since ?? now, detail: '' }]
        : [];
    return { state: { ...state, slow: { n: slow.n } }, notices: [...notices, ...over] };
  }
  const since = slow.since ?? now;
  if (slow.posted === true || now - since < SLOW_MS) {
    return { state: { ...state, slow: { ...slow, since } }, notices };
  }
  const n = slow.n + 1;
  const posted: ApiNotice = { what: 'slow', n, since, detail: '' };
  return { state: { ...state, slow: { n, since, posted: true } }, notices: [...notices, posted] };
}
