import { BigNumber } from 'bignumber.js';
import { describe, expect, test } from 'vitest';
import {
  readCatalogue,
  readCharges,
  readDetailedCharges,
} from '../../../../src/platform/billing/charge-rows.ts';
import { readResult, readUsageRow } from '../../../../src/platform/consumption/result.ts';
import { replaced } from '../replaced.ts';
import { CHARGES, DETAILED, GROUP_BY } from './answers.ts';

/** Servers leave out empty fields, or send null. Neither is a mistake, and neither may hide money. */

const PERIOD = ['results', 'periods', 0];
const GROUP = [...PERIOD, 'groups', 0];
const NOTHING: [unknown][] = [[null], [undefined]];

const uncounted = replaced(CHARGES, [...PERIOD, 'consumptionCount'], undefined);

/** The groups of the charges as `gvc: total + total`, when some of their parts are other ones. */
function charged(...changes: readonly (readonly [(string | number)[], unknown])[]) {
  const answer = changes.reduce<unknown>((all, [path, by]) => replaced(all, path, by), uncounted);
  const { periods, skipped } = readCharges(answer, GROUP_BY);
  const groups = periods.flatMap((period) =>
    period.groups.map(({ key, rows }) => {
      return `${key['gvc']}: ${rows.map(({ total }) => total.toFixed()).join(' + ')}`;
    }),
  );
  return { groups, skipped };
}

const usage = (result: object) => readResult(result, [], readUsageRow);

describe('a list that is not there is an empty one', () => {
  test.each(NOTHING)('a period with groups %j had no usage', (groups) => {
    expect(charged([[...PERIOD, 'groups'], groups])).toEqual({ groups: [], skipped: 0 });
  });

  test.each(NOTHING)('a group with consumptions %j has no rows', (consumptions) => {
    expect(charged([[...GROUP, 'consumptions'], consumptions])).toEqual({
      groups: ['shop: '],
      skipped: 0,
    });
  });

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

  test('an answer without periods has none if it counts none, and is no answer otherwise', () => {
    expect(usage({ consumptionCount: 0 })).toEqual({
      periods: [],
      consumptionCount: 0,
      skipped: 0,
    });
    for (const result of [{}, { consumptionCount: 3 }, { consumptionCount: null }]) {
      expect(() => usage(result)).toThrow('not the result of a query');
    }
  });

  test.each<[string, (string | number)[]]>([
    ['groups', [...PERIOD, 'groups']],
    ['consumptions', [...GROUP, 'consumptions']],
  ])('where a period counts two rows, none in its %s are two that were lost', (_list, path) => {
    for (const by of [null, undefined]) {
      const { skipped } = readCharges(replaced(CHARGES, path, by), GROUP_BY);

      expect(skipped).toBe(2);
    }
  });

  test('a count is not held against a period that has all its lists', () => {
    const answer = replaced(CHARGES, [...PERIOD, 'consumptionCount'], 1440);

    expect(readCharges(answer, GROUP_BY).skipped).toBe(0);
  });
});

describe('a tag that is not there is absent', () => {
  const tagsOf = (row: number) => [...GROUP, 'consumptions', row, 'tags'];

  test.each(NOTHING)('a row with tags %j belongs to its group', (tags) => {
    expect(charged([tagsOf(0), tags])).toEqual({ groups: ['shop: 12.5 + 6.25'], skipped: 0 });
  });

  test('a row with one tag null lacks that one alone', () => {
    const answer = replaced(CHARGES, [...tagsOf(0), 'locationType'], null);

    const { periods, skipped } = readCharges(answer, GROUP_BY);

    expect(skipped).toBe(0);
    expect(periods[0]?.groups[0]?.rows[0]?.tags).toEqual({
      gvc: 'shop',
      metric: 'cpu',
      feature: 'workloads',
      volumeIndex: '0',
    });
  });

  test.each([[{}], [{ gvc: null }], [null], [undefined]])(
    'a group with the key %j has the empty string as its tag when no row names another',
    (key) => {
      const lacking = [tagsOf(0), { metric: 'cpu' }] as const;

      const { groups, skipped } = charged([[...GROUP, 'key'], key], lacking, [
        tagsOf(1),
        { gvc: '' },
      ]);

      expect({ groups, skipped }).toEqual({ groups: [': 12.5 + 6.25'], skipped: 0 });
    },
  );

  test.each([[{}], [{ gvc: null }], [undefined]])(
    'whose money it is under the key %j is not guessed from its rows',
    (key) => {
      const first = [tagsOf(0), {}] as const;

      expect(charged([[...GROUP, 'key'], key], first)).toEqual({ groups: [], skipped: 2 });
    },
  );
});

test.each([[null], [undefined], [-1]])('a tier whose bounds are %j has none', (bound) => {
  const tier = [
    'detailedResults',
    0,
    'results',
    0,
    ...GROUP.slice(1),
    'consumptions',
    0,
    'details',
    1,
  ];
  const open = replaced(replaced(DETAILED, [...tier, 'from'], bound), [...tier, 'to'], bound);

  const { billingPeriods, skipped } = readDetailedCharges(open, GROUP_BY);

  const [row] = billingPeriods[0]?.results[0]?.periods[0]?.groups[0]?.rows ?? [];
  expect(skipped).toBe(0);
  expect(row?.details[1]).toMatchObject({
    amount: new BigNumber(12.5),
    from: undefined,
    to: undefined,
  });
});

describe('the catalogue', () => {
  const cpu = { id: 'item-1', name: 'cpu', consumptionTags: { metric: 'cpu' } };

  test.each<[string, unknown]>([
    ['bare', [cpu]],
    ['in items', { kind: 'list', items: [cpu], links: [] }],
    ['in a list of another name', { chargeableItems: [cpu] }],
  ])('is read in any of its places: %s', (_where, answer) => {
    const { items, skipped } = readCatalogue(answer);

    expect({ names: items.map(({ name }) => name), skipped }).toEqual({
      names: ['cpu'],
      skipped: 0,
    });
  });

  test.each(NOTHING)('an item with consumptionTags %j prices on no tags', (consumptionTags) => {
    const { items, skipped } = readCatalogue([{ ...cpu, consumptionTags }]);

    expect(items[0]?.consumptionTags).toEqual({});
    expect(skipped).toBe(0);
  });
});
