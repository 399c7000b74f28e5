import { KEYWORDS } from '../../figures/query-cursor.ts';
import { properName } from '../../figures/query-names.ts';
import { parseQuery } from '../../figures/query.ts';
import type { FigureQuery } from '../../figures/query.ts';
import { Unreadable } from '../../lib/refusal.ts';
import { nearest } from '../../lib/nearest.ts';
import type { Word } from '../../lib/words.ts';
import type { Keep } from '../../slack/keep.ts';
import type { ActionRoute, Answer, CommandContext, FormRoute, Person } from '../../slack/routes.ts';
import type { FirstToday } from '../../store/first-today.ts';
import type { Feature } from '../feature.ts';
import { GROUPINGS, actionId } from './controls.ts';
import { createCustomize } from './customize-route.ts';
import { sendChart, sendCsv } from './files.ts';
import type { FilesDeps } from './files.ts';
import { createPresent } from './present.ts';
import type { Present } from './present.ts';
import type { Source } from './source.ts';
import { newState, readState } from './state.ts';
import type { State } from './state.ts';
import { itemsAnswer, tagActions, tagsAnswer } from './tags.ts';
import type { ListsDeps } from './tags.ts';

export interface ConsumptionDeps extends FilesDeps {
  readonly keep: Keep;
  readonly firstToday: FirstToday;
}

/** What `/charges` and `/usage` have in common: an answer with its buttons, its files and its form. */
export function createConsumptionFeature(
  source: Source,
  deps: ConsumptionDeps,
): Feature & { forms: readonly FormRoute[] } {
  const { keep, clock } = deps;
  const present = createPresent(source, deps);
  const lists: ListsDeps = { source, keep, clock };
  return {
    name: source.name,
    commands: [{ help: source.help, run: (context) => run(source, { present, lists }, context) }],
    actions: [...createActions(source, present, deps), ...tagActions(lists)],
    forms: [createCustomize(source, present, deps)],
  };
}

async function run(
  source: Source,
  { present, lists }: { present: Present; lists: ListsDeps },
  { person, words }: CommandContext,
): Promise<Answer> {
  const [first, ...rest] = words;
  const subcommand = first?.quoted === false ? first.text.toLowerCase() : '';
  if (subcommand === 'tags') return tagsAnswer(lists, person, rest);
  if (subcommand === 'items') return itemsAnswer(lists, person, rest);
  const query = readQuery(source, words);
  return present(person, newState(source.name, query, lists.clock.now()));
}

/** @throws Unreadable */
function readQuery({ help, name }: Source, words: readonly Word[]): FigureQuery {
  try {
    return parseQuery(words, { command: help.command });
  } catch (error) {
    const isOpen = error instanceof Unreadable && error.suggestion === undefined;
    const first = words[0]?.text ?? '';
    const meant = nearest(first, name === 'charges' ? ['tags', 'items'] : ['tags']);
    // "item" is near to "items", and is what it is.
    if (!isOpen || meant === undefined || properName(first, KEYWORDS)) throw error;
    throw new Unreadable(error.message, `${help.command} ${meant === 'tags' ? 'tags gvc' : meant}`);
  }
}

/** What the buttons of an answer make of its state. */
const CHANGES: Readonly<Record<string, (state: State) => State>> = {
  ...Object.fromEntries(
    GROUPINGS.map((tag) => [
      `by-${tag}`,
      (state: State) => ({ ...state, query: { ...state.query, by: [tag] }, page: 1 }),
    ]),
  ),
  detail: (state) => ({ ...state, detailed: true, page: 1 }),
  totals: (state) => ({ ...state, detailed: false, row: undefined, page: 1 }),
  next: (state) => ({ ...state, page: state.page + 1 }),
  previous: (state) => ({ ...state, page: Math.max(1, state.page - 1) }),
  from: (state) => state,
};

function createActions(source: Source, present: Present, deps: ConsumptionDeps): ActionRoute[] {
  const stateOf = async ({ userId }: Person, id = ''): Promise<State> =>
    readState(await deps.keep.get(userId, id), source.name);
  const file = (name: string, send: typeof sendCsv): ActionRoute => ({
    actionId: actionId(source.name, name),
    async run({ person, value }) {
      const asker = await source.authorize(person);
      return send(source, deps, asker, await stateOf(person, value));
    },
  });
  return [
    ...Object.entries(CHANGES).map(([name, change]): ActionRoute => ({
      actionId: actionId(source.name, name),
      inPlace: true,
      run: async ({ person, value }) => present(person, change(await stateOf(person, value))),
    })),
    {
      actionId: actionId(source.name, 'tiers-of'),
      inPlace: true,
      async run({ person, value = '' }) {
        const [id, row] = value.split(':');
        return present(person, { ...(await stateOf(person, id)), page: 1, row });
      },
    },
    file('csv', sendCsv),
    file('chart', sendChart),
  ];
}
