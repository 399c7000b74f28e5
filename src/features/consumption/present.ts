import type { KnownBlock } from '@slack/types';
import { PlatformError } from '../../platform/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Keep } from '../../slack/keep.ts';
import { code, context, mrkdwn } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Answer, Person } from '../../slack/routes.ts';
import type { FirstToday } from '../../store/first-today.ts';
import { NO_BUTTONS } from '../no-buttons.ts';
import { createAnswerFigures } from './answer.ts';
import type { AnswerDeps } from './answer.ts';
import { note } from './caveats.ts';
import { actionId, customizeButton, detailControls, totalsControls } from './controls.ts';
import { tierMenu } from './detail-view.ts';
import { rangeWords } from './range-name.ts';
import type { ShownFigures } from './report.ts';
import { settle } from './settle.ts';
import { emptyAnswer, retentionAnswer } from './short-answers.ts';
import type { Asker, Question, Source } from './source.ts';
import type { State } from './state.ts';
import { sharing } from './words.ts';

interface PresentDeps extends AnswerDeps {
  readonly keep: Keep;
  readonly clock: Clock;
  readonly firstToday: FirstToday;
}

/**
 * Answers a state: the one way from a command, a button and a form to what is shown. The person is
 * authorized every time. @throws Refusal, Unreadable, PlatformError
 */
export type Present = (person: Person, state: State) => Promise<Answer>;

export function createPresent(source: Source, deps: PresentDeps): Present {
  const answer = createAnswerFigures(source, deps);
  return async (person, asked) => {
    const asker = await source.authorize(person);
    const question = await settle(source, asker, asked, deps.clock);
    const state = { ...asked, query: question.query };
    const keep = (thing: State) => deps.keep.put(person.userId, thing);
    const presented = { question, state, keep };
    const { page, row } = state;
    const isOfTiers = state.detailed && source.hasTiers === true;
    try {
      const notes = (await namesakes(source, question)).map(({ text }) => text);
      const view = { page, notes, now: deps.clock.now() };
      const report = await answer(
        question,
        isOfTiers ? { kind: 'tiers', row, ...view } : { kind: 'totals', ...view },
      );
      if (report.kind === 'shown') {
        return await present(source, await withDailyNotes(report, asker, deps), presented);
      }
      return await empty(source, report.kind === 'empty' ? report.caveats : [], presented);
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
  report: ShownFigures,
  { question, state, keep }: Presented,
): Promise<Answer> {
  const id = await keep({ ...state, page: report.page });
  const missing = id === undefined ? [context(mrkdwn`${NO_BUTTONS}`)] : [];
  return {
    text: report.text,
    blocks: [...report.blocks, ...missing],
    controls: id === undefined ? [] : controlsOf(source, question, id, report),
    ...sharing(source, question.asker),
  };
}

function controlsOf(
  source: Source,
  question: Question,
  id: string,
  { lines, line, ...report }: ShownFigures,
): NonNullable<Answer['controls']> {
  const shown = { source, question, id, ...report };
  if (lines === undefined) return totalsControls(shown);
  const menu = tierMenu(actionId(source.name, 'tiers-of'), id, lines, line);
  return [[menu], detailControls(shown)];
}

/** Daily notes in full only where this is the first of the day. */
async function withDailyNotes(
  report: ShownFigures,
  { userId }: Asker,
  { firstToday }: PresentDeps,
): Promise<ShownFigures> {
  if (report.later === undefined || (await firstToday(`not-priced:${userId}`))) return report;
  return { ...report, blocks: report.later };
}

async function empty(
  source: Source,
  caveats: readonly KnownBlock[],
  { question, state, keep }: Presented,
): Promise<Answer> {
  const id = await keep(state);
  const buttons = id === undefined ? [] : [customizeButton({ source, id })];
  return { ...emptyAnswer(source, question, caveats), buttons };
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

/** A query takes items by name alone (spec 2.6), so those that share one come together. */
async function namesakes(source: Source, { asker, query }: Question): Promise<Mrkdwn[]> {
  if (query.items.length === 0) return [];
  const { items = [] } = (await source.knownItems?.(asker)) ?? {};
  return query.items.flatMap((name) => {
    const count = items.filter((item) => item.name === name).length;
    const named = mrkdwn`${count} chargeable items are named ${code(name, 60)}`;
    return count < 2
      ? []
      : [note(mrkdwn`${named}: they cannot be told apart here, so this is of all of them.`)];
  });
}
