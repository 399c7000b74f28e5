import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';
import type { AccountChargeQuery } from '../../../src/platform/billing/charges.ts';
import {
  EVERYTHING,
  formatAlertUse,
  paceOf,
  readSpend,
  spendOf,
} from '../../../src/reporting/spend.ts';
import { toConsumptionQuery } from '../../../src/reporting/range.ts';
import { charges, NOVEMBER, NOW } from '../features/alert/scenario.ts';

const HOUR = 3_600_000;

describe('this month', () => {
  it('is the sum over all orgs, and the largest of them drives it', () => {
    const spend = spendOf(
      charges(
        { org: 'acme', total: 100, projected: 300 },
        { org: 'globex', total: 80 },
        { org: 'globex', total: 70, projected: 210 },
      ),
      'usd',
      NOVEMBER,
    );

    expect(spend.total.toNumber()).toBe(250);
    expect(spend.projected.toNumber()).toBe(590);
    expect(spend.driver).toEqual({ org: 'globex', total: new BigNumber(150) });
  });

  it('counts one currency, and names the others', () => {
    const spend = spendOf(
      charges(
        { org: 'acme', total: 100 },
        { org: 'acme', total: 0, currency: undefined },
        { org: 'acme', total: 70, currency: 'EUR' },
      ),
      'USD',
      NOVEMBER,
    );

    expect(spend.total.toNumber()).toBe(100);
    expect(spend.others).toEqual(['EUR']);
  });

  it('that costs nothing is driven by no one', () => {
    expect(spendOf(charges({ org: 'acme', total: 0 }), 'USD', NOVEMBER).driver).toBeUndefined();
    expect(spendOf(charges(), 'USD', NOVEMBER).driver).toBeUndefined();
  });

  it('is asked for in whole, by org, as a report asks for everything', async () => {
    const asked: AccountChargeQuery[] = [];
    const client = {
      account(query: AccountChargeQuery) {
        asked.push(query);
        return Promise.resolve({ value: charges({ org: 'acme', total: 5 }), readAt: NOW });
      },
    };
    const spend = await readSpend(client, 'USD', NOW);

    expect(spend.total.toNumber()).toBe(5);
    expect(asked).toEqual([toConsumptionQuery(EVERYTHING, ['org'], NOVEMBER)]);
  });
});

describe('the pace', () => {
  const pace = (total: number, projected: number, amount: number, now = NOW) =>
    paceOf(
      { total: new BigNumber(total), projected: new BigNumber(projected), month: NOVEMBER },
      new BigNumber(amount),
      now,
    );

  it('is that of the projection', () => {
    // A thirtieth each day: 100 in ten days, 230 in twenty-three.
    expect(pace(100, 300, 230)).toEqual({ kind: 'reached at', ms: Date.UTC(2026, 10, 24) });
  });

  it('is never over before now', () => {
    expect(pace(100, 300, 101, NOW + 3 * HOUR)).toEqual({
      kind: 'reached at',
      ms: NOW + 3 * HOUR,
    });
  });

  it('may not reach the amount this month', () => {
    // An amount that is reached at the very end is not reached in this month.
    expect(pace(100, 300, 300)).toEqual({ kind: 'not this month' });
    expect(pace(100, 300, 299.9).kind).toBe('reached at');
  });

  it('has reached an amount that is already spent', () => {
    expect(pace(100, 300, 100)).toEqual({ kind: 'reached' });
    expect(pace(0, 0, 0)).toEqual({ kind: 'reached' });
  });

  it('is not known of nothing, and not on the first day of a month', () => {
    expect(pace(0, 0, 100)).toEqual({ kind: 'unknown' });
    expect(pace(1, 720, 100, NOVEMBER.startMs + 24 * HOUR - 1)).toEqual({ kind: 'unknown' });
    expect(pace(24, 720, 100, NOVEMBER.startMs + 24 * HOUR).kind).toBe('reached at');
  });
});

it.each([
  [82.9, '83%'],
  [99.7, '99%'],
  [100, '100%'],
  [103.4, '103%'],
])('a projection of %d of 100 is rounded, and 100%% means reached: %s', (projected, percent) => {
  const spend = spendOf(charges({ org: 'acme', total: 61, projected }), 'USD', NOVEMBER);
  expect(formatAlertUse(spend, new BigNumber(100), 'USD', NOW)).toBe(
    `61% of the $100 alert used; on course for ${percent}`,
  );
});
