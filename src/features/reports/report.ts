import type { KnownBlock } from '@slack/types';
import { BigNumber } from 'bignumber.js';
import { plural } from '../../lib/text.ts';
import {
  barsOfLines,
  byMeasure,
  lineId,
  mainMeasure,
  type Bar,
  type Line,
  type Measure,
} from '../../reporting/amounts.ts';
import { altTextOf, stackOf, type Chart } from '../../reporting/chart.ts';
import { toCsvFile } from '../../reporting/csv.ts';
import type { Draw } from '../../reporting/draw.ts';
import { unitSize } from '../../reporting/quantity.ts';
import { describeRange } from '../../reporting/range.ts';
import { topText } from '../../slack/kit/blocks.ts';
import { mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import type { Rest } from '../../slack/routing/routes.ts';
import { chargesIn, tiersIn } from './charges-report.ts';
import { chosenLine, detailView, offeredLines, type OfferedLine } from './detail-view.ts';
import type { Bodies, Detail, Found, Question, Source } from './source.ts';
import { totalsView, type Paged } from './totals-view.ts';
import { usageIn } from './usage.ts';
import {
  flawBlocks,
  flawsOf,
  formatValue,
  lineName,
  measureName,
  notesOf,
  skippedCaveat,
  titleOf,
  warningsOf,
} from './words.ts';

/** The picture of an answer with steps: its main measure only; undefined if there is nothing to draw. */
export function chartOf(
  name: Source['name'],
  { query, by, range, nowMs }: Question,
  found: Found,
): { chart: Chart; leftOut: readonly string[] } | undefined {
  const groups = byMeasure(found.lines);
  const group = mainMeasure(groups);
  if (query.step === undefined || group === undefined) return undefined;
  const { measure } = group;
  const isCredited = group.lines.some(({ steps }) => [...steps.values()].some((one) => one.lt(0)));
  const drawn = group.lines.map(withoutCredits).filter(({ steps }) => steps.size > 0);
  if (drawn.length === 0) return undefined;
  const bars = barsOfLines(drawn, range, query.step);
  const measures = groups.map(({ measure }) => measure);
  const isNamed = measures.length > 1 || measure.kind === 'quantity';
  const of = isNamed ? `, ${measureName(measure, measures)}` : '';
  const chart: Chart = {
    title: `${titleOf(name, by)}${of}, ${describeRange(range)}`,
    steps: bars.map(({ startMs, endMs }) => {
      return { startMs, endMs, running: startMs <= nowMs && nowMs < endMs };
    }),
    series: stackOf(
      drawn.map((line) => ({
        name: seriesName(line, found.columns),
        values: bars.map(({ startMs }) => line.steps.get(startMs)),
      })),
    ),
    format: (value, like) => formatValue(value, measure, like),
    unit: unitOf(measure, bars),
  };
  const leftOut = groups
    .filter((one) => one !== group)
    .map((one) => measureName(one.measure, measures));
  return { chart, leftOut: isCredited ? [...leftOut, 'what is below 0'] : leftOut };
}

/** Negative values cannot be stacked. */
function withoutCredits(line: Line): Line {
  return { ...line, steps: new Map([...line.steps].filter(([, value]) => value.gte(0))) };
}

/** Omits what the title already names. */
function seriesName(line: Line, columns: readonly string[]): string {
  if (line.measure.kind === 'money') return lineName(line);
  const labels = line.labels.filter((_, at) => !['metric', 'feature'].includes(columns[at] ?? ''));
  return lineName({ labels: labels.length === 0 ? line.labels : labels });
}

/** The axis uses round numbers in the unit of the largest bar. */
function unitOf(measure: Measure, bars: readonly Bar[]): BigNumber | undefined {
  if (measure.kind === 'money') return undefined;
  return unitSize(BigNumber.max(0, ...bars.map(({ value }) => value ?? 0)), measure.unit);
}

export interface ReportInput {
  readonly bodies: Bodies;
  readonly wanted: Wanted;
}

export type Wanted = Totals | Tiers | File;

interface Page {
  /** From 1. */
  readonly page: number;
  /** Mrkdwn of further notes. */
  readonly notes: readonly string[];
  /** Ms since the epoch. */
  readonly now: number;
}

interface Totals extends Page {
  readonly kind: 'totals';
  /** For a channel: the largest rows only. */
  readonly isShort?: boolean;
  /** The estimate is shown elsewhere. */
  readonly withoutEstimate?: boolean;
}

interface Tiers extends Page {
  readonly kind: 'tiers';
  /** A `lineId`. */
  readonly row: string | undefined;
}

interface File {
  readonly kind: 'chart' | 'csv' | 'csv of tiers';
}

/** Plain data, because it crosses to the main thread. */
export type Report =
  | ReportPage
  | ReportFile
  /** No figures; `flaws`: what may be missing. */
  | {
      readonly kind: 'empty';
      readonly warnings: readonly string[];
      readonly flaws: readonly KnownBlock[];
      readonly notes: readonly string[];
    }
  | { readonly kind: 'nothing' }
  /** Some metrics need the chargeable items to determine their unit. */
  | { readonly kind: 'needs items' };

export interface ReportPage {
  readonly kind: 'shown';
  readonly text: string;
  readonly blocks: readonly KnownBlock[];
  readonly notes: readonly string[];
  readonly rest?: Rest | undefined;
  readonly page: number;
  readonly pages: number;
  /** Number of rows on the other pages, if the first page is a summary. */
  readonly rows?: number | undefined;
  readonly hasRows: boolean;
  /** For totals: the sum of each measure; decimal numbers. */
  readonly sums?: readonly { readonly measure: Measure; readonly value: string }[] | undefined;
  /** For totals of one measure: "about $6,430 by 30 November". */
  readonly estimate?: string | undefined;
  /** Mrkdwn, a line each: why sums may be too low. */
  readonly warnings: readonly string[];
  /** Lines offered in the menu, and the `lineId` whose tiers are shown. */
  readonly lines?: readonly OfferedLine[];
  readonly line?: string | undefined;
}

interface ReportFile {
  readonly kind: 'file';
  readonly content: Uint8Array;
  /** Mrkdwn: "All 12 rows are in". */
  readonly what: string;
  readonly title?: string;
  readonly altText?: string;
  readonly flaws: readonly KnownBlock[];
}

/** Pure except for `draw`. */
export async function reportOf(
  { source: name, question }: Pick<Bodies, 'source' | 'question'>,
  found: Found | Detail,
  wanted: Wanted,
  draw: Draw,
): Promise<Report> {
  switch (wanted.kind) {
    case 'totals':
    case 'tiers':
      return shownOf({ name, question, wanted }, found);
    case 'csv':
    case 'csv of tiers':
      return csvOf(found);
    case 'chart':
      return pictureOf({ name, question }, found, draw);
  }
}

interface Asked extends Pick<Bodies, 'question'> {
  readonly name: Bodies['source'];
}

function shownOf(asked: Asked & { wanted: Totals | Tiers }, found: Found | Detail): Report {
  const { wanted } = asked;
  const detail = 'tiersOf' in found ? found : undefined;
  const isEmpty = detail === undefined ? !found.hasRows : found.lines.length === 0;
  if (isEmpty && found.skipped === 0) {
    return {
      kind: 'empty',
      flaws: flawBlocks(found.caveats),
      notes: notesOf(found.caveats),
      warnings: warningsOf(found.caveats),
    };
  }
  const row = wanted.kind === 'tiers' ? wanted.row : undefined;
  const line = detail && chosenLine(detail, row);
  const own = detail && line ? detail.caveatsOf(line) : found.caveats;
  const caveats = [...own, ...wanted.notes.map((text) => new Mrkdwn(text))];
  const { head, ...view }: Paged =
    detail === undefined
      ? totalsView({ ...asked, ...wanted, found: { ...found, caveats } })
      : detailView({ ...asked, ...wanted, detail, line, caveats });
  return {
    kind: 'shown',
    text: topText(head),
    ...view,
    hasRows: found.hasRows,
    warnings: warningsOf([...skippedCaveat(found.skipped), ...own]),
    ...(detail === undefined && { sums: sumsOf(found.lines) }),
    ...(detail && { lines: offeredLines(detail), line: line && lineId(line) }),
  };
}

function sumsOf(lines: readonly Line[]): ReportPage['sums'] {
  return byMeasure(lines).map(({ measure, total }) => ({ measure, value: total.value.toFixed() }));
}

function csvOf(found: Found): Report {
  if (!found.hasRows) return { kind: 'nothing' };
  const { columns, rows } = found.table();
  const { content, count } = toCsvFile(columns, rows);
  const flaws = flawsOf(found);
  return {
    kind: 'file',
    content,
    what: mrkdwn`${rowsIn(count, flaws.length === 0)} in`.text,
    flaws: flawBlocks(flaws),
  };
}

/** "All 12 rows are"; without "all" if some are or may be missing. */
function rowsIn(count: number, isWhole: boolean): string {
  if (count === 1) return isWhole ? 'The only row is' : '1 row is';
  return `${isWhole ? 'All ' : ''}${plural(count, 'row')} are`;
}

async function pictureOf({ name, question }: Asked, found: Found, draw: Draw): Promise<Report> {
  const picture = chartOf(name, question, found);
  if (picture === undefined) return { kind: 'nothing' };
  const { chart, leftOut } = picture;
  const others = leftOut.length === 0 ? '' : `, without ${leftOut.join(', ')},`;
  return {
    kind: 'file',
    content: await draw(chart),
    what: mrkdwn`The chart${others} is in`.text,
    title: chart.title,
    altText: altTextOf(chart),
    flaws: flawBlocks(flawsOf(found)),
  };
}

/** @throws PlatformError, Refusal */
export async function makeReport({ bodies, wanted }: ReportInput, draw: Draw): Promise<Report> {
  const isOfTiers = wanted.kind === 'tiers' || wanted.kind === 'csv of tiers';
  const inCharges = isOfTiers ? tiersIn : chargesIn;
  const found = bodies.source === 'charges' ? inCharges(bodies) : usageIn(bodies);
  return found === undefined ? { kind: 'needs items' } : reportOf(bodies, found, wanted, draw);
}
