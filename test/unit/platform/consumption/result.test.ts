import { BigNumber } from 'bignumber.js';
import { describe, expect, test } from 'vitest';
import {
  readCatalogue,
  readCharges,
  readDetailedCharges,
  type ChargeRow,
} from '../../../../src/platform/billing/charge-rows.ts';
import { readTagValues } from '../../../../src/platform/consumption/query.ts';
import { readResult, readUsageRow } from '../../../../src/platform/consumption/result.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { pathsOf, replaced, type Path } from '../replaced.ts';
import { CHARGES, DETAILED, GROUP_BY, WRONG } from './answers.ts';

/** Servers leave out empty fields, or send null. Neither is a mistake, and neither may hide money. */

const PERIOD = ['results', 'periods', 0];
const GROUP = [...PERIOD, 'groups', 0];
const ROW = [...GROUP, 'consumptions', 0];
const OTHER = [...GROUP, 'consumptions', 1];
const DETAILS = ['detailedResults', 0, 'results', 0, ...ROW.slice(1), 'details'];
const NOTHING: [unknown][] = [[null], [undefined]];
const number = (value: number | string) => new BigNumber(value);

type Change = readonly [path: Path, by: unknown];

function changed(answer: unknown, changes: readonly Change[]): unknown {
  return changes.reduce((all, [path, by]) => replaced(all, path, by), answer);
}

/** The charges with these changes: the totals of each group, as `shop: 12.5 + 6.25`, and what is skipped. */
function charged(...changes: readonly Change[]) {
  const { periods, skipped } = readCharges(changed(CHARGES, changes), GROUP_BY);
  const groups = periods.flatMap((period) =>
    period.groups.map(({ key, rows }) => {
      return `${key['gvc']}: ${rows.map(({ total }) => total.toFixed()).join(' + ')}`;
    }),
  );
  return { groups, skipped };
}

/** The first row with one member replaced. */
function rowWith(name: string, by: unknown) {
  const { periods } = readCharges(replaced(CHARGES, [...ROW, name], by), GROUP_BY);
  return periods[0]?.groups[0]?.rows[0];
}

function tierWith(members: object) {
  const said = { amount: 1, units: 2, rate: 0.5, from: 0, to: 2, ...members };
  const answer = replaced(DETAILED, DETAILS, [said]);
  const { billingPeriods, skipped } = readDetailedCharges(answer, GROUP_BY);
  const [row] = billingPeriods[0]?.results[0]?.periods[0]?.groups[0]?.rows ?? [];
  return { tier: row?.details[0], skipped };
}

const ALL = ['shop: 12.5 + 6.25'];
const UNCOUNTED: Change = [[...PERIOD, 'consumptionCount'], undefined];

describe('a row is left out and counted, its neighbour stays', () => {
  const unclear = (name: string) =>
    WRONG.filter((by) => name !== 'projectedTotal' || by !== null).map((by) => [name, by] as const);

  test.each<readonly [string, unknown]>([
    ...['value', 'total', 'projectedTotal'].flatMap(unclear),
    ['value', undefined],
    ['value', -5],
    ['value', '-5'],
    ['total', undefined],
    ['tags', 'gvc=shop'],
    ['tags', { gvc: ['shop'] }],
    ['tags', { gvc: 'other' }],
    ['currency', ''],
    ['currency', ' '],
    ['currency', 840],
  ])('when its %s is %j', (name, by) => {
    expect(charged([[...ROW, name], by])).toEqual({ groups: ['shop: 6.25'], skipped: 1 });
  });

  test('when it is a credit in no currency', () => {
    const credit = { value: 0, tags: { gvc: 'shop' }, total: -5 };

    expect(charged([ROW, credit])).toEqual({ groups: ['shop: 6.25'], skipped: 1 });
  });

  test.each(['amount', 'units', 'rate', 'from', 'to'])(
    'when %s of one of its tiers cannot be read',
    (name) => {
      const isBound = name === 'from' || name === 'to';
      const isMoney = name === 'amount' || name === 'rate';
      const wrong = isBound ? WRONG.filter((one) => one !== null) : [...WRONG, undefined];
      for (const by of isMoney ? wrong : [...wrong, -5]) {
        expect(tierWith({ [name]: by })).toEqual({ tier: undefined, skipped: 1 });
      }
    },
  );
});

