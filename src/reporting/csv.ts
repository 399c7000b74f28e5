import { BigNumber } from 'bignumber.js';
import { stringify } from 'csv-stringify/sync';

export type Cell = string | BigNumber | undefined;

/** Quotes keep a control character in its cell, and a U+FEFF at the very start from being a byte order mark. */
const unseen = /[\p{Cc}\p{Cf}]/u;

/**
 * CSV (RFC 4180, UTF-8 without a byte order mark) with a heading, lines ending in CR LF. Numbers
 * are written in full, without exponent or rounding. Text that a spreadsheet could run as a formula
 * gets an apostrophe, also in the heading; negative numbers do not.
 */
export function toCsv(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return linesOf([columns, ...rows]);
}

/** Rows written at a time: all rows as text would take many times the size of the file. */
const AT_ONCE = 1_000;

/** `toCsv` for very many rows, each read when it is written; also counts them. */
export function toCsvFile(
  columns: readonly string[],
  rows: Iterable<readonly Cell[]>,
): { readonly content: Uint8Array; readonly count: number } {
  const parts = [Buffer.from(toCsv(columns, []))];
  let count = 0;
  for (const some of inParts(rows)) {
    count += some.length;
    parts.push(Buffer.from(linesOf(some)));
  }
  return { content: Buffer.concat(parts), count };
}

function linesOf(rows: readonly (readonly Cell[])[]): string {
  return stringify(
    rows.map((row) => row.map(written)),
    { record_delimiter: '\r\n', quoted_match: unseen },
  );
}

function* inParts<T>(things: Iterable<T>): Generator<T[]> {
  let part: T[] = [];
  for (const thing of things) {
    if (part.push(thing) < AT_ONCE) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

function written(cell: Cell): string {
  if (cell === undefined) return '';
  if (cell instanceof BigNumber) return cell.toFixed();
  return runs(cell) ? `'${cell}` : cell;
}

/**
 * Whether a spreadsheet might run a text. Stricter than the library's `escape_formulas`, which
 * treats BigNumbers as text and misses blanks that some spreadsheets trim: decisive are the first
 * visible character, full-width forms included, and a leading tab or line break.
 */
function runs(text: string): boolean {
  const seen = text.replace(/^[\s\p{Cc}\p{Cf}]+/u, '');
  const first = String.fromCodePoint(seen.codePointAt(0) ?? 0).normalize('NFKC');
  return /^[=+\-@]/.test(first) || /^[\t\r\n]/.test(text);
}
