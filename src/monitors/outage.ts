import { Refusal } from '../lib/errors.ts';
import { truncate } from '../lib/text.ts';
import { HOUR_MS } from '../lib/time.ts';
import { PlatformError, type PlatformReason } from '../platform/errors.ts';
import { CannotSee } from './monitor.ts';

/** Why monitors cannot see, as their messages say it. Those of one name are one outage. */
export interface Cause {
  name: string;
  /** BILLING_TOKEN, an org's key, the platform, unreadable rights of people or readers of a channel, or Purser itself. */
  kind: 'token' | 'key' | 'platform' | 'rights' | 'readers' | 'purser';
  reason?: PlatformReason;
  status?: number;
  /** A sentence of Purser's own about it. */
  found?: string;
  /** A second question confirmed it, so it is posted at once. */
  isSure?: boolean;
}

/** Characters of a sentence about an answer. */
const MAX_FOUND = 200;

export function causeOf(thrown: unknown): Cause {
  const error = thrown instanceof Refusal ? thrown.cause : thrown;
  if (error instanceof CannotSee) {
    return { name: error.of, kind: error.of, found: truncate(error.message, MAX_FOUND) };
  }
  if (!(error instanceof PlatformError)) return { name: 'purser', kind: 'purser' };
  const { reason, status, credential, message } = error;
  const facts = { reason, ...(status !== undefined && { status }) };
  if (isRefused(error)) {
    return credential === 'account'
      ? { name: 'token', kind: 'token', ...facts }
      : { name: 'key', kind: 'key', ...facts };
  }
  // Of an answer that cannot be used, the error's sentence is Purser's; any other may be the platform's.
  const isOwn = reason === 'malformed' || reason === 'too-large';
  return {
    name: 'platform',
    kind: 'platform',
    ...facts,
    ...(isOwn && { found: truncate(message, MAX_FOUND) }),
  };
}

/** A credential is refused, or was never sent because of its characters. */
function isRefused({ reason, status, credential }: PlatformError): boolean {
  const isUnsent = reason === 'bad-request' && status === undefined;
  const isNoAccount = reason === 'not-found' && credential === 'account';
  return reason === 'unauthorized' || reason === 'forbidden' || isUnsent || isNoAccount;
}

/**
 * Monitors that cannot see: one outage for all that fail for one reason (ADR 28). A value; times in ms since the epoch.
 */
export interface OutageBook {
  /** The number of the last outage that was posted. */
  number: number;
  failing: Record<string, Failing>;
  /** Posted outages that last, by the name of their cause. */
  open: Record<string, Outage>;
  /** Places that the token may not read, so that no outage stops them; absent: none. */
  refused?: string[];
}

interface Stopped {
  what: string;
  /** Where it posts, if not in BILLING_CHANNEL. */
  channel?: string | undefined;
}

interface Failing extends Stopped {
  cause: Cause;
  /** Failures in a row for this cause. */
  times: number;
  since: number;
  at: number;
}

export interface Outage {
  number: number;
  cause: Cause;
  since: number;
  /** Everything that it stopped, by place. */
  was: Record<string, Stopped>;
  /** Those of `was` that can be read again. */
  back: string[];
  /** First lines of the messages when they could. */
  changed: string[];
  /** Channels besides OPS_CHANNEL that have its message. */
  channels: string[];
}

export const EMPTY_BOOK: OutageBook = { number: 0, failing: {}, open: {} };

/** An outage whose messages have to be written again, and whether it is over. */
export interface OutageStep {
  book: OutageBook;
  outages: { outage: Outage; isOver: boolean }[];
}

/** A failure is posted from this one in a row on, unless it is sure. */
const POSTED_FROM = 3;
/** OPS_CHANNEL hears at once; those who read about money, when it has lasted this long. */
const LASTING_MS = HOUR_MS;

export type Subject = Readonly<Stopped> & {
  /** Its name among the monitors: "alert", "report/3". */
  readonly place: string;
};

