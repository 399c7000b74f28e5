import { Refusal } from '../../lib/errors.ts';
import { ReportFailed } from '../../lib/threads.ts';
import { createAllowance, type Allowance } from '../../platform/answer.ts';
import { PlatformError } from '../../platform/errors.ts';
import { writeQuery } from '../../reporting/query.ts';
import { describeRange, rangeInFileName, rangeWords } from '../../reporting/range.ts';
import type { Services } from '../../services.ts';
import { context } from '../../slack/kit/blocks.ts';
import { code, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer, Person } from '../../slack/routing/routes.ts';
import { NO_BUTTONS } from '../answer-parts.ts';
import {
  actionId,
  customizeButton,
  detailControls,
  emptyAnswer,
  fileAnswer,
  retentionAnswer,
  scheduleButton,
  totalsControls,
} from './answer-view.ts';
import { tierMenu } from './detail-view.ts';
import { resolveQuestion, type State } from './question.ts';
import type { Report, ReportInput, ReportPage, Wanted } from './report.ts';
import type { Bodies, Question, Source, Viewer } from './source.ts';
import { note, sharing, titleOf } from './words.ts';

export interface AnswerServices extends Pick<
  Services,
  'clock' | 'interactions' | 'reports' | 'sendFile'
> {
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
  const reportOf = async (bodies: Bodies): Promise<Report> => {
    const job: ReportInput = { bodies, wanted };
    return (await reports.run({ kind: 'figures', job, bytes: bytesOf(bodies) })) as Report;
  };
  try {
    const bodies = await source.ask(question, {
      tiers: wanted.kind === 'tiers' || wanted.kind === 'csv of tiers',
      now,
      aside: wanted.kind === 'totals' ? aside : undefined,
    });
    const report = await reportOf(bodies);
    if (report.kind !== 'needs items' || source.withItems === undefined) return report;
    return await reportOf(await source.withItems(bodies));
  } catch (error) {
    throw refusalOf(error, now.isCrowdedOut());
  } finally {
    now.close();
    aside.close();
  }
}

