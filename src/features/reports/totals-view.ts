import type { KnownBlock } from '@slack/types';
import { formatAge, plural, shorten } from '../../lib/text.ts';
import { DAY_MS } from '../../lib/time.ts';
import {
  barsOfLines,
  byMeasure,
  formatChange,
  formatShare,
  mainMeasure,
  measureKey,
  type Line,
  type MeasureLines,
  type Sum,
} from '../../reporting/amounts.ts';
import { sparkline } from '../../reporting/chart.ts';
import { finalFrom, isProvisional } from '../../reporting/revision.ts';
import {
  dayAndMonth,
  describeBefore,
  describeEnd,
  describeRange,
  isAligned,
  isEarly,
  spanBefore,
  stepStart,
  type Range,
} from '../../reporting/range.ts';
import { context, section, table, type Column } from '../../slack/kit/blocks.ts';
import { joinMrkdwn, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Rest } from '../../slack/routing/routes.ts';
import { pageOf, type Window } from './answer-view.ts';
import type { Found, Question, Source } from './source.ts';
import {
  estimateOf,
  flaw,
  flawBlocks,
  formatValue,
  lineName,
  measureName,
  NONE,
  note,
  notesOf,
  questionLine,
  skippedCaveat,
  warningBlocks,
} from './words.ts';

interface TotalsView {
  readonly name: Source['name'];
  readonly question: Question;
  readonly found: Found;
  /** From 1. */
  readonly page: number;
  /** Ms since the epoch. */
  readonly now: number;
  /** For a channel, where pages cannot be turned: the largest rows only. */
  readonly isShort?: boolean | undefined;
  /** The estimate is shown elsewhere. */
  readonly withoutEstimate?: boolean | undefined;
}

/** Keeps a short answer within twelve lines (docs/style.md). */
const SHORT_ROWS = 5;

export interface Paged {
  readonly head: Mrkdwn;
  readonly blocks: KnownBlock[];
  readonly notes: readonly string[];
  readonly rest?: Rest | undefined;
  readonly page: number;
  readonly pages: number;
  /** Number of rows on the other pages, if the first page is a summary. */
  readonly rows?: number | undefined;
  /** For one measure: "about $6,430 by 30 November". */
  readonly estimate?: string | undefined;
}

/** Totals above the table, which has them all. */
const TOTALS_NAMED = 6;
/** Longer labels lose their middle. */
const LABEL_LENGTH = 32;

/** The answer to `/charges` and `/usage`. Pure. */
export function totalsView(view: TotalsView): Paged {
  const { found, question } = view;
  const groups = byMeasure(found.lines);
  // Several metrics with many lines start with a summary page.
  const isSummed = found.lines.length > groups.length && isOfMetrics(groups);
  const page = isSummed && view.page <= 1 ? undefined : view.page - Number(isSummed);
  const rows = pageOf(groups, page ?? 1, view.isShort ? SHORT_ROWS : undefined);
  const shown = page === undefined ? groups : rows.windows;
  const asked = questionLine(view.name, question);
  const isUnread = found.lines.length === 0 && found.skipped > 0;
  const totals = isUnread ? [NOTHING_READ] : totalLines(view, shown);
  const compared = isUnread ? [] : comparedLine(view, groups);
  const table =
    page === undefined ? summaryTable(view, groups) : rowsTable(view, groups, rows.windows);
  const paging = {
    page: page === undefined ? 1 : rows.page + Number(isSummed),
    pages: rows.pages + Number(isSummed),
  };
  const caveats = caveatsOf(view);
  const head = joinMrkdwn([asked, ...totals, ...compared, ...provisionalLine(view)], '\n');
  const [estimate] = groups.length === 1 ? estimates(view).values() : [];
  return {
    head,
    blocks: [
      // The summary table contains the totals already.
      section(
        page === undefined
          ? joinMrkdwn([asked, ...compared, ...provisionalLine(view)], '\n')
          : head,
      ),
      ...(shown.length === 0 ? [] : [table]),
      ...stepLine(question, groups),
      ...(view.isShort ? warningBlocks(caveats) : flawBlocks(caveats)),
      ...footer(
        found.readAt,
        view.now,
        rows.page,
        page === undefined || view.isShort ? 1 : rows.pages,
      ),
    ],
    notes: notesOf(caveats),
    ...paging,
    ...(estimate !== undefined && { estimate: `${estimate} ${endOf(question)}` }),
    ...(page === undefined && { rows: found.lines.length }),
  };
}

/** "provisional until 18 October", in a message that a channel gets by itself. */
function provisionalLine({ isShort, question: { range }, now }: TotalsView): Mrkdwn[] {
  if (isShort !== true || now < range.endMs || !isProvisional(range, now)) return [];
  return [mrkdwn`_provisional until ${dayAndMonth(finalFrom(range))}_`];
}

