import type { KnownBlock } from '@slack/types';
import { plural } from '../../lib/text.ts';
import { byMeasure, lineId, type Line, type Measure } from '../../reporting/amounts.ts';
import { toCsvFile } from '../../reporting/csv.ts';
import { mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import { chargesIn, tiersIn } from './charges-report.ts';
import { chosenLine, detailView, offeredLines, type OfferedLine } from './detail-view.ts';
import type { Bodies, Detail, Found } from './source.ts';
import { totalsView, type Paged } from './totals-view.ts';
import { usageIn } from './usage.ts';
import { flawBlocks, flawsOf, notesOf, unreadRows, warningsOf } from './words.ts';

export interface ReportInput {
  readonly bodies: Bodies;
  readonly wanted: Wanted;
}

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
  /** For a channel: a few rows at a time. */
  readonly isShort?: boolean;
  /** The estimate is shown elsewhere. */
  readonly withoutEstimate?: boolean;
}

/** `row`: a `lineId`. */
type Tiers = Page & { readonly kind: 'tiers'; readonly row: string | undefined };

export type Wanted = Totals | Tiers | { readonly kind: 'csv' | 'csv of tiers' };

/** Plain data, because it crosses to the main thread. */
export type Report =
  | ReportPage
  | ReportFile
  /** No figures; `flaws`: what may be missing. */
  | {
      readonly kind: 'empty';
      readonly isWhole: boolean;
      readonly missing: readonly string[];
      readonly warnings: readonly string[];
      readonly flaws: readonly KnownBlock[];
      readonly notes: readonly string[];
    }
  | { readonly kind: 'nothing' };

export interface ReportPage extends Paged {
  readonly kind: 'shown';
  readonly hasRows: boolean;
  /** No figure can be too low. */
  readonly isWhole: boolean;
  /** For totals: the sum of each measure; decimal numbers. */
  readonly sums?: readonly { readonly measure: Measure; readonly value: string }[] | undefined;
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
  /** Plain text: the missing rows; empty if nothing is. */
  readonly gap: string;
  readonly flaws: readonly KnownBlock[];
}

export function reportOf(
  { source: name, question }: Pick<Bodies, 'source' | 'question'>,
  found: Found | Detail,
  wanted: Wanted,
): Report {
  return wanted.kind === 'totals' || wanted.kind === 'tiers'
    ? shownOf({ name, question, wanted }, found)
    : csvOf(found);
}

interface Asked extends Pick<Bodies, 'question'> {
  readonly name: Bodies['source'];
  readonly wanted: Totals | Tiers;
}

function shownOf({ wanted, ...asked }: Asked, found: Found | Detail): Report {
  const detail = 'tiersOf' in found ? found : undefined;
  const isEmpty = detail === undefined ? !found.hasRows : found.lines.length === 0;
  if (isEmpty && found.skipped === 0) {
    return {
      kind: 'empty',
      isWhole: !found.caveats.some(({ isFlaw }) => isFlaw),
      missing: found.missing,
      flaws: flawBlocks(found.caveats),
      notes: notesOf(found.caveats),
      warnings: warningsOf(found.caveats).map(({ text }) => text),
    };
  }
  const line = detail && chosenLine(detail, wanted.kind === 'tiers' ? wanted.row : undefined);
  const own = detail && line ? detail.caveatsOf(line) : found.caveats;
  const caveats = [
    ...own,
    ...wanted.notes.map((text) => ({ isFlaw: false, text: new Mrkdwn(text) })),
  ];
  const facts = {
    kind: 'shown',
    hasRows: found.hasRows,
    isWhole: found.skipped === 0 && !own.some(({ isFlaw }) => isFlaw),
    warnings: warningsOf(own).map(({ text }) => text),
  } as const;
  if (detail === undefined) {
    const view = totalsView({ ...asked, ...wanted, found: { ...found, caveats } });
    return { ...view, ...facts, sums: sumsOf(found.lines) };
  }
  const view = detailView({ ...asked, ...wanted, detail, line, caveats });
  return { ...view, ...facts, lines: offeredLines(detail), line: line && lineId(line) };
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
    gap: gapOf(found),
    flaws: flawBlocks(flaws),
  };
}

function gapOf({ skipped, missing }: Found): string {
  return [
    ...(missing.length > 0 ? [`without ${missing.join(', ')}`] : []),
    ...(skipped > 0 ? [unreadRows(skipped)] : []),
  ].join('; ');
}

/** "All 12 rows are"; without "all" if some are or may be missing. */
function rowsIn(count: number, isWhole: boolean): string {
  if (count === 1) return isWhole ? 'The only row is' : '1 row is';
  return `${isWhole ? 'All ' : ''}${plural(count, 'row')} are`;
}

/** @throws PlatformError, Refusal */
export function makeReport({ bodies, wanted }: ReportInput): Report {
  const isOfTiers = wanted.kind === 'tiers' || wanted.kind === 'csv of tiers';
  const inCharges = isOfTiers ? tiersIn : chargesIn;
  const found = bodies.source === 'charges' ? inCharges(bodies) : usageIn(bodies);
  return reportOf(bodies, found, wanted);
}
