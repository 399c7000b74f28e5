import { BigNumber } from 'bignumber.js';

import type { Shown } from './answer-read.ts';
import { isChange, isMoney, isQuantity, isShare } from './figures-read.ts';
import { columnsOf, highestSteps } from './ledger.ts';
import type { ExpectedLedger, Entry, Measure } from './ledger.ts';
import type { Question } from './questions.ts';
import { inBrief, inWords, liesOn, spanBefore } from './spans.ts';

type Sum = Pick<Entry, 'value' | 'projected' | 'before'>;

/** What an answer is held against. */
export interface Case {
  readonly question: Question;
  readonly books: ExpectedLedger;
  /** Ms since the epoch. */
  readonly now: number;
}

export function sumOf(entries: readonly Sum[]): Sum {
  const add = (field: keyof Sum) =>
    entries.reduce((sum, entry) => sum.plus(entry[field]), new BigNumber(0));
  return { value: add('value'), projected: add('projected'), before: add('before') };
}

/** The measures of the books, and the name that each must have beside the others. */
export function measuresOf({ entries }: ExpectedLedger): { measure: Measure; name: string }[] {
  const all = new Map(entries.map(({ measure }) => [measure.key, measure]));
  return [...all.values()].map((measure) => {
    const isShared = [...all.values()].some(
      (other) => other.metric === measure.metric && other.key !== measure.key,
    );
    const { key, metric, feature } = measure;
    return { measure, name: isShared ? `${metric} (${feature})` : metric || key };
  });
}

