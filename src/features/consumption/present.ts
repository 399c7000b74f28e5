import { PlatformError } from '../../platform/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Keep } from '../../slack/keep.ts';
import { code, context, mrkdwn, topText } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Answer, Person } from '../../slack/routes.ts';
import type { FirstToday } from '../../store/first-today.ts';
import { NO_BUTTONS } from '../no-buttons.ts';
import { DailyNote, note } from './caveats.ts';
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
  readonly firstToday: FirstToday;
}

/**
 * Answers a state: the one way from a command, a button and a form to what is shown. The person is
 * authorized every time. @throws Refusal, Unreadable, PlatformError
 */
export type Present = (person: Person, state: State) => Promise<Answer>;

export function createPresent(source: Source, deps: PresentDeps): Present {
  return async (person, asked) => {
    const asker = await source.authorize(person);
    const question = await settle(source, asker, asked, deps.clock);
    const state = { ...asked, query: question.query };
    const keep = (thing: State) => deps.keep.put(person.userId, thing);
    const told = async (caveats: readonly Mrkdwn[]) =>
      withDailyNotes([...caveats, ...(await namesakes(source, question))], () =>
        deps.firstToday(`not-priced:${person.userId}`),
      );
    const presented = { question, state, keep, told, clock: deps.clock };
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
  /** What of the caveats a person gets to read. */
  readonly told: (caveats: readonly Mrkdwn[]) => Promise<readonly Mrkdwn[]>;
  readonly clock: Clock;
}

async function presentTotals(source: Source, found: Found, presented: Presented): Promise<Answer> {
  if (found.table.rows.length === 0 && found.skipped === 0) return empty(source, found, presented);
  const { question, state, keep } = presented;
  const now = presented.clock.now();
  const caveats = await presented.told(found.caveats);
  const shown = { ...found, caveats };
  const view = totalsView({ name: source.name, question, found: shown, page: state.page, now });
  const id = await keep({ ...state, page: view.page });
  const controls = id === undefined ? [] : totalsControls({ source, question, id, found, ...view });
  return answerOf(source, question, view, id, controls);
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
  const caveats = await presented.told(line ? await detail.caveatsOf(line) : detail.caveats);
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
  return answerOf(source, question, view, id, controls);
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

/** Daily notes in full only where this is the first of the day. */
async function withDailyNotes(
  caveats: readonly Mrkdwn[],
  isFirst: () => Promise<boolean>,
): Promise<readonly Mrkdwn[]> {
  const isDaily = caveats.some((caveat) => caveat instanceof DailyNote);
  if (!isDaily || (await isFirst())) return caveats;
  return caveats.map((caveat) => (caveat instanceof DailyNote ? caveat.short : caveat));
}

function answerOf(
  source: Source,
  { asker }: Question,
  { head, blocks }: Paged,
  id: string | undefined,
  controls: NonNullable<Answer['controls']>,
): Answer {
  const missing = id === undefined ? [context(mrkdwn`${NO_BUTTONS}`)] : [];
  return {
    text: topText(head),
    blocks: [...blocks, ...missing],
    controls,
    ...sharing(source, asker),
  };
}
