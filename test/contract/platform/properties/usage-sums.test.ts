import type { BigNumber } from 'bignumber.js';
import * as fc from '../../../support/fast-check.ts';
import { expect, onTestFinished, test } from 'vitest';

import {
  TIME_STEPS,
  type ConsumptionQuery,
  type TimeStep,
} from '../../../../src/platform/consumption/query.ts';
import type { Usage } from '../../../../src/platform/usage.ts';
import { timeOf } from '../consumption/support.ts';
import { conditionsOn, filterOf, holds, type Condition } from './conditions.ts';
import { alignOutward, stepsOf, type Span } from './steps.ts';
import {
  DAY_MS,
  fetchPieces,
  HOUR_MS,
  spell,
  startAt,
  ZERO,
  type Piece,
  type Tags,
} from './support.ts';

const RUNS = 200;
const TIMEOUT_MS = 120_000;
const MINUTE_MS = 60_000;
const ORG = 'globex';
const NOW = Date.parse('2027-03-02T12:00:00Z');
/** From a Monday that begins a month, so that whatever is aligned outward is in it. */
const WINDOW = { start: Date.parse('2027-02-01T00:00:00Z'), end: NOW };
const LATEST = Date.parse('2027-04-01T00:00:00Z');
const TAGS = [
  'customIngress driver feature gvc loadBalancerId loadBalancerKind location locationType metric',
  'name org performanceClass provider snapshotName volumeIndex volumeSet workload workloadType',
].flatMap((names) => names.split(' '));
/** So that an answer stays small. */
const LONGEST: Readonly<Record<TimeStep, number>> = {
  hour: 30 * HOUR_MS,
  day: 16 * DAY_MS,
  week: 50 * DAY_MS,
  month: 50 * DAY_MS,
};

interface Selection {
  readonly conditions: readonly Condition[];
  readonly aggregateBy: readonly string[];
}
interface Question extends Span {
  readonly step: TimeStep;
  readonly perStep: boolean;
  readonly groupBy: readonly string[];
  readonly selections: readonly Selection[];
}

/** With a word that is not a tag: rows lack it. */
const tagLists = fc.uniqueArray(fc.constantFrom(...TAGS, 'team'), { maxLength: 4 });

const ranges = fc
  .record({ step: fc.constantFrom(...TIME_STEPS), perStep: fc.boolean() })
  .chain(({ step, perStep }) =>
    fc
      .record({
        start: minutes(WINDOW.start, NOW + 2 * DAY_MS),
        length: minutes(MINUTE_MS, perStep ? LONGEST[step] : 50 * DAY_MS),
      })
      .map(({ start, length }) => {
        return { step, perStep, start, end: Math.min(start + length, LATEST) };
      }),
  );

function minutes(min: number, max: number): fc.Arbitrary<number> {
  return fc
    .integer({ min: min / MINUTE_MS, max: max / MINUTE_MS })
    .map((minute) => minute * MINUTE_MS);
}

/** One selection, or two that have no row in common. */
function selectionsOf(pieces: readonly Piece[], groupBy: readonly string[]) {
  const selection = fc
    .record({ conditions: conditionsOn(pieces, { maxLength: 3 }), more: tagLists })
    .map(({ conditions, more }) => {
      return { conditions, aggregateBy: [...new Set([...groupBy, ...more])] };
    });
  const apart = fc.tuple(selection, selection).map(([one, other]) => [
    { ...one, conditions: within(one.conditions, 'workloads') },
    { ...other, conditions: within(other.conditions, 'volume-sets') },
  ]);
  return fc.oneof(
    selection.map((one) => [one]),
    apart,
  );
}

function within(conditions: readonly Condition[], feature: string): Condition[] {
  const others = conditions.filter(({ tag }) => tag !== 'feature');
  return [...others, { tag: 'feature', kind: 'is', text: feature }];
}

function questionsOf(pieces: readonly Piece[]): fc.Arbitrary<Question> {
  return fc
    .tuple(ranges, tagLists)
    .chain(([range, groupBy]) =>
      selectionsOf(pieces, groupBy).map((selections) => ({ ...range, groupBy, selections })),
    );
}