describe('a part is left out and counted with its rows, or read as an empty one', () => {
  test.each<[what: string, path: Path, by: unknown, groups: readonly string[], skipped: number]>([
    ['a group without the tag that was asked for', [...GROUP, 'key'], { org: 'acme' }, [], 2],
    ['a group without a key', [...GROUP, 'key'], undefined, [], 2],
    ['a group with an empty key, whose rows have a tag', [...GROUP, 'key'], { gvc: null }, [], 2],
    ['a group with a key that is no object', [...GROUP, 'key'], 'shop', [], 2],
    ['a period that ends before it begins', [...PERIOD, 'endTime'], '2026-08-01T00:00:00Z', [], 2],
    ['a period without a zone', [...PERIOD, 'startTime'], '2026-09-01T00:00:00', [], 2],
    ['a period without a start', [...PERIOD, 'startTime'], undefined, [], 2],
    ['a group whose rows are no list', [...GROUP, 'consumptions'], { rows: 2 }, [], 1],
    ['a period whose groups are no list', [...PERIOD, 'groups'], '', [], 1],
    ['an invalid period', PERIOD, 'September', [], 1],
    ['an invalid group', GROUP, null, [], 1],
    ['periods that are null', ['results', 'periods'], null, [], 0],
    ['no periods', ['results', 'periods'], [], [], 0],
    ['groups that are null, of two rows', [...PERIOD, 'groups'], null, [], 2],
    ['absent groups, of two rows', [...PERIOD, 'groups'], undefined, [], 2],
    ['rows that are null, of two', [...GROUP, 'consumptions'], null, ['shop: '], 2],
    ['absent rows, of two', [...GROUP, 'consumptions'], undefined, ['shop: '], 2],
    ['a count beyond its whole lists', [...PERIOD, 'consumptionCount'], 1440, ALL, 0],
    ['tags that are null', [...ROW, 'tags'], null, ALL, 0],
    ['absent tags', [...ROW, 'tags'], undefined, ALL, 0],
  ])('%s', (_what, path, by, groups, skipped) => {
    expect(charged([path, by])).toEqual({ groups, skipped });
  });

  test.each(NOTHING)(
    'groups or rows that are %j are empty lists, when no count contradicts',
    (list) => {
      const [groups, rows] = [
        [...PERIOD, 'groups'],
        [...GROUP, 'consumptions'],
      ];

      expect(charged(UNCOUNTED, [groups, list])).toEqual({ groups: [], skipped: 0 });
      expect(charged(UNCOUNTED, [rows, list])).toEqual({ groups: ['shop: '], skipped: 0 });
    },
  );

  test.each([[{}], [{ gvc: null }], [null], [undefined]])(
    'a group with the key %j has the empty string as its tag when no row names another',
    (key) => {
      const lacking: Change[] = [
        [[...ROW, 'tags'], { metric: 'cpu' }],
        [[...OTHER, 'tags'], { gvc: '' }],
      ];

      const read = charged([[...GROUP, 'key'], key], ...lacking);

      expect(read).toEqual({ groups: [': 12.5 + 6.25'], skipped: 0 });
    },
  );

  test.each(NOTHING)('a billing period with results %j had no usage', (results) => {
    const answer = replaced(DETAILED, ['detailedResults', 0, 'results'], results);

    expect(readDetailedCharges(answer, GROUP_BY)).toEqual({
      billingPeriods: [{ ratePlan: 'plan-1', results: [] }],
      skipped: 0,
    });
  });

  test('an entry that is no billing period in any way is counted, not taken for an empty one', () => {
    const entries = [{}, { results: null }, { accountState: { ratePlan: 'p' }, results: {} }];

    expect(readDetailedCharges({ detailedResults: entries }, GROUP_BY)).toEqual({
      billingPeriods: [],
      skipped: 3,
    });
  });
});

