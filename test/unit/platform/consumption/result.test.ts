import { BigNumber } from 'bignumber.js';
import { describe, expect, test } from 'vitest';
import {
  readCatalogue,
  readCharges,
  readDetailedCharges,
} from '../../../../src/platform/billing/charge-rows.ts';
import { readTagValues } from '../../../../src/platform/consumption/query.ts';
import type { ConsumptionResult } from '../../../../src/platform/consumption/result.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { pathsOf, replaced } from '../replaced.ts';
import { CHARGES, DETAILED, GROUP_BY, WRONG } from './answers.ts';

const ROW = ['results', 'periods', 0, 'groups', 0, 'consumptions', 0];
const GROUP = ROW.slice(0, 5);
const PERIOD = ROW.slice(0, 3);
const number = (value: number | string) => new BigNumber(value);

function rowsOf<Row>({ periods }: ConsumptionResult<Row>): Row[] {
  return periods.flatMap(({ groups }) => groups.flatMap(({ rows }) => [...rows]));
}

/** The charges that are read when one part is replaced. */
function chargesWith(path: (string | number)[], by: unknown) {
  const charges = readCharges(replaced(CHARGES, path, by), GROUP_BY);
  return { ...charges, rows: rowsOf(charges) };
}

/** The reading, or the PlatformError; anything else is thrown on. */
function readOrRefused<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof PlatformError && error.reason === 'malformed') return undefined;
    throw error;
  }
}

describe('a row is left out and counted, its neighbour stays', () => {
  const amounts = ['value', 'total', 'projectedTotal'].flatMap((name) =>
    WRONG.map((by) => [name, by] as const),
  );

  test.each(amounts.filter(([name, by]) => name !== 'projectedTotal' || by !== null))(
    'when its %s is %j',
    (name, by) => {
      const { rows, skipped } = chargesWith([...ROW, name], by);

      expect({ totals: rows.map(({ total }) => total.toFixed()), skipped }).toEqual({
        totals: ['6.25'],
        skipped: 1,
      });
    },
  );

  test.each<[string, string, unknown]>([
    ['its value is missing', 'value', undefined],
    ['its value is below zero', 'value', -5],
    ['its value is below zero in a text', 'value', '-5'],
    ['its total is missing', 'total', undefined],
    ['its tags are no object', 'tags', 'gvc=shop'],
    ['one of its tags is no text', 'tags', { gvc: ['shop'] }],
    ['it says that it is of another group', 'tags', { gvc: 'other' }],
    ['it costs something in no currency', 'currency', ''],
    ['it costs something in a currency of spaces', 'currency', ' '],
    ['its currency is no text', 'currency', 840],
  ])('when %s', (_why, name, by) => {
    expect(chargesWith([...ROW, name], by)).toMatchObject({ skipped: 1, rows: { length: 1 } });
  });

  test('when one of its tiers cannot be read', () => {
    const tier = ['detailedResults', 0, 'results', 0, ...ROW.slice(1), 'details', 1];
    for (const name of ['amount', 'units', 'rate', 'from', 'to']) {
      const isBound = name === 'from' || name === 'to';
      const isMoney = name === 'amount' || name === 'rate';
      const wrong = isBound ? WRONG.filter((one) => one !== null) : [...WRONG, undefined];
      for (const by of isMoney ? wrong : [...wrong, -5]) {
        const answer = replaced(DETAILED, [...tier, name], by);
        const { billingPeriods, skipped } = readDetailedCharges(answer, GROUP_BY);

        expect({ rows: billingPeriods[0]?.results.flatMap(rowsOf), skipped }).toEqual({
          rows: [],
          skipped: 1,
        });
      }
    }
  });
});

describe('a part that is left out is counted with all rows in it', () => {
  test.each<[string, (string | number)[], unknown]>([
    ['a group without the tag that was asked for', [...GROUP, 'key'], { org: 'acme' }],
    ['a group without a key', [...GROUP, 'key'], undefined],
    ['a group with a key that is no object', [...GROUP, 'key'], 'shop'],
    ['a period that ends before it begins', [...PERIOD, 'endTime'], '2026-08-01T00:00:00Z'],
    ['a period at a time without a zone', [...PERIOD, 'startTime'], '2026-09-01T00:00:00'],
    ['a period without a start', [...PERIOD, 'startTime'], undefined],
  ])('%s: 2', (_what, path, by) => {
    expect(chargesWith(path, by)).toMatchObject({ rows: [], skipped: 2 });
  });

  test.each<[string, (string | number)[], unknown]>([
    ['a group whose rows are no list', [...GROUP, 'consumptions'], { rows: 2 }],
    ['a period whose groups are no list', [...PERIOD, 'groups'], ''],
    ['an invalid period', PERIOD, 'September'],
    ['an invalid group', GROUP, null],
  ])('%s: 1 at least', (_what, path, by) => {
    expect(chargesWith(path, by)).toMatchObject({ rows: [], skipped: 1 });
  });
});

