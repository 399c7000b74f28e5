import * as fc from 'fast-check';
import {
  broken,
  container,
  cron,
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
  type Json,
} from '../platform-json.ts';
import type { Listed, Listing } from './gvc-scenario.ts';

/** One poll of a random story: what changed, how long after the one before, how many odd items. */
export interface AnyPoll {
  changes: Listing;
  after: number;
  unidentified: number;
}

const stage = fc.constantFrom(
  ready,
  pending,
  rolling,
  (expected: number) => broken(expected),
  (expected: number) => broken(expected, 'no such image'),
  (expected: number) => broken(expected, 'Replica(s) Initializing...'),
  suspended,
  stale,
  idle,
  (expected: number) => ready(expected, { lastProcessedVersion: expected + 1 }),
  (expected: number) => ready(expected, { versions: [version(expected, { gvc: 5 })] }),
);

const likely = fc
  .tuple(stage, fc.integer({ min: 1, max: 4 }))
  .map(([of, expected]) => of(expected));

const few = fc.integer({ min: 0, max: 4 });
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });

const anyContainer: fc.Arbitrary<Json> = fc.oneof(
  fc.constant(container()),
  fc.constant(down()),
  few.map((count) => down({ restarts: { count, exitCode: 0, reason: 'Completed' } })),
  fc.constant({ ready: false }),
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

/** Whatever the members of a status may be together, likely or not. */
const anything: fc.Arbitrary<Json> = fc.record({
  ready: maybe(fc.boolean()),
  deploying: maybe(fc.boolean()),
  message: maybe(fc.constantFrom('', 'oh no', 'Status details are stale', 'deactivated: suspend')),
  expectedDeploymentVersion: maybe(few),
  lastProcessedVersion: maybe(few),
  desiredScale: maybe(few),
  versions: maybe(fc.array(anyVersion, { maxLength: 3 })),
});

const listed: fc.Arbitrary<Listed> = fc.oneof(
  { weight: 12, arbitrary: likely },
  { weight: 4, arbitrary: anything },
  { weight: 2, arbitrary: fc.constant('absent' as const) },
  { weight: 1, arbitrary: fc.constant('unreadable' as const) },
  { weight: 1, arbitrary: fc.constant(undefined) },
);

/** Once in a while a cron workload, for that is for good. */
const listedOrCron = fc.oneof(
  { weight: 40, arbitrary: listed },
  { weight: 1, arbitrary: few.map((n) => cron(n)) },
);

const NAMES = ['cart/lima', 'cart/oslo', 'web/lima', 'web/oslo'];

const listing: fc.Arbitrary<Listing> = fc.dictionary(fc.constantFrom(...NAMES), listedOrCron, {
  maxKeys: 4,
});

const anyPoll: fc.Arbitrary<AnyPoll> = fc.record({
  changes: listing,
  after: fc.constantFrom(0, SECOND, 10 * SECOND, 5 * MINUTE, 11 * MINUTE),
  unidentified: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: few }),
});

/** The life of a GVC: what the first poll sees, and what comes after. */
export const anyScenario: fc.Arbitrary<{ first: Listing; polls: AnyPoll[] }> = fc.record({
  first: listing,
  polls: fc.array(anyPoll, { minLength: 1, maxLength: 15 }),
});

const CROWD = ['a', 'b', 'c', 'd', 'e', 'f'];

/** What befalls many workloads at once: some of six, at one location, or at both, or everything. */
const befalls: fc.Arbitrary<Listing> = fc
  .record({
    workloads: fc.oneof(
      { weight: 3, arbitrary: fc.subarray(CROWD, { minLength: 5 }) },
      { weight: 2, arbitrary: fc.subarray(CROWD, { minLength: 1, maxLength: 3 }) },
    ),
    locations: fc.subarray(['lima', 'oslo'], { minLength: 1 }),
    status: fc.oneof(
      { weight: 3, arbitrary: fc.constant<Listed>(ready(1)) },
      { weight: 4, arbitrary: fc.constantFrom<Listed[]>(broken(1, 'probe failed'), stale(1)) },
      { weight: 1, arbitrary: fc.constantFrom<Listed[]>(rolling(2), ready(2), broken(2, 'no')) },
      { weight: 1, arbitrary: fc.constantFrom<Listed[]>(suspended(1), idle(1), 'absent') },
      { weight: 1, arbitrary: fc.constantFrom<Listed[]>(under(5), under(6), failsUnder(5)) },
      { weight: 1, arbitrary: listedOrCron },
    ),
  })
  .map(({ workloads, locations, status }) =>
    Object.fromEntries(
      workloads.flatMap((workload) =>
        locations.map((location) => [`${workload}/${location}`, status]),
      ),
    ),
  );

function under(gvc: number): Json {
  return ready(1, { versions: [version(1, { gvc })] });
}

function failsUnder(gvc: number): Json {
  return broken(1, '', { versions: [version(1, { gvc, ready: false, message: 'no such image' })] });
}

/** The life of a GVC of six workloads at two locations that share their fate more often than not. */
export const anyCrowd: fc.Arbitrary<{ first: Listing; polls: AnyPoll[] }> = fc.record({
  first: fc.option(listing, { nil: {} }).map((others) => ({ ...everywhere(ready(1)), ...others })),
  polls: fc.array(
    fc.record({
      changes: fc.oneof(
        { weight: 4, arbitrary: befalls },
        { weight: 1, arbitrary: listing },
        { weight: 1, arbitrary: fc.constant(everywhere('absent')) },
        { weight: 1, arbitrary: fc.constant(everywhere(ready(1))) },
      ),
      after: fc.constantFrom(SECOND, 10 * SECOND, 40 * SECOND, 5 * MINUTE, 11 * MINUTE),
      unidentified: fc.constant(0),
    }),
    { minLength: 1, maxLength: 12 },
  ),
});

function everywhere(status: Listed): Listing {
  return Object.fromEntries(
    CROWD.flatMap((workload) => [
      [`${workload}/lima`, status],
      [`${workload}/oslo`, status],
    ]),
  );
}
