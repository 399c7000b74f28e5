import type { KnownBlock } from '@slack/types';
import { formatAge, plural } from '../../lib/text.ts';
import {
  barsOfLines,
  byMeasure,
  formatChange,
  formatShare,
  mainMeasure,
  sumOf,
} from '../../reporting/amounts.ts';
import type { Line, Measure, MeasureLines, Sum } from '../../reporting/amounts.ts';
import { sparkline } from '../../reporting/chart.ts';
import { describeBefore, describeRange } from '../../reporting/dates.ts';
import { isAligned, platformStep, spanBefore } from '../../reporting/range.ts';
import { context, section, table } from '../../slack/kit/blocks.ts';
import type { Column } from '../../slack/kit/blocks.ts';
import { joinMrkdwn, mrkdwn } from '../../slack/kit/text.ts';
import type { Mrkdwn } from '../../slack/kit/text.ts';
import type { Found, Question, Source } from './source.ts';
import {
  caveatBlocks,
  flaw,
  formatValue,
  measureName,
  NONE,
  note,
  questionLine,
  skippedCaveat,
} from './words.ts';

interface TotalsView {
  readonly name: Source['name'];
  readonly question: Question;
  readonly found: Found;
  /** From 1. */
  readonly page: number;
  /** Ms since the epoch. */
  readonly now: number;
}

/** A view, and where it stands among its pages. */
export interface Paged {
  readonly head: Mrkdwn;
  readonly blocks: KnownBlock[];
  readonly page: number;
  readonly pages: number;
}

/** Totals that the first lines name; the table has them all. */
const TOTALS_NAMED = 6;
/** Labels that have a column of their own; a table of Slack's has at most 20. */
const LABEL_COLUMNS = 8;

/** What `/charges` and `/usage` answer. Pure. */
export function totalsView(view: TotalsView): Paged {
  const { found, question } = view;
  const groups = byMeasure(found.lines);
  const { windows, page, pages } = pageOf(groups, view.page);
  const head = joinMrkdwn([questionLine(view.name, question), ...totalLines(view, groups)], '\n');
  return {
    head,
    blocks: [
      section(head),
      ...(windows.length === 0 ? [] : [totalsTable(view, groups, windows)]),
      ...stepLine(question, groups),
      ...caveatBlocks(caveatsOf(view)),
      ...footer(found.readAt, view.now, page, pages),
    ],
    page,
    pages,
  };
}

/** The page in words and the age of what is shown, where they say anything. */
export function footer(readAt: number, now: number, page: number, pages: number): KnownBlock[] {
  const age = formatAge(now - readAt);
  const said = [
    ...(pages > 1 ? [mrkdwn`Page ${page} of ${pages}`] : []),
    ...(age === 'just now' ? [] : [mrkdwn`Read ${age}`]),
  ];
  return said.length === 0 ? [] : [context(joinMrkdwn(said, ' · '))];
}

