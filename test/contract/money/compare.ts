import { BigNumber } from 'bignumber.js';
import { parse } from 'csv-parse/sync';
import { reportLines, type Shown } from './answer-read.ts';
import { isChange, isEstimate, isMoney, isQuantity, isShare } from './figures-read.ts';
import { columnsOf, type Books, type Entry } from './ledger.ts';
import type { Question } from './questions.ts';
import { spanBefore, stepsOf, type Span } from './spans.ts';
import {
  describeAsked,
  describeBefore,
  describeEnd,
  describeRange,
} from '../../../src/reporting/range.ts';

type Sum = Pick<Entry, 'value' | 'projected' | 'before'>;

/** A question and the books that its answer is compared with. */
export interface Case {
  readonly question: Question;
  readonly books: Books;
  /** Ms since the epoch. */
  readonly now: number;
}

/** Entries that can be added up: charges, or the usage of a metric of a feature. */
interface Measure {
  /** Distinguishes it from the others. */
  readonly name: string;
  readonly metric: string;
  readonly entries: readonly Entry[];
  readonly isFigure: (text: string, exact: BigNumber) => boolean;
}

function sumOf(entries: readonly Sum[]): Sum {
  const add = (field: keyof Sum) =>
    entries.reduce((sum, entry) => sum.plus(entry[field]), new BigNumber(0));
  return { value: add('value'), projected: add('projected'), before: add('before') };
}

function measuresOf({ entries }: Books): Measure[] {
  const features = (metric: string) => [
    ...new Set(entries.filter((one) => one.metric === metric).map(({ feature }) => feature)),
  ];
  return [...new Set(entries.map(({ metric }) => metric))].flatMap((metric) =>
    features(metric).map((feature, _, { length }) => ({
      name: length > 1 ? `${metric} (${feature})` : metric,
      metric,
      entries: entries.filter((one) => one.metric === metric && one.feature === feature),
      isFigure: metric === '' ? isMoney : (text, exact) => isQuantity(text, exact, metric),
    })),
  );
}

/** Problems with the words above the table: the span, each total, and its comparison. */
export function headProblems(shown: Shown, one: Case): string[] {
  const { question, books, now } = one;
  const [first = '', ...lines] = reportLines(shown.head);
  const expected = describeAsked(rangeOf(question.span), now);
  const problems = first.endsWith(` · ${expected}`) ? [] : [`"${first}" is not of ${expected}`];

  const measures = measuresOf(books);
  const compared = comparedLine(one, measures.length);
  if (compared !== undefined && lines.pop() !== compared)
    problems.push(`not reported: ${compared}`);
  const reported = lines.filter((line) => !line.startsWith('Largest change: '));
  if (measures.length > 1 && reported.length < lines.length)
    problems.push('several largest changes');
  const totals = measures.length === 1 ? [reported.join('\n')] : reported;
  const versus = measures.length === 1 && books.isCompared ? versusOf(question, now) : undefined;
  if (versus !== undefined && !totals[0]?.includes(` ${versus.text}`)) {
    problems.push(`not reported: ${versus.text}`);
  }
  const named = new Set(totals.map((line) => line.slice(0, line.indexOf('*')))).size;
  if (named !== measures.length) problems.push(`${named} totals`);
  if (totals.length !== named) problems.push('a total twice');
  // Charges are all of one currency here, which has no name.
  const known = measures.map((measure) => ({
    ...measure,
    start: measure.name && `${measure.name}: `,
  }));
  for (const line of totals) {
    const found = known.find(({ start }) => line.startsWith(`${start}*`));
    if (found === undefined || !isTotal(line.slice(found.start.length), found, one)) {
      problems.push(`"${line}" is not the total of ${found?.name}`);
    }
  }
  return problems;
}

/** The line below the totals; of a single one the total says it. */
function comparedLine({ question, books, now }: Case, measures: number): string | undefined {
  const versus = versusOf(question, now);
  if (versus === undefined) return undefined;
  const { span } = versus;
  if (!books.isCompared) return `No change is shown: no data for ${span}`;
  return measures === 1 ? undefined : `Change ${versus.text}`;
}

