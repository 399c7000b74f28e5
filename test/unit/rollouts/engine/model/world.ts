import * as fc from 'fast-check';
import type { Poll } from './model.ts';
import { itemOf, NOON, type Manner, type Phase, type Place } from './platform.ts';

/** Something that happens between two polls: at one place, to a workload, or to a whole location. */
interface Happening {
  workload: number;
  location: number;
  to: 'place' | 'workload' | 'location';
  what: What;
}

type What = Phase | keyof typeof EVENTS;

interface Turn {
  after: number;
  happens: Happening[];
  /**
   * What is odd about this list: nothing, `{}`, an item of nobody, or no items at all; with `gone` the
   * platform says of the workloads, too, that there are none.
   */
  odd: 'nothing' | 'blank' | 'nobody' | 'empty' | 'gone';
}

export interface World {
  locations: number;
  /** The last workload is a cron workload, from the start or from its first execution on. */
  cron: 'no' | 'from the start' | 'later';
  first: What[];
  turns: Turn[];
  manner: Manner;
  /** The record, by its place in the list, and the poll from which on it lacks a member. */
  lacks: { record: number; poll: number; member: string } | undefined;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const LOCATIONS = ['lima', 'oslo', 'rome'];
const MESSAGES = [
  'exec format error',
  'Replica(s) Initializing...',
  '',
  '1 of 2 replicas are still initializing',
  '',
];
/** What does not pass by itself, mostly. */
const HOLDS = [
  'The secret db-password no longer exists. Workload updates are paused until it does.',
  'Failed to pull image "shop:12": manifest unknown',
  'Replica(s) Initializing...',
  'exceeded quota: cpu',
  'exec format error',
];

const often = <T>(
  weight: number,
  ...values: T[]
): { weight: number; arbitrary: fc.Arbitrary<T> } => ({
  weight,
  arbitrary: fc.constantFrom(...values),
});

const anything: fc.Arbitrary<What> = fc.oneof(
  often<What>(8, 'ready'),
  often<What>(6, 'change'),
  often<What>(4, 'rolling'),
  often<What>(5, 'broken', 'said by a container', 'said by the status'),
  often<What>(3, 'stale', 'suspended', 'idle', 'vanish'),
  often<What>(2, 'pending', 'outgoing', 'diverged', 'more', 'fewer'),
  often<What>(6, 'restart'),
  often<What>(2, 'gvc'),
  often<What>(2, 'stuck', 'held', 'empty', 'only words', 'silent', 'unexpected'),
  often<What>(1, 'back', 'bare', 'unreadable', 'run fails', 'run ends'),
  often<What>(1, 'unversioned', 'unprocessed', 'command ends', 'command fails'),
  often<What>(1, 'uncounted', 'ready at zero', 'down to zero'),
);

/** A bad day: what goes wrong comes right, and wrong again. */
const upAndDown: fc.Arbitrary<What> = fc.oneof(
  often<What>(10, 'ready', 'broken'),
  often<What>(4, 'stale', 'restart'),
  often<What>(2, 'suspended', 'idle'),
  often<What>(1, 'rolling', 'change', 'vanish', 'diverged'),
);

/** Nothing is rolled out; what is there restarts, and is not what it seems. */
const uneasy: fc.Arbitrary<What> = fc.oneof(
  often<What>(10, 'restart'),
  often<What>(4, 'ready', 'empty', 'stuck'),
  often<What>(2, 'only words', 'silent', 'held', 'idle', 'unreadable', 'down to zero'),
  often<What>(1, 'unversioned', 'unexpected', 'command fails', 'change', 'more'),
  often<What>(1, 'uncounted', 'ready at zero'),
);

const manner: fc.Arbitrary<Manner> = fc.record({
  numbers: fc.nat({ max: 2 }),
  lean: fc.boolean(),
  zones: fc.boolean(),
  without: fc.constant(undefined),
});

const turn = (workloads: number, what: fc.Arbitrary<What>): fc.Arbitrary<Turn> =>
  fc.record({
    after: fc.constantFrom(
      5 * SECOND,
      10 * SECOND,
      30 * SECOND,
      2 * MINUTE,
      5 * MINUTE,
      15 * MINUTE,
    ),
    happens: fc.array(
      fc.record({
        workload: fc.nat({ max: workloads - 1 }),
        location: fc.nat({ max: 2 }),
        to: fc.oneof(
          often<Happening['to']>(3, 'place', 'workload'),
          often<Happening['to']>(1, 'location'),
        ),
        what,
      }),
      { maxLength: 3 },
    ),
    odd: fc.oneof(
      often<Turn['odd']>(30, 'nothing'),
      often<Turn['odd']>(1, 'blank', 'nobody', 'empty', 'gone'),
    ),
  });

/** The life of a GVC of whose locations now one, now the other fails as a whole. */
export function anyOutages(workloads: number, polls: number): fc.Arbitrary<World> {
  const happening = fc.record<Happening>({
    workload: fc.nat({ max: workloads - 1 }),
    location: fc.nat({ max: 1 }),
    to: fc.oneof(often<Happening['to']>(2, 'location', 'place')),
    what: fc.oneof(often<What>(4, 'ready', 'broken'), often<What>(1, 'stale')),
  });
  const happens = fc.array(happening, { minLength: 1, maxLength: 2 });
  return fc.record({
    locations: fc.constantFrom(1, 2),
    cron: fc.constant<World['cron']>('no'),
    first: fc.constant(Array.from({ length: workloads * LOCATIONS.length }, (): What => 'ready')),
    turns: fc.array(
      fc.record({
        after: fc.constantFrom(10 * SECOND, 30 * SECOND, 2 * MINUTE),
        happens,
        odd: fc.constant<Turn['odd']>('nothing'),
      }),
      { minLength: 5, maxLength: polls, size: 'max' },
    ),
    manner,
    lacks: fc.constant(undefined),
  });
}

/** The life of a GVC of a few workloads. */
export function anyWorld(workloads: number, polls: number): fc.Arbitrary<World> {
  return fc.oneof(
    { weight: 6, arbitrary: worldOf(anything, workloads, polls) },
    { weight: 3, arbitrary: worldOf(upAndDown, workloads, polls) },
    { weight: 2, arbitrary: worldOf(uneasy, workloads, polls) },
    { weight: 1, arbitrary: endOf(worldOf(anything, workloads, polls)) },
  );
}

/** A few lists before its last ones are empty. */
function endOf(world: fc.Arbitrary<World>): fc.Arbitrary<World> {
  const ends = fc.array(
    fc.oneof(often<Turn['odd']>(3, 'gone'), often<Turn['odd']>(2, 'empty', 'nothing')),
    { minLength: 2, maxLength: 5 },
  );
  return fc.tuple(world, fc.nat({ max: 8 }), ends).map(([life, from, odds]) => ({
    ...life,
    turns: life.turns.map((one, index) => ({ ...one, odd: odds[index - from] ?? one.odd })),
  }));
}

function worldOf(what: fc.Arbitrary<What>, workloads: number, polls: number): fc.Arbitrary<World> {
  const found = fc.oneof(often<What>(2, 'ready'), { weight: 1, arbitrary: what });
  const all = workloads * LOCATIONS.length;
  return fc.record({
    locations: fc.integer({ min: 1, max: LOCATIONS.length }),
    cron: fc.constantFrom<World['cron']>('no', 'from the start', 'later'),
    first: fc.array(found, { minLength: all, maxLength: all }),
    turns: fc.array(turn(workloads, what), { minLength: 5, maxLength: polls, size: 'max' }),
    manner,
    lacks: fc.option(
      fc.record({
        record: fc.nat({ max: 3 }),
        poll: fc.nat({ max: polls }),
        member: fc.constantFrom(
          'desiredScale',
          'versions',
          'expectedDeploymentVersion',
          'lastProcessedVersion',
          'ready',
          'jobExecutions',
        ),
      }),
      { nil: undefined, freq: 5 },
    ),
  });
}

/** What the platform answers to each poll of such a life. */
export function pollsOf(world: World): Poll[] {
  const places = new Map<string, Place>();
  world.first.forEach((how, index) => {
    const location = LOCATIONS[index % 3] as string;
    if (index % 3 >= world.locations) return;
    const place = fresh();
    const isLast = index >= 3 && index + 3 >= world.first.length;
    if (world.cron !== 'no' && isLast) {
      place.isCron = true;
      place.executions = [];
      if (world.cron === 'from the start') ended(place, 'run', 'successful');
    }
    befall(place, how, NOON);
    places.set(`w${Math.floor(index / 3)}/${location}`, place);
  });
  let at = NOON;
  const start: Turn = { after: 0, happens: [], odd: 'nothing' };
  return [start, ...world.turns].map(({ after, happens, odd }, poll) => {
    at += after;
    for (const happening of happens) {
      for (const place of struck(places, happening, world.locations))
        befall(place, happening.what, at);
    }
    const answer = { kind: 'list', items: itemsOf(places, world, poll, odd) };
    return { at, answer, ...(odd === 'gone' ? { isGone: true } : {}) };
  });
}

function fresh(): Place {
  return {
    listed: true,
    E: 3,
    gvc: 4,
    phase: 'ready',
    scale: 2,
    restarts: 0,
    restartedAt: undefined,
    message: '',
    executions: undefined,
    isCron: false,
  };
}

function struck(
  places: ReadonlyMap<string, Place>,
  { workload, location, to }: Happening,
  locations: number,
): Place[] {
  const at = LOCATIONS[location % locations] as string;
  return [...places]
    .filter(([name]) => to === 'location' || name.startsWith(`w${workload}/`))
    .filter(([name]) => to === 'workload' || name.endsWith(`/${at}`))
    .map(([, place]) => place);
}

function befall(place: Place, what: What, at: number): void {
  place.listed = what !== 'vanish';
  if (isEvent(what)) {
    EVENTS[what](place, at);
  } else {
    place.phase = what;
    const words = what === 'stuck' || what === 'held' ? HOLDS : MESSAGES;
    place.message = words[(at / SECOND / 5) % words.length] ?? '';
  }
}

function isEvent(what: What): what is keyof typeof EVENTS {
  return Object.hasOwn(EVENTS, what);
}

/** What leaves the phase as it is, or leads to one by more than its name. */
const EVENTS = {
  vanish: () => undefined,
  change: (place: Place) => roll(place, place.E + 1),
  back: (place: Place) => roll(place, Math.max(1, place.E - 1)),
  gvc: (place: Place) => {
    place.gvc += 1;
  },
  more: (place: Place) => {
    place.scale += 2;
  },
  fewer: (place: Place) => {
    place.scale = Math.max(1, place.scale - 1);
  },
  restart: (place: Place, at: number) => {
    place.restarts += 1;
    if (place.restarts % 2 === 0) place.restartedAt = at;
  },
  'run fails': (place: Place) => ended(place, 'run', 'failed'),
  'run ends': (place: Place) => ended(place, 'run', 'successful'),
  'command fails': (place: Place) => ended(place, 'command', 'failed'),
  'command ends': (place: Place) => ended(place, 'run-for-command', 'successful'),
} satisfies Record<string, (place: Place, at: number) => void>;

function roll(place: Place, E: number): void {
  Object.assign(place, { E, restarts: 0, restartedAt: undefined, phase: 'rolling' });
}

/** Any workload can be given a command; every other status is written large. */
function ended(place: Place, name: 'run' | 'command' | 'run-for-command', status: string): void {
  if (name === 'run' && !place.isCron) return;
  const { length } = (place.executions ??= []);
  const written = length % 2 === 0 ? status : status.toUpperCase();
  place.executions.push({ name: `${name}-${length}`, status: written });
}

function itemsOf(
  places: Map<string, Place>,
  { manner: how, lacks }: World,
  poll: number,
  odd: Turn['odd'],
): Record<string, unknown>[] {
  if (odd === 'empty' || odd === 'gone') return [];
  const items = [...places].flatMap(([name, place], record) => {
    const lacking = lacks?.record === record && poll >= lacks.poll;
    const manner = { ...how, without: lacking ? lacks.member : undefined };
    return place.listed ? [itemOf(name, place, manner)] : [];
  });
  if (odd === 'blank') items.push({});
  if (odd === 'nobody') items.push({ kind: 'deployment', status: { ready: true } });
  return items;
}
