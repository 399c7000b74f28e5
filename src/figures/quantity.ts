import type { BigNumber } from 'bignumber.js';

/** A metered value in units people read: 7200 of `cpu` is "2 core-hours". An unknown metric keeps its raw number. */
export function formatQuantity(_value: BigNumber, _metric: string): string {
  throw new Error('not there yet');
}

/** A quantity of an invoice line, whose unit is only told in words such as "bytes * seconds" (spec 2.6). */
export function formatInUnit(_value: BigNumber, _unit: string | undefined): string {
  throw new Error('not there yet');
}
