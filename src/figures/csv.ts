import type { BigNumber } from 'bignumber.js';

/** A cell: text, an exact number, or nothing. */
export type Cell = string | BigNumber | undefined;

/** A table as CSV (RFC 4180): numbers in full, and no text that a spreadsheet would run as a formula. */
export function toCsv(_columns: readonly string[], _rows: readonly (readonly Cell[])[]): string {
  throw new Error('not there yet');
}