function totalLines({ question, found }: TotalsView, groups: readonly MeasureLines[]): Mrkdwn[] {
  const all = groups.map(({ measure }) => measure);
  const isRunning = question.nowMs < question.range.endMs;
  // Of an answer by steps the platform extrapolates the running one alone, and only as it is asked for.
  const { step } = question.query;
  const ahead = step === undefined ? 'projected' : `projected to the end of the running ${step}`;
  const isAhead = step === undefined || step === platformStep(step, question.range);
  const before = spanBefore(question.range, question.query.range, question.nowMs);
  const totals = groups.slice(0, TOTALS_NAMED).map(({ measure, total }) => {
    const name =
      measure.kind === 'money' && all.length === 1
        ? mrkdwn``
        : mrkdwn`${measureName(measure, all)}: `;
    const { value, projected } = total;
    const change = total.before === undefined ? undefined : formatChange(value, total.before);
    const sum = mrkdwn`${name}*${formatValue(value, measure)}*`;
    // Of a running span the change is that of what is there, not of what is projected.
    const soFar = mrkdwn`${sum} so far${change === undefined ? '' : ` (${change})`}`;
    const parts = [
      isRunning ? soFar : sum,
      ...(projected.eq(value) || !isAhead
        ? []
        : [mrkdwn`*${formatValue(projected, measure)}* ${ahead}`]),
      ...(isRunning || change === undefined ? [] : [mrkdwn`${change}`]),
    ];
    return joinMrkdwn(parts, ' · ');
  });
  const rest = groups.length - totals.length;
  if (rest > 0) totals.push(mrkdwn`and ${rest} more in the table`);
  if (before === undefined) return totals;

  const span = describeBefore(before, question.range);
  const isKnown = groups.some(({ total }) => total.before !== undefined);
  if (isKnown) {
    // The shorter month ended before as much of it had elapsed.
    const isClipped = before.endMs >= question.range.startMs;
    const isSamePart = isRunning && !isClipped;
    return [
      ...totals,
      mrkdwn`Change against ${span}${isSamePart ? ', the same elapsed part' : ''}`,
    ];
  }
  return [
    ...totals,
    found.isBeforeUnread === true
      ? flaw(mrkdwn`No change is shown: the span before (${span}) could not be read`)
      : mrkdwn`No change is shown: no data before (${span})`,
  ];
}

function totalsTable(
  { name, found }: TotalsView,
  groups: readonly MeasureLines[],
  windows: readonly Window[],
): KnownBlock {
  const measures = groups.map(({ measure }) => measure);
  const withMetric =
    measures.length > 1 &&
    measures.some(({ kind }) => kind === 'quantity') &&
    !found.columns.includes('metric');
  const withChange = groups.some(({ total }) => total.before !== undefined);
  const columns: Column[] = [
    ...merged(found.columns).map((title) => ({ title })),
    ...(withMetric ? [{ title: 'metric' }] : []),
    { title: name === 'charges' ? 'Charge' : 'Usage', align: 'right' },
    { title: 'Share', align: 'right' },
    ...(withChange ? [{ title: 'Change', align: 'right' } as const] : []),
  ];

  const rows = windows.flatMap(({ measure, lines, total, shown, others }) => {
    // Credits among the lines make a share of their sum say nothing.
    const withShare =
      lines.every(({ value }) => value.gte(0)) || lines.every(({ value }) => value.lte(0));
    const row = (labels: readonly string[], sum: Pick<Sum, 'value' | 'before'>): string[] => [
      ...merged(labels),
      ...(withMetric ? [measureName(measure, measures)] : []),
      formatValue(sum.value, measure),
      withShare ? formatShare(sum.value, total.value) : '',
      ...(withChange ? [formatChange(sum.value, sum.before)] : []),
    ];
    // Of a sum that is not one line, as much as all of its lines have in common.
    const said = (text: string) =>
      found.columns.map((column, index) => (index === 0 ? text : commonLabel(column, measure)));
    const shownRows = shown.map((line) =>
      row(
        line.labels.map((label) => label || NONE),
        line,
      ),
    );
    if (others) shownRows.push(row(said(plural(others.count, 'other')), others.sum));
    if (groups.length > 1 && lines.length > 1) {
      const isNamed =
        withMetric || (measure.kind === 'quantity' && found.columns.indexOf('metric') > 0);
      shownRows.push(
        row(said(isNamed ? 'Total' : `Total, ${measureName(measure, measures)}`), total),
      );
    }
    return shownRows;
  });
  return table(columns, rows);
}

/** What a column says of every line of a measure. */
function commonLabel(column: string, measure: Measure): string {
  if (measure.kind === 'money' || (column !== 'metric' && column !== 'feature')) return ' ';
  return measure[column] || NONE;
}

/** So many labels that the table had too many columns share the last one. */
function merged(labels: readonly string[]): readonly string[] {
  if (labels.length <= LABEL_COLUMNS) return labels;
  const shared = labels.slice(LABEL_COLUMNS - 1).filter((label) => label.trim() !== '');
  return [...labels.slice(0, LABEL_COLUMNS - 1), shared.join(' / ') || ' '];
}

