import { describe, expect, it } from 'vitest';
import { createReportGrammar } from '../../../../src/features/reports/grammar.ts';
import type { ChargeableItem } from '../../../../src/platform/billing/charge-rows.ts';
import { tableOf, textOf, wordsIn } from '../../../support/answer.ts';
import { ANN, startLists } from './lists-support.ts';

function item(name: string, changes: Partial<ChargeableItem> = {}): ChargeableItem {
  return {
    id: `id-${name}`,
    name,
    description: '',
    consumptionTags: { metric: 'cpu', feature: 'workloads' },
    unit: 'cores * seconds',
    type: undefined,
    ...changes,
  };
}

function mistakeOf(line: string, name: 'charges' | 'usage' = 'charges'): unknown {
  try {
    return createReportGrammar(name, 'USD').parse(wordsIn(line));
  } catch (error) {
    return error;
  }
}

describe('The chargeable items', () => {
  it('are a table by name, with their unit and the tags that they price, the metric first', async () => {
    const { lists, authorized } = startLists({
      items: [
        item('memory', { unit: '', consumptionTags: { gvc: '', feature: 'x', metric: 'memory' } }),
        item('cpu'),
      ],
    });

    const answer = await lists.showItems(ANN);

    expect(textOf(answer)).toContain('2 chargeable items');
    expect(tableOf(answer)).toEqual([
      ['Item', 'Unit', 'Priced by', 'Id'],
      ['cpu', 'core-seconds', 'metric=cpu feature=workloads', 'id-cpu'],
      ['memory', '–', 'metric=memory feature=x gvc=(none)', 'id-memory'],
    ]);
    expect(authorized).toEqual([ANN.userId]);
  });

  it('leave out a tag value that nearly every item prices', async () => {
    const at = (metric: string, locationType: string) =>
      item(metric, { consumptionTags: { metric, feature: 'workloads', locationType } });
    const { lists } = startLists({
      items: [at('cpu', 'hosted'), at('gpu', 'hosted'), at('memory', 'byok')],
    });

    const answer = await lists.showItems(ANN);

    expect(tableOf(answer).map((row) => row[2])).toEqual([
      'Priced by',
      'metric=cpu feature=workloads',
      'metric=gpu feature=workloads',
      'metric=memory feature=workloads locationType=byok',
    ]);
    expect(answer.notes).toContain('ℹ Unless a row says otherwise: `locationType=hosted`');
  });

  it('leave in every row a tag that one of them lacks', async () => {
    const { lists } = startLists({
      items: [
        item('a-disk', { consumptionTags: { performanceClass: 'ssd' } }),
        item('b-disk', { consumptionTags: { performanceClass: 'ssd' } }),
        item('cpu'),
      ],
    });

    const answer = await lists.showItems(ANN);

    expect(tableOf(answer).filter((row) => row[2] === 'performanceClass=ssd')).toHaveLength(2);
    expect(answer.notes).toEqual([]);
  });

  it('are described where that says anything else', async () => {
    const { lists } = startLists({
      items: [
        item('cpu', { description: 'CPU of workloads (cores * seconds)' }),
        item('gpu', { description: 'Only in two locations' }),
      ],
    });
    expect(tableOf(await lists.showItems(ANN)).map((row) => row[2])).toEqual([
      'Priced by',
      'metric=cpu feature=workloads',
      'metric=cpu feature=workloads (Only in two locations)',
    ]);
  });

  it('take no more words', () => {
    expect(mistakeOf('items now')).toMatchObject({
      message: '`now` is too much here.',
      suggestion: '/charges item now',
      other: '/charges items',
    });
  });

  it('say once the type that all of them have, and name those that have another one or none', async () => {
    const typed = (...types: (string | undefined)[]) =>
      startLists({ items: types.map((type, at) => item(`item-${at}`, { type })) }).lists;
    const all = Array.from({ length: 5 }, () => 'consumption');

    const same = await typed(...all).showItems(ANN);
    const odd = await typed(undefined, ...all, 'fee').showItems(ANN);

    expect(same.notes).toContain('ℹ Type: `consumption`');
    expect(odd.notes).toContain(
      'ℹ Type: `consumption`, except for `item-0` (no type), `item-6` (fee)',
    );
    for (const answer of [same, odd]) expect(tableOf(answer)[0]).not.toContain('Type');
  });

  it('have a column for types that differ, and none where no item has any', async () => {
    const typed = (...types: (string | undefined)[]) =>
      startLists({ items: types.map((type, at) => item(`item-${at}`, { type })) }).lists;

    const differ = await typed('consumption', 'fee', undefined, 'fee').showItems(ANN);
    const none = await typed(undefined, undefined).showItems(ANN);

    expect(tableOf(differ).map((row) => row.slice(0, 2))).toEqual([
      ['Item', 'Type'],
      ['item-0', 'consumption'],
      ['item-1', 'fee'],
      ['item-2', '(none)'],
      ['item-3', 'fee'],
    ]);
    expect(tableOf(none)[0]).not.toContain('Type');
    expect([...(differ.notes ?? []), ...(none.notes ?? [])].join(' ')).not.toContain('Type:');
    // The line below has no room for more than a few.
    const three = ['fee', 'fee', undefined, ...Array.from({ length: 9 }, () => 'consumption')];
    expect(tableOf(await typed(...three).showItems(ANN))[0]).toContain('Type');
    expect(tableOf(differ)[1]?.[2]).toBe('core-seconds');
  });

  it('say that some could not be read, or that the catalogue is empty', async () => {
    const { lists } = startLists({ skippedItems: 1 });

    const said = textOf(await lists.showItems(ANN));

    expect(said).toContain('The chargeable items cannot be read');
    expect(said).toContain('⚠ 1 item could not be read.');
  });

  it('are no filter, and a name after it gets the word for that', () => {
    expect(mistakeOf('items cpu, "my disk" last month')).toMatchObject({
      suggestion: '/charges item cpu, "my disk" last month',
    });
  });

  it('are with the charges', () => {
    expect(mistakeOf('items', 'usage')).toMatchObject({
      message: 'Chargeable items are with the charges: "/charges items" lists them.',
    });
  });
});