/** What is wrong with the words above the table: the span, each total, and what it is compared with. */
export function headProblems({ head }: Shown, one: Case): string[] {
  const { question, books, now } = one;
  const [first = '', ...lines] = head;
  const isRunning = now < question.span.end;
  const expected = `${inWords(question.span)}${isRunning ? ', still running' : ''}`;
  const problems = first.endsWith(` · ${expected}`) ? [] : [`"${first}" is not of ${expected}`];

  const compared = comparedLine(one);
  if (compared !== undefined && lines.pop() !== compared) problems.push(`not said: ${compared}`);
  const measures = measuresOf(books);
  if (measures.length > 6 && lines.pop() !== `and ${measures.length - 6} more in the table`) {
    problems.push('the rest of the totals is not counted');
  }
  if (lines.length !== Math.min(6, measures.length)) problems.push(`${lines.length} totals`);
  for (const line of lines) {
    const isOnly = measures.length === 1 && question.command === '/charges';
    const found = measures.find(({ name }) => isOnly || line.startsWith(`${name}: *`));
    if (found === undefined) problems.push(`a total of nothing: "${line}"`);
    else if (!isTotal(isOnly ? line : line.slice(found.name.length + 2), found.measure, one)) {
      problems.push(`"${line}" is not the total of ${found.name}`);
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

/** "*$3,358.59* so far (+2.0 %) · *$7,168.43* projected"; of what is over "*$3,358.59* · +2.0 %". */
function isTotal(line: string, measure: Measure, { question, books, now }: Case): boolean {
  const { value, projected, before } = sumOf(ofMeasure(books, measure));
  const {
    total,
    soFar,
    ahead,
    since,
    change = since,
  } = /^\*(?<total>[^*]+)\*(?<soFar> so far(?: \((?<since>[^()]+)\))?)?(?: · \*(?<ahead>[^*]+)\* projected(?: to the end of[^·*]+)?)?(?: · (?<change>.+))?$/.exec(
    line,
  )?.groups ?? {};
  const isFigure = figureCheck(measure);
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

function figureCheck(measure: Measure): (text: string, exact: BigNumber) => boolean {
  return measure.metric === '' ? isMoney : (text, exact) => isQuantity(text, exact, measure.metric);
}

export function ofMeasure({ entries }: ExpectedLedger, { key }: Measure): readonly Entry[] {
  return entries.filter(({ measure }) => measure.key === key);
}

/** The rows of one measure on one page. */
interface Window {
  readonly measure: Measure;
  readonly lines: Entry[];
}

/**
 * What is wrong with a page of the table: each line, the others and the totals by measure.
 * @param told the lines of the pages before, to which those of this one are added
 */
export function tableProblems(shown: Shown, one: Case, told: Set<Entry>): string[] {
  const problems: string[] = [];
  const isFirst = told.size === 0;
  const windows: Window[] = [];
  for (const row of shown.rows) {
    const window = windows.at(-1);
    const { count } = /^(?<count>[\d,]+) others?$/.exec(row[0] ?? '')?.groups ?? {};
    if (count !== undefined || /^Total(?:, |$)/.test(row[0] ?? '')) {
      if (window === undefined) problems.push(`before any line: ${row.join(' | ')}`);
      else problems.push(...sumProblems(row, count, { shown, one, window }));
      continue;
    }
    const fitting = one.books.entries.filter((entry) => isOf(entry, row, shown, one));
    const [entry] = fitting;
    if (entry === undefined || fitting.length > 1) {
      problems.push(`${fitting.length} lines in the books for ${row.join(' | ')}`);
      continue;
    }
    if (told.has(entry)) problems.push(`twice: ${row.join(' | ')}`);
    told.add(entry);
    const { measure } = entry;
    if (window?.measure.key === measure.key) window.lines.push(entry);
    else windows.push({ measure, lines: [entry] });
    problems.push(...rowProblems(row, entry, { shown, one, measure }));
  }
  if (isFirst) problems.push(...windows.flatMap((window) => orderProblems(window, one)));
  return problems;
}

/** The largest come first. */
function orderProblems({ measure, lines }: Window, { books }: Case): string[] {
  const largest = ofMeasure(books, measure).toSorted((a, b) => b.value.comparedTo(a.value) ?? 0);
  const isOrdered = lines.every(({ value }, at) => value.eq(largest[at]?.value ?? NaN));
  return isOrdered ? [] : [`the largest of ${measure.key} do not come first`];
}

function isOf(entry: Entry, row: readonly string[], { titles }: Shown, { question, books }: Case) {
  const columns = columnsOf(question);
  const name = measuresOf(books).find(({ measure }) => measure.key === entry.measure.key)?.name;
  return titles.slice(0, figureColumn(titles)).every((title, at) => {
    if (columns.includes(title)) return row[at] === (entry.labels[title] || '(none)');
    if (title === 'metric') return row[at] === name || row[at] === entry.measure.metric;
    return title === 'feature' && row[at] === entry.measure.feature;
  });
}

interface Place {
  readonly shown: Shown;
  readonly one: Case;
}

function sumProblems(
  row: readonly string[],
  count: string | undefined,
  { shown, one, window }: Place & { window: Window },
): string[] {
  const { measure, lines } = window;
  const all = ofMeasure(one.books, measure);
  if (count === undefined) return rowProblems(row, sumOf(all), { shown, one, measure });
  const others = all.filter((entry) => !lines.includes(entry));
  const problems = rowProblems(row, sumOf(others), { shown, one, measure });
  return Number(count.replaceAll(',', '')) === others.length
    ? problems
    : [...problems, `${others.length} others, not ${count}`];
}

/** Value, share and change of a row. */
function rowProblems(
  row: readonly string[],
  { value, before }: Sum,
  { shown, one, measure }: Place & { measure: Measure },
): string[] {
  const at = figureColumn(shown.titles);
  const [figure = '', share = '', change] = row.slice(at);
  const whole = sumOf(ofMeasure(one.books, measure)).value;
  const isRight =
    figureCheck(measure)(figure, value) &&
    isShare(share, value, whole) &&
    (change === undefined ? !one.books.isCompared : isChange(change, value, before));
  return isRight
    ? []
    : [
        `"${row.join(' | ')}" is ${value.toFixed()} of ${whole.toFixed()}, before ${before.toFixed()}`,
      ];
}

function figureColumn(titles: readonly string[]): number {
  return titles.findIndex((title) => title === 'Charge' || title === 'Usage');
}

/** "Per day, cpu only: ▁▂▃ … Highest: *5 core-hours*, 2026-10-05". */
export function stepProblems({ words }: Shown, { question, books }: Case): string[] {
  const { step } = question;
  const { name, most, span } =
    /^Per \w+(?:, (?<name>.+) only)?:\n.*\nHighest: \*(?<most>[^*]+)\*, (?<span>.+)$/m.exec(words)
      ?.groups ?? {};
  if (most === undefined) return step === undefined ? [] : ['no course over time'];
  if (step === undefined) return ['a course over time without a step'];
  const measures = measuresOf(books);
  const found = name === undefined ? measures[0] : measures.find((one) => one.name === name);
  if (found === undefined) return [`a course of nothing: ${name}`];
  const highest = highestSteps(books, found.measure.key, question);
  const isRight =
    figureCheck(found.measure)(most, highest.most) &&
    highest.spans.some((one) => inBrief(one) === span);
  return isRight ? [] : [`the highest step is not ${most}, ${span}`];
}
