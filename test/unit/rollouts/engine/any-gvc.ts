import * as fc from 'fast-check';
import {
  broken,
  container,
  down,
  idle,
  MINUTE,
  pending,
  ready,
  rolling,
  SECOND,
  stale,
  suspended,
  version,
} from '../platform-json.ts';
import type { Json } from '../platform-json.ts';
import type { Listed, Listing } from './gvc-scenario.ts';

/** One poll of a random life: the whole list, how long after the one before, and what is odd about it. */
export interface AnyPoll {
  listing: Listing;
  after: number;
  unidentified: number;
  /** Asked for a workload that was known, the platform answers that there is none. */
  gone: boolean;
}

/** One location of a workload: the platform's side of the story. */
interface Place {
  E: number;
  gvc: number;
  wanted: number;
  restarts: number;
  /** How its executions ended. */
  runs: string[];
  /** What it says at its version, or whatever. */
  says: keyof typeof PHASES | Json;
}

const PHASES = {
  ready,
  pending,
  rolling,
  suspended,
  stale,
  idle,
  broken: (E) => broken(E),
  'no image': (E) => broken(E, 'no such image'),
  'format error': (E) => broken(E, '', { message: 'exec format error' }),
  initializing: (E) => broken(E, 'Replica(s) Initializing...'),
  diverged: (E) => ready(E, { lastProcessedVersion: E + 1 }),
  stuck: (E) => rolling(E, { message: 'Failed to pull image "shop:12": manifest unknown' }),
  held: (E) => pending(E, { message: 'The secret db-password no longer exists' }),
  /** Ready by its flag, and no replica is. */
  empty: (E) =>
    ready(E, {
      message: 'exceeded quota: cpu',
      versions: [version(E, { containers: { main: down({ ready: true }) } })],
    }),
  /** There is nothing to judge by. */
  silent: (E) => idle(E, { desiredScale: undefined }),
  bare: () => undefined,
  unreadable: () => 'unreadable',
  absent: () => 'absent',
} satisfies Record<string, (E: number) => Listed>;

/** What leaves what it says as it is, or leads to it by more than its name. */
const EVENTS = {
  change: ({ E }) => ({ E: E + 1, restarts: 0, says: 'rolling' }),
  back: ({ E }) => ({ E: Math.max(1, E - 1), restarts: 0, says: 'rolling' }),
  gvc: ({ gvc }) => ({ gvc: gvc + 1 }),
  more: ({ wanted }) => ({ wanted: wanted + 2 }),
  fewer: ({ wanted }) => ({ wanted: Math.max(1, wanted - 1) }),
  restart: ({ restarts }) => ({ restarts: restarts + 1 }),
  'run ends': ({ runs }) => ({ runs: [...runs, 'successful'] }),
  'run fails': ({ runs }) => ({ runs: [...runs, 'failed'] }),
} satisfies Record<string, (place: Place) => Partial<Place>>;

type Named = keyof typeof PHASES | keyof typeof EVENTS;
type What = Named | Json;

/** What befalls the places of a life: how often one of each line. */
type Mood = readonly (readonly [weight: number, ...Named[]])[];

const EVERYTHING: Mood = [
  [8, 'ready'],
  [7, 'restart'],
  [6, 'change'],
  [5, 'broken', 'no image', 'format error', 'initializing'],
  [4, 'rolling', 'diverged'],
  [5, 'stale', 'suspended', 'idle', 'absent'],
  [6, 'pending', 'more', 'fewer', 'gvc'],
  [3, 'stuck', 'held', 'empty', 'silent'],
  [1, 'back', 'bare', 'unreadable', 'run fails', 'run ends'],
];
/** What goes wrong comes right, and wrong again. */
const UP_AND_DOWN: Mood = [
  [10, 'ready', 'no image'],
  [4, 'broken', 'stale', 'restart'],
  [2, 'suspended', 'idle'],
  [1, 'rolling', 'change', 'absent', 'diverged'],
];
/** Nothing is rolled out; what is there restarts, and is not what it seems. */
const UNEASY: Mood = [
  [10, 'restart'],
  [4, 'ready', 'empty', 'stuck'],
  [2, 'held', 'silent', 'idle', 'unreadable'],
  [1, 'change', 'more'],
];
/** Now one, now the other location fails as a whole. */
const OUTAGES: Mood = [
  [8, 'ready', 'no image'],
  [1, 'stale'],
];

const few = fc.integer({ min: 0, max: 4 });
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });

const anyContainer = fc.constantFrom<Json[]>(
  container(),
  down(),
  down({ restarts: { count: 3, exitCode: 0, reason: 'Completed' } }),
  { ready: false },
);

const anyVersion: fc.Arbitrary<Json> = fc
  .record({
    workload: few,
    gvc: maybe(few),
    ready: maybe(fc.boolean()),
    message: maybe(fc.constantFrom('', 'no such image')),
    zone: maybe(fc.constantFrom('a', 'b')),
    desiredScale: maybe(few),
    main: maybe(anyContainer),
  })
  .map(({ main, ...rest }) => ({ ...rest, containers: main === undefined ? undefined : { main } }));

const anything: fc.Arbitrary<Json> = fc.record({
  ready: maybe(fc.boolean()),
  deploying: maybe(fc.boolean()),
  message: maybe(fc.constantFrom('', 'oh no', 'Status details are stale', 'deactivated: suspend')),
  expectedDeploymentVersion: maybe(few),
  lastProcessedVersion: maybe(few),
  desiredScale: maybe(few),
  versions: maybe(fc.array(anyVersion, { maxLength: 3 })),
});

