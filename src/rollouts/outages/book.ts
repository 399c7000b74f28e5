import { truncate } from '../../lib/text.ts';
import { HOUR_MS } from '../../lib/time.ts';
import { MAX_COVERS } from '../../notify/message.ts';
import { PlatformError, type PlatformReason } from '../../platform/errors.ts';
import {
  downMessage,
  moreMessage,
  overMessages,
  type Entry,
  type Outage,
  type OutageFacts,
  type OutageMessage,
} from './outage-view.ts';

/** The GVCs that cannot be read: one outage for all that fail alike. Places are `org/gvc`. */
export interface OutageBook {
  /** Open outages by name. */
  open: Record<string, Outage>;
  /** By place: its outage. */
  seats: Record<string, Seat>;
  /** By place: the number of its last message. */
  numbers: Record<string, number>;
}

/** Where a place that fails belongs, and another outage where it seems to belong lately. */
export interface Seat {
  outage: string;
  lately?: { outage: string; times: number };
}

export const EMPTY_BOOK: OutageBook = { open: {}, seats: {}, numbers: {} };

interface Step {
  book: OutageBook;
  messages: OutageMessage[];
}

/** A failure is posted from this poll in a row on; so is a failure of another kind. */
export const POSTED_FROM = 3;
/** Characters of a sentence about an answer. */
const MAX_FOUND = 200;
/** GVCs that are not found in the same quarter of an hour are one outage; a later one would only edit an old message. */
const GATHER_MS = HOUR_MS / 4;

/** A place cannot be read. @param now milliseconds since the epoch */
export function withFailure(before: OutageBook, place: string, facts: Facts, now: number): Step {
  const step: Step = { book: structuredClone(before), messages: [] };
  const { seats } = step.book;
  const seat = seats[place];
  const name = outageNameOf(place, facts, now, seat);
  if (seat === undefined) join(step, place, facts, now);
  else if (seat.outage === name) seats[place] = { outage: name };
  else {
    const times = seat.lately?.outage === name ? seat.lately.times + 1 : 1;
    if (times < POSTED_FROM) seats[place] = { ...seat, lately: { outage: name, times } };
    else {
      leave(step, place, false, now);
      join(step, place, facts, now);
    }
  }
  return step;
}

/** As `withFailure` where a place is read again, or (`back` false) no longer watched. */
export function withoutFailure(
  before: OutageBook,
  place: string,
  back: boolean,
  now: number,
): Step {
  if (before.seats[place] === undefined) return { book: before, messages: [] };
  const step: Step = { book: structuredClone(before), messages: [] };
  leave(step, place, back, now);
  return step;
}

/** Puts a place into the outage that it belongs to, which opens if need be. */
function join({ book, messages }: Step, place: string, facts: Facts, now: number): void {
  const name = outageNameOf(place, facts, now);
  const outage = (book.open[name] ??= { ...facts, since: now, down: [], left: [], posts: [] });
  outage.down.push(place);
  outage.left = outage.left.filter((one) => one !== place);
  // That it was back for a while was not posted, so it comes back to its key.
  let post = outage.posts.findIndex((entries) => entries.some((entry) => entry.place === place));
  if (post < 0) {
    const number = (book.numbers[place] ?? 0) + 1;
    book.numbers[place] = number;
    post = addToPosts(outage, { place, key: `${place}/@api/down/${number}` });
  }
  book.seats[place] = { outage: name };
  messages.push(downMessage(outage));
  if (post > 0) messages.push(moreMessage(outage, post));
}

/** Puts a place into the last message that has room for its key, else into one more. @returns which */
function addToPosts({ posts }: Outage, entry: Entry): number {
  const last = posts.at(-1);
  const covers = [...(last ?? []), entry].slice(1).map(({ key }) => key);
  if (last !== undefined && covers.join(' ').length <= MAX_COVERS) last.push(entry);
  else posts.push([entry]);
  return posts.length - 1;
}

/** Takes a place out of its outage, which ends with the last one. */
function leave({ book, messages }: Step, place: string, back: boolean, now: number): void {
  const name = book.seats[place]?.outage ?? '';
  const outage = book.open[name];
  delete book.seats[place];
  if (outage === undefined) return;
  outage.down = outage.down.filter((one) => one !== place);
  if (!back) outage.left.push(place);
  if (outage.down.length > 0) return void messages.push(downMessage(outage));
  delete book.open[name];
  messages.push(...overMessages(outage, now));
}

export type Facts = Pick<OutageFacts, 'kind' | 'org' | 'reason' | 'status' | 'found'>;

export function factsOf(org: string, error: unknown): Facts {
  // An error of Purser's own is posted, too: the GVC is not watched meanwhile. Its text is in the log alone.
  if (!(error instanceof PlatformError)) return { kind: 'purser', org };
  const { reason, status, message } = error;
  // Without an answer it was the key that could not be sent.
  const kind = reason === 'bad-request' && status === undefined ? 'org' : KINDS[reason];
  const found = isOwnSentence(error) ? truncate(message, MAX_FOUND) : undefined;
  return { kind, org, reason, status, found };
}

/** Of an answer that cannot be used, the error's sentence is Purser's; any other may be the platform's. */
function isOwnSentence({ reason, status }: PlatformError): boolean {
  const isLink = reason === 'redirected' && status === undefined;
  return reason === 'malformed' || reason === 'too-large' || isLink;
}

const KINDS: Readonly<Record<PlatformReason, OutageFacts['kind']>> = {
  unauthorized: 'org',
  forbidden: 'org',
  'bad-request': 'gvc',
  conflict: 'gvc',
  'too-large': 'gvc',
  'not-found': 'missing',
  'rate-limited': 'platform',
  'server-error': 'platform',
  unavailable: 'platform',
  unreachable: 'platform',
  timeout: 'platform',
  malformed: 'platform',
  redirected: 'platform',
};

/** @param seat where the place is now */
export function outageNameOf(
  place: string,
  { kind, org }: Facts,
  now: number,
  seat?: Seat,
): string {
  switch (kind) {
    case 'platform':
    case 'purser':
      return kind;
    case 'org':
      return `org ${org}`;
    case 'gvc':
      return `gvc ${place}`;
    case 'missing': {
      const missing = `missing ${org} `;
      const isThere = seat?.outage.startsWith(missing) === true;
      return isThere ? seat.outage : `${missing}${Math.floor(now / GATHER_MS)}`;
    }
  }
}
