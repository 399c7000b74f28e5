import type { ActionsBlockElement, Button, KnownBlock } from '@slack/types';
import { plural } from '../../lib/text.ts';
import { writeQuery } from '../../reporting/query.ts';
import { describeDay, describeRange, resolveRange } from '../../reporting/range.ts';
import { button, section, topText } from '../../slack/kit/blocks.ts';
import { code, joinMrkdwn, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import type { Question, Source } from './source.ts';
import { questionLine } from './words.ts';
import { sumOf, type Line, type MeasureLines, type Sum } from '../../reporting/amounts.ts';

export const GROUPINGS = ['org', 'gvc', 'workload', 'metric'] as const;

/** A button's value is the id of the stored state. */
export function actionId(name: Source['name'], action: string): string {
  return `${name}.${action}`;
}

interface Shown {
  readonly source: Source;
  readonly question: Question;
  readonly hasRows: boolean;
  readonly id: string;
  readonly page: number;
  readonly pages: number;
  /** Number of rows on the other pages, if the first page is a summary. */
  readonly rows?: number | undefined;
}

export function totalsControls(shown: Shown): ActionsBlockElement[][] {
  const { source, question } = shown;
  const press = buttonMaker(shown);
  const current = groupingOf(source, question);
  return [
    GROUPINGS.map((tag) =>
      button({
        action: actionId(source.name, `by-${tag}`),
        text: `By ${tag}`,
        value: shown.id,
        ...(tag === current ? { style: 'primary' } : {}),
      }),
    ),
    [
      ...(source.hasTiers ? [press('detail', 'Detail')] : []),
      ...(question.query.step === undefined ? [] : [press('chart', 'Chart')]),
      ...fileButton(shown),
      press('customize', 'Customize'),
      ...scheduleButton(shown),
      ...pageButtons(shown),
    ],
  ];
}

/** The tag of the highlighted button; the command's default grouping counts as its first tag. */
function groupingOf(source: Source, { by }: Question): string | undefined {
  const isUsual = JSON.stringify(by) === JSON.stringify(source.by);
  return isUsual || by.length === 1 ? by[0] : undefined;
}

export function detailControls(shown: Shown): ActionsBlockElement[] {
  const press = buttonMaker(shown);
  return [
    press('totals', 'Back to totals'),
    ...fileButton(shown),
    press('customize', 'Customize'),
    ...scheduleButton(shown),
    ...pageButtons(shown),
  ];
}

/** For an answer without figures. */
export function customizeButton({ source, id }: Pick<Shown, 'source' | 'id'>): Button {
  return button({ action: actionId(source.name, 'customize'), text: 'Customize', value: id });
}

function buttonMaker({ source, id }: Pick<Shown, 'source' | 'id'>) {
  return (action: string, text: string): Button =>
    button({ action: actionId(source.name, action), text, value: id });
}

/** Saving a question takes a billing role. */
export function scheduleButton(shown: Pick<Shown, 'source' | 'question' | 'id'>): Button[] {
  const isReader = shown.question.viewer.orgsOnly === undefined;
  return isReader && shown.source.canSave === true
    ? [buttonMaker(shown)('schedule', 'Schedule')]
    : [];
}

function fileButton(shown: Shown): Button[] {
  return shown.hasRows ? [buttonMaker(shown)('csv', 'CSV')] : [];
}

function pageButtons(shown: Shown): Button[] {
  const press = buttonMaker(shown);
  return [
    ...(shown.page > 1 ? [press('previous', 'Previous')] : []),
    ...(shown.page < shown.pages ? [press('next', nextLabel(shown))] : []),
  ];
}

function nextLabel({ rows }: Shown): string {
  return rows === undefined ? 'Next' : `All ${plural(rows, 'row')}`;
}

function lineAnswer(line: Mrkdwn): Answer {
  return { text: topText(line), blocks: [section(line)] };
}

export function emptyAnswer(
  source: Source,
  question: Question,
  flaws: readonly KnownBlock[],
): Answer {
  const { query } = question;
  const { command } = source.help;
  const isAhead = question.range.startMs > question.nowMs;
  const better = isAhead ? 'this month' : WIDER.find((range) => isWider(range, question));
  const itsName = isAhead ? 'this month so far' : 'a wider range';
  const isFiltered = Object.keys(query.where).length + query.of.length + query.items.length > 0;
  const tag = Object.keys(query.where)[0] ?? 'gvc';
  const typed = (words: string) => code(`${command} ${words}`, 300);
  const tries = [
    ...(better === undefined
      ? []
      : [mrkdwn`${itsName}: ${typed(writeQuery({ ...query, range: better, step: undefined }))}`]),
    ...(isFiltered
      ? [mrkdwn`without filters: ${typed(writeQuery({ ...query, where: {}, of: [], items: [] }))}`]
      : []),
    // Tag values are read from the account, so they are refused without a billing role.
    ...(question.viewer.orgsOnly
      ? []
      : [mrkdwn`the values of a tag: ${typed(`tags ${tag} ${WIDER[0]}`)}`]),
  ].map((one) => mrkdwn`• ${one}`);
  const texts = [
    questionLine(source.name, question),
    mrkdwn`No ${source.name} found.${tries.length === 0 ? '' : ' Try'}`,
    ...tries,
  ];
  const answer = lineAnswer(joinMrkdwn(texts, '\n'));
  return { ...answer, blocks: [...answer.blocks, ...flaws] };
}

/** The first that covers the asked range, as far as it has begun, and is longer is suggested. */
const WIDER = ['last 3 months', 'last 12 months', 'this year'] as const;

function isWider(words: string, { range, nowMs }: Question): boolean {
  const { startMs, endMs } = resolveRange(words, nowMs);
  const isPart = startMs <= range.startMs && Math.min(range.endMs, nowMs) <= endMs;
  return isPart && endMs - startMs > range.endMs - range.startMs;
}

/**
 * Beyond the retention (spec section 8): names the first day with figures.
 * @param earliestStart ms since the epoch
 * @param id of the same question from that day on; undefined if it is not possible or was not stored
 */
export function retentionAnswer(
  source: Source,
  question: Question,
  earliestStart: number,
  id: string | undefined,
): Answer {
  const day = describeDay(earliestStart);
  const remedy = earliestStart < question.range.endMs ? `from ${day} on, or ` : '';
  const asked = describeRange(question.range);
  const line = mrkdwn`The platform keeps hours, days and weeks only since ${day}, not all of ${asked}: ask ${remedy}for whole months without a step.`;
  const action = actionId(source.name, 'from');
  const buttons =
    id === undefined ? [] : [button({ action, text: `From ${day}`, value: id, style: 'primary' })];
  return { ...lineAnswer(line), buttons };
}

export function fileAnswer(
  what: Mrkdwn,
  filename: string,
  address: string | undefined,
  flaws: readonly KnownBlock[],
): Answer {
  const isLink = address !== undefined && /^https?:\/\/[^\s<>|]+$/.test(address);
  const name = isLink
    ? new Mrkdwn(`<${address}|${code(filename).text.slice(1, -1)}>`)
    : code(filename);
  const answer = lineAnswer(mrkdwn`${what} ${name}, in your messages with Purser.`);
  return { ...answer, blocks: [...answer.blocks, ...flaws] };
}

export interface Window extends MeasureLines {
  readonly shown: readonly Line[];
  /** The rest of the lines, at least one; `shown` and `others` add up to the total exactly. */
  readonly others: { readonly count: number; readonly sum: Sum } | undefined;
}

/** Rows per page by the number of measures on it; a last page may have one more. */
const ROWS = [15, 15, 12, 7, 5, 4];

/** More measures get pages of their own, to keep a table readable at a glance. */
const MEASURES = ROWS.length - 1;

/**
 * One page of every measure: the first shows the largest lines of each.
 * @param page from 1; clamped to the last
 * @param most rows of each measure
 */
export function pageOf(
  groups: readonly MeasureLines[],
  page: number,
  most = Infinity,
): { windows: Window[]; page: number; pages: number } {
  const chunks = Array.from({ length: Math.ceil(groups.length / MEASURES) }, (_, index) => {
    const chunk = groups.slice(index * MEASURES, (index + 1) * MEASURES);
    const rows = Math.min(most, ROWS[chunk.length] ?? 1);
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

/** A single remaining line is shown: "1 other" would take the same space. */
function countPages({ lines }: MeasureLines, rows: number): number {
  return Math.max(1, Math.ceil((lines.length - 1) / rows));
}

/** @param place of the page within the group, from 0 */
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