function versusOf(question: Question, now: number) {
  const before = spanBefore(question, now);
  if (before === undefined) return undefined;
  const { start, end } = question.span;
  const span = describeBefore(rangeOf(before), rangeOf(question.span));
  const isPartOfDay = now < end && end - start <= 86_400_000;
  return { span, text: `vs ${isPartOfDay ? 'the same hours of ' : ''}${span}` };
}

function rangeOf({ start, end }: Span) {
  return { startMs: start, endMs: end };
}

const TOTAL =
  /^\*(?<total>[^*]+)\*(?<soFar> so far)?(?:, (?!projected: )(?<change>[^,]+?)(?: (?<versus>vs [^\n]+?))?)?(?:(?:, p|\nP)rojected: about (?<ahead>.+) by (?<end>.+))?$/;

/** "*$3,358.59* so far, +2.0% vs 1-22 October", and below it "Projected: about $7,170 by 30 November". */
function isTotal(line: string, { entries, isFigure, metric }: Measure, one: Case): boolean {
  const { question, books, now } = one;
  const { value, projected, before } = sumOf(entries);
  const { total, soFar, ahead, end, change, versus } = TOTAL.exec(line)?.groups ?? {};
  const isRunning = now < question.span.end;
  return (
    total !== undefined &&
    isFigure(total, value) &&
    (soFar !== undefined) === isRunning &&
    // The books of steps have no projection of the whole.
    (ahead === undefined
      ? !isRunning || projected.eq(value) || question.step !== undefined || !isEstimable(one)
      : end === describeEnd(rangeOf(question.span), now) &&
        (question.step !== undefined || isEstimate(ahead, projected, metric))) &&
    (versus === undefined || versus === versusOf(question, now)?.text) &&
    (change === undefined ? !books.isCompared : books.isCompared && isChange(change, value, before))
  );
}

/** Several months that end with this one have no estimate, nor has a span that has only just begun. */
function isEstimable({ question: { span }, now }: Case): boolean {
  const monthOf = (ms: number) => new Date(ms).toISOString().slice(0, 7);
  const isOfMonths = span.end - span.start > 31 * 86_400_000;
  const endsNow = monthOf(span.end - 1) === monthOf(now);
  return !(isOfMonths && endsNow) && (now - span.start) * 30 >= span.end - span.start;
}

/**
 * Problems with a page of the table, line by line.
 * @param reported the lines of the pages before, to which those of this one are added
 */
export function tableProblems(
  shown: Shown,
  { question, books }: Case,
  reported: Set<Entry>,
): string[] {
  const problems: string[] = [];
  const isFirst = reported.size === 0;
  const measures = measuresOf(books);
  const columns = columnsOf(question);
  const titles = shown.titles.map((title) => title.toLowerCase().replaceAll(' ', ''));
  const cellOf = (row: readonly string[], title: string) => row[titles.indexOf(title)];
  const isRight = (row: readonly string[], sum: Sum, { isFigure, entries }: Measure) => {
    const figure = cellOf(row, question.command === '/charges' ? 'charge' : 'usage') ?? '';
    const change = cellOf(row, 'change');
    return (
      isFigure(figure, sum.value) &&
      isShare(cellOf(row, 'share') ?? '', sum.value, sumOf(entries).value) &&
      (change === undefined ? !books.isCompared : isChange(change, sum.value, sum.before))
    );
  };
  const isOf = (entry: Entry, { name, metric }: Measure, row: readonly string[]) =>
    columns.every((tag) => cellOf(row, tag.toLowerCase()) === (entry.labels[tag] || '(none)')) &&
    [undefined, name, metric].includes(
      columns.includes('metric') ? undefined : cellOf(row, 'metric'),
    ) &&
    (columns.includes('feature') || [undefined, entry.feature].includes(cellOf(row, 'feature')));
  /** By measure, in their order. */
  const shownOf = new Map<Measure, Entry[]>();
  for (const row of shown.rows) {
    const [found, another] = measures.flatMap((measure) =>
      measure.entries.flatMap((entry) => (isOf(entry, measure, row) ? { measure, entry } : [])),
    );
    if (found === undefined || another !== undefined || reported.has(found.entry)) {
      problems.push(`not one line of the books, or twice: ${row.join(' | ')}`);
      continue;
    }
    const { measure, entry } = found;
    reported.add(entry);
    shownOf.set(measure, [...(shownOf.get(measure) ?? []), entry]);
    if (!isRight(row, entry, measure)) {
      problems.push(`"${row.join(' | ')}" is ${JSON.stringify(entry)}`);
    }
  }
  // The largest come first.
  for (const [measure, lines] of isFirst ? shownOf : []) {
    const largest = measure.entries.toSorted((a, b) => b.value.comparedTo(a.value) ?? 0);
    const isOrdered = lines.every(({ value }, place) => value.eq(largest[place]?.value ?? NaN));
    if (!isOrdered) problems.push(`the largest of ${measure.name} do not come first`);
  }
  return problems;
}