describe('an absent part is empty', () => {
  test.each([[null], [[]]])('periods %j are no usage', (periods) => {
    expect(chargesWith(['results', 'periods'], periods)).toMatchObject({ periods: [], skipped: 0 });
  });

  test('a row that nothing prices needs no currency, no plans and no projection', () => {
    const row = { value: 5, tags: { gvc: 'shop' }, total: 0, currency: null, projectedTotal: null };

    expect(chargesWith(ROW, row).rows[0]).toEqual({
      value: number(5),
      tags: { gvc: 'shop' },
      total: number(0),
      projectedTotal: undefined,
      currency: undefined,
      ratePlans: [],
    });
  });

  test('a period that has not begun has no elapsed seconds', () => {
    const { periods } = chargesWith([...PERIOD, 'elapsedSeconds'], undefined);

    expect(periods[0]?.elapsedSeconds).toBeUndefined();
  });

  test.each<[string, (answer: unknown) => unknown, unknown[]]>([
    [
      'charges',
      (answer) => readCharges(answer, []),
      [null, [], {}, { results: null }, { results: {} }, { results: { periods: {} } }],
    ],
    [
      'detailed charges',
      (answer) => readDetailedCharges(answer, []),
      [null, [], {}, { results: CHARGES.results }],
    ],
    ['tag values', readTagValues, [null, [], {}, { tagValues: 'a' }]],
    ['chargeable items', readCatalogue, [null, {}, 'none']],
  ])('an answer that is not one of %s is refused', (_what, read, answers) => {
    expect(answers.map((answer) => readOrRefused(() => read(answer)))).toEqual(
      answers.map(() => undefined),
    );
  });
});

describe('whatever an answer is', () => {
  test.each<[string, unknown, (answer: unknown) => { skipped: number }]>([
    ['charges', CHARGES, (answer) => readCharges(answer, GROUP_BY)],
    ['detailed charges', DETAILED, (answer) => readDetailedCharges(answer, GROUP_BY)],
  ])(
    'the sum of %s changes only where its value changes or a row is counted as skipped',
    (_what, whole, read) => {
      const places = pathsOf(whole).filter((path) => path.length > 0);
      const total = sumOf(read(whole));
      // The one thing that nothing counts: the contents of a billing period without results.
      const isNowhereCounted = (path: unknown) =>
        JSON.stringify(path) === '["detailedResults",0,"results"]';

      for (const path of places) {
        const absent = isNowhereCounted(path) ? [] : [undefined];
        for (const by of [...absent, 'seven', true, {}]) {
          const reading = readOrRefused(() => read(replaced(whole, path, by)));

          const isReported = reading === undefined || reading.skipped > 0;
          expect([isReported, sumOf(reading) === total]).not.toEqual([false, false]);
        }
      }
    },
  );

  test('tag values and chargeable items are read as far as they are any', () => {
    expect(readTagValues({ tagValues: ['b', 7, null, '', ['a'], 'a'] })).toEqual({
      values: ['', '7', 'a', 'b'],
      skipped: 2,
    });
    expect(
      readCatalogue([{ id: 'i', name: 'CPU', consumptionTags: {} }, { id: 'j' }, 7]),
    ).toMatchObject({
      items: [{ id: 'i', name: 'CPU', type: undefined }],
      skipped: 2,
    });
  });
});

/** All totals of a reading added up, whatever its shape. */
function sumOf(reading: unknown): string {
  if (typeof reading !== 'object' || reading === null) return '0';
  if ('total' in reading && reading.total instanceof BigNumber) return reading.total.toFixed();
  const sums = Object.values(reading).map(sumOf);
  return sums.reduce((sum, next) => sum.plus(next), new BigNumber(0)).toFixed();
}
