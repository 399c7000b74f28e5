import { effectiveState, type RecordMemory } from './classify.ts';
import type { Crash, LastRestart } from './explain.ts';
import type { Replicas, Spec } from './facts.ts';
import {
  stateIs,
  type Ending,
  type OutcomeKind,
  type RecordState,
  type RowState,
} from './states.ts';

/**
 * What is remembered of one workload's rollout. An episode runs from the loss of the ready condition
 * to its return; each outcome is told once in it. Times in milliseconds since the epoch.
 */
export interface RolloutState {
  /** The newest expected version over the locations. */
  version: number;
  /** Null for a rollout that was found and not seen to begin. */
  startedAt: number | null;
  /** When the ready condition was first seen to come; null before. */
  readyAt: number | null;
  /** Null while something is on its way or in trouble. */
  ending: Ending | null;
  /** Readiness was told, or adopted as known. */
  announced: boolean;
  /** The ready condition held at the last poll. */
  ready: boolean;
  said: Partial<Record<OutcomeKind, Announced>>;
  /** How often each `<E>/<word>` was told, for the numbers of later keys. */
  told: Record<string, number>;
  /** What has been left out of `told`; absent while nothing has. */
  forgotten?: Forgotten;
  /** When a location last went on or fell back; absent before the first step. */
  moved?: number;
  /** When the ready condition was lost last, in milliseconds since the epoch; absent: not seen. */
  lostAt?: number;
  /** Fingerprint of the card as it was last told. */
  print: string;
  /** The version was ready when it was first seen: the number of the `ready` that serves as the card where it was told. */
  readyIsCard?: number;
  /** Since when locations that are waited for are not ready at this version. */
  late: Record<string, number>;
  /** Locations that were suspended and have not been ready since. */
  asleep: string[];
  /** The states in which the locations that are gone were last seen. */
  left: Record<string, RecordState>;
  /** When trouble began or ended at this version: the last times, which may come to flapping. */
  changes: number[];
  flapping: Flapping | null;
  /** The first moment at which time alone may have something to tell; null = never. */
  wakeAt: number | null;
}

/** What was said of one kind; `n` 0 = known without having been said. */
interface Announced {
  n: number;
  locations: string[];
  /** The message about flapping stands for it. */
  covered?: true;
  /** Of `lagging`: the channel was told that the whole rollout is stuck. */
  stuck?: true;
}

/** Versions whose numbers are not kept singly: one of them that comes again goes on after the highest. */
interface Forgotten {
  upTo: number;
  /** The highest number of each word. */
  told: Record<string, number>;
}

/** A workload that flaps, and the message that says so. */
export interface Flapping {
  n: number;
  /** When trouble last began or ended, in milliseconds since the epoch. */
  last: number;
  locations: string[];
  /** What the message stands for. */
  covers: { kind: OutcomeKind; n: number }[];
}

/** One line of a card. `waiting` is a location that the version has not reached. */
export interface Row {
  location: string;
  state: RowState;
  since: number;
  cause: string;
  replicas: Replicas;
  outgoing: Replicas | null;
  readyBeside?: number;
  served?: true;
  /** What a location that waits is in by itself. */
  own?: RecordState;
  /** It is stated that no replica is wanted. */
  wantsNone?: true;
  spec?: Spec;
  specBefore?: Spec;
  /** Of a location whose containers restarted lately in this rollout. */
  crash?: CrashRow;
}

/** What a crash loop comes to: so many restarts in so many milliseconds. */
export interface CrashRow extends LastRestart {
  restarts: number;
  lastsMs: number;
}

export type Records = Readonly<Record<string, RecordMemory>>;

/** One outcome of the rollout's version. */
export interface Outcome {
  kind: OutcomeKind;
  n: number;
  locations: string[];
  /** Outcomes of the same version that `flapping` stands for: the last hundred. */
  covers?: { kind: OutcomeKind; n: number }[];
  /** Flapping has ended, and so it settled. */
  settled?: RecordState;
  /** Of an outcome of the thread: it is shown in the channel, too. */
  broadcast?: true;
  /** Of a return: when the ready condition was lost, in milliseconds since the epoch. */
  since?: number;
}

