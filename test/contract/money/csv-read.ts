import { BigNumber } from 'bignumber.js';
import { parse } from 'csv-parse/sync';

import { measuresOf, ofMeasure, sumOf } from './compare.ts';
import type { Case } from './compare.ts';
import { columnsOf } from './ledger.ts';

/** In full: no exponent, nothing rounded away, no separators. */
const FULL = /^-?\d+(?:\.\d+)?$/;

/**
 * What is wrong with a file: its rows add up to each line of the books exactly, whatever was rounded
 * on the screen, and each lies in the span.
 */
export function csvProblems(text: string, { question, books }: Case): string[] {
  const rows = parse<Record<string, string>>(text, { columns: true, record_delimiter: '\r\n' });
  const field = question.command === '/charges' ? 'total' : 'value';
  const problems = rows.flatMap((row) =>
    ['value', field, 'projected total', 'projected value'].flatMap((name) =>
      (row[name] ?? '') === '' || FULL.test(row[name]!)
        ? []
        : [`${name} ${row[name]} is not in full`],
    ),
  );
  for (const row of rows) {
    const [start, end] = [row['period start'], row['period end']].map((time) => Date.parse(time!));
    const isInside = start! >= question.span.start && end! <= question.span.end;
    if (!isInside) problems.push(`a row of ${row['period start']} to ${row['period end']}`);
  }
  const sumIn = (found: readonly Record<string, string>[]) =>
    found.reduce((sum, row) => sum.plus(row[field] ?? NaN), new BigNumber(0));
  const columns = columnsOf(question);
  for (const entry of books.entries) {
    const own = rows.filter(
      (row) =>
        columns.every((tag) => row[tag] === entry.labels[tag]) &&
        (entry.measure.metric === '' || row['metric'] === entry.measure.metric) &&
        (entry.measure.feature === '' || row['feature'] === entry.measure.feature),
    );
    if (!sumIn(own).eq(entry.value)) {
      problems.push(
        `${JSON.stringify(entry.labels)}: ${sumIn(own).toFixed()}, not ${entry.value.toFixed()}`,
      );
    }
  }
  const whole = sumOf(measuresOf(books).flatMap(({ measure }) => ofMeasure(books, measure))).value;
  return sumIn(rows).eq(whole) ? problems : [...problems, 'there are rows of nothing'];
}
