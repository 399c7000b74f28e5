import { describe, expect, it } from 'vitest';

import { itemsAnswer } from '../../../../src/features/consumption/tags.ts';
import type { ChargeableItem } from '../../../../src/platform/billing/items.ts';
import type { Answer } from '../../../../src/slack/routes.ts';
import { ANN, buttonTexts, startLists, textOf, wordsOf } from './support.ts';

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

function rowsOf({ blocks }: Answer): string[][] {
  const table = (blocks as { type: string; rows?: { text: string }[][] }[]).find(
    ({ type }) => type === 'table',
  );
  return (table?.rows ?? []).map((row) => row.map(({ text }) => text));
}

describe('The chargeable items', () => {
  it('are a table by name, with their unit and what they price, the metric first', async () => {
    const { deps, authorized } = startLists({
      items: [
        item('memory', { unit: '', consumptionTags: { gvc: '', feature: 'x', metric: 'memory' } }),
        item('cpu'),
      ],
    });

    const answer = await itemsAnswer(deps, ANN);

    expect(textOf(answer)).toContain('2 chargeable items');
    expect(rowsOf(answer)).toEqual([
      ['Item', 'Unit', 'Prices usage with'],
      ['cpu', 'cores\u00A0*\u00A0seconds', 'metric=cpu feature=workloads'],
      ['memory', '–', 'metric=memory feature=x gvc=(none)'],
    ]);
    expect(authorized).toEqual([ANN.userId]);
  });

  it('are in order whatever their case', async () => {
    const names = ['gpu', 'CPU', 'Memory', 'cpu-burst'];
    const { deps } = startLists({ items: names.map((name) => item(name)) });

    const rows = rowsOf(await itemsAnswer(deps, ANN)).slice(1);

    expect(rows.map(([name]) => name)).toEqual(['CPU', 'cpu-burst', 'gpu', 'Memory']);
  });

  it('say once what nearly all of them price', async () => {
    const at = (metric: string, locationType: string) =>
      item(metric, { consumptionTags: { metric, feature: 'workloads', locationType } });
    const { deps } = startLists({
      items: [at('cpu', 'hosted'), at('gpu', 'hosted'), at('memory', 'byok')],
    });

    const answer = await itemsAnswer(deps, ANN);

    expect(rowsOf(answer).map((row) => row[2])).toEqual([
      'Prices usage with',
      'metric=cpu feature=workloads',
      'metric=gpu feature=workloads',
      'metric=memory feature=workloads locationType=byok',
    ]);
    expect(textOf(answer)).toContain('Where a row does not say otherwise: `locationType=hosted`');
  });

  it('leave in every row a tag that one of them lacks', async () => {
    const { deps } = startLists({
      items: [
        item('a-disk', { consumptionTags: { performanceClass: 'ssd' } }),
        item('b-disk', { consumptionTags: { performanceClass: 'ssd' } }),
        item('cpu'),
      ],
    });

    const answer = await itemsAnswer(deps, ANN);

    expect(rowsOf(answer).filter((row) => row[2] === 'performanceClass=ssd')).toHaveLength(2);
    expect(textOf(answer)).not.toContain('otherwise');
  });

  it('are described where that says anything else', async () => {
    const { deps } = startLists({
      items: [
        item('cpu', { description: 'CPU of workloads (cores * seconds)' }),
        item('gpu', { description: 'Only in two locations' }),
      ],
    });

    expect(rowsOf(await itemsAnswer(deps, ANN)).map((row) => row[3])).toEqual([
      'Description',
      '–',
      'Only in two locations',
    ]);
  });

  it('say that some could not be read, or that there are none', async () => {
    const { deps } = startLists({ skippedItems: 1 });

    const said = textOf(await itemsAnswer(deps, ANN));

    expect(said).toContain('No chargeable items');
    expect(said).toContain('⚠ 1 item could not be read.');
  });

  it('take no more words', async () => {
    const { deps, authorized } = startLists({ items: [item('cpu')] });

    await expect(itemsAnswer(deps, ANN, wordsOf('cpu now'))).rejects.toThrow(
      'After "items" comes nothing: leave "cpu" out.',
    );
    expect(authorized).toEqual([]);
  });

  it('are turned over in place', async () => {
    const { deps, press } = startLists({
      items: Array.from({ length: 40 }, (_, at) => item(`item-${at + 10}`)),
    });

    const first = await itemsAnswer(deps, ANN);
    const second = await press(first, 'Next');

    expect(textOf(first)).toContain('Page 1 of 2');
    expect(rowsOf(first)).toHaveLength(21);
    expect(rowsOf(second).at(-1)?.[0]).toBe('item-49');
    expect(buttonTexts(second)).toEqual(['Previous']);
  });
});
