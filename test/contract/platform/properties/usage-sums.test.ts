import type { BigNumber } from 'bignumber.js';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { TIME_STEPS } from '../../../../src/platform/consumption/query.ts';
import type { TimeStep } from '../../../../src/platform/consumption/query.ts';
import type { Period } from '../../../../src/platform/consumption/result.ts';
import type { Usage } from '../../../../src/platform/usage/client.ts';
import { conditionsOn, filterOf, holds } from './conditions.ts';
import type { Condition } from './conditions.ts';
import { alignOutward, byStart, stepsOf } from './steps.ts';
import type { Span } from './steps.ts';
import { addTo, DAY_MS, fetchRows, HOUR_MS, spell, startAt, timeOf } from './support.ts';
import type { RawRow } from './support.ts';

const RUNS = 60;
const MINUTE_MS = 60_000;
const ORG = 'globex';
const NOW = Date.parse('2027-03-02T12:00:00Z');
/** From a Monday that begins a month, so that whatever is aligned outward is in it. */
const WINDOW = { start: Date.parse('2027-02-01T00:00:00Z'), end: NOW };
const LATEST = Date.parse('2027-04-01T00:00:00Z');
/** With one that is no tag at all; rows lack it. */
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
function selectionsOf(rows: readonly RawRow[], groupBy: readonly string[]) {
  const selection = fc
    .record({ conditions: conditionsOn(rows, { maxLength: 3 }), more: tagLists })
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

function questionsOf(rows: readonly RawRow[]): fc.Arbitrary<Question> {
  return fc
    .tuple(ranges, tagLists)
    .chain(([range, groupBy]) =>
      selectionsOf(rows, groupBy).map((selections) => ({ ...range, groupBy, selections })),
    );
}

test('a usage query is the sum of its hours, whatever its range, steps, filters and groups', async () => {
  const { platform, usage, close } = await startAt(timeOf(NOW));
  const rows = await fetchRows(platform, ORG, {
    startTime: timeOf(WINDOW.start),
    endTime: timeOf(WINDOW.end),
    timeStep: 'hour',
    tags: TAGS,
  });
  const hours = byStart(rows);
  expect(hours.size).toBe((WINDOW.end - WINDOW.start) / HOUR_MS);

  await fc.assert(
    fc.asyncProperty(questionsOf(rows), async (question) => {
      const { value } = await usage.query(ORG, {
        startTime: timeOf(question.start),
        endTime: timeOf(question.end),
        timeStep: question.step,
        aggregateByTimeStep: question.perStep,
        groupBy: question.groupBy,
        consumptionQueries: question.selections.map(({ conditions, aggregateBy }) => ({
          filterBy: filterOf(conditions),
          aggregateBy,
        })),
      });

      expect(told(value)).toEqual(addUp(question, hours));
    }),
    { numRuns: RUNS },
  );
  await close();
});

/** The answer as it must be: sums by `key: tags`, all in one spelling. */
interface Answer {
  readonly skipped: 0;
  readonly count: number;
  readonly periods: readonly {
    readonly start: string;
    readonly end: string;
    readonly totalSeconds: number;
    readonly elapsedSeconds: number;
    readonly count: number;
    readonly groups: Readonly<Record<string, readonly string[]>>;
  }[];
}

function addUp(question: Question, hours: ReadonlyMap<number, readonly RawRow[]>): Answer {
  const whole = alignOutward(question, question.step);
  const spans = question.perStep ? stepsOf(whole, question.step) : [whole];
  const periods = spans.flatMap(({ start, end }) => {
    const groups = new Map<string, string[]>();
    for (const selection of question.selections) {
      for (const [tags, { group, value }] of sumsOf(question.groupBy, selection, { start, end })) {
        groups.set(group, [...(groups.get(group) ?? []), `${tags}: ${value.toFixed()}`]);
      }
    }
    if (groups.size === 0) return [];
    return {
      start: timeOf(start),
      end: timeOf(end),
      totalSeconds: (end - start) / 1000,
      elapsedSeconds: (Math.min(NOW, end) - start) / 1000,
      count: [...groups.values()].flat().length,
      groups: sorted(groups),
    };
  });
  return { skipped: 0, count: periods.reduce((sum, { count }) => sum + count, 0), periods };

  function sumsOf(groupBy: readonly string[], selection: Selection, { start, end }: Span) {
    const groupOf = new Map<string, string>();
    const sums = new Map<string, BigNumber>();
    for (let hour = start; hour < end; hour += HOUR_MS) {
      for (const { tags, value } of hours.get(hour) ?? []) {
        if (!holds(selection.conditions, tags)) continue;
        const name = spell(tags, selection.aggregateBy);
        groupOf.set(name, spell(tags, groupBy));
        addTo(sums, name, value);
      }
    }
    return [...sums].map(([name, value]) => [name, { group: groupOf.get(name)!, value }] as const);
  }
}

function told(usage: Usage): Omit<Answer, 'skipped'> & { skipped: number } {
  const periods = usage.periods.map((period: Period<Usage['periods'][0]['groups'][0]['rows'][0]>) => {
    const groups = new Map<string, string[]>();
    for (const { key, rows } of period.groups) {
      const lines = rows.map(({ tags, value }) => `${spell(tags)}: ${value.toFixed()}`);
      expect(groups.has(spell(key))).toBe(false);
      groups.set(spell(key), lines);
    }
    return {
      start: timeOf(period.startMs),
      end: timeOf(period.endMs),
      totalSeconds: period.totalSeconds ?? NaN,
      elapsedSeconds: period.elapsedSeconds ?? NaN,
      count: period.consumptionCount ?? NaN,
      groups: sorted(groups),
    };
  });
  return { skipped: usage.skipped, count: usage.consumptionCount ?? NaN, periods };
}

function sorted(groups: ReadonlyMap<string, readonly string[]>) {
  return Object.fromEntries([...groups].map(([key, lines]) => [key, lines.toSorted()]));
}
