import { DAY_MS } from '../../lib/time.ts';
import { classify, type RecordMemory } from './classify.ts';
import type { Facts, ListedRecord, RecordList } from './facts.ts';
import type { JobNotice } from './notices.ts';
import { oncePer } from './rollout.ts';

/** What is remembered of the lists of a GVC. Times in milliseconds since the epoch. */
export interface ListMemory {
  adoptedAt: number;
  /** When the list became suddenly empty. */
  emptySince: number | null;
  /** Keys of records that the first list could not read, and none since. */
  unread?: readonly string[];
  /** Items that do not say who they are: how many, and since when there are so many. */
  odd?: { count: number; since: number };
}

/** What is odd for so long was odd before the record that is looked for was lacking. */
const ODD_MS = 10 * 60_000;

const NONE: ReadonlySet<string> = new Set();

/** @returns the very object that was there when nothing has changed */
export function nextListMemory(
  before: { meta: ListMemory | undefined; records: Readonly<Record<string, RecordMemory>> },
  list: RecordList,
  now: number,
): ListMemory {
  const { meta, records } = before;
  const { seen, unreadable, unidentified } = list;
  const empty = seen.length === 0 && unreadable.length === 0;
  const emptySince =
    empty && Object.values(records).some((record) => record.state !== 'gone')
      ? (meta?.emptySince ?? now)
      : null;
  const unread = stillUnread(meta, unreadable);
  const odd = unidentified === meta?.odd?.count ? meta.odd : { count: unidentified, since: now };
  const isSame =
    meta?.emptySince === emptySince &&
    unread.length === (meta.unread?.length ?? 0) &&
    odd.count === (meta.odd?.count ?? 0);
  if (meta !== undefined && isSame) return meta;
  return {
    adoptedAt: meta?.adoptedAt ?? now,
    emptySince,
    ...(unread.length === 0 ? {} : { unread }),
    ...(odd.count === 0 ? {} : { odd }),
  };
}

function stillUnread(
  meta: ListMemory | undefined,
  unreadable: readonly string[],
): readonly string[] {
  if (meta === undefined) return unreadable;
  if (meta.unread === undefined) return [];
  const now = new Set(unreadable);
  return meta.unread.filter((key) => now.has(key));
}

/** Keys of records that a list shows for the first time, although they were there at the first poll. */
export function foundIn(meta: ListMemory | undefined, { seen }: RecordList): ReadonlySet<string> {
  if (meta?.unread === undefined) return NONE;
  const unread = new Set(meta.unread);
  return new Set(seen.map(({ key }) => key).filter((key) => unread.has(key)));
}

/** A list with odd items does not prove that a record is gone, until they have been there for ten minutes. */
export function provesAbsence({ odd }: ListMemory, now: number): boolean {
  return odd === undefined || now - odd.since >= ODD_MS;
}

/**
 * Records that the same print changes no more, whatever the time: by key, the print and the memory
 * that it led to. Only a saving: without it the outcome is the same.
 */
export type Settled = Map<string, { print: string; memory: RecordMemory }>;

type GvcRecords = Readonly<Record<string, RecordMemory>>;

interface RecordsStep {
  /** By `workload/location`; the same object when no record changed. */
  records: Record<string, RecordMemory>;
  /** Keys of the records that changed, came or were forgotten. */
  changed: ReadonlySet<string>;
  jobs: JobNotice[];
}

interface ListOptions {
  /** Milliseconds since the epoch. */
  now: number;
  adopting: boolean;
  /** Keys of records that are adopted in this poll, because the first one could not read them. */
  found: ReadonlySet<string>;
  /** A record that the list lacks is not there. */
  proves: boolean;
  /** The whole GVC is gone: what the list lacks has lacked long enough. */
  allGone: boolean;
  settled: Settled | undefined;
}

/** A record that comes back within this time is compared with what it was. */
export const RETURN_MS = 7 * DAY_MS;
/** As long as messages can still be edited, a key that was used must not be used for something else. */
export const FORGET_MS = 45 * DAY_MS;
const MISSING_LISTS = 2;

/** How many records there are. */
export const countOf = oncePer((records: GvcRecords) => Object.keys(records).length);

