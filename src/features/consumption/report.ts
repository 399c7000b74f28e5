import type { KnownBlock } from '@slack/types';
import { altTextOf } from '../../figures/chart.ts';
import { toCsvFile } from '../../figures/csv.ts';
import type { Draw } from '../../figures/draw.ts';
import { plural } from '../../lib/text.ts';
import { mrkdwn, Mrkdwn, topText } from '../../slack/kit/index.ts';
import type { Bodies } from './bodies.ts';
import { caveatBlocks, DailyNote, flawsOf } from './caveats.ts';
import { chosenLine, detailView, offeredLines } from './detail-view.ts';
import type { OfferedLine } from './detail-view.ts';
import { lineId } from './line-id.ts';
import type { Detail, Found } from './source.ts';
import { chartOf } from './steps.ts';
import { totalsView } from './totals-view.ts';
import type { Paged } from './totals-view.ts';

/** What is to be made of the answers of the platform. */
export interface FiguresJob {
  readonly bodies: Bodies;
  readonly wanted: Wanted;
}

export type Wanted = Totals | Tiers | File;

interface Page {
  /** From 1. */
  readonly page: number;
  /** Mrkdwn that stands among the caveats. */
  readonly notes: readonly string[];
  /** Ms since the epoch. */
  readonly now: number;
}

interface Totals extends Page {
  readonly kind: 'totals';
}

interface Tiers extends Page {
  readonly kind: 'tiers';
  /** Whose, as `lineId` has it. */
  readonly row: string | undefined;
}

interface File {
  readonly kind: 'chart' | 'csv' | 'csv of tiers';
}

/** What became of it, as plain data, which crosses to the thread that answers Slack. */
export type FiguresReport =
  | ShownFigures
  | FileOfFigures
  /** No figures, and what the answer may be missing. */
  | { readonly kind: 'empty'; readonly caveats: readonly KnownBlock[] }
  /** Nothing that a file or a picture could have. */
  | { readonly kind: 'nothing' }
  /** There are metrics of which only the chargeable items may say what they are counted in. */
  | { readonly kind: 'needs items' };

/** A page of an answer. */
export interface ShownFigures {
  readonly kind: 'shown';
  /** The top-level text. */
  readonly text: string;
  readonly blocks: readonly KnownBlock[];
  /** The same for who has had the notes of the day; absent where there are none. */
  readonly later?: readonly KnownBlock[] | undefined;
  readonly page: number;
  readonly pages: number;
  readonly hasRows: boolean;
  /** The lines whose tiers can be shown, and the one whose tiers are. */
  readonly lines?: readonly OfferedLine[];
  readonly line?: string | undefined;
}

export interface FileOfFigures {
  readonly kind: 'file';
  readonly content: Uint8Array;
  /** Mrkdwn: "All 12 rows are in". */
  readonly what: string;
  /** Of a picture. */
  readonly title?: string;
  readonly altText?: string;
  /** What is wrong with the figures in it. */
  readonly flaws: readonly KnownBlock[];
}

/** Makes of figures what is wanted. Pure but for `draw`. */
export async function reportOf(
  { source: name, question }: Pick<Bodies, 'source' | 'question'>,
  found: Found | Detail,
  wanted: Wanted,
  draw: Draw,
): Promise<FiguresReport> {
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

function shownOf(asked: Asked & { wanted: Totals | Tiers }, found: Found | Detail): FiguresReport {
  const { wanted } = asked;
  const detail = 'tiersOf' in found ? found : undefined;
  const isEmpty = detail === undefined ? !found.hasRows : found.lines.length === 0;
  if (isEmpty && found.skipped === 0) {
    return { kind: 'empty', caveats: caveatBlocks(found.caveats) };
  }
  const row = wanted.kind === 'tiers' ? wanted.row : undefined;
  const line = detail && chosenLine(detail, row);
  const own = detail && line ? detail.caveatsOf(line) : found.caveats;
  const caveats = [...own, ...wanted.notes.map((text) => new Mrkdwn(text))];
  const viewWith = (some: readonly Mrkdwn[]): Paged =>
    detail === undefined
      ? totalsView({ ...asked, ...wanted, found: { ...found, caveats: some } })
      : detailView({ ...asked, ...wanted, detail, line, caveats: some });
  const { head, blocks, page, pages } = viewWith(caveats);
  const isDaily = caveats.some((caveat) => caveat instanceof DailyNote);
  const short = caveats.map((caveat) => (caveat instanceof DailyNote ? caveat.short : caveat));
  return {
    kind: 'shown',
    text: topText(head),
    blocks,
    ...(isDaily && { later: viewWith(short).blocks }),
    page,
    pages,
    hasRows: found.hasRows,
    ...(detail && { lines: offeredLines(detail), line: line && lineId(line) }),
  };
}

function csvOf(found: Found): FiguresReport {
  if (!found.hasRows) return { kind: 'nothing' };
  const { columns, rows } = found.table();
  const { content, count } = toCsvFile(columns, rows);
  const flaws = flawsOf(found);
  return {
    kind: 'file',
    content,
    what: mrkdwn`${rowsIn(count, flaws.length === 0)} in`.text,
    flaws: caveatBlocks(flaws),
  };
}

/** "All 12 rows are"; of an answer that lacks some, or may lack some, not "all". */
function rowsIn(count: number, isWhole: boolean): string {
  if (count === 1) return isWhole ? 'The only row is' : '1 row is';
  return `${isWhole ? 'All ' : ''}${plural(count, 'row')} are`;
}

async function pictureOf(
  { name, question }: Asked,
  found: Found,
  draw: Draw,
): Promise<FiguresReport> {
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
    flaws: caveatBlocks(flawsOf(found)),
  };
}
