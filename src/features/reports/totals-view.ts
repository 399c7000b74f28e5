import type { Button, KnownBlock } from '@slack/types';
import { formatAge, plural } from '../../lib/text.ts';
import { DAY_MS } from '../../lib/time.ts';
import {
  byMeasure,
  formatChange,
  formatShare,
  measureKey,
  type Line,
  type MeasureLines,
  barsOfLines,
  mainMeasure,
  type Measure,
} from '../../reporting/amounts.ts';
import {
  finalFrom,
  isProvisional,
  dayAndMonth,
  describeBefore,
  describeEnd,
  isAligned,
  isEarly,
  spanBefore,
  stepStart,
  type Range,
  describeRange,
} from '../../reporting/range.ts';
import { context, section } from '../../slack/kit/blocks.ts';
import { Numeric } from '../../slack/kit/tables.ts';
import { joinMrkdwn, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import { type ListColumn, listed, type Listed } from '../list.ts';
import { finerThan } from './question.ts';
import type { Caveat, Found, Question, Source } from './source.ts';
import {
  actionId,
  columnTitle,
  estimateOf,
  flaw,
  flawBlocks,
  formatValue,
  labelWords,
  lineName,
  measureName,
  note,
  notesOf,
  questionLine,
  rowButton,
  sumIn,
  warningBlocks,
  withoutOrgs,
} from './words.ts';
import { BigNumber } from 'bignumber.js';
import { chartPoints, valuesAt } from '../../reporting/chart.ts';
import { formatInUnit, unitSize } from '../../reporting/quantity.ts';
import { chart } from '../../slack/kit/charts.ts';

interface TotalsView {
  readonly name: Source['name'];
  readonly question: Question;
  readonly found: Found;
  /** From 1. */
  readonly page: number;
  /** Ms since the epoch. */
  readonly now: number;
  /** For a channel, where nothing can be opened: a few rows are shown at a time. */
  readonly isShort?: boolean | undefined;
  /** The estimate is shown elsewhere. */
  readonly withoutEstimate?: boolean | undefined;
}

/** Keeps a short answer within twelve lines (docs/style.md); Slack turns to the others. */
const SHORT_ROWS = 5;

export interface Paged extends Listed {
  readonly notes: readonly string[];
  /** For one measure: "about $6,430 by 30 November". */
  readonly estimate?: string | undefined;
}

/** Totals above the table; a platform has fewer metrics. */
const TOTALS_NAMED = 20;
/** More are one column: Slack takes 20. */
const LABEL_COLUMNS = 15;

/** The answer to `/charges` and `/usage`. Pure. */
export function totalsView(view: TotalsView): Paged {
  const { found, question } = view;
  const groups = byMeasure(found.lines);
  const isUnread = found.lines.length === 0 && found.skipped > 0;
  const asked = mrkdwn`${questionLine(view.name, question)}${withoutOrgs(found.missing)}`;
  const totals = isUnread
    ? [NOTHING_READ]
    : [...totalLines(view, groups), ...comparedLine(view, groups)];
  const [total, ...others] = totals;
  // One figure belongs to the headline; several are a list below it.
  const hasOne = total !== undefined && (isUnread || groups.length === 1);
  const said = hasOne ? [mrkdwn`${asked} · ${total}`, ...others] : [asked, ...totals];
  const head = [...said, ...provisionalLine(view)];
  const { blocks, page, pages } = rowsTable(view, groups);
  const caveats = caveatsOf(view);
  const [estimate] = groups.length === 1 ? estimates(view).values() : [];
  return {
    blocks: [
      section(joinMrkdwn(head, '\n')),
      ...courseBlocks(question, found),
      ...blocks,
      ...(view.isShort ? warningBlocks(caveats) : flawBlocks(caveats)),
      ...footer(found.readAt, view.now),
    ],
    notes: notesOf(caveats),
    page,
    pages,
    ...(estimate !== undefined && { estimate: `${estimate} ${endOf(question)}` }),
  };
}

/** "provisional until 18 October", in a message that a channel gets by itself. */
function provisionalLine({ isShort, question: { range }, now }: TotalsView): Mrkdwn[] {
  if (isShort !== true || now < range.endMs || !isProvisional(range, now)) return [];
  return [mrkdwn`_provisional until ${dayAndMonth(finalFrom(range))}_`];
}

const NOTHING_READ = mrkdwn`*Nothing could be read*: please try again, and contact your Purser administrator if it lasts.`;

/** The age of the data; empty if it is fresh. */
export function footer(readAt: number, now: number): KnownBlock[] {
  const age = formatAge(now - readAt);
  return age === 'just now' ? [] : [context(mrkdwn`Read ${age}`)];
}

/**
 * "*$4,603.96* so far, +12% vs 1-22 October" and "Projected: about $6,430 by 30 November"; one line per measure if there are
 * several, all compared with the same span.
 */
function totalLines(view: TotalsView, groups: readonly MeasureLines[]): Mrkdwn[] {
  const all = groups.map(({ measure }) => measure);
  const { question } = view;
  const isRunning = question.nowMs < question.range.endMs;
  const before = spanBefore(question.range, question.query.range, question.nowMs);
  const ahead = estimates(view);
  const isAlone = all.length === 1;
  const totals = groups.slice(0, TOTALS_NAMED).flatMap(({ measure, total }) => {
    const name =
      measure.kind === 'money' && isAlone ? mrkdwn`` : mrkdwn`${measureName(measure, all)}: `;
    const sum = mrkdwn`${name}${sumIn(view.found, total.value, measure)}${isRunning ? ' so far' : ''}`;
    // For a running span, the change of the actual value, not of the projection.
    const change = total.before && formatChange(total.value, total.before);
    const versus = isAlone && before && change ? ` ${versusSpan(before, question)}` : '';
    const line = change === undefined ? sum : mrkdwn`${sum}, ${change}${versus}`;
    const largest = isAlone ? largestChange(groups[0], view.found.columns) : [];
    const ofEnd = ahead.get(measureKey(measure));
    if (ofEnd === undefined || view.withoutEstimate) return [line, ...largest];
    const estimate = `${ofEnd} ${endOf(question)}`;
    return isAlone
      ? [line, mrkdwn`Projected: ${estimate}`, ...largest]
      : [mrkdwn`${line}, projected: ${estimate}`];
  });
  const rest = groups.length - TOTALS_NAMED;
  return rest > 0 ? [...totals, mrkdwn`and ${rest} more metrics`] : totals;
}

/** A smaller part of the total is no news. */
const NOTABLE_SHARE = 0.01;

/** "Largest change: *shop/api (acme)*, +$504.10"; omitted for a single line. */
function largestChange(group: MeasureLines | undefined, columns: readonly string[]): Mrkdwn[] {
  const changes = (group?.lines ?? []).flatMap((line) =>
    line.before === undefined ? [] : [{ line, by: line.value.minus(line.before) }],
  );
  const [first, ...others] = changes.toSorted((a, b) => b.by.abs().comparedTo(a.by.abs()) ?? 0);
  if (group === undefined || first === undefined || others.length === 0) return [];
  const { line, by } = first;
  if (by.isZero() || by.abs().lt(group.total.value.abs().times(NOTABLE_SHARE))) return [];
  const amount = formatValue(by, line.measure);
  // "<$0.01" would be a rounding artefact.
  if (/^[<>]/.test(amount)) return [];
  return [mrkdwn`Largest change: *${lineName(line, columns)}*, ${by.gt(0) ? '+' : ''}${amount}`];
}

/**
 * By `measureKey`: "about $6,430", while a span is running. Omitted if rows could not be read, and for several months
 * that end with the current one: the platform extrapolates the span as a whole, which would contradict this month's
 * projection.
 */
function estimates({ question, found }: TotalsView): ReadonlyMap<string, string> {
  const { query, range, nowMs } = question;
  if (nowMs >= range.endMs || isEarly(range, nowMs) || found.skipped > 0) return new Map();
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
  if (found.skipped > 0) {
    return [
      flaw(mrkdwn`${plural(found.skipped, 'row')} could not be read, so no change is shown`).text,
    ];
  }
  const before = spanBefore(question.range, question.query.range, question.nowMs);
  if (before === undefined) return [];
  if (groups.some(({ total }) => total.before !== undefined)) {
    return groups.length === 1 ? [] : [mrkdwn`Change ${versusSpan(before, question)}`];
  }
  const span = describeBefore(before, question.range);
  return [
    found.isBeforeUnread === true
      ? flaw(mrkdwn`No change is shown: ${span} could not be read`).text
      : mrkdwn`No change is shown: no data for ${span}`,
  ];
}

interface Row {
  readonly line: Line;
  readonly group: MeasureLines;
  /** With credits among the lines, shares of the sum are meaningless. */
  readonly withShare: boolean;
}

function rowsTable(view: TotalsView, groups: readonly MeasureLines[]): Listed {
  const { name, found, question, page, isShort } = view;
  const rows = groups.flatMap((group) => {
    const { lines } = group;
    const withShare =
      lines.every(({ value }) => value.gte(0)) || lines.every(({ value }) => value.lte(0));
    return lines.map((line): Row => ({ line, group, withShare }));
  });
  const withChange = groups.some(({ total }) => total.before !== undefined);
  const [named, ...labels] = labelColumns(found.columns);
  // A narrow window shows the first columns only.
  const columns: ListColumn<Row>[] = [
    ...(named ? [named] : []),
    {
      title: name === 'charges' ? 'Charge' : 'Usage',
      of: (row) => new Numeric(row.line.value.toNumber(), figureOf(row)),
    },
    ...(withChange ? [{ title: 'Change', of: changeCell }] : []),
    { title: 'Share', of: shareCell },
    ...labels,
    ...metricColumn(found.columns, groups),
  ];
  const isOpened = !isShort && finerThan(question.by) !== undefined;
  return listed<Row>({
    caption: `${name === 'charges' ? 'Charges' : 'Usage'}: a row per ${question.by.join(', ')}`,
    columns,
    rows,
    page,
    ...(isShort && { pageSize: SHORT_ROWS }),
    ...(isOpened && { step: ({ line }) => openButton(view, line) }),
  });
}

/** The narrowest tag names a row; the others are in their order. */
const NAMING: readonly string[] = ['workload', 'gvc'];

function labelColumns(tags: readonly string[]): ListColumn<Row>[] {
  if (tags.length <= LABEL_COLUMNS) {
    const naming = NAMING.find((tag) => tags.includes(tag));
    const columns = tags.map((tag, at) => ({
      tag,
      title: columnTitle(tag),
      of: ({ line }: Row) => labelWords(line.labels[at]),
    }));
    return columns.toSorted((a, b) => Number(b.tag === naming) - Number(a.tag === naming));
  }
  const title = tags.map(columnTitle).join(', ');
  return [{ title, of: ({ line }) => line.labels.map(labelWords).join(', ') }];
}

/** Where the labels omit which of several metrics a row is about. */
function metricColumn(tags: readonly string[], groups: readonly MeasureLines[]): ListColumn<Row>[] {
  const measures = groups.map(({ measure }) => measure);
  const isOfMetrics = measures.length > 1 && measures.some(({ kind }) => kind === 'quantity');
  if (!isOfMetrics || tags.includes('metric')) return [];
  return [{ title: 'Metric', of: ({ group }) => measureName(group.measure, measures) }];
}

/** In the unit of the largest row of its metric, which is the first, so that rows compare at a glance. */
function figureOf({ line: { value, measure }, group: { lines } }: Row): string {
  const figure = formatValue(value, measure, lines[0]?.value);
  // In so large a unit it is next to nothing.
  return /^[<>]/.test(figure) ? formatValue(value, measure) : figure;
}

function shareCell({ line: { value }, group: { total }, withShare }: Row) {
  if (!withShare) return '';
  const text = formatShare(value, total.value);
  return text === '' ? '' : new Numeric(value.div(total.value).toNumber(), text);
}

/** New usage sorts as the largest change; an unknown change is text. */
function changeCell({ line: { value, before } }: Row) {
  const text = formatChange(value, before);
  if (before === undefined) return text;
  if (before.isZero()) return new Numeric(value.isZero() ? 0 : Number.MAX_SAFE_INTEGER, text);
  return new Numeric(value.minus(before).div(before.abs()).toNumber(), text);
}

/** Asks about this row alone; usage without an org cannot be asked for. */
function openButton({ name, question, found }: TotalsView, line: Line): Button | undefined {
  const tags = [...question.by, 'org'];
  const row = Object.fromEntries(
    found.columns.flatMap((tag, at) => (tags.includes(tag) ? [[tag, line.labels[at] ?? '']] : [])),
  ) as Readonly<Record<string, string>>;
  if (row['org'] === '') return undefined;
  return rowButton(actionId(name, 'open'), row, lineName(line, found.columns));
}

/** A step that the range cuts is lower than the others. */
function caveatsOf({ question: { query, range }, found }: TotalsView): readonly Caveat[] {
  const { step } = query;
  if (step === undefined || isAligned(range, step)) return found.caveats;
  const cut = mrkdwn`The first or the last ${step} is only partly in the range: only that part counts.`;
  return [...found.caveats, note(cut)];
}

/** Fewer points are no line. */
const FEWEST_POINTS = 3;

/**
 * The course of an answer with steps: a chart of the measure with the most lines, and the highest step. A long range has
 * longer points than its steps; the file has every step. Pure.
 */
export function courseBlocks(question: Question, found: Found): KnownBlock[] {
  const { query, range, nowMs, by } = question;
  const groups = byMeasure(found.lines);
  const group = mainMeasure(groups);
  if (query.step === undefined || group === undefined) return [];
  const { points, per } = chartPoints(range, query.step, nowMs);
  const drawn = group.lines
    .map((line) => ({ line, values: valuesAt(points, line.steps) }))
    .filter(({ values }) => values.some((value) => value !== undefined && !value.isZero()));
  if (drawn.length === 0) return [];
  const { size, unit } = unitOf(
    group.measure,
    drawn.flatMap(({ values }) => values),
  );
  const measures = groups.map(({ measure }) => measure);
  const isPlain = measures.length === 1 && group.measure.kind === 'money';
  const what = isPlain ? 'Charges' : measureName(group.measure, measures);
  const isLine = drawn.length > 1 && points.length >= FEWEST_POINTS;
  return [
    chart({
      title: `${what} per ${per} by ${by.join(', ')}`,
      type: isLine ? 'line' : 'bar',
      points: points.map(({ name }) => name),
      series: drawn.map(({ line, values }) => ({
        name: seriesName(line, found.columns),
        values: values.map((value) => value?.div(size).dp(DIGITS).toNumber() ?? 0),
      })),
      unit,
    }),
    ...highestLine(question, group, measures),
  ];
}

const DIGITS = 4;

/** Omits what the title already names. */
function seriesName({ labels, measure }: Line, columns: readonly string[]): string {
  const isOfTitle = (tag: string) =>
    measure.kind === 'quantity' && ['metric', 'feature'].includes(tag);
  const kept = columns.flatMap((tag, at) => (isOfTitle(tag) ? [] : [{ tag, at }]));
  if (kept.length === 0) return lineName({ labels }, columns);
  return lineName(
    { labels: kept.map(({ at }) => labels[at] ?? '') },
    kept.map(({ tag }) => tag),
  );
}

/** Of a chart: the unit of its largest value, and how many raw ones that is. */
function unitOf(measure: Measure, values: readonly (BigNumber | undefined)[]) {
  if (measure.kind === 'money') return { size: 1, unit: measure.currency };
  const largest = BigNumber.max(0, ...values.map((value) => value ?? 0));
  const size = unitSize(largest, measure.unit);
  const [, unit] = /^2 (.+)$/.exec(formatInUnit(size.times(2), measure.unit, largest)) ?? [];
  return { size, unit };
}

/** "Highest day: *$40.00*, 2 October 2026", for the steps that were asked for. */
function highestLine(
  { query, range }: Question,
  { lines, measure }: MeasureLines,
  measures: readonly Measure[],
): KnownBlock[] {
  const bars = query.step === undefined ? [] : barsOfLines(lines, range, query.step);
  const [highest] = bars
    .flatMap(({ value, ...span }) => (value === undefined ? [] : [{ value, span }]))
    .toSorted((a, b) => b.value.comparedTo(a.value) ?? 0);
  if (highest === undefined) return [];
  const of = measures.length === 1 ? '' : ` of ${measureName(measure, measures)}`;
  const { value, span } = highest;
  return [
    section(
      mrkdwn`Highest ${query.step ?? ''}${of}: *${formatValue(value, measure)}*, ${describeRange(span)}`,
    ),
  ];
}
