import type { ContainerSpec } from './facts.ts';
import type { Impact, Level, Locations } from './impact.ts';
import type { Location } from './location.ts';
import type { PollTime } from './spans.ts';

/** A word of a message about a workload; with the version and a number it makes the key (design section 4). */
export type Word =
  | 'ready'
  | 'failed'
  | 'stuck'
  | 'unhealthy'
  | 'stale'
  | 'recovered'
  | 'suspended'
  | 'resumed'
  | 'crashloop'
  | 'gone';

export type End = 'ready' | 'failed' | 'stuck';

/** Remembered of one workload. Times in milliseconds since the epoch. */
export interface Workload {
  /** The rollout: the newest expected version over the locations, and the GVC version of its entries. */
  version: number;
  gvc: number;
  /** Absent for a rollout that was under way or over at the first poll. */
  startedAt?: number | undefined;
  readyAt?: number | undefined;
  /** Since when locations are awaited that the version has not reached. */
  awaitedSince?: number | undefined;
  /** Ends of this rollout that were posted, by the number of their message; 0 = known without one. */
  ends: Readonly<Partial<Record<End, number>>>;
  /** Locations of the posted `failed` or `stuck`. */
  ended?: Readonly<Partial<Record<'failed' | 'stuck', readonly string[]>>> | undefined;
  /** The rollout has a card of this number. */
  card?: number | undefined;
  /** A post that serves as the card has taken this number of a card. */
  postAsCard?: number | undefined;
  /** The rollout is one of a whole GVC version, whose card replaces its own. */
  rolled?: true | undefined;
  /** Fingerprint of the card as it was last posted. */
  print?: string | undefined;
  /** The last number of each `<version>/<word>`. */
  numbers: Readonly<Record<string, number>>;
  /** The highest numbers of versions that are no longer listed in `numbers`. */
  older?: { upTo: number; numbers: Readonly<Record<string, number>> } | undefined;
  episode?: Episode | undefined;
  /** Calls of the episode, or of the rollout without one: each is edited when the level has changed. */
  calls?: readonly Call[] | undefined;
  /** Levels of the last ten minutes, each from the time at which it began. */
  trail?: readonly Step[] | undefined;
  /** The last episode ended then; absent after ten minutes. */
  calmSince?: number | undefined;
  /** Rises within the last hour. */
  rises?: readonly number[] | undefined;
  /** Nothing is in play or unknown since then. */
  away?: Away | undefined;
  /** Calendar times of the last messages that come once a day. */
  zeroAt?: number | undefined;
  crashAt?: number | undefined;
  /** Losses of reports within the last hour, by location. */
  losses?: Readonly<Record<string, readonly number[]>> | undefined;
  spec?: Spec | undefined;
  /** The last version that was ready. */
  specBefore?: Spec | undefined;
  locations: Locations;
  /** No location has been left since then. */
  emptySince?: number | undefined;
}

/** It left. `silent`: that is no news; `posted`: its return is. */
export interface Away {
  since: number;
  silent?: true | undefined;
  posted?: true | undefined;
  /** The card, or the post in its place, in whose thread its leaving is. */
  root?: { version: number; card: number } | undefined;
}

export interface Spec {
  version: number;
  containers: readonly ContainerSpec[];
  /** Wanted replicas over all locations; undefined while one of them is unknown or not in play. */
  replicas: number | undefined;
}

/** From `at` on the level was `level`, and `settled` counting young locations as full. */
export type Step = readonly [at: number, level: Level, settled: Level];

/** People were called: it opens with a call and ends at level 0 (design section 4.3). */
export interface Episode {
  since: number;
  /** The level last posted, and since when it is that. */
  called: Level;
  calledAt: number;
  /** The last call at level 2 or 3; before the first one, the first of any level. */
  lastCallAt: number;
  /** Locations that were sick in it. */
  sick: readonly string[];
  /** Below the called level since then. */
  belowSince?: number | undefined;
  /** It came to level 0, and did not end. */
  wasAtZero?: true | undefined;
  flaps?: true | undefined;
}

/** A posted call, as it was then: an edit says since when that is over. */
export interface Call {
  word: Word;
  n: number;
  version: number;
  at: number;
  level: Level;
  locations: readonly string[];
  have: number;
  wanted: number;
  cause: string;
  flaps?: true | undefined;
  /** It is the first one of its episode at level 2 or 3: people who asked for it are mentioned. */
  mentions?: true | undefined;
  /** The level changed. */
  until?: number | undefined;
}

