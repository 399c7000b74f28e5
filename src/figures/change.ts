import type { BigNumber } from 'bignumber.js';

/** "12.3 %", of a whole that may be 0: then empty. */
export function formatShare(_part: BigNumber, _whole: BigNumber): string {
  throw new Error('not there yet');
}

/** "+12.3 %", "−5 %", "new", "no change"; "no data before" where nothing is known of the span before. */
export function formatChange(_now: BigNumber, _before: BigNumber | undefined): string {
  throw new Error('not there yet');
}
