import { Refusal } from '../../lib/errors.ts';
import { ReportFailed } from '../../lib/threads.ts';
import { createAllowance, type Allowance } from '../../platform/answer.ts';
import { PlatformError } from '../../platform/errors.ts';
import { writeQuery } from '../../reporting/query.ts';
import {
  dayOf,
  describeRange,
  rangeInFileName,
  rangeWords,
  describeDay,
  meantFilters,
  resolveRange,
} from '../../reporting/range.ts';
import type { Services } from '../../services.ts';
import { code, mrkdwn, Mrkdwn, joinMrkdwn, LIMITS } from '../../slack/kit/text.ts';
import type { Answer, Person } from '../../slack/routing/routes.ts';
import { resolveQuestion, type State } from './question.ts';
import type { Report, ReportInput, Wanted, ReportPage } from './report.ts';
import type { Caveat, Bodies, Question, Source, Viewer } from './source.ts';
import {
  note,
  sharing,
  titleOf,
  actionId,
  columnTitle,
  questionLine,
  withoutOrgs,
  notesOf,
} from './words.ts';
import type { Button, KnownBlock } from '@slack/types';
import { button, section } from '../../slack/kit/blocks.ts';
import { selectMenu } from '../../slack/kit/inputs.ts';
import { runButton } from '../notices.ts';
import type { OfferedLine } from './detail-view.ts';

export interface AnswerServices extends Pick<Services, 'clock' | 'reports' | 'sendFile'> {
  /** The memory of all questions together. */
  readonly allowance: Allowance;
}

const MB = 1024 * 1024;
/** For all orgs of a question; and for the additional questions, each of which is read whole or not at all. */
const [NOW_BYTES, ASIDE_BYTES] = [32 * MB, 16 * MB];

/**
 * Queries the platform and builds a report in the report thread.
 * @throws PlatformError, Refusal with how to narrow the question if an answer is too large
 */
export async function answer(
  source: Source,
  { allowance, reports }: Pick<AnswerServices, 'allowance' | 'reports'>,
  question: Question,
  wanted: Wanted,
): Promise<Report> {
  const now = createAllowance(NOW_BYTES, allowance);
  const aside = createAllowance(ASIDE_BYTES, allowance);
  try {
    const bodies = await source.ask(question, {
      tiers: wanted.kind === 'tiers' || wanted.kind === 'csv of tiers',
      now,
      aside: wanted.kind === 'totals' ? aside : undefined,
    });
    const job: ReportInput = { bodies, wanted };
    return (await reports.run({ kind: 'figures', job, bytes: bytesOf(bodies) })) as Report;
  } catch (error) {
    throw refusalOf(error, now.isCrowdedOut());
  } finally {
    now.close();
    aside.close();
  }
}

function bytesOf({ now, before, whole }: Bodies): number {
  const beside = [...(before.parts ?? []), ...(whole.parts ?? [])];
  const answers = [now, ...beside].flatMap((each) => each.answers);
  return answers.reduce((sum, { value }) => sum + value.body.length, 0);
}

const NARROW =
  'That is too much for one answer: ask for a shorter range, a longer step, fewer tags after "by", or a part of it with "where".';

/** @param isCrowdedOut other questions hold the memory that this one would fit in */
function refusalOf(error: unknown, isCrowdedOut: boolean): unknown {
  if (error instanceof PlatformError && error.reason === 'too-large') {
    return isCrowdedOut ? new ReportFailed('busy').refusal() : new Refusal(NARROW);
  }
  if (!(error instanceof ReportFailed)) return error;
  return error.reason === 'too-large' ? new Refusal(NARROW) : error.refusal();
}

/**
 * The only way from a command, a control or a form to an answer. Authorizes the member every time.
 * @param page from 1 on
 * @throws Refusal, UsageError, PlatformError
 */
export type Present = (person: Person, state: State, page?: number) => Promise<Answer>;

export function reportRoute({ name }: Source): string {
  return `${name}.report`;
}

export function createPresent(source: Source, services: AnswerServices): Present {
  const { clock } = services;
  return async (person, asked, page = 1) => {
    const viewer = await source.authorize(person);
    const question = await resolveQuestion(source, viewer, asked, clock);
    const state = { ...asked, query: question.query };
    const isOfTiers = state.detailed && source.hasTiers === true;
    try {
      const notes = notesOf(await namesakes(source, question));
      const view = { page, notes, now: clock.now() };
      const report = await answer(
        source,
        services,
        question,
        isOfTiers ? { kind: 'tiers', row: state.row, ...view } : { kind: 'totals', ...view },
      );
      return presented(source, question, state, report);
    } catch (error) {
      if (!(error instanceof PlatformError) || error.earliestStart === undefined) throw error;
      const { earliestStart } = error;
      const range = rangeWords({ startMs: earliestStart, endMs: question.range.endMs });
      const kept = { ...state, query: { ...state.query, range } };
      return {
        ...retentionAnswer(source, question, earliestStart),
        asked: { route: reportRoute(source), question: kept, page: 1 },
      };
    }
  };
}

