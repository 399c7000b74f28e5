import type { Button, KnownBlock } from '@slack/types';
import { writeQuery } from '../../reporting/query.ts';
import { describeDay, describeRange, resolveRange } from '../../reporting/range.ts';
import { button, section } from '../../slack/kit/blocks.ts';
import { selectMenu } from '../../slack/kit/inputs.ts';
import { code, joinMrkdwn, LIMITS, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { runButton } from '../notices.ts';
import type { OfferedLine } from './detail-view.ts';
import type { ReportPage } from './report.ts';
import type { Question, Source } from './source.ts';
import { actionId, columnTitle, questionLine, withoutOrgs } from './words.ts';

const GROUPINGS = ['org', 'gvc', 'workload', 'metric'];

type Controls = Pick<Answer, 'controls' | 'menu'>;

export function controlsOf(
  source: Source,
  question: Question,
  { lines, line, hasRows }: Pick<ReportPage, 'lines' | 'line' | 'hasRows'>,
): Controls {
  const item = (action: string, text: string) => ({ text, action: actionId(source.name, action) });
  const tiers = source.hasTiers ? [item('tiers', 'Tiers')] : [];
  return {
    controls: lines === undefined ? [groupMenu(source, question)] : tierMenu(source, lines, line),
    menu: [
      ...(lines === undefined ? tiers : [item('totals', 'Totals')]),
      ...(hasRows ? [item('csv', 'CSV')] : []),
      item('customize', 'Customize'),
      ...(canSchedule(source, question) ? [item('schedule', 'Schedule')] : []),
    ],
  };
}

function groupMenu({ name }: Source, { by }: Question) {
  const current = by.length === 1 && GROUPINGS.includes(by[0] ?? '') ? by[0] : undefined;
  const other = { text: `By ${by.map(columnTitle).join(', ')}`, value: SAME_GROUPING };
  return selectMenu({
    action: actionId(name, 'group'),
    placeholder: 'Group by',
    options: [
      ...(current === undefined ? [other] : []),
      ...GROUPINGS.map((tag) => ({ text: `By ${columnTitle(tag)}`, value: tag })),
    ],
    initial: current ?? SAME_GROUPING,
  });
}

/** No tag of the platform's that is offered. */
const SAME_GROUPING = 'same';

/** @returns undefined: as it is */
export function chosenGrouping(value: string | undefined): readonly string[] | undefined {
  return value !== undefined && GROUPINGS.includes(value) ? [value] : undefined;
}

/** "Tiers of …"; the value is the `lineId`. */
function tierMenu({ name }: Source, lines: readonly OfferedLine[], shown: string | undefined) {
  if (lines.length === 0) return [];
  return [
    selectMenu({
      action: actionId(name, 'tiers-of'),
      placeholder: 'Tiers of …',
      options: lines.map(({ text, id }) => ({ text, value: id })),
      ...(shown === undefined ? {} : { initial: shown }),
    }),
  ];
}

/** Saving a question takes a billing role. */
function canSchedule({ canSave }: Source, { viewer }: Question): boolean {
  return viewer.orgsOnly === undefined && canSave === true;
}

export function emptyControls(source: Source, question: Question): Button[] {
  const press = (name: string, text: string) =>
    button({ action: actionId(source.name, name), text });
  const schedule = canSchedule(source, question) ? [press('schedule', 'Schedule')] : [];
  return [press('customize', 'Customize'), ...schedule];
}

export function emptyAnswer(
  source: Source,
  question: Question,
  { flaws, missing }: { flaws: readonly KnownBlock[]; missing: readonly string[] },
): Answer {
  const asked = mrkdwn`${questionLine(source.name, question)}${withoutOrgs(missing)}`;
  if (missing.length > 0) {
    const others = mrkdwn`No ${source.name} found in the other orgs`;
    return { blocks: [section(mrkdwn`${asked} · ${others}`), ...flaws] };
  }
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
    asked,
    mrkdwn`No ${source.name} found.${tries.length === 0 ? '' : ' Try'}`,
    ...tries,
  ];
  return { blocks: [section(joinMrkdwn(texts, '\n')), ...flaws] };
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
 */
export function retentionAnswer(
  { name }: Source,
  { range }: Question,
  earliestStart: number,
): Answer {
  const day = describeDay(earliestStart);
  const isPart = earliestStart < range.endMs;
  const remedy = isPart ? `from ${day} on, or ` : '';
  const line = mrkdwn`The platform keeps hours, days and weeks only since ${day}, not all of ${describeRange(range)}: ask ${remedy}for whole months without a step.`;
  const from = button({ action: actionId(name, 'from'), text: `From ${day}`, style: 'primary' });
  return { blocks: [section(line)], controls: isPart ? [from] : [] };
}

/** No file is made of an answer whose figures are gone. */
export function nothingLeft(name: Source['name'], command: string): Answer {
  const gone = name === 'charges' ? 'These charges are' : 'This usage is';
  const line = mrkdwn`${gone} no longer there, so no file was made: ask again with ${code(command, 300)}`;
  const isShort = command.length <= LIMITS.buttonValue;
  return { blocks: [section(line)], buttons: isShort ? [runButton('Ask again', command)] : [] };
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
  const line = mrkdwn`${what} ${name}, in your messages with Purser.`;
  return { blocks: [section(line), ...flaws] };
}
