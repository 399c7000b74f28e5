import * as fc from 'fast-check';
import type { Listed, Listing } from './gvc-story.ts';
import {
  MINUTE,
  SECOND,
  broken,
  container,
  cron,
  down,
  idle,
  pending,
  ready,
  rolling,
  stale,
  suspended,
  version,
} from './platform-json.ts';
import type { Json } from './platform-json.ts';

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
export const anyStory: fc.Arbitrary<{ first: Listing; polls: AnyPoll[] }> = fc.record({
  first: listing,
  polls: fc.array(anyPoll, { minLength: 1, maxLength: 15 }),
});
