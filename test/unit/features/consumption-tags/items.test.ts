import { describe, expect, it } from 'vitest';

import { itemsAnswer } from '../../../../src/features/consumption/tags.ts';
import type { ChargeableItem } from '../../../../src/platform/billing/items.ts';
import { ANN, buttonTexts, startLists, textOf } from './support.ts';

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

describe('The chargeable items', () => {
  it('come by name, with their unit and what they price on', async () => {
    const { deps, authorized } = startLists({
      items: [item('memory', { unit: '' }), item('cpu', { description: 'Cores of workloads' })],
    });

    const said = textOf(await itemsAnswer(deps, ANN));

    expect(said).toContain('2 chargeable items');
    expect(said).toContain(
      '`cpu` in cores * seconds · `feature=workloads metric=cpu` · Cores of workloads\n`memory` in no unit',
    );
    expect(authorized).toEqual([ANN.userId]);
  });

  it('say that some could not be read, or that there are none', async () => {
    const { deps } = startLists({ skippedItems: 1 });

    const said = textOf(await itemsAnswer(deps, ANN));

    expect(said).toContain('No chargeable items');
    expect(said).toContain(':warning: 1 item could not be read.');
  });

  it('are turned over in place', async () => {
    const { deps, press } = startLists({
      items: Array.from({ length: 40 }, (_, at) => item(`item-${at + 10}`)),
    });

    const first = await itemsAnswer(deps, ANN);
    const second = await press(first, 'Next');

    expect(textOf(first)).toContain('Page 1 of 2');
    expect(textOf(second)).toContain('item-49');
    expect(buttonTexts(second)).toEqual(['Previous']);
  });
});