function bytesOf({ now, before, whole }: Bodies): number {
  const beside = [...(before.parts ?? []), ...(whole?.parts ?? [])];
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
 * The only way from a command, a button or a form to an answer. Authorizes the member every time.
 * @throws Refusal, UsageError, PlatformError
 */
export type Present = (person: Person, state: State) => Promise<Answer>;

export function createPresent(source: Source, services: AnswerServices): Present {
  const { clock, interactions } = services;
  return async (person, asked) => {
    const viewer = await source.authorize(person);
    const question = await resolveQuestion(source, viewer, asked, clock);
    const state = { ...asked, query: question.query };
    const keep = (thing: State) => interactions.put(person.userId, thing);
    const presented = { question, state, keep };
    const { page, row } = state;
    const isOfTiers = state.detailed && source.hasTiers === true;
    try {
      const notes = (await namesakes(source, question)).map(({ text }) => text);
      const view = { page, notes, now: clock.now() };
      const report = await answer(
        source,
        services,
        question,
        isOfTiers ? { kind: 'tiers', row, ...view } : { kind: 'totals', ...view },
      );
      if (report.kind === 'shown') {
        return await present(source, report, presented);
      }
      return await empty(source, report, presented);
    } catch (error) {
      if (!(error instanceof PlatformError) || error.earliestStart === undefined) throw error;
      return retention(source, presented, error.earliestStart);
    }
  };
}

interface Presented {
  readonly question: Question;
  readonly state: State;
  readonly keep: (state: State) => Promise<string | undefined>;
}

async function present(
  source: Source,
  report: ReportPage,
  { question, state, keep }: Presented,
): Promise<Answer> {
  const id = await keep({ ...state, page: report.page });
  const missing = id === undefined ? [context(mrkdwn`${NO_BUTTONS}`)] : [];
  return {
    text: report.text,
    blocks: [...report.blocks, ...missing],
    notes: report.notes,
    ...(report.rest && { rest: report.rest }),
    controls: id === undefined ? [] : controlsOf(source, question, id, report),
    ...sharing(source, question.viewer),
  };
}

function controlsOf(
  source: Source,
  question: Question,
  id: string,
  { lines, line, ...report }: ReportPage,
): NonNullable<Answer['controls']> {
  const shown = { source, question, id, ...report };
  if (lines === undefined) return totalsControls(shown);
  if (lines.length === 0) return [detailControls(shown)];
  const menu = tierMenu(actionId(source.name, 'tiers-of'), id, lines, line);
  return [[menu], detailControls(shown)];
}

async function empty(
  source: Source,
  report: Report,
  { question, state, keep }: Presented,
): Promise<Answer> {
  const id = await keep(state);
  const buttons =
    id === undefined
      ? []
      : [customizeButton({ source, id }), ...scheduleButton({ source, question, id })];
  const { flaws, notes } = report.kind === 'empty' ? report : { flaws: [], notes: [] };
  return { ...emptyAnswer(source, question, flaws), notes, buttons };
}

async function retention(
  source: Source,
  { question, state, keep }: Presented,
  earliestStart: number,
): Promise<Answer> {
  const { endMs } = question.range;
  const range = { startMs: earliestStart, endMs };
  const id =
    earliestStart < endMs
      ? await keep({ ...state, query: { ...state.query, range: rangeWords(range) }, page: 1 })
      : undefined;
  return retentionAnswer(source, question, earliestStart, id);
}

/** A query selects items by name only (spec 2.6), so items that share a name are added up. */
async function namesakes(source: Source, { viewer, query }: Question): Promise<Mrkdwn[]> {
  if (query.items.length === 0) return [];
  const { items = [] } = (await source.knownItems?.(viewer)) ?? {};
  return query.items.flatMap((name) => {
    const count = items.filter((item) => item.name === name).length;
    const named = mrkdwn`${count} chargeable items are named ${code(name, 60)}`;
    return count < 2
      ? []
      : [note(mrkdwn`${named}: they cannot be told apart, so this is all of them together.`)];
  });
}

interface Kind {
  readonly wanted: Wanted;
  readonly ending: string;
  /** Refusal if the file would be empty. */
  readonly nothing: string;
}

const NO_ROWS = 'There is nothing for a file any more.';
const CSV: Kind = { wanted: { kind: 'csv' }, ending: '.csv', nothing: NO_ROWS };
const TIERS: Kind = { wanted: { kind: 'csv of tiers' }, ending: '-tiers.csv', nothing: NO_ROWS };
const CHART: Kind = {
  wanted: { kind: 'chart' },
  ending: '.png',
  // The button exists only if there are steps.
  nothing: 'There is nothing to draw: no step is above 0.',
};

/** Every row of the platform's answer as a file; the pricing tiers if they are shown. */
export async function sendCsv(
  source: Source,
  services: AnswerServices,
  viewer: Viewer,
  state: State,
): Promise<Answer> {
  return send(source, services, {
    viewer,
    state,
    kind: state.detailed && source.hasTiers ? TIERS : CSV,
  });
}

export async function sendChart(
  source: Source,
  services: AnswerServices,
  viewer: Viewer,
  state: State,
): Promise<Answer> {
  return send(source, services, { viewer, state, kind: CHART });
}

async function send(
  source: Source,
  services: AnswerServices,
  { viewer, state, kind }: { viewer: Viewer; state: State; kind: Kind },
): Promise<Answer> {
  const question = await resolveQuestion(source, viewer, state, services.clock);
  const report = await answer(source, services, question, kind.wanted);
  if (report.kind !== 'file') throw new Refusal(kind.nothing);
  const { content, altText, title = `${titleOf(source.name, question.by)} (CSV)` } = report;
  const filename = `${source.name}-${rangeInFileName(question.range)}${kind.ending}`;
  const address = await services.sendFile({
    userId: viewer.userId,
    filename,
    title,
    comment: commentOf(source, question),
    content,
    altText,
  });
  return fileAnswer(new Mrkdwn(report.what), filename, address, report.flaws);
}

/** The content of the file, and the command that asks for it again. */
function commentOf({ name, help }: Source, { query, by, range }: Question): string {
  return `${titleOf(name, by)}, ${describeRange(range)} (${help.command} ${writeQuery(query)})`;
}