/** The course of the main measure as one line of marks. */
function stepLine({ query, range }: Question, groups: readonly MeasureLines[]): KnownBlock[] {
  const group = mainMeasure(groups);
  if (query.step === undefined || group === undefined) return [];
  const bars = barsOfLines(group.lines, range, query.step);
  const highest = bars.reduce<(typeof bars)[number] | undefined>(
    (top, bar) => (bar.value && !(top?.value && top.value.gte(bar.value)) ? bar : top),
    undefined,
  );
  if (highest?.value === undefined) return [];
  const of =
    groups.length === 1
      ? ''
      : `, ${measureName(
          group.measure,
          groups.map(({ measure }) => measure),
        )} only`;
  return [
    section(
      mrkdwn`Per ${query.step}${of}:\n${sparkline(bars.map(({ value }) => value))}\nHighest: *${formatValue(highest.value, group.measure)}*, ${describeRange(highest)}`,
    ),
  ];
}

function caveatsOf({ question, found }: TotalsView): Mrkdwn[] {
  const { query, range } = question;
  const { step } = query;
  const isCut = step !== undefined && !isAligned(range, step);
  return [
    ...skippedCaveat(found.skipped),
    ...found.caveats,
    ...(isCut
      ? [
          note(
            mrkdwn`The first or the last ${step} lies only partly in the range: that part alone is counted.`,
          ),
        ]
      : []),
  ];
}

/** What of a measure one page shows; what it does not show is added up. */
interface Window extends MeasureLines {
  readonly shown: readonly Line[];
  /** Of one line at least; `shown` and `others` are the total exactly. */
  readonly others: { readonly count: number; readonly sum: Sum } | undefined;
}

/** Rows of one page that are lines, by the number of measures on it; the last page may have one more. */
const ROWS = [15, 15, 12, 7, 5, 4];

/** More measures than that are on pages of their own, so that a table can be taken in at a glance. */
const MEASURES = ROWS.length - 1;

/**
 * One page of every measure: the first shows the largest lines of each.
 * @param page from 1; one beyond the last is the last
 */
export function pageOf(
  groups: readonly MeasureLines[],
  page: number,
): { windows: Window[]; page: number; pages: number } {
  const chunks = Array.from({ length: Math.ceil(groups.length / MEASURES) }, (_, index) => {
    const chunk = groups.slice(index * MEASURES, (index + 1) * MEASURES);
    const rows = ROWS[chunk.length] ?? 1;
    return { chunk, rows, pages: Math.max(...chunk.map((group) => countPages(group, rows))) };
  });
  const pages = chunks.reduce((sum, chunk) => sum + chunk.pages, 0);
  const wanted = Math.min(Math.max(1, page), Math.max(1, pages));
  let first = 1;
  for (const { chunk, rows, pages: own } of chunks) {
    if (wanted < first + own) {
      const place = wanted - first;
      const windows = chunk
        .filter((group) => countPages(group, rows) > place)
        .map((group) => windowOf(group, place, rows));
      return { windows, page: wanted, pages };
    }
    first += own;
  }
  return { windows: [], page: 1, pages: 1 };
}

/** A single line more than there are rows is shown with them: "1 other" would take the same room. */
function countPages({ lines }: MeasureLines, rows: number): number {
  return Math.max(1, Math.ceil((lines.length - 1) / rows));
}

/** @param place of the page among those of the group, from 0 */
function windowOf(group: MeasureLines, place: number, rows: number): Window {
  const start = place * rows;
  const isLast = place + 1 === countPages(group, rows);
  const shown = group.lines.slice(start, isLast ? undefined : start + rows);
  const count = group.lines.length - shown.length;
  const others = count === 0 ? undefined : { count, sum: minus(group.total, sumOf(shown)) };
  return { ...group, shown, others };
}

function minus(whole: Sum, part: Sum): Sum {
  return {
    value: whole.value.minus(part.value),
    projected: whole.projected.minus(part.projected),
    before: part.before && whole.before?.minus(part.before),
  };
}