function presented(source: Source, question: Question, state: State, report: Report): Answer {
  const asked = { route: reportRoute(source), question: state };
  if (report.kind === 'shown') {
    const { blocks, notes, page, pages } = report;
    return {
      blocks,
      notes,
      asked: { ...asked, page },
      pages,
      ...controlsOf(source, question, report),
      ...sharing(source, question.viewer),
    };
  }
  const none = { flaws: [], notes: [], missing: [] };
  const { notes, ...gaps } = report.kind === 'empty' ? report : none;
  return {
    ...emptyAnswer(source, question, gaps),
    notes,
    asked: { ...asked, page: 1 },
    controls: emptyControls(source, question),
  };
}

/** A query selects items by name only (spec 2.6), so items that share a name are added up. */
async function namesakes(source: Source, { viewer, query }: Question): Promise<Caveat[]> {
  if (query.items.length === 0) return [];
  const { items = [] } = (await source.knownItems?.(viewer)) ?? {};
  return query.items.flatMap((name) => {
    const count = items.filter((item) => item.name === name).length;
    const named = mrkdwn`${count} chargeable items are named ${code(name, 60)}`;
    return count < 2
      ? []
      : [note(mrkdwn`${named}: they look the same, so this is all of them together.`)];
  });
}

/** Every row of the platform's answer as a file; the pricing tiers if they are shown. */
export async function sendCsv(
  source: Source,
  services: AnswerServices,
  viewer: Viewer,
  state: State,
): Promise<Answer> {
  const question = await resolveQuestion(source, viewer, state, services.clock);
  const isOfTiers = state.detailed && source.hasTiers === true;
  const kind = isOfTiers ? 'csv of tiers' : 'csv';
  const report = await answer(source, services, question, { kind });
  const command = `${source.help.command} ${writeQuery(question.query)}`;
  if (report.kind !== 'file') return nothingLeft(source.name, command);
  const filename = fileName(source, question, isOfTiers);
  const title = fileTitle(source, question, isOfTiers);
  const address = await services.sendFile({
    userId: viewer.userId,
    filename,
    title: `${title} (CSV)`,
    comment: commentOf(title, question, command, report.gap),
    content: report.content,
  });
  return fileAnswer(new Mrkdwn(report.what), filename, address, report.flaws);
}

/** Characters. */
const MAX_TAGS = 60;

/** "charges-2026-10-by-gvc-per-week.csv": the question is in the name. */
function fileName({ name }: Source, { query, range }: Question, isOfTiers: boolean): string {
  const tags = (query.by ?? []).map((tag) => tag.replace(/[^\w.]+/g, ''));
  const by = tags.filter(Boolean).join('-').slice(0, MAX_TAGS);
  return (
    [
      name,
      rangeInFileName(range),
      ...(by === '' ? [] : ['by', by]),
      ...(query.step === undefined ? [] : ['per', query.step]),
      ...(isOfTiers ? ['tiers'] : []),
    ].join('-') + '.csv'
  );
}

function fileTitle({ name }: Source, { query, by }: Question, isOfTiers: boolean): string {
  const what = isOfTiers ? `Pricing tiers by ${by.join(', ')}` : titleOf(name, by);
  return query.step === undefined ? what : `${what} per ${query.step}`;
}

/** The content of the file, the command that asks for it again, and the missing rows. */
function commentOf(title: string, { range }: Question, command: string, gap: string): string {
  const what = `${title}, ${describeRange(range)} (${command})`;
  return gap === '' ? what : `${what}\n⚠ Incomplete: ${gap}.`;
}

const GROUPINGS = ['org', 'gvc', 'workload', 'metric'];

type Controls = Pick<Answer, 'controls' | 'menu'>;

function controlsOf(
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

function emptyControls(source: Source, question: Question): Button[] {
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
  const meant = meantFilters(query.where);
  const tries = [
    ...(meant === undefined
      ? []
      : [
          mrkdwn`several names, or a part of one: ${typed(writeQuery({ ...query, where: meant }))}`,
        ]),
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
function retentionAnswer(
  { name, help }: Source,
  { range, query }: Question,
  earliestStart: number,
): Answer {
  const day = describeDay(earliestStart);
  const isPart = earliestStart < range.endMs;
  const remedy = isPart ? `from ${day} on, or ` : '';
  const line = mrkdwn`The platform keeps hours, days and weeks only since ${day}, not all of ${describeRange(range)}: ask ${remedy}for whole months without a step.`;
  const from = button({ action: actionId(name, 'from'), text: `From ${day}`, style: 'primary' });
  const [first = '', last = ''] = [range.startMs, range.endMs - 1].map((ms) =>
    dayOf(ms).slice(0, 7),
  );
  const months = first === last ? first : `${first}..${last}`;
  const command = `${help.command} ${writeQuery({ ...query, range: months, step: undefined })}`;
  return {
    blocks: [section(line)],
    controls: isPart ? [from] : [],
    buttons: command.length > LIMITS.buttonValue ? [] : [runButton('Whole months', command)],
  };
}

/** No file is made of an answer whose figures are gone. */
function nothingLeft(name: Source['name'], command: string): Answer {
  const gone = name === 'charges' ? 'These charges are' : 'This usage is';
  const line = mrkdwn`${gone} no longer there, so no file was made: ask again with ${code(command, 300)}`;
  const isShort = command.length <= LIMITS.buttonValue;
  return { blocks: [section(line)], buttons: isShort ? [runButton('Ask again', command)] : [] };
}

function fileAnswer(
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