const NOTHING_READ = mrkdwn`*Nothing of it can be read*: please try again, and tell your Purser administrator if it lasts.`;

/** Several metrics have no common sum. */
function isOfMetrics(groups: readonly MeasureLines[]): boolean {
  return groups.length > 1 && groups.every(({ measure }) => measure.kind === 'quantity');
}

/** The page and the age of the data; empty if there is one page of fresh data. */
export function footer(readAt: number, now: number, page: number, pages: number): KnownBlock[] {
  const age = formatAge(now - readAt);
  const texts = [
    ...(pages > 1 ? [mrkdwn`Page ${page} of ${pages}`] : []),
    ...(age === 'just now' ? [] : [mrkdwn`Read ${age}`]),
  ];
  return texts.length === 0 ? [] : [context(joinMrkdwn(texts, ' · '))];
}

/**
 * "*$4,603.96* so far, +12.3 % vs 1-22 October" and "about $6,430 by 30 November"; one line per measure if there are
 * several, all compared with the same span.
 */
function totalLines(view: TotalsView, groups: readonly MeasureLines[]): Mrkdwn[] {
  const all = byMeasure(view.found.lines).map(({ measure }) => measure);
  const { question } = view;
  const isRunning = question.nowMs < question.range.endMs;
  const before = spanBefore(question.range, question.query.range, question.nowMs);
  const ahead = estimates(view);
  const isAlone = all.length === 1;
  const totals = groups.slice(0, TOTALS_NAMED).flatMap(({ measure, total }) => {
    const name =
      measure.kind === 'money' && isAlone ? mrkdwn`` : mrkdwn`${measureName(measure, all)}: `;
    const sum = mrkdwn`${name}*${formatValue(total.value, measure)}*${isRunning ? ' so far' : ''}`;
    const change = changeOf(total);
    const versus = isAlone && before && change ? ` ${versusSpan(before, question)}` : '';
    const line = change === undefined ? sum : mrkdwn`${sum}, ${change}${versus}`;
    const largest = isAlone ? largestChange(groups[0], view) : [];
    const ofEnd = ahead.get(measureKey(measure));
    if (ofEnd === undefined || view.withoutEstimate) return [line, ...largest];
    const estimate = mrkdwn`${ofEnd} ${endOf(question)}`;
    return isAlone ? [line, ...largest, estimate] : [mrkdwn`${line}, ${estimate}`];
  });
  const rest = groups.length - TOTALS_NAMED;
  return rest > 0 ? [...totals, mrkdwn`and ${rest} more in the table`] : totals;
}

/** "Largest change: *acme / api*, +$504.10"; omitted for a single line. */
function largestChange(
  group: MeasureLines | undefined,
  { isShort }: Pick<TotalsView, 'isShort'>,
): Mrkdwn[] {
  const changes = (group?.lines ?? []).flatMap((line) =>
    line.before === undefined ? [] : [{ line, by: line.value.minus(line.before) }],
  );
  const [first, ...others] = changes.toSorted((a, b) => b.by.abs().comparedTo(a.by.abs()) ?? 0);
  if (first === undefined || others.length === 0 || first.by.isZero()) return [];
  const { line, by } = first;
  const amount = formatValue(by, line.measure);
  // "<$0.01" would be a rounding artefact.
  if (/^[<>]/.test(amount)) return [];
  const labels = line.labels.map((label) => shorten(label, LABEL_LENGTH));
  const signed = isShort ? amount.replace(/^-/, '−') : amount;
  return [mrkdwn`Largest change: *${lineName({ labels })}*, ${by.gt(0) ? '+' : ''}${signed}`];
}

/** For a running span, the change of the actual value, not of the projection. */
function changeOf({ value, before }: Sum): string | undefined {
  return before === undefined ? undefined : formatChange(value, before);
}

/**
 * By `measureKey`: "about $6,430", while a span is running. Omitted for several months that end with the current one:
 * the platform extrapolates the span as a whole, which would contradict this month's projection.
 */
function estimates({ question, found }: TotalsView): ReadonlyMap<string, string> {
  const { query, range, nowMs } = question;
  if (nowMs >= range.endMs || isEarly(range, nowMs)) return new Map();
  const month = stepStart(nowMs, 'month');
  const isOfMonths = range.endMs - range.startMs > 31 * DAY_MS;
  if (isOfMonths && stepStart(range.endMs - 1, 'month') === month) return new Map();
  const lines = query.step === undefined ? found.lines : (found.whole ?? []);
  const sums = byMeasure(lines).filter(({ total }) => !total.projected.eq(total.value));
  return new Map(
    sums.map(({ measure, total }) => [measureKey(measure), estimateOf(total.projected, measure)]),
  );
}

/** "by 30 November". */
function endOf({ range, nowMs }: Question): string {
  return `by ${describeEnd(range, nowMs)}`;
}

