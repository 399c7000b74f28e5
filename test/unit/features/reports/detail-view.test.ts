import { BigNumber } from 'bignumber.js';
import { expect, it } from 'vitest';
import { detailView } from '../../../../src/features/reports/detail-view.ts';
import type { Tier } from '../../../../src/features/reports/source.ts';
import { tableOf } from '../../../support/answer.ts';
import { found, later, line, october, question } from './support.ts';

/** The pricing tiers are in the catalogue, with metrics whose units are known. */
it.each([
  [undefined, ['1,000 to 5,000', 'above 5,000']],
  ['samples', ['1,000 to 5,000 samples', 'above 5,000 samples']],
])('tiers have their bounds in full, also of a unit that is %s', (unit, bounds) => {
  const [from, to] = [new BigNumber(1000), new BigNumber(5000)];
  const tier: Tier = {
    period: october,
    ratePlan: 'standard-2026',
    ratePlanItem: 'tiers',
    item: 'one',
    unit,
    units: new BigNumber(1),
    rate: new BigNumber(1),
    amount: new BigNumber(1),
    currency: 'USD',
    from,
    to,
  };
  const tiers = [tier, { ...tier, from: to, to: undefined }];
  const acme = line('acme', '2');
  const detail = { ...found([acme]), tiersOf: () => tiers, caveatsOf: () => [] };
  const asked = { name: 'charges', question: question(), detail, caveats: [] } as const;

  const rows = tableOf(detailView({ ...asked, line: acme, page: 1, now: later }));

  expect(rows.slice(1).map((row) => row[2])).toEqual(bounds);
});
