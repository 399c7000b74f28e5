import { BigNumber } from 'bignumber.js';
import { stringify } from 'csv-stringify/sync';

/** A cell: text, an exact number, or nothing. */
export type Cell = string | BigNumber | undefined;

/** In quotes a control character stays in its cell, and a U+FEFF at the very start is no byte order mark. */
const unseen = /[\p{Cc}\p{Cf}]/u;

/**
 * A table as CSV (RFC 4180, UTF-8 without a byte order mark): a heading and a line for each row, all
 * ended by CR LF. Numbers stand in full, without exponent or rounding. Text that a spreadsheet could
 * run as a formula has an apostrophe put before it, also in the heading; a negative number has none.
 */
export function toCsv(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return stringify(
    [columns, ...rows].map((row) => row.map(written)),
    { record_delimiter: '\r\n', quoted_match: unseen },
  );
}

function written(cell: Cell): string {
  if (cell === undefined) return '';
  if (cell instanceof BigNumber) return cell.toFixed();
  return runs(cell) ? `'${cell}` : cell;
}

/**
 * Whether a spreadsheet might run a text. Stricter than the `escape_formulas` of the library, which
 * takes BigNumbers for text and lets blanks pass that some spreadsheets trim: what counts is the
 * first character that can be seen, however wide it is drawn, and any tab or line break before it.
 */
function runs(text: string): boolean {
  const seen = text.replace(/^[\s\p{Cc}\p{Cf}]+/u, '');
  const first = String.fromCodePoint(seen.codePointAt(0) ?? 0).normalize('NFKC');
  return /^[=+\-@]/.test(first) || /^[\t\r\n]/.test(text);
}
