import { PlatformError } from '../../platform/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Keep } from '../../slack/keep.ts';
import { context, mrkdwn, topText } from '../../slack/kit/index.ts';
import type { Answer, Person } from '../../slack/routes.ts';
import { NO_BUTTONS } from '../no-buttons.ts';
import { actionId, customizeButton, detailControls, totalsControls } from './controls.ts';
import { chosenLine, detailView, tierMenu } from './detail-view.ts';
import { rangeWords } from './range-name.ts';
import { settle } from './settle.ts';
import { emptyAnswer, retentionAnswer } from './short-answers.ts';
import type { Detail, Found, Question, Source } from './source.ts';
import type { State } from './state.ts';
import { totalsView } from './totals-view.ts';
import type { Paged } from './totals-view.ts';
import { sharing } from './words.ts';

interface PresentDeps {
  readonly keep: Keep;
  readonly clock: Clock;
}

/**
 * Answers a state: the one way from a command, a button and a form to what is shown. The person is
 * authorized every time. @throws Refusal, Unreadable, PlatformError
 */
export type Present = (person: Person, state: State) => Promise<Answer>;

export function createPresent(source: Source, deps: PresentDeps): Present {
  return async (person, asked) => {
    await source.authorize(person);
    const question = await settle(source, asked, deps.clock);
    const state = { ...asked, query: question.query };
    const keep = (thing: State) => deps.keep.put(person.userId, thing);
    const presented = { question, state, keep, clock: deps.clock };
    try {
      const detail = state.detailed ? await source.detail?.(question) : undefined;
      return detail
        ? await presentDetail(source, detail, presented)
        : await presentTotals(source, await source.find(question), presented);
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
  readonly clock: Clock;
}

async function presentTotals(source: Source, found: Found, presented: Presented): Promise<Answer> {
  if (found.table.rows.length === 0 && found.skipped === 0) return empty(source, found, presented);
  const { question, state, keep } = presented;
  const now = presented.clock.now();
  const view = totalsView({ name: source.name, question, found, page: state.page, now });
  const id = await keep({ ...state, page: view.page });
  const controls = id === undefined ? [] : totalsControls({ source, question, id, found, ...view });
  return answerOf(source, view, id, controls);
}

async function presentDetail(
  source: Source,
  detail: Detail,
  presented: Presented,
): Promise<Answer> {
  if (detail.lines.length === 0 && detail.skipped === 0) return empty(source, detail, presented);
  const { question, state, keep } = presented;
  const { row, page } = state;
  const line = chosenLine(detail, row);
  const caveats = line ? await detail.caveatsOf(line) : detail.caveats;
  const now = presented.clock.now();
  const view = detailView({ name: source.name, question, detail, line, caveats, page, now });
  const id = await keep({ ...state, page: view.page });
  const controls =
    id === undefined
      ? []
      : [
          [tierMenu(actionId(source.name, 'tiers-of'), id, detail, line)],
          detailControls({ source, question, id, found: detail, ...view }),
        ];
  return answerOf(source, view, id, controls);
}

async function empty(
  source: Source,
  { caveats }: Found,
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

function answerOf(
  source: Source,
  { head, blocks }: Paged,
  id: string | undefined,
  controls: NonNullable<Answer['controls']>,
): Answer {
  const missing = id === undefined ? [context(mrkdwn`${NO_BUTTONS}`)] : [];
  return {
    text: topText(head),
    blocks: [...blocks, ...missing],
    controls,
    ...sharing(source),
  };
}
