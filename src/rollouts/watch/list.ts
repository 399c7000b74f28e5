import { DAY_MS } from '../../lib/time.ts';
import type { Deployment } from '../../platform/deployments/deployment.ts';
import { readFacts, type Facts } from './facts.ts';
import { isKnown, lackingLocation, nextLocation, type Location } from './location.ts';
import type { PollTime } from './spans.ts';
import { copyOf, own, type Workload } from './workload.ts';

export interface RecordList {
  seen: readonly ListedRecord[];
  /** `workload/location` of records that are there and could not be read. */
  unreadable: readonly string[];
  /** Items without a workload or location; with any, the list lacks nothing. */
  unidentified: number;
  /** The list is the second empty one or a later one, and a known workload is not found either. */
  gone?: boolean;
}

/** One record of a list, which is read only where it may matter. */
export interface ListedRecord {
  key: string;
  workload: string;
  location: string;
  /** Equal for equal reports of a record; '' is unknown. */
  print: string;
  read(): Deployment;
}

/** The print of the last report of each record, by key. */
export type Cache = Map<string, string>;

/** The workloads of which a poll may change something. */
export interface Found {
  changed: Map<string, Record<string, Location>>;
  /** Workloads whose records are all adopted by this poll. */
  adopted: Set<string>;
  /** The reports of this poll, by workload and location. */
  facts: Map<string, Map<string, Facts>>;
}

interface Poll {
  list: RecordList;
  time: PollTime;
  adopting: boolean;
  /** Records that the first list could not read, and none since. */
  unread: readonly string[] | undefined;
  cache: Cache;
}

type Workloads = Readonly<Record<string, Workload>>;

/**
 * The locations of the workloads of which something may have changed: with a new report, with a location that
 * the list lacks, or with a span that runs.
 * @param held workloads that are read whether or not their reports are new
 */
export function readList(poll: Poll, workloads: Workloads, held: readonly string[]): Found {
  const { list, time, adopting, unread = [], cache } = poll;
  const found: Found = { changed: new Map(), adopted: new Set(), facts: new Map() };
  const { busy, present } = summaryOf(workloads);
  const due = new Set([...busy, ...held]);
  for (const { key, workload, print } of list.seen) {
    if (print === '' || cache.get(key) !== print) due.add(workload);
  }
  const isFirst = new Set(unread);
  for (const [workload, records] of recordsOf(list, due)) {
    const known = own(workloads, workload);
    const locations = copyOf(known?.locations ?? {});
    const facts = new Map<string, Facts>();
    for (const record of records) {
      const before = own(locations, record.location);
      const isSame = record.print !== '' && cache.get(record.key) === record.print;
      // The same report changes a location only while one of its spans runs.
      if (isSame && before !== undefined && !isRunning(before) && !held.includes(workload))
        continue;
      const report = readFacts(record.read());
      cache.set(record.key, record.print);
      facts.set(record.location, report);
      const isFound = adopting || isFirst.has(record.key);
      locations[record.location] = nextLocation(report, before, time, isFound);
    }
    found.facts.set(workload, facts);
    found.changed.set(workload, locations);
    if (known === undefined && records.every(({ key }) => isFirst.has(key))) {
      found.adopted.add(workload);
    }
  }
  if (due.size > 0 || list.seen.length !== present) lacking(found, poll, workloads, due);
  return found;
}

function recordsOf({ seen }: RecordList, names: ReadonlySet<string>): Map<string, ListedRecord[]> {
  const records = new Map<string, ListedRecord[]>();
  if (names.size === 0) return records;
  for (const record of seen) {
    if (!names.has(record.workload)) continue;
    const known = records.get(record.workload);
    if (known === undefined) records.set(record.workload, [record]);
    else known.push(record);
  }
  return records;
}

/** Locations that the list lacks. With an item without a name, or as an unreadable one, none is lacking. */
function lacking(
  found: Found,
  { list, time, cache }: Poll,
  workloads: Workloads,
  due: ReadonlySet<string>,
): void {
  const listed = new Set(list.unreadable);
  for (const { key } of list.seen) listed.add(key);
  for (const workload in workloads) {
    const known = workloads[workload];
    if (known === undefined) continue;
    if (due.has(workload) && !found.changed.has(workload)) {
      found.changed.set(workload, copyOf(known.locations));
    }
    for (const name in known.locations) {
      const key = `${workload}/${name}`;
      const location = known.locations[name];
      if (location === undefined || listed.has(key)) continue;
      if (list.unidentified > 0 && location.state !== 'gone') continue;
      cache.delete(key);
      const next = lackingLocation(location, time, list.gone === true);
      const isForgotten = isOld(next, time);
      if (next === location && !isForgotten) continue;
      const locations = found.changed.get(workload) ?? copyOf(known.locations);
      found.changed.set(workload, locations);
      if (isForgotten) delete locations[name];
      else locations[name] = next;
    }
  }
}

function isOld({ state, since, report }: Location, { now }: PollTime): boolean {
  return state === 'gone' && report === undefined && now - since >= DAY_MS;
}

interface Summary {
  /** Workloads of which time alone may change something. */
  busy: readonly string[];
  /** Locations that are there. */
  present: number;
}

/** Most polls change nothing and give the very objects that were there, so this is counted once. */
const summaries = new WeakMap<Workloads, Summary>();

function summaryOf(workloads: Workloads): Summary {
  const known = summaries.get(workloads);
  if (known !== undefined) return known;
  const busy: string[] = [];
  let present = 0;
  for (const [name, workload] of Object.entries(workloads)) {
    if (isBusy(workload)) busy.push(name);
    for (const one of Object.values(workload.locations)) present += one.state === 'gone' ? 0 : 1;
  }
  const summary = { busy, present };
  summaries.set(workloads, summary);
  return summary;
}

function isBusy({ episode, trail, away, ends, version, locations }: Workload): boolean {
  if (episode !== undefined || trail !== undefined) return true;
  if (away !== undefined && away.posted !== true && away.silent !== true) return true;
  const all = Object.values(locations);
  if (version > 0 && ends.ready === undefined && all.some(isKnown)) return true;
  return all.some(isRunning);
}

/** A span of the location runs. */
function isRunning(one: Location): boolean {
  if (one.report !== undefined) return one.report.backSince !== undefined || one.state === 'gone';
  if (one.stopped === 1 || one.failed === 1 || one.missing === 1) return true;
  if (one.silentSince !== undefined || one.state === 'gone') return true;
  if (one.wants !== undefined || one.movedAt !== undefined || one.enteredAt !== undefined)
    return true;
  if (one.apart !== undefined && one.apart.isOld !== true) return true;
  return one.fatalSince !== undefined || typeof one.runs === 'number';
}
