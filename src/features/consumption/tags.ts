import { z } from 'zod';
import { denied } from '../../access/denial.ts';
import { typed } from '../../figures/query-cursor.ts';
import { parseQuery } from '../../figures/query.ts';
import type { Clock } from '../../lib/clock.ts';
import { Refusal, Unreadable } from '../../lib/refusal.ts';
import { truncate } from '../../lib/text.ts';
import type { Word } from '../../lib/words.ts';
import type { Keep } from '../../slack/keep.ts';
import { button, context, mrkdwn, topText } from '../../slack/kit/index.ts';
import type { ActionRoute, Answer, Person } from '../../slack/routes.ts';
import { NO_BUTTONS } from '../no-buttons.ts';
import { actionId } from './controls.ts';
import { PLAIN_QUERY } from './customize-typed.ts';
import { itemsView } from './items-view.ts';
import { settle } from './settle.ts';
import type { Asker, Source } from './source.ts';
import { newState, readState } from './state.ts';
import type { State } from './state.ts';
import { parseTags } from './tags-parse.ts';
import { tagsView } from './tags-view.ts';
import type { Paged } from './totals-view.ts';
import { sharing } from './words.ts';

/** `tags TAG [query]` of both commands, and `items` of `/charges`. */
export interface ListsDeps {
  readonly source: Source;
  readonly keep: Keep;
  readonly clock: Clock;
}

/** What Previous and Next stand for. */
interface Listed {
  /** Undefined: the chargeable items. */
  readonly tag: string | undefined;
  readonly state: State;
}

const Kept = z.object({ tag: z.string().optional(), state: z.unknown() });

/** The distinct values of a tag (spec 4.6). `words`: those after `tags`. @throws Unreadable, Refusal, PlatformError */
export async function tagsAnswer(
  deps: ListsDeps,
  person: Person,
  words: readonly Word[],
): Promise<Answer> {
  const { tag, query } = parseTags(words, deps.source.help.command);
  const state = newState(deps.source.name, query, deps.clock.now());
  return show(deps, person, { tag, state });
}

/** The chargeable items by name (spec 2.6). `words`: those after `items`. @throws Unreadable, Refusal, PlatformError */
export async function itemsAnswer(
  deps: ListsDeps,
  person: Person,
  words: readonly Word[] = [],
): Promise<Answer> {
  const refusal = refusalOf(deps.source, words);
  if (refusal !== undefined) throw refusal;
  const state = newState(deps.source.name, PLAIN_QUERY, deps.clock.now());
  return show(deps, person, { tag: undefined, state });
}

/** Why there is no list; who names an item after the word probably wants what is charged as that. */
function refusalOf(
  { name, help: { command } }: Source,
  words: readonly Word[],
): Unreadable | undefined {
  const [extra] = words;
  if (extra !== undefined && isQuery([{ text: 'item', quoted: false }, ...words])) {
    return new Unreadable(
      '"items" lists the chargeable items, and "item" filters by those that you name.',
      [command, 'item', ...words.map(typed)].join(' '),
    );
  }
  if (name !== 'charges') {
    const sentence = 'Chargeable items are about prices, which are with the charges.';
    return new Unreadable(sentence, '/charges items');
  }
  if (extra === undefined) return undefined;
  return new Unreadable(
    `After "items" comes nothing: leave "${truncate(extra.text, 60)}" out.`,
    `${command} items`,
  );
}

function isQuery(words: readonly Word[]): boolean {
  try {
    return parseQuery(words).items.length > 0;
  } catch (error) {
    if (error instanceof Unreadable) return false;
    throw error;
  }
}

/** Previous and Next of both lists; the person is authorized again. */
export function tagActions(deps: ListsDeps): ActionRoute[] {
  const turn = (name: string, step: number): ActionRoute => ({
    actionId: actionId(deps.source.name, name),
    inPlace: true,
    async run({ person, value = '' }) {
      const kept = Kept.safeParse(await deps.keep.get(person.userId, value)).data;
      const state = readState(kept?.state, deps.source.name);
      const page = Math.max(1, state.page + step);
      return show(deps, person, { tag: kept?.tag, state: { ...state, page } });
    },
  });
  return [turn(PREVIOUS, -1), turn(NEXT, 1)];
}

const PREVIOUS = 'list-previous';
const NEXT = 'list-next';

async function show(deps: ListsDeps, person: Person, listed: Listed): Promise<Answer> {
  const { source, keep } = deps;
  const asker = await source.authorize(person);
  const view = await (listed.tag === undefined
    ? readItems(deps, asker, listed.state)
    : readTag(deps, asker, listed.tag, listed.state));
  const state = { ...listed.state, page: view.page };
  const id = view.pages > 1 ? await keep.put(person.userId, { ...listed, state }) : undefined;
  const isStuck = view.pages > 1 && id === undefined;
  const press = (name: string, text: string) =>
    button({
      action: actionId(source.name, name),
      text,
      ...(id === undefined ? {} : { value: id }),
    });
  const turning = [
    ...(view.page > 1 ? [press(PREVIOUS, 'Previous')] : []),
    ...(view.page < view.pages ? [press(NEXT, 'Next')] : []),
  ];
  return {
    text: topText(view.head),
    blocks: isStuck ? [...view.blocks, context(mrkdwn`${NO_BUTTONS}`)] : view.blocks,
    controls: id === undefined ? [] : [turning],
    ...sharing(source, asker),
  };
}

async function readTag(
  { source, clock }: ListsDeps,
  asker: Asker,
  tag: string,
  state: State,
): Promise<Paged> {
  // Before anything else, such as an org that has to be named, because nothing would help.
  if (asker.orgsOnly !== undefined) throw denied('role', asker.orgsOnly);
  const question = await settle(source, asker, state, clock);
  const found = await source.tagValues(asker, tag, question.range, question.query);
  return tagsView({ source, tag, question, found, page: state.page, now: clock.now() });
}

async function readItems(
  { source, clock }: ListsDeps,
  asker: Asker,
  { page }: State,
): Promise<Paged> {
  const catalogue = await source.items?.(asker);
  if (catalogue === undefined) throw new Refusal('There is no list of chargeable items here.');
  return itemsView({ catalogue, page, now: clock.now() });
}