/** What the poll changed for one workload. */
export interface RolloutStep {
  rollout: RolloutState;
  rows: Row[];
  /** The rollout that this one ended, when its card was still open. */
  closed: RolloutState | undefined;
  /** The rollout is new here, so it gets a card. */
  opened: boolean;
  outcomes: Outcome[];
}

/** What a step of a rollout looks at: the rows of its version, the records behind them and those before. */
export interface StepInput {
  rows: readonly Row[];
  records: Records;
  previous: Records;
  /** Locations that are adopted in this poll, because the first one could not read them. */
  found?: ReadonlySet<string> | undefined;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Records by `workload/location`, and rollouts by workload. */
export interface GvcRollouts {
  records: Readonly<Record<string, RecordMemory>>;
  rollouts: Readonly<Record<string, RolloutState>>;
}

/** So many versions have their numbers kept singly. */
const TOLD_VERSIONS = 20;

export function begin(
  before: RolloutState | undefined,
  version: number,
  startedAt: number | null,
): RolloutState {
  return {
    version,
    startedAt,
    readyAt: null,
    ending: null,
    announced: false,
    ready: false,
    said: {},
    ...numbersFor(version, before),
    print: '',
    late: {},
    asleep: before?.asleep ?? [],
    left: before?.left ?? {},
    changes: [],
    flapping: null,
    wakeAt: null,
  };
}

/** A rollout to be changed. */
export function copyOf(before: RolloutState): RolloutState {
  return { ...before, told: { ...before.told }, said: { ...before.said } };
}

/** A workload with thousands of rollouts stays small, and yet no key is used twice when versions begin again. */
function numbersFor(
  version: number,
  before: RolloutState | undefined,
): Pick<RolloutState, 'told' | 'forgotten'> {
  const kept: RolloutState['told'] = {};
  const forgotten: Forgotten = {
    upTo: before?.forgotten?.upTo ?? 0,
    told: { ...before?.forgotten?.told },
  };
  for (const [key, n] of Object.entries(before?.told ?? {})) {
    const [of, word = ''] = key.split('/');
    if (Math.abs(Number(of) - version) < TOLD_VERSIONS) kept[key] = n;
    else {
      forgotten.upTo = Math.max(forgotten.upTo, Number(of));
      forgotten.told[word] = Math.max(forgotten.told[word] ?? 0, n);
    }
  }
  return forgotten.upTo === 0 ? { told: kept } : { told: kept, forgotten };
}

export function hasCard(rollout: RolloutState): boolean {
  return rollout.told[`${rollout.version}/card`] !== undefined;
}

/** The number of the card of a rollout: a version that comes again has a card of its own. */
export function cardNumber(rollout: RolloutState): number {
  return rollout.told[`${rollout.version}/card`] ?? 1;
}

/** Counts a word that is told once more at the rollout's version and gives its number. */
export function nextNumber(rollout: RolloutState, word: OutcomeKind | 'card'): number {
  const key = `${rollout.version}/${word}`;
  const { forgotten } = rollout;
  const before = rollout.version <= (forgotten?.upTo ?? 0) ? (forgotten?.told[word] ?? 0) : 0;
  const n = (rollout.told[key] ?? before) + 1;
  rollout.told[key] = n;
  return n;
}

/**
 * Says a kind of the locations of which it is news.
 * @param how.joins they join what was said before, if that is still going on; else it is said again
 * @param how.post false: there is nowhere to say it, so it is known from now on without a number
 * @returns the outcome; none when nothing is news, or the message about flapping says it already
 */
export function announce(
  rollout: RolloutState,
  kind: OutcomeKind,
  news: readonly string[],
  { joins = true, post = true } = {},
): Outcome[] {
  if (news.length === 0) return [];
  const said = joins ? rollout.said[kind] : undefined;
  const locations = union(said?.locations ?? [], news);
  if (said?.covered === true && rollout.flapping !== null) {
    rollout.said[kind] = { ...said, locations };
    return [];
  }
  // What flapping stood for has no message of its own that could be edited.
  const goesOn = said !== undefined && said.n > 0 && said.covered !== true;
  if (!goesOn && !post) {
    rollout.said[kind] = { n: 0, locations };
    return [];
  }
  const n = goesOn ? said.n : nextNumber(rollout, kind);
  rollout.said[kind] = { ...(goesOn ? said : {}), n, locations };
  return [{ kind, n, locations }];
}

export function isAnnounced(rollout: RolloutState, kind: OutcomeKind, location: string): boolean {
  return rollout.said[kind]?.locations.includes(location) === true;
}

/** The rows of a card at `version`, sorted by location. */
export function rowsOf(records: Records, version: number): Row[] {
  return Object.entries(records)
    .filter(([, record]) => !record.cron && !leftBefore(record, version))
    .map(([location, record]) => ({
      location,
      state: waits(record, version) ? ('waiting' as const) : effectiveState(record),
      since: record.since,
      cause: record.cause,
      ...(record.crash === undefined ? {} : { crash: crashSince(record, record.crash) }),
      replicas: record.replicas,
      outgoing: record.outgoing,
      ...(record.readyBeside === undefined ? {} : { readyBeside: record.readyBeside }),
      ...(record.served === undefined ? {} : { served: record.served }),
      ...(waits(record, version) ? { own: effectiveState(record) } : {}),
      ...(record.wanted === 0 ? { wantsNone: true as const } : {}),
      ...(record.spec === undefined ? {} : { spec: record.spec }),
      ...(record.specBefore === undefined ? {} : { specBefore: record.specBefore }),
    }))
    .sort((a, b) => (a.location < b.location ? -1 : 1));
}

function crashSince({ climbs }: RecordMemory, { risen, ...last }: Crash): CrashRow {
  const restarts = risen.reduce((sum, by) => sum + by, 0);
  return { ...last, restarts, lastsMs: (climbs.at(-1) ?? 0) - (climbs.at(-risen.length) ?? 0) };
}

/** It left without having come to this version. */
function leftBefore(record: RecordMemory, version: number): boolean {
  return record.state === 'gone' && record.version < version;
}

/** The change has not reached this location: it stands at a lower version than its rollout. */
export function waits(record: Pick<RecordMemory, 'version' | 'state'>, version: number): boolean {
  // A record that never stated a version does not say which one it serves.
  if (record.version === 0 || record.version >= version) return false;
  return !stateIs(record.state, 'neverWaits');
}

/**
 * What is computed from a value that is never written to: once, however often it is asked for. A poll
 * that changes nothing gives the very objects that were there, and most polls change nothing.
 */
export function oncePer<K extends object, V>(compute: (of: K) => V): (of: K) => V {
  const known = new WeakMap<K, V>();
  return (of) => {
    const value = known.get(of) ?? compute(of);
    known.set(of, value);
    return value;
  };
}

/** `constructor` is a fine name for a workload. */
export function rolloutOf(
  picture: Pick<GvcRollouts, 'rollouts'>,
  workload: string,
): RolloutState | undefined {
  return Object.hasOwn(picture.rollouts, workload) ? picture.rollouts[workload] : undefined;
}

export function workloadOf(key: string): string {
  return key.slice(0, key.indexOf('/'));
}

export function locationOf(key: string): string {
  return key.slice(key.indexOf('/') + 1);
}

export function locationsIn(rows: readonly Row[], state: Row['state']): string[] {
  return rows.filter((row) => row.state === state).map((row) => row.location);
}

export function union(some: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...some, ...more])].sort();
}

/** Locations are foreign: `__proto__` must be a key like any other. */
export function byLocation<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  const object = Object.create(null) as Record<string, T>;
  for (const [location, value] of entries) object[location] = value;
  return object;
}