/** A location that did not recover, and why it is over all the same. */
export interface Leaver {
  location: string;
  why: 'suspended' | 'scaled to zero' | 'gone' | 'does not report';
}

/** One message about a workload: posted under the next number of its word, or edited. */
export interface Event {
  /**
   * `call` and `lost` (no report) call people. `over`: the end of their episode; `back`, `dropped`: the end of a loss.
   * `left`: nothing serves any longer.
   */
  what: 'call' | 'lost' | 'ready' | 'over' | 'back' | 'dropped' | 'left' | 'resumed' | 'crashes';
  word: Word;
  n: number;
  version: number;
  at: number;
  /** Post or reply in the channel; else a reply in the thread. */
  loud: boolean;
  /** It is an edit of a message that was posted before. */
  edit?: true | undefined;
  locations: readonly string[];
  impact: Impact;
  /** A call as it was posted. */
  call?: Call | undefined;
  /** Locations that recovered, and those that did not. */
  recovered?: readonly string[] | undefined;
  leavers?: readonly Leaver[] | undefined;
  /** When the trouble began that is over. */
  since?: number | undefined;
  flaps?: true | undefined;
  /** Its thread is not that of the present card. */
  root?: Away['root'];
  /** Of a message that is a card at the same time. */
  isCard?: true | undefined;
}

/** The card of a rollout: it opens, or changes. */
export interface CardChange {
  opens: boolean;
  /** The rollout as it was when it ended; absent for the present one. */
  closed?: Workload | undefined;
}

const KEPT_VERSIONS = 20;

/** One step of a workload: rules change its memory and append an event for each message. */
export interface Turn {
  workload: Workload;
  readonly impact: Impact;
  readonly time: PollTime;
  readonly events: Event[];
}

export function remember(turn: Turn, change: Partial<Workload>): void {
  turn.workload = { ...turn.workload, ...change };
}

export function changeLocations(
  turn: Turn,
  names: readonly string[],
  change: (location: Location) => Location,
): void {
  if (names.length === 0) return;
  const locations = copyOf(turn.workload.locations);
  for (const name of names) {
    const one = own(locations, name);
    if (one !== undefined) locations[name] = change(one);
  }
  remember(turn, { locations });
}

/** Names of the locations that are so. */
export function namesOf(locations: Locations, is: (location: Location) => boolean): string[] {
  return Object.entries(locations)
    .filter(([, one]) => is(one))
    .map(([name]) => name);
}

/** Names are foreign: `__proto__` is a key like any other. */
export function copyOf<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.assign(Object.create(null) as Record<string, T>, record);
}

/** `constructor` is a valid name for a workload. */
export function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** People are called by it: it may go to a group. */
export function isCall({ what, edit }: Event): boolean {
  return (what === 'call' || what === 'lost') && edit === undefined;
}

/** A message under the next number of its word, else an edit of the one with this number. */
export function post(
  turn: Turn,
  what: Event['what'],
  word: Word,
  about: Partial<Event> & Pick<Event, 'locations'>,
): Event {
  const n = about.n ?? takeNumber(turn, word);
  const { workload, time, impact } = turn;
  const { version } = workload;
  const event: Event = { what, word, n, version, at: time.now, loud: false, impact, ...about };
  turn.events.push(event);
  return event;
}

/** Takes the next number of a word at the present version. */
export function takeNumber(turn: Turn, word: Word | 'card'): number {
  const { version, numbers } = turn.workload;
  const n = nextNumber(turn.workload, word);
  remember(turn, { numbers: { ...numbers, [`${version}/${word}`]: n } });
  return n;
}

export function nextNumber({ version, numbers, older }: Workload, word: Word | 'card'): number {
  const before = version <= (older?.upTo ?? 0) ? (older?.numbers[word] ?? 0) : 0;
  return (numbers[`${version}/${word}`] ?? before) + 1;
}

/** A key is never used twice, and yet a workload with thousands of versions stays small. */
export function numbersFor(version: number, before: Workload): Pick<Workload, 'numbers' | 'older'> {
  const kept: Record<string, number> = {};
  const older = { upTo: before.older?.upTo ?? 0, numbers: { ...before.older?.numbers } };
  for (const [name, n] of Object.entries(before.numbers)) {
    const [of, word = ''] = name.split('/');
    if (Math.abs(Number(of) - version) < KEPT_VERSIONS) kept[name] = n;
    else {
      older.upTo = Math.max(older.upTo, Number(of));
      older.numbers[word] = Math.max(older.numbers[word] ?? 0, n);
    }
  }
  return { numbers: kept, older: older.upTo === 0 ? undefined : older };
}