/** What is remembered of the records of a GVC after one complete list. A record that did not change is the same object. */
export function nextRecords(
  before: Record<string, RecordMemory>,
  list: RecordList,
  options: ListOptions,
): RecordsStep {
  const changes = new Map<string, RecordMemory | undefined>();
  const jobs: JobNotice[] = [];
  const keys = new Set<string>();
  let anyNew = false;
  for (const listed of list.seen) {
    const { key } = listed;
    keys.add(key);
    const known = before[key];
    anyNew ||= known === undefined;
    const next = nextRecord(listed, known, options);
    // Of one that is listed twice the last counts.
    if (next === known) changes.delete(key);
    else {
      changes.set(key, next);
      if (!options.adopting && !options.found.has(key))
        jobs.push(...jobNotices(listed, known, next));
    }
  }
  // Mostly nothing is lacking, and ten thousand keys need not be looked up once more.
  const mayLack = anyNew || keys.size < countOf(before);
  const lacking = mayLack ? Object.keys(before).filter((key) => !keys.has(key)) : [];
  for (const [key, next] of lackingRecords(before, lacking, list, options)) changes.set(key, next);
  return { records: applied(before, changes), changed: new Set(changes.keys()), jobs };
}

function nextRecord(
  listed: ListedRecord,
  known: RecordMemory | undefined,
  { now, adopting: all, found, settled }: ListOptions,
): RecordMemory {
  const { key, print } = listed;
  const adopting = all || found.has(key);
  if (known !== undefined && print !== '') {
    const last = settled?.get(key);
    if (last?.print === print && last.memory === known) return known;
  }
  const forgotten = known?.state === 'gone' && now - known.since >= RETURN_MS;
  const next = classify(listed.facts(), forgotten ? undefined : known, { now, adopting });
  // The same facts led to the same memory, and no time is running: they always will.
  if (next === known && next.grace === null && print !== '') {
    settled?.set(key, { print, memory: next });
  }
  return next;
}

/** Records that the list lacks, as far as that changes them. */
function* lackingRecords(
  before: GvcRecords,
  lacking: readonly string[],
  list: RecordList,
  { now, proves, allGone, settled }: ListOptions,
): Generator<[string, RecordMemory | undefined]> {
  const unreadable = new Set(list.unreadable);
  for (const key of lacking) {
    settled?.delete(key);
    const known = before[key] as RecordMemory;
    const next = unreadable.has(key)
      ? present(known)
      : proves
        ? missed(known, now, allGone)
        : known;
    if (next !== known) yield [key, next];
  }
}

function present(record: RecordMemory): RecordMemory {
  return record.missing === 0 ? record : { ...record, missing: 0 };
}

/** A record that a complete list lacks: gone after the second, forgotten in the end. */
function missed(record: RecordMemory, now: number, allGone: boolean): RecordMemory | undefined {
  if (record.state === 'gone') return now - record.since < FORGET_MS ? record : undefined;
  const missing = record.missing + 1;
  if (missing < MISSING_LISTS && !allGone) return { ...record, missing };
  return gone(record, now);
}

function gone(record: RecordMemory, now: number): RecordMemory {
  const left: RecordMemory = { ...record, state: 'gone', since: now, cause: '', grace: null };
  left.missing = MISSING_LISTS;
  // Whether it was held up meanwhile is not known. All else is compared when it comes back.
  delete left.heldUpSince;
  return left;
}

function applied(
  before: Record<string, RecordMemory>,
  changes: ReadonlyMap<string, RecordMemory | undefined>,
): Record<string, RecordMemory> {
  if (changes.size === 0) return before;
  // Names are foreign: `__proto__` must be a key like any other.
  const records = Object.assign(Object.create(null), before) as Record<string, RecordMemory>;
  for (const [key, next] of changes) {
    if (next === undefined) delete records[key];
    else records[key] = next;
  }
  return records;
}

/**
 * The executions of a cron workload that ended badly since the poll before. Those of a workload that
 * was not there before are news, too: only what is found at the adoption of its GVC is known.
 * @param before undefined for a record that was never seen
 */
function jobNotices(
  listed: ListedRecord,
  before: RecordMemory | undefined,
  after: RecordMemory,
): JobNotice[] {
  const known = before?.jobs ?? [];
  return after.jobs
    .filter((job) => !known.includes(job))
    .map((job) => jobNoticeOf(listed, job, listed.facts().executions));
}

function jobNoticeOf(
  listed: ListedRecord,
  job: string,
  executions: Facts['executions'],
): JobNotice {
  const [execution = '', status = ''] = job.split(' ');
  const name = decodeURIComponent(execution);
  const found = executions.find((one) => one.status === status && wellFormed(one.name) === name);
  return {
    kind: 'job',
    workload: listed.workload,
    location: listed.location,
    execution,
    status,
    message: found?.message ?? '',
    startTime: found?.startTime,
    completionTime: found?.completionTime,
  };
}

/** Half a surrogate pair can be no part of a key. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
