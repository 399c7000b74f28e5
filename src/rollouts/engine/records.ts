import { classify } from './classify.ts';
import type { RecordMemory } from './classify.ts';
import { jobNews } from './executions.ts';
import { oncePer } from './once-per.ts';
import type { Settled, Sighting, Sightings } from './sighting.ts';
import type { JobNews } from './telling.ts';

type GvcRecords = Readonly<Record<string, RecordMemory>>;

interface RecordsStep {
  /** By `workload/location`; the same object when no record changed. */
  records: Record<string, RecordMemory>;
  /** Keys of the records that changed, came or were forgotten. */
  changed: ReadonlySet<string>;
  jobs: JobNews[];
}

interface Options {
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

const DAY_MS = 24 * 3_600_000;
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
  sightings: Sightings,
  options: Options,
): RecordsStep {
  const changes = new Map<string, RecordMemory | undefined>();
  const jobs: JobNews[] = [];
  const listed = new Set<string>();
  let anyNew = false;
  for (const sighting of sightings.seen) {
    const { key } = sighting;
    listed.add(key);
    const known = before[key];
    anyNew ||= known === undefined;
    const next = seen(sighting, known, options);
    // Of one that is listed twice the last counts.
    if (next === known) changes.delete(key);
    else {
      changes.set(key, next);
      if (!options.adopting && !options.found.has(key))
        jobs.push(...jobNews(sighting, known, next));
    }
  }
  // Mostly nothing is lacking, and ten thousand keys need not be looked up once more.
  const mayLack = anyNew || listed.size < countOf(before);
  const lacking = mayLack ? Object.keys(before).filter((key) => !listed.has(key)) : [];
  for (const [key, next] of unseen(before, lacking, sightings, options)) changes.set(key, next);
  return { records: applied(before, changes), changed: new Set(changes.keys()), jobs };
}

function seen(
  sighting: Sighting,
  known: RecordMemory | undefined,
  { now, adopting: all, found, settled }: Options,
): RecordMemory {
  const { key, print } = sighting;
  const adopting = all || found.has(key);
  if (known !== undefined && print !== '') {
    const last = settled?.get(key);
    if (last?.print === print && last.memory === known) return known;
  }
  const forgotten = known?.state === 'gone' && now - known.since >= RETURN_MS;
  const next = classify(sighting.facts(), forgotten ? undefined : known, { now, adopting });
  // The same facts led to the same memory, and no time is running: they always will.
  if (next === known && next.grace === null && print !== '') {
    settled?.set(key, { print, memory: next });
  }
  return next;
}

/** Records that the list lacks, as far as that changes them. */
function* unseen(
  before: GvcRecords,
  lacking: readonly string[],
  sightings: Sightings,
  { now, proves, allGone, settled }: Options,
): Generator<[string, RecordMemory | undefined]> {
  const unreadable = new Set(sightings.unreadable);
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
  // Nobody knows whether it was held up meanwhile. All else is compared when it comes back.
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
