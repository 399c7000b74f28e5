import { BigNumber } from 'bignumber.js';
import { parse } from 'csv-parse/sync';
import type { Shown } from './answer-read.ts';
import { isChange, isMoney, isQuantity, isShare } from './figures-read.ts';
import { columnsOf } from './ledger.ts';
import type { Books, Entry } from './ledger.ts';
import type { Question } from './questions.ts';
import { inBrief, inWords, liesOn, spanBefore, stepsOf } from './spans.ts';

type Sum = Pick<Entry, 'value' | 'projected' | 'before'>;

/** What an answer is held against. */
export interface Case {
  readonly question: Question;
  readonly books: Books;
  /** Ms since the epoch. */
  readonly now: number;
}

/** What is added up: charges, or the usage of a metric of a feature. */
interface Measure {
  /** As it has to be told apart from the others. */
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

/** What is wrong with the words above the table: the span, each total, and what it is compared with. */
export function headProblems({ head }: Shown, one: Case): string[] {
  const { question, books, now } = one;
  const [first = '', ...lines] = head;
  const expected = `${inWords(question.span)}${now < question.span.end ? ', still running' : ''}`;
  const problems = first.endsWith(` · ${expected}`) ? [] : [`"${first}" is not of ${expected}`];

  const compared = comparedLine(one);
  if (compared !== undefined && lines.pop() !== compared) problems.push(`not said: ${compared}`);
  const measures = measuresOf(books);
  if (measures.length > 6 && lines.pop() !== `and ${measures.length - 6} more in the table`) {
    problems.push('the rest of the totals is not counted');
  }
  if (lines.length !== Math.min(6, measures.length)) problems.push(`${lines.length} totals`);
  // Charges are all of one currency here, which has no name.
  const told = measures.map((measure) => ({
    ...measure,
    start: measure.name && `${measure.name}: `,
  }));
  for (const line of lines) {
    const found = told.find(({ start }) => line.startsWith(`${start}*`));
    if (found === undefined || !isTotal(line.slice(found.start.length), found, one)) {
      problems.push(`"${line}" is not the total of ${found?.name}`);
    }
  }
  return problems;
}

function comparedLine({ question, books, now }: Case): string | undefined {
  const before = spanBefore(question, now);
  if (before === undefined) return undefined;
  if (!books.isCompared) return `No change is shown: no data before (${inWords(before)})`;
  // All of a month before that was over by then is no part of it.
  const isSamePart = now < question.span.end && before.end < question.span.start;
  return `Change against ${inWords(before)}${isSamePart ? ', the same elapsed part' : ''}`;
}

const TOTAL =
  /^\*(?<total>[^*]+)\*(?<soFar> so far(?: \((?<since>[^()]+)\))?)?(?: · \*(?<ahead>[^*]+)\* projected(?: to the end of[^·*]+)?)?(?: · (?<change>.+))?$/;

/** "*$3,358.59* so far (+2.0 %) · *$7,168.43* projected"; of what is over "*$3,358.59* · +2.0 %". */
function isTotal(line: string, { entries, isFigure }: Measure, one: Case): boolean {
  const { question, books, now } = one;
  const { value, projected, before } = sumOf(entries);
  const { total, soFar, ahead, since, change = since } = TOTAL.exec(line)?.groups ?? {};
  // Of a step that the span cuts the platform is asked for parts, and says nothing of the whole.
  const isCut = question.step !== undefined && !liesOn(question.step, question.span);
  return (
    total !== undefined &&
    isFigure(total, value) &&
    (soFar !== undefined) === now < question.span.end &&
    (ahead === undefined ? projected.eq(value) || isCut : isFigure(ahead, projected) && !isCut) &&
    (change === undefined ? !books.isCompared : books.isCompared && isChange(change, value, before))
  );
}

/**
 * What is wrong with a page of the table: each line, the others and the totals by measure.
 * @param told the lines of the pages before, to which those of this one are added
 */
export function tableProblems(shown: Shown, { question, books }: Case, told: Set<Entry>): string[] {
  const problems: string[] = [];
  const isFirst = told.size === 0;
  const at = shown.titles.findIndex((title) => title === 'Charge' || title === 'Usage');
  const measures = measuresOf(books);
  const columns = columnsOf(question);
  /** The rows of one measure on this page. */
  const windows: { readonly measure: Measure; readonly lines: Entry[] }[] = [];
  const check = (row: readonly string[], sum: Sum, { isFigure, entries }: Measure) => {
    const [figure = '', share = '', change] = row.slice(at);
    const isRight =
      isFigure(figure, sum.value) &&
      isShare(share, sum.value, sumOf(entries).value) &&
      (change === undefined ? !books.isCompared : isChange(change, sum.value, sum.before));
    if (!isRight) problems.push(`"${row.join(' | ')}" is ${JSON.stringify(sum)}`);
  };
  const isOf = (entry: Entry, { name, metric }: Measure, row: readonly string[]) =>
    shown.titles.slice(0, at).every((title, index) => {
      if (columns.includes(title)) return row[index] === (entry.labels[title] || '(none)');
      if (title === 'metric') return row[index] === name || row[index] === metric;
      return title === 'feature' && row[index] === entry.feature;
    });

  for (const row of shown.rows) {
    const window = windows.at(-1);
    const { count } = /^(?<count>[\d,]+) others?$/.exec(row[0] ?? '')?.groups ?? {};
    if (window !== undefined && count !== undefined) {
      const others = window.measure.entries.filter((entry) => !window.lines.includes(entry));
      check(row, sumOf(others), window.measure);
      if (count !== others.length.toLocaleString('en-US')) problems.push(`${others.length} others`);
      continue;
    }
    if (window !== undefined && /^Total(?:, |$)/.test(row[0] ?? '')) {
      check(row, sumOf(window.measure.entries), window.measure);
      continue;
    }
    const [found, another] = measures.flatMap((measure) =>
      measure.entries.flatMap((entry) => (isOf(entry, measure, row) ? { measure, entry } : [])),
    );
    if (found === undefined || another !== undefined || told.has(found.entry)) {
      problems.push(`not one line of the books, or twice: ${row.join(' | ')}`);
      continue;
    }
    const { measure, entry } = found;
    told.add(entry);
    if (window?.measure === measure) window.lines.push(entry);
    else windows.push({ measure, lines: [entry] });
    check(row, entry, measure);
  }
  // The largest come first.
  for (const { measure, lines } of isFirst ? windows : []) {
    const largest = measure.entries.toSorted((a, b) => b.value.comparedTo(a.value) ?? 0);
    const isOrdered = lines.every(({ value }, place) => value.eq(largest[place]?.value ?? NaN));
    if (!isOrdered) problems.push(`the largest of ${measure.name} do not come first`);
  }
  return problems;
}

/** "Per day, cpu only: ▁▂▃ … Highest: *5 core-hours*, 2026-10-05". */
export function stepProblems({ words }: Shown, { question, books }: Case): string[] {
  const { step, span } = question;
  const { name, most, when } =
    /^Per \w+(?:, (?<name>.+) only)?:\n.*\nHighest: \*(?<most>[^*]+)\*, (?<when>.+)$/m.exec(words)
      ?.groups ?? {};
  if (step === undefined || most === undefined) {
    return step === undefined && most === undefined ? [] : ['a course over time, or none'];
  }
  const measures = measuresOf(books);
  const found = name === undefined ? measures[0] : measures.find((one) => one.name === name);
  if (found === undefined) return [`a course of nothing: ${name}`];
  const steps = stepsOf(step, span).map((one) => ({
    when: inBrief(one),
    sum: found.entries.reduce((sum, { steps }) => sum.plus(steps.get(one.start) ?? 0), ZERO),
    isTold: found.entries.some(({ steps }) => steps.has(one.start)),
  }));
  const highest = BigNumber.max(...steps.flatMap(({ sum, isTold }) => (isTold ? sum : [])));
  const isRight =
    found.isFigure(most, highest) &&
    steps.some((one) => one.isTold && one.sum.eq(highest) && one.when === when);
  return isRight ? [] : [`the highest step is not ${most}, ${when}`];
}

const ZERO = new BigNumber(0);

/**
 * What is wrong with a file: its rows add up to each line of the books exactly, whatever was rounded
 * on the screen, and each lies in the span.
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
