import { BigNumber } from 'bignumber.js';
import type { Alert } from '../../../../src/platform/billing/alert.ts';
import type { ChargeRow, Charges } from '../../../../src/platform/billing/charge-rows.ts';

/** Ten days of November have passed, and twenty are to come. */
export const NOW = Date.UTC(2026, 10, 11);
export const NOVEMBER = { startMs: Date.UTC(2026, 10, 1), endMs: Date.UTC(2026, 11, 1) };

export function alert(changes: Partial<Alert> = {}): Alert {
  return {
    amount: new BigNumber(500),
    enabled: true,
    created: Date.UTC(2026, 8, 1),
    lastModified: Date.UTC(2026, 8, 1),
    lastTriggered: undefined,
    alertedTimes: undefined,
    ...changes,
  };
}

interface Charged {
  readonly org: string;
  readonly total: number;
  readonly projected?: number;
  readonly currency?: string | undefined;
}

function row({ total, projected, ...said }: Charged): ChargeRow {
  return {
    value: new BigNumber(1),
    tags: {},
    total: new BigNumber(total),
    projectedTotal: projected === undefined ? undefined : new BigNumber(projected),
    currency: 'currency' in said ? said.currency : 'USD',
    ratePlans: [],
  };
}

/** The platform's answer for November. */
export function charges(...charged: readonly Charged[]): Charges {
  const groups = charged.map((one) => ({ key: { org: one.org }, rows: [row(one)] }));
  return {
    consumptionCount: charged.length,
    periods: [
      {
        ...NOVEMBER,
        totalSeconds: undefined,
        elapsedSeconds: undefined,
        consumptionCount: charged.length,
        groups,
      },
    ],
    skipped: 0,
    aggregateBy: [],
    mayBeTooLow: false,
  };
}
