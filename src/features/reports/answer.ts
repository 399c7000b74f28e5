import { Refusal } from '../../lib/errors.ts';
import { ReportFailed } from '../../lib/threads.ts';
import { createAllowance, type Allowance } from '../../platform/answer.ts';
import { PlatformError } from '../../platform/errors.ts';
import { writeQuery } from '../../reporting/query.ts';
import { describeRange, rangeInFileName, rangeWords } from '../../reporting/range.ts';
import type { Services } from '../../services.ts';
import { code, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer, Person } from '../../slack/routing/routes.ts';
import {
  controlsOf,
  emptyAnswer,
  emptyControls,
  fileAnswer,
  nothingLeft,
  retentionAnswer,
} from './answer-view.ts';
import { resolveQuestion, type State } from './question.ts';
import type { Report, ReportInput, Wanted } from './report.ts';
import type { Bodies, Question, Source, Viewer } from './source.ts';
import { note, sharing, titleOf } from './words.ts';

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
      const notes = (await namesakes(source, question)).map(({ text }) => text);
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
async function namesakes(source: Source, { viewer, query }: Question): Promise<Mrkdwn[]> {
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
