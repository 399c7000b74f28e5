import { describe, expect, it } from 'vitest';
import { classify, type RecordMemory } from '../../../../src/rollouts/engine/classify.ts';
import { readFacts } from '../../../../src/rollouts/engine/facts.ts';
import { stepRollout } from '../../../../src/rollouts/engine/outcomes.ts';
import {
  nextNumber,
  type Outcome,
  type Records,
  type RolloutState,
} from '../../../../src/rollouts/engine/rollout.ts';
import * as fc from '../../../support/fast-check.ts';
import {
  broken,
  container,
  deployment,
  idle,
  MINUTE,
  NOON,
  pending,
  ready,
  rolling,
  SECOND,
  stale,
  suspended,
  version,
  type Json,
} from '../platform-json.ts';

const restarts = (count: number): Json =>
  ready(12, {
    versions: [version(12, { containers: { main: container({ restarts: { count } }) } })],
  });

/** Statuses between which a workload flaps, lags, diverges, loops, sleeps and comes back. */
const STATUSES: readonly Json[] = [
  ready(12),
  broken(12, 'no such image'),
  stale(12),
  rolling(12),
  pending(12),
  ready(11),
  ready(13),
  suspended(12),
  idle(12),
  ready(12, { lastProcessedVersion: 13 }),
  ...[1, 2, 3, 4].map(restarts),
];
const facts = STATUSES.map((status) => readFacts(deployment(status)));

interface Poll {
  after: number;
  /** Index of a status by location; -1 = gone, -2 = not there at first. */
  seen: number[];
}

const LOCATIONS = ['lima', 'oslo', 'rome'];
const seen = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(0, 1) },
    { weight: 6, arbitrary: fc.nat({ max: facts.length - 1 }) },
    { weight: 1, arbitrary: fc.constant(-1) },
  ),
  { minLength: LOCATIONS.length, maxLength: LOCATIONS.length },
);
const after = fc.constantFrom(10 * SECOND, MINUTE, 4 * MINUTE, 10 * MINUTE, 61 * MINUTE);
const anyPolls = fc.array(fc.record({ after, seen }), { minLength: 2, maxLength: 25 });

interface Step {
  before: RolloutState | undefined;
  after: RolloutState;
  records: Records;
  outcomes: Outcome[];
  now: number;
}

/** @param between what happens to what is remembered between two polls */
function run(polls: readonly Poll[], between: <T>(remembered: T) => T = (same) => same): Step[] {
  const steps: Step[] = [];
  let records: Record<string, RecordMemory> = {};
  let rollout: RolloutState | undefined;
  let now = NOON;
  for (const poll of polls) {
    now += poll.after;
    const adopting = steps.length === 0;
    const previous = between(records);
    records = nextRecords(previous, poll.seen, { now, adopting });
    const before = rollout === undefined ? undefined : between(rollout);
    const step = stepRollout(before, records, { previous, now, adopting });
    if (step === undefined) continue;
    rollout = step.rollout;
    steps.push({ before, after: rollout, records, outcomes: step.outcomes, now });
    if (step.opened) {
      rollout = { ...rollout, told: { ...rollout.told } };
      nextNumber(rollout, 'card');
    }
  }
  return steps;
}

function nextRecords(
  previous: Records,
  statuses: readonly number[],
  options: { now: number; adopting: boolean },
): Record<string, RecordMemory> {
  const records: Record<string, RecordMemory> = {};
  for (const [index, location] of LOCATIONS.entries()) {
    const before = previous[location];
    const seen = facts[statuses[index] ?? -1];
    if (seen !== undefined) records[location] = classify(seen, before, options);
    else if (before?.state === 'gone') records[location] = before;
    else if (before !== undefined) {
      records[location] = { ...before, state: 'gone', since: options.now, cause: '', grace: null };
    }
  }
  return records;
}

function copy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

const RUNS = { numRuns: 300 };

describe('whatever the polls of a workload say', () => {
  it('a step with the same records before it wakes changes nothing and tells nothing', () => {
    fc.assert(
      fc.property(anyPolls, fc.double({ min: 0, max: 1, noNaN: true }), (polls, part) => {
        for (const { after, records, now } of run(polls)) {
          const until = Math.min(after.wakeAt ?? Infinity, now + 200 * MINUTE);
          const at = Math.min(until - 1, now + Math.floor(part * (until - now)));
          // Copies of the records, so that the step is really taken.
          const options = { previous: copy(records), now: at, adopting: false };
          const again = stepRollout(after, records, options);

          expect(again?.outcomes).toEqual([]);
          expect(again?.rollout).toEqual(after);
          const left = stepRollout(after, records, { ...options, previous: records });
          expect(left?.rollout).toBe(after);
          expect(left?.rows).toEqual(again?.rows);
        }
      }),
      RUNS,
    );
  });

  it('the next moment at which it wakes is to come', () => {
    fc.assert(
      fc.property(anyPolls, (polls) => {
        const late = run(polls).filter(({ after, now }) => (after.wakeAt ?? Infinity) <= now);

        expect(late).toEqual([]);
      }),
      RUNS,
    );
  });

  it('a restart between any two polls changes nothing, and what was remembered stays as it was', () => {
    fc.assert(
      fc.property(anyPolls, (polls) => {
        const frozen = run(polls, (value) => deepFreeze(copy(value)));

        expect(frozen.map(({ outcomes }) => outcomes)).toEqual(
          run(polls).map(({ outcomes }) => outcomes),
        );
      }),
      RUNS,
    );
  });

  it('every number is used once, by an outcome that is told or by one that flapping stands for', () => {
    fc.assert(
      fc.property(anyPolls, (polls) => {
        const used = new Map<string, string>();
        const use = (key: string, as: string): void => {
          expect(used.get(key) ?? as).toBe(as);
          used.set(key, as);
        };
        for (const { after, outcomes } of run(polls)) {
          for (const { kind, n, covers = [] } of outcomes) {
            use(`${after.version}/${kind}/${n}`, 'told');
            for (const ref of covers) {
              use(`${after.version}/${ref.kind}/${ref.n}`, `covered by ${n}`);
            }
          }
          for (const [word, count] of Object.entries(after.told)) {
            if (!word.startsWith(`${after.version}/`) || word.endsWith('/card')) continue;
            for (let n = 1; n <= count; n += 1) expect(used.has(`${word}/${n}`)).toBe(true);
          }
        }
      }),
      RUNS,
    );
  });

  it('an outcome comes again only with more to say', () => {
    fc.assert(
      fc.property(anyPolls, (polls) => {
        const said = new Map<string, number>();
        for (const { after, outcomes } of run(polls)) {
          for (const { kind, n, locations, covers = [], settled } of outcomes) {
            const key = `${after.version}/${kind}/${n}`;
            const size = locations.length + covers.length + (settled === undefined ? 0 : 1);

            expect(size).toBeGreaterThan(said.get(key) ?? 0);
            said.set(key, size);
          }
        }
      }),
      RUNS,
    );
  });
});

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}