/** One of some names mostly, else all or any of them. */
function some(names: readonly string[]): fc.Arbitrary<readonly string[]> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...names).map((name) => [name]) },
    { weight: 2, arbitrary: fc.constant(names) },
    { weight: 1, arbitrary: fc.subarray([...names], { minLength: 1 }) },
  );
}

type Odd = 'nothing' | 'items of nobody' | 'empty' | 'gone';
const anyOdd: fc.Arbitrary<Odd> = fc.oneof(
  { weight: 30, arbitrary: fc.constant('nothing') },
  { weight: 3, arbitrary: fc.constantFrom('items of nobody', 'empty', 'gone') },
);
const QUICKLY = [10 * SECOND, 30 * SECOND, 2 * MINUTE];
const EVENLY = [SECOND, ...QUICKLY, 5 * MINUTE, 11 * MINUTE, 61 * MINUTE];
const mostlyEmpty: fc.Arbitrary<Odd> = fc.constantFrom('nothing', 'empty', 'gone', 'gone');

/** The life of a GVC from its first poll on, as that of its places. */
export interface Life {
  workloads: readonly string[];
  locations: readonly string[];
  turns: {
    happens: { workloads: readonly string[]; locations: readonly string[]; what: What }[];
    after: number;
    odd: Odd;
  }[];
}

/**
 * The life of a GVC of up to seven workloads at up to three locations.
 * @param wild now and then the members of a status are together in any way, likely or not
 */
export function anyLife(workloads: number, polls: number, wild = true): fc.Arbitrary<Life> {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].slice(0, workloads);
  const length = { minLength: 5, maxLength: polls, size: 'max' } as const;
  const lives = (weight: number, mood: Mood, times = EVENLY, odd = anyOdd) =>
    [['lima'], ['lima', 'oslo'], ['lima', 'oslo', 'rome']].map((locations) => {
      const happens = fc.record({
        workloads: some(names),
        locations: some(locations),
        what: whatOf(mood, wild && mood === EVERYTHING),
      });
      const after = fc.constantFrom(...times);
      const turn = fc.record({ happens: fc.array(happens, { maxLength: 3 }), after, odd });
      const turns = fc.array(turn, length);
      const [all, there] = [fc.constant(names), fc.constant(locations)];
      return { weight, arbitrary: fc.record({ workloads: all, locations: there, turns }) };
    });
  return fc.oneof(
    ...lives(6, EVERYTHING),
    ...lives(1, EVERYTHING, EVENLY, mostlyEmpty),
    ...lives(3, UP_AND_DOWN, [...QUICKLY, ...QUICKLY, 11 * MINUTE]),
    ...lives(2, UNEASY),
    ...(workloads < 5 ? [] : lives(6, OUTAGES, QUICKLY)),
  );
}

function whatOf(mood: Mood, wild: boolean): fc.Arbitrary<What> {
  return fc.oneof<fc.WeightedArbitrary<What>[]>(
    { weight: wild ? 4 : 0, arbitrary: anything },
    ...mood.map(([weight, ...names]) => ({ weight, arbitrary: fc.constantFrom(...names) })),
  );
}

/** What the platform answers to each poll of such a life; before the first all is well. */
export function pollsOf({ workloads, locations, turns }: Life): AnyPoll[] {
  const keysOf = (some: readonly string[], there: readonly string[]): string[] =>
    some.flatMap((workload) => there.map((location) => `${workload}/${location}`));
  const start: Place = { E: 3, gvc: 4, wanted: 2, restarts: 0, runs: [], says: 'ready' };
  const places = new Map(keysOf(workloads, locations).map((key) => [key, start]));
  let listing: Listing = Object.fromEntries(
    [...places].map(([key, place]) => [key, listedAt(place)]),
  );
  return turns.map(({ happens, after, odd }) => {
    for (const { workloads: struck, locations: there, what } of happens) {
      for (const key of keysOf(struck, there)) {
        const place = changed(places.get(key) ?? start, what);
        places.set(key, place);
        listing = { ...listing, [key]: listedAt(place) };
      }
    }
    const isEmpty = odd === 'empty' || odd === 'gone';
    const unidentified = odd === 'items of nobody' ? 1 : 0;
    return { listing: isEmpty ? {} : listing, after, unidentified, gone: odd === 'gone' };
  });
}

function changed(place: Place, what: What): Place {
  if (typeof what === 'string' && what in EVENTS) {
    return { ...place, ...EVENTS[what as keyof typeof EVENTS](place) };
  }
  return { ...place, says: what as Place['says'] };
}

/** What is said of the version that is expected is true of the place. */
function listedAt({ E, gvc, wanted, restarts, runs, says }: Place): Listed {
  const status = typeof says === 'string' ? PHASES[says](E) : says;
  if (typeof status !== 'object' || typeof says !== 'string') return status;
  const own = (one: Json): Json => {
    const { main } = one['containers'] as { main: Json & { resources: { replicasReady: number } } };
    const replicasReady = main.resources.replicasReady > 0 ? wanted : 0;
    const resources = { replicas: wanted, replicasReady };
    return {
      ...one,
      gvc,
      containers: { main: { ...main, restarts: { count: restarts }, resources } },
    };
  };
  const jobExecutions = runs.map((end, index) => ({ name: `run-${index}`, status: end }));
  return {
    ...status,
    ...(status['desiredScale'] === 2 ? { desiredScale: wanted } : {}),
    ...(runs.length > 0 ? { jobExecutions } : {}),
    versions: (status['versions'] as Json[]).map((one) => (one['workload'] === E ? own(one) : one)),
  };
}
