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
  return linesOf([columns, ...rows]);
}

/** Rows that are written at a time: a whole table of texts would take many times the room of the file. */
const AT_ONCE = 1_000;

/** The same of very many rows, each taken as it is written, and how many there are. */
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
 * Whether a spreadsheet might run a text. Stricter than the `escape_formulas` of the library, which
 * takes BigNumbers for text and lets blanks pass that some spreadsheets trim: what counts is the
 * first character that can be seen, however wide it is drawn, and any tab or line break before it.
 */
function runs(text: string): boolean {
  const seen = text.replace(/^[\s\p{Cc}\p{Cf}]+/u, '');
  const first = String.fromCodePoint(seen.codePointAt(0) ?? 0).normalize('NFKC');
  return /^[=+\-@]/.test(first) || /^[\t\r\n]/.test(text);
}