test(
  'a usage query is the sum of its hours, whatever its range, steps, filters and groups',
  async () => {
    const { platform, usage, close } = await startAt(timeOf(NOW));
    onTestFinished(close);
    const pieces = await fetchPieces(platform, ORG, {
      startTime: timeOf(WINDOW.start),
      endTime: timeOf(WINDOW.end),
      timeStep: 'hour',
      tags: TAGS,
    });

    await fc.assert(
      fc.asyncProperty(questionsOf(pieces), async (question) => {
        const { value } = await usage.query(ORG, queryOf(question));

        expect(reported(value)).toEqual(addUp(question, pieces));
      }),
      { numRuns: RUNS, thin: 2 },
    );
  },
  TIMEOUT_MS,
);

function queryOf({ start, end, step, perStep, groupBy, selections }: Question): ConsumptionQuery {
  return {
    startTime: timeOf(start),
    endTime: timeOf(end),
    timeStep: step,
    aggregateByTimeStep: perStep,
    groupBy,
    consumptionQueries: selections.map(({ conditions, aggregateBy }) => {
      return { filterBy: filterOf(conditions), aggregateBy };
    }),
  };
}

/** The answer as it must be: per group the lines `tags: sum` of its rows, all in one spelling. */
function addUp(question: Question, pieces: readonly Piece[]) {
  const whole = alignOutward(question, question.step);
  const spans = question.perStep ? stepsOf(whole, question.step) : [whole];
  const periods = spans
    .map((span) => {
      const rows = question.selections.flatMap((one) => sumHours(pieces, one, span));
      return {
        start: timeOf(span.start),
        end: timeOf(span.end),
        totalSeconds: (span.end - span.start) / 1000,
        elapsedSeconds: (Math.min(NOW, span.end) - span.start) / 1000,
        count: rows.length,
        groups: grouped(rows, question.groupBy),
      };
    })
    .filter(({ count }) => count > 0);
  const count = periods.reduce((sum, period) => sum + period.count, 0);
  return { skipped: 0, count, periods };
}

interface Row {
  readonly tags: Tags;
  readonly value: BigNumber;
}

function sumHours(
  pieces: readonly Piece[],
  { conditions, aggregateBy }: Selection,
  { start, end }: Span,
): Row[] {
  const rows = new Map<string, Row>();
  for (const { tags: all, used } of pieces.filter(({ tags }) => holds(conditions, tags))) {
    const tags = Object.fromEntries(aggregateBy.map((tag) => [tag, all[tag] ?? '']));
    let { value = ZERO } = rows.get(spell(tags)) ?? {};
    for (let hour = start; hour < end; hour += HOUR_MS) value = value.plus(used.get(hour) ?? ZERO);
    if (value.gt(0)) rows.set(spell(tags), { tags, value });
  }
  return [...rows.values()];
}

function grouped(rows: readonly Row[], groupBy: readonly string[]): Record<string, string[]> {
  const groups: Record<string, string[]> = {};
  for (const { tags, value } of rows) {
    const lines = (groups[spell(tags, groupBy)] ??= []);
    lines.push(`${spell(tags)}: ${value.toFixed()}`);
    lines.sort();
  }
  return groups;
}

/** An answer as `addUp` says it. */
function reported(usage: Usage) {
  const periods = usage.periods.map((period) => {
    const groups = period.groups.map(({ key, rows }): [string, string[]] => {
      const lines = rows.map(({ tags, value }) => `${spell(tags)}: ${value.toFixed()}`);
      return [spell(key), lines.toSorted()];
    });
    expect(new Map(groups).size).toBe(groups.length);
    return {
      start: timeOf(period.startMs),
      end: timeOf(period.endMs),
      totalSeconds: period.totalSeconds,
      elapsedSeconds: period.elapsedSeconds,
      count: period.consumptionCount,
      groups: Object.fromEntries(groups),
    };
  });
  return { skipped: usage.skipped, count: usage.consumptionCount, periods };
}
