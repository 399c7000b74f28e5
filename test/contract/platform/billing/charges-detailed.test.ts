import { expect, test } from 'vitest';
import {
  readDetailedCharges,
  type DetailedResult,
} from '../../../../src/platform/billing/charge-rows.ts';
import type { ChargesClient } from '../../../../src/platform/billing/charges.ts';
import { readAnswerIn } from '../../../../src/platform/consumption/result.ts';
import { anyAmount } from '../../../support/reports.ts';
import {
  CPU,
  MEMORY,
  rowsOf,
  select,
  startMetering,
  startsOf,
  sumOf,
} from '../consumption/support.ts';

/** Two months, three orgs. */
const QUERY = {
  startTime: '2026-08-01T00:00:00Z',
  endTime: '2026-10-01T00:00:00Z',
  timeStep: 'month' as const,
  groupBy: ['org'],
  consumptionQueries: [...select(CPU, 'org'), ...select(MEMORY, 'org')],
};

/** Around the change of the account's rate plan in the stand-in. */
const CHANGE = { ...QUERY, startTime: '2026-05-01T00:00:00Z', endTime: '2026-07-01T00:00:00Z' };

const ASKED = { detailed: true, allowance: anyAmount() };
const detailed = ({ value }: Awaited<ReturnType<ChargesClient['orgBody']>>) =>
  readAnswerIn(value.body, (answer) => readDetailedCharges(answer, QUERY.groupBy));
const allRows = ({ billingPeriods }: DetailedResult) =>
  billingPeriods.flatMap(({ results }) => results.flatMap(rowsOf));

test('detailed charges come by billing period, each with its rate plan and a list of results', async () => {
  const { charges } = await startMetering();

  const value = detailed(await charges.accountBody(CHANGE, ASKED));
  const { value: plain } = await charges.account(CHANGE);

  const starts = value.billingPeriods.map(({ results }) =>
    startsOf(results.flatMap(({ periods }) => periods)),
  );
  expect(starts).toEqual([['2026-05-01T00:00:00Z'], ['2026-06-01T00:00:00Z']]);
  const [may, june] = value.billingPeriods;
  expect(may?.ratePlan).not.toBe(june?.ratePlan);
  for (const { ratePlan, results } of value.billingPeriods) {
    const plans = results.flatMap(rowsOf).map(({ ratePlans }) => ratePlans);
    expect(plans.length).toBeGreaterThan(0);
    expect(plans).toEqual(plans.map(() => [ratePlan]));
  }
  expect(value.skipped).toBe(0);
  expect(sumOf(allRows(value), 'total')).toBe(sumOf(rowsOf(plain), 'total'));
});

test('every row shows its tiers: units, rate, bounds (-1 means without a bound), item and rate plan item', async () => {
  const { charges } = await startMetering();
  const items = (await charges.chargeableItems()).value.items.map(({ id }) => id);

  const rows = allRows(detailed(await charges.accountBody(QUERY, ASKED)));

  const tiers = rows.flatMap(({ details }) => details);
  expect(rows.every(({ details }) => details.length > 0)).toBe(true);
  expect(tiers.some(({ to }) => to === undefined)).toBe(true);
  expect(tiers.some(({ to }) => to !== undefined)).toBe(true);
  for (const { units, rate, from, to, chargeableItemId, ratePlanItem } of tiers) {
    expect(items).toContain(chargeableItemId);
    expect(ratePlanItem).toMatch(/./);
    expect(rate.gt(0)).toBe(true);
    expect(to === undefined || units.lte(to.minus(from ?? 0))).toBe(true);
  }
});

test('units times rate is the amount of a tier; units add up to the usage, amounts to the total', async () => {
  const { charges } = await startMetering();

  const rows = allRows(detailed(await charges.orgBody('acme', QUERY, ASKED)));

  expect(rows.some(({ details }) => details.length > 1)).toBe(true);
  for (const { value, total, details } of rows) {
    const amounts = details.map(({ amount }) => amount.toFixed());
    expect(amounts).toEqual(details.map(({ units, rate }) => units.times(rate).toFixed()));
    expect(sumOf(details, 'amount')).toBe(total.toFixed());
    expect(sumOf(details, 'units')).toBe(value.toFixed());
  }
});
