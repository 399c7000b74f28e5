import type { BigNumber } from 'bignumber.js';

/** An amount in whole units as people read it, to the currency's own minor unit: "$1,234.56", "¥1,235", "KWD 1.234". */
export function formatMoney(_amount: BigNumber, _currency: string | undefined): string {
  throw new Error('not there yet');
}

/** An amount in the smallest unit, as invoices have it, in whole units (spec 2.1). */
export function wholeUnits(_amount: BigNumber, _currency: string): BigNumber {
  throw new Error('not there yet');
}