/** "vs 1-22 October"; a running day is compared with the same hours. */
function versusSpan(before: Range, { range, nowMs }: Question): string {
  const isPartOfDay = nowMs < range.endMs && range.endMs - range.startMs <= DAY_MS;
  return `vs ${isPartOfDay ? 'the same hours of ' : ''}${describeBefore(before, range)}`;
}

/** The compared span, unless the total names it. */
function comparedLine({ question, found }: TotalsView, groups: readonly MeasureLines[]): Mrkdwn[] {
  const before = spanBefore(question.range, question.query.range, question.nowMs);
  if (before === undefined) return [];
  if (groups.some(({ total }) => total.before !== undefined)) {
    return groups.length === 1 ? [] : [mrkdwn`Change ${versusSpan(before, question)}`];
  }
  const span = describeBefore(before, question.range);
  return [
    found.isBeforeUnread === true
      ? flaw(mrkdwn`No change is shown: ${span} could not be read`)
      : mrkdwn`No change is shown: no data for ${span}`,
  ];
}

function summaryTable(view: TotalsView, groups: readonly MeasureLines[]): KnownBlock {
  const { question, found } = view;
  const measures = groups.map(({ measure }) => measure);
  const withChange = groups.some(({ total }) => total.before !== undefined);
  const isRunning = question.nowMs < question.range.endMs;
  const ahead = estimates(view);
  const columns: Column[] = [
    { title: 'metric' },
    { title: isRunning ? 'So far' : 'Usage', align: 'right', wraps: true },
    ...(withChange ? [{ title: 'Change', align: 'right' } as const] : []),
    ...(ahead.size === 0 ? [] : [{ title: endOf(question), align: 'right', wraps: true } as const]),
    { title: 'Largest' },
  ];
  return table(
    columns,
    groups.map(({ measure, lines, total }) => [
      measureName(measure, measures),
      formatValue(total.value, measure),
      ...(withChange ? [formatChange(total.value, total.before)] : []),
      ...(ahead.size === 0 ? [] : [ahead.get(measureKey(measure)) ?? '']),
      largestOf(lines, total, found.columns),
    ]),
  );
}

/** "acme / warehouse, 27.5 %". */
function largestOf([largest]: readonly Line[], { value }: Sum, columns: readonly string[]): string {
  if (largest === undefined || largest.value.lte(0)) return '';
  const labels = largest.labels.flatMap((label, at) =>
    ['metric', 'feature'].includes(columns[at] ?? '') ? [] : [shorten(label || NONE, 28)],
  );
  return [labels.join(' / '), formatShare(largest.value, value)].filter(Boolean).join(', ');
}

function rowsTable(
  view: TotalsView,
  groups: readonly MeasureLines[],
  windows: readonly Window[],
): KnownBlock {
  const { name, found } = view;
  const measures = groups.map(({ measure }) => measure);
  const withMetric =
    measures.length > 1 &&
    measures.some(({ kind }) => kind === 'quantity') &&
    !found.columns.includes('metric');
  const withChange = groups.some(({ total }) => total.before !== undefined);
  const names = [...found.columns, ...(withMetric ? ['metric'] : [])];
  // One column for all labels leaves room for the figures, even in a narrow window.
  const columns: Column[] = [
    { title: names.join(' / ') },
    { title: name === 'charges' ? 'Charge' : 'Usage', align: 'right' },
    { title: 'Share', align: 'right' },
    ...(withChange ? [{ title: 'Change', align: 'right' } as const] : []),
  ];

  const rows = windows.flatMap(({ measure, lines, total, shown, others }) => {
    const [ofAll, own] = [groups.length > 1, measureName(measure, measures)];
    // With credits among the lines, shares of the sum are meaningless.
    const withShare =
      lines.every(({ value }) => value.gte(0)) || lines.every(({ value }) => value.lte(0));
    const row = (label: string, sum: Pick<Sum, 'value' | 'before'>): string[] => [
      label,
      formatValue(sum.value, measure),
      withShare ? formatShare(sum.value, total.value) : '',
      ...(withChange ? [formatChange(sum.value, sum.before)] : []),
    ];
    const shownRows = shown.map((line) => {
      const labels = line.labels.map((label) => shorten(label || NONE, LABEL_LENGTH));
      return row([...labels, ...(withMetric ? [own] : [])].join(' / '), line);
    });
    if (others) {
      const count = plural(others.count, 'other');
      shownRows.push(
        row(ofAll && measure.kind === 'quantity' ? `${count}, ${own}` : count, others.sum),
      );
    }
    if (ofAll && lines.length > 1) shownRows.push(row(`Total, ${own}`, total));
    return shownRows;
  });
  return table(columns, rows);
}

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
            mrkdwn`The first or the last ${step} is only partly in the range: only that part counts.`,
          ),
        ]
      : []),
  ];
}