describe('a row', () => {
  test('that nothing prices needs no currency, no plans and no projection', () => {
    const row = { value: 5, tags: { gvc: 'shop' }, total: 0, currency: null, projectedTotal: null };
    const { periods } = readCharges(replaced(CHARGES, ROW, row), GROUP_BY);

    expect(periods[0]?.groups[0]?.rows[0]).toEqual({
      value: number(5),
      tags: { gvc: 'shop' },
      total: number(0),
      projectedTotal: undefined,
      currency: undefined,
      ratePlans: [],
    });
  });

  test.each<[name: keyof ChargeRow, said: unknown, read: unknown]>([
    ['value', '11132555231232001.5', number('11132555231232001.5')],
    ['total', '11132555231232001.5', number('11132555231232001.5')],
    ['projectedTotal', '11132555231232001.5', number('11132555231232001.5')],
    ['total', -12.5, number(-12.5)],
    ['projectedTotal', '-25', number(-25)],
    ['currency', 'usd', 'USD'],
    ['currency', ' USD ', 'USD'],
    ['tags', { gvc: 'shop', metric: 'cpu', zone: null }, { gvc: 'shop', metric: 'cpu' }],
    ['tags', { volumeIndex: 0 }, { volumeIndex: '0' }],
  ])('has a %s that reads %j', (name, said, read) => {
    expect(rowWith(name, said)?.[name]).toEqual(read);
  });

  test.each<[said: object, read: object]>([
    [
      { amount: '3.50', units: '12', rate: '0.29', from: '0', to: '-1' },
      {
        amount: number(3.5),
        units: number(12),
        rate: number(0.29),
        from: number(0),
        to: undefined,
      },
    ],
    [
      { amount: -1, rate: -0.5 },
      { amount: number(-1), rate: number(-0.5) },
    ],
    ...[null, undefined, -1].map((bound): [object, object] => [
      { from: bound, to: bound },
      { from: undefined, to: undefined },
    ]),
  ])('has a tier that reads %j', (said, read) => {
    expect(tierWith(said)).toMatchObject({ tier: read, skipped: 0 });
  });
});

test('counts and seconds may be texts, and a period that has not begun has no elapsed seconds', () => {
  const answer = changed(CHARGES, [
    [['results', 'consumptionCount'], '2'],
    [[...PERIOD, 'totalSeconds'], '2592000'],
    [[...PERIOD, 'elapsedSeconds'], undefined],
  ]);

  expect(readCharges(answer, GROUP_BY)).toMatchObject({
    consumptionCount: 2,
    periods: [{ totalSeconds: 2_592_000, elapsedSeconds: undefined }],
  });
});

/** The reading, or undefined for a PlatformError; anything else is thrown on. */
function readOrRefused<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof PlatformError && error.reason === 'malformed') return undefined;
    throw error;
  }
}

const usage = (answer: unknown) => readResult(answer, [], readUsageRow);

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
  ['usage', usage, [{}, { consumptionCount: 3 }, { consumptionCount: null }]],
  ['tag values', readTagValues, [null, [], {}, { tagValues: 'a' }]],
  ['chargeable items', readCatalogue, [null, {}, 'none']],
])('an answer that is not one of %s is refused', (_what, read, answers) => {
  expect(answers.filter((answer) => readOrRefused(() => read(answer)) !== undefined)).toEqual([]);
});

test('an answer without periods has none if it counts none', () => {
  expect(usage({ consumptionCount: 0 })).toEqual({ periods: [], consumptionCount: 0, skipped: 0 });
});

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

test('tag values are texts in their order, and others are skipped', () => {
  expect(readTagValues({ tagValues: ['b', 7, null, '', ['a'], 'a'] })).toEqual({
    values: ['', '7', 'a', 'b'],
    skipped: 2,
  });
});

describe('the catalogue', () => {
  const cpu = { id: 'item-1', name: 'cpu', consumptionTags: { metric: 'cpu' } };

  test.each<[string, unknown, skipped: number]>([
    ['bare', [cpu], 0],
    ['in items', { kind: 'list', items: [cpu], links: [] }, 0],
    ['in a list of another name', { chargeableItems: [cpu] }, 0],
    ['beside others that cannot be read', [cpu, { id: 'j' }, 7], 2],
  ])('is read in any of its places: %s', (_where, answer, skipped) => {
    expect(readCatalogue(answer)).toMatchObject({ items: [{ ...cpu, type: undefined }], skipped });
  });

  test.each(NOTHING)('an item with consumptionTags %j prices on no tags', (consumptionTags) => {
    expect(readCatalogue([{ ...cpu, consumptionTags }])).toMatchObject({
      items: [{ consumptionTags: {} }],
      skipped: 0,
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
