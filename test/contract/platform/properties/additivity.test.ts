import type { BigNumber } from 'bignumber.js';
import * as fc from '../../../support/fast-check.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { ConsumptionQuery } from '../../../../src/platform/consumption/query.ts';
import type { ConsumptionResult } from '../../../../src/platform/consumption/result.ts';
import { ORGS } from '../billing/support.ts';
import { rowsOf, timeOf } from '../consumption/support.ts';
import { conditionsOn, filterOf, type Condition } from './conditions.ts';
import {
  addTo,
  fetchPieces,
  HOUR_MS,
  spell,
  startAt,
  type Piece,
  type Standing,
  type Tags,
} from './support.ts';

const RUNS = 60;
const TIMEOUT_MS = 120_000;
const NOW = Date.parse('2026-10-15T12:00:00Z');
/** As long ago as hours are kept (spec section 8). */
const FIRST = Date.parse('2025-10-01T00:00:00Z');
/** Every item prices on some of these alone. */
const PRICED_ON = ['feature', 'gpuModel', 'locationType', 'metric', 'performanceClass'];
const TAGS = [...PRICED_ON, 'gvc', 'location', 'org', 'workload'];

interface Question {
  /** The range and where it is cut, in order, ms since the epoch. */
  readonly cuts: readonly number[];
  readonly groupBy: readonly string[];
  readonly conditions: readonly Condition[];
}

let standing: Standing;
let pieces: Piece[] = [];

beforeAll(async () => {
  standing = await startAt(timeOf(NOW));
  const month = { startTime: '2026-08-01T00:00:00Z', endTime: '2026-09-01T00:00:00Z' };
  for (const org of ORGS) {
    const query = { ...month, timeStep: 'month', tags: TAGS };
    pieces = [...pieces, ...(await fetchPieces(standing.platform, org, query))];
  }
}, TIMEOUT_MS);

afterAll(() => standing.close());

const ranges = fc
  .uniqueArray(fc.integer({ min: 0, max: (NOW - FIRST) / HOUR_MS }), { minLength: 3, maxLength: 5 })
  .map((hours) => hours.toSorted((one, other) => one - other))
  .map((hours) => hours.map((hour) => FIRST + hour * HOUR_MS));

/** @param org the one that is asked about; absent: all of them */
function questionsOf(org?: string): fc.Arbitrary<Question> {
  const own = pieces.filter(({ tags }) => org === undefined || tags['org'] === org);
  return fc.record({
    cuts: ranges,
    groupBy: fc.subarray(TAGS),
    conditions: conditionsOn(own, { maxLength: 2 }),
  });
}

interface Row {
  readonly tags: Tags;
  readonly value: BigNumber;
  /** Charges only. */
  readonly total?: BigNumber;
}

type Ask = (query: ConsumptionQuery) => Promise<{ readonly value: ConsumptionResult<Row> }>;

test(
  'charges of parts are those of the whole, row by row, and so are those of groups',
  async () => {
    await fc.assert(
      fc.asyncProperty(questionsOf(), async (question) => {
        const { whole, parts, groups, ungrouped } = await split(question, (query) =>
          standing.charges.account(query),
        );

        expect(parts).toEqual(whole);
        expect(groups).toEqual(ungrouped);
      }),
      { numRuns: RUNS },
    );
  },
  TIMEOUT_MS,
);

test.each(ORGS)(
  'usage of parts is that of the whole, row by row, and so is that of groups: %s',
  async (org) => {
    await fc.assert(
      fc.asyncProperty(questionsOf(org), async (question) => {
        const { whole, parts, groups, ungrouped } = await split(question, (query) =>
          standing.usage.query(org, query),
        );

        expect(parts).toEqual(whole);
        expect(groups).toEqual(ungrouped);
      }),
      { numRuns: RUNS },
    );
  },
  TIMEOUT_MS,
);

/** The rows of the range, of its parts together, of its groups together, and without groups. */
async function split({ cuts, groupBy, conditions }: Question, ask: Ask) {
  const within = async (start: number, end: number, tags: readonly string[]) => {
    const aggregateBy = [...new Set([...PRICED_ON, ...tags])];
    const { value } = await ask({
      startTime: timeOf(start),
      endTime: timeOf(end),
      timeStep: 'hour',
      groupBy: tags,
      consumptionQueries: [{ filterBy: filterOf(conditions), aggregateBy }],
    });
    expect(value.skipped).toBe(0);
    return value;
  };
  const [first, ...ends] = cuts as [number, ...number[]];
  const last = ends.at(-1)!;

  const whole = await within(first, last, groupBy);
  const parts = ends.map((end, index) => within(cuts[index]!, end, groupBy));
  const ungrouped = await within(first, last, []);
  return {
    whole: sumsOf([whole]),
    parts: sumsOf(await Promise.all(parts)),
    groups: sumsOf([whole], PRICED_ON),
    ungrouped: sumsOf([ungrouped]),
  };
}

/** Exact sums of what rows are told apart by, or of some of it. */
function sumsOf(
  results: readonly ConsumptionResult<Row>[],
  names?: readonly string[],
): Record<string, string> {
  const sums = new Map<string, BigNumber>();
  for (const { tags, value, total } of results.flatMap(rowsOf)) {
    const row = spell(tags, names);
    addTo(sums, `${row}: value`, value);
    if (total) addTo(sums, `${row}: total`, total);
  }
  return Object.fromEntries([...sums].map(([name, sum]) => [name, sum.toFixed()]));
}