/** "Highest day of cpu: *5 core-hours*, 5 October 2026". */
export function stepProblems({ words }: Shown, { question, books }: Case): string[] {
  const { step, span } = question;
  const { name, most, when } =
    /^Highest \w+(?: of (?<name>.+))?: \*(?<most>[^*]+)\*, (?<when>.+)$/m.exec(words)?.groups ?? {};
  if (step === undefined || most === undefined) {
    // A quantity that is 0 throughout has no course.
    const isFlat = books.entries.every(({ steps }) => [...steps.values()].every((v) => v.isZero()));
    return (step === undefined || isFlat) && most === undefined
      ? []
      : ['a course over time, or none'];
  }
  const measures = measuresOf(books);
  const found = name === undefined ? measures[0] : measures.find((one) => one.name === name);
  if (found === undefined) return [`a course of nothing: ${name}`];
  const steps = stepsOf(step, span).map((one) => ({
    when: describeRange(rangeOf(one)),
    sum: found.entries.reduce((sum, { steps }) => sum.plus(steps.get(one.start) ?? 0), ZERO),
    isReported: found.entries.some(({ steps }) => steps.has(one.start)),
  }));
  const highest = BigNumber.max(...steps.flatMap(({ sum, isReported }) => (isReported ? sum : [])));
  const isRight =
    found.isFigure(most, highest) &&
    steps.some((one) => one.isReported && one.sum.eq(highest) && one.when === when);
  return isRight ? [] : [`the highest step is not ${most}, ${when}`];
}

const ZERO = new BigNumber(0);

/**
 * Problems with a file: its rows must add up to each line of the books exactly, whatever was rounded
 * on the screen, and each must lie in the span.
 */
export function csvProblems(text: string, { question, books }: Case): string[] {
  const rows = parse<Record<string, string>>(text, { columns: true, record_delimiter: '\r\n' });
  const field = question.command === '/charges' ? 'total' : 'value';
  const columns = columnsOf(question);
  const problems = rows.flatMap((row) => {
    // No exponent, nothing rounded away, no separators.
    const isFull = ['value', 'total', 'projected total', 'projected value'].every((name) =>
      /^(?:-?\d+(?:\.\d+)?)?$/.test(row[name] ?? ''),
    );
    const [start, end] = ['period start', 'period end'].map((name) => Date.parse(row[name]!));
    const isInside = start! >= question.span.start && end! <= question.span.end;
    return isFull && isInside ? [] : [`not in full or not in the span: ${JSON.stringify(row)}`];
  });
  const sumIn = (found: readonly Record<string, string>[]) =>
    found.reduce((sum, row) => sum.plus(row[field] ?? NaN), ZERO);
  for (const { labels, metric, feature, value } of books.entries) {
    const own = rows.filter(
      (row) =>
        columns.every((tag) => row[tag] === labels[tag]) &&
        (metric === '' || row['metric'] === metric) &&
        (feature === '' || row['feature'] === feature),
    );
    if (!sumIn(own).eq(value)) {
      problems.push(`${JSON.stringify(labels)}: ${sumIn(own).toFixed()}, not ${value.toFixed()}`);
    }
  }
  const isWhole = sumIn(rows).eq(sumOf(books.entries).value);
  return isWhole ? problems : [...problems, 'there are rows of nothing'];
}