/** @param channels where money is reported, for those without a channel of their own */
export function withFailure(
  before: OutageBook,
  { place, what, channel }: Subject,
  cause: Cause,
  now: number,
  channels: readonly string[],
): OutageStep {
  const isRefused = before.refused?.includes(place) === true;
  // A token that is refused everywhere concerns every place: single refusals may have come a little earlier.
  if (isRefused && cause.kind !== 'token') return { book: before, outages: [] };
  const book = structuredClone(before);
  const was = book.failing[place];
  const isSame = was?.cause.name === cause.name;
  const failing = {
    what,
    channel,
    cause: isSame ? { ...was.cause, isSure: cause.isSure ?? was.cause.isSure ?? false } : cause,
    times: isSame ? was.times + 1 : 1,
    since: isSame ? was.since : now,
    at: now,
  };
  book.failing[place] = failing;
  const changed = new Map<string, boolean>();
  // It fails for another reason by now: the other outage waits for it no longer.
  if (was !== undefined && !isSame) leave(book, place, was.cause.name, undefined, changed);
  const known = book.open[cause.name];
  const from = failing.cause.isSure === true ? 1 : POSTED_FROM;
  if (known === undefined && failing.times >= from) {
    book.number += 1;
    book.open[cause.name] = {
      number: book.number,
      cause: failing.cause,
      since: failing.since,
      was: {},
      back: [],
      changed: [],
      channels: [],
    };
  }
  const outage = book.open[cause.name];
  if (outage !== undefined) {
    const text = JSON.stringify(outage);
    const all = Object.entries(book.failing).filter(([, one]) => one.cause.name === cause.name);
    for (const [name, one] of all) outage.was[name] = { what: one.what, channel: one.channel };
    outage.back = outage.back.filter((name) => !all.some(([one]) => one === name));
    if (now - outage.since >= LASTING_MS) {
      const own = all.flatMap(([, one]) => (one.channel === undefined ? channels : [one.channel]));
      outage.channels = [...new Set([...outage.channels, ...own])];
    }
    if (JSON.stringify(outage) !== text) changed.set(cause.name, false);
  }
  return stepOf(before, book, changed);
}

/**
 * @param news first lines of the messages now that it can be read again; undefined: it is no longer monitored
 */
export function withoutFailure(
  before: OutageBook,
  place: string,
  news: readonly string[] | undefined,
): OutageStep {
  const was = before.failing[place];
  const { refused = [] } = before;
  const isRefused = refused.includes(place);
  if (was === undefined && !isRefused) return { book: before, outages: [] };
  const book = structuredClone(before);
  delete book.failing[place];
  if (isRefused) book.refused = refused.filter((one) => one !== place);
  if (was === undefined) return { book, outages: [] };
  const changed = new Map<string, boolean>();
  leave(book, place, was.cause.name, news, changed);
  return stepOf(before, book, changed);
}

/** The token may not read it: it is not counted from now on, until it can be read. */
export function withRefusal(before: OutageBook, place: string): OutageStep {
  if (before.refused?.includes(place) === true) return { book: before, outages: [] };
  const { book, outages } = withoutFailure(before, place, undefined);
  return { book: { ...book, refused: [...(book.refused ?? []), place] }, outages };
}

function leave(
  book: OutageBook,
  place: string,
  name: string,
  news: readonly string[] | undefined,
  changed: Map<string, boolean>,
): void {
  const outage = book.open[name];
  if (outage === undefined) return;
  if (news !== undefined) {
    outage.back.push(place);
    outage.changed.push(...news);
  }
  changed.set(name, !Object.values(book.failing).some((one) => one.cause.name === name));
}

function stepOf(before: OutageBook, book: OutageBook, changed: Map<string, boolean>): OutageStep {
  const outages = [...changed].flatMap(([name, isOver]) => {
    const outage = book.open[name] ?? before.open[name];
    return outage === undefined ? [] : [{ outage, isOver }];
  });
  for (const [name, isOver] of changed) if (isOver) delete book.open[name];
  return { book, outages };
}
