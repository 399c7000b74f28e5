import { correcting, typed } from '../../grammar/typed.ts';
import { UsageError } from '../../lib/errors.ts';
import { nearest, type Word } from '../../lib/text.ts';
import { createAllowance } from '../../platform/answer.ts';
import { KEYWORDS, properName } from '../../reporting/query-words.ts';
import { parseQuery, type ReportQuery } from '../../reporting/query.ts';
import { CADENCES } from '../../reporting/schedule.ts';
import type { Feature } from '../../services.ts';
import {
  commandRoute,
  type ActionRoute,
  type FormRoute,
  type Person,
} from '../../slack/routing/routes.ts';
import { actionId, GROUPINGS } from './answer-view.ts';
import { createPresent, sendChart, sendCsv, type AnswerServices, type Present } from './answer.ts';
import { createChargesSource } from './charges.ts';
import { createCustomize } from './customize.ts';
import { createLists, itemsRefusal, parseTags } from './lists.ts';
import { newState, readState, type State } from './question.ts';
import type { Source } from './source.ts';
import { parseNumber, parseWatch, type WatchWords } from './saved-parse.ts';
import { createSavedRoutes } from './saved-routes.ts';
import { createSavedJobs } from './saved-run.ts';
import type { SavedServices } from './saved-make.ts';
import { createUsageSource } from './usage.ts';

/** Memory for the platform's answers to all simultaneous questions. */
const ALLOWANCE_BYTES = 64 * 1024 * 1024;

/** `/charges`: priced usage; `/usage`: raw quantities in readable units (design section 3). */
export function createReportsFeatures(
  services: Parameters<typeof createUsageSource>[0] &
    Omit<AnswerServices, 'allowance'> &
    SavedServices,
): ReportFeature[] {
  const allowance = createAllowance(ALLOWANCE_BYTES);
  const shared = { ...services, allowance };
  const sources = [createChargesSource(services), createUsageSource(services)];
  return sources.map((source) => createReportFeature(source, shared));
}

type ReportFeature = Feature & { readonly forms: readonly FormRoute[] };

function createReportFeature(
  source: Source,
  services: AnswerServices & SavedServices,
): ReportFeature {
  const saved = createSavedRoutes(source, services);
  const currency = source.name === 'charges' ? services.config.currency : undefined;
  const present = createPresent(source, services);
  const lists = createLists(source, services);
  return {
    name: source.name,
    commands: [
      commandRoute({
        help: source.help,
        parse: (words) => ({
          command: correcting(words, source.help.command, (some) => parse(source, some, currency)),
        }),
        run: (command, context) => {
          const { person } = context;
          switch (command.kind) {
            case 'tags':
              return lists.showTag(person, command);
            case 'items':
              return lists.showItems(person);
            case 'watch':
              return saved.watch(command.wanted, context);
            case 'watches':
              return saved.list(context);
            case 'unwatch':
              return saved.unwatch(command.number, person);
            case 'report': {
              const now = services.clock.now();
              return present(person, newState(source.name, command.query, now));
            }
          }
        },
      }),
    ],
    actions: [...createActions(source, present, services), ...lists.actions, ...saved.actions],
    forms: [createCustomize(source, present, services), saved.form],
    jobs: createSavedJobs(source, services),
  };
}

type ReportCommand =
  | { readonly kind: 'tags'; readonly tag: string; readonly query: ReportQuery }
  | { readonly kind: 'items' }
  | { readonly kind: 'watch'; readonly wanted: WatchWords }
  | { readonly kind: 'watches' }
  | { readonly kind: 'unwatch'; readonly number: string }
  | { readonly kind: 'report'; readonly query: ReportQuery };

/** @throws UsageError */
function parse(
  source: Source,
  words: readonly Word[],
  currency: string | undefined,
): ReportCommand {
  const [first, ...rest] = words;
  const { command } = source.help;
  switch (first?.quoted === false ? first.text.toLowerCase() : '') {
    case 'tags':
      return { kind: 'tags', ...parseTags(rest, command) };
    case 'items': {
      const refusal = itemsRefusal(source, rest);
      if (refusal !== undefined) throw refusal;
      return { kind: 'items' };
    }
    case 'watch':
      return { kind: 'watch', wanted: parseWatch(rest, { command, currency }) };
    case 'watches':
      if (rest.length === 0) return { kind: 'watches' };
      throw new UsageError('Nothing follows "watches".', `${command} watches`);
    case 'unwatch':
      return { kind: 'unwatch', number: parseNumber(rest, command) };
    default:
      return { kind: 'report', query: readQuery(source, words) };
  }
}

/** @throws UsageError */
function readQuery({ help, name }: Source, words: readonly Word[]): ReportQuery {
  try {
    return parseQuery(words, { command: help.command });
  } catch (error) {
    const isOpen = error instanceof UsageError && error.suggestion === undefined;
    const first = words[0]?.text ?? '';
    const isScheduled = words.some(({ text, quoted }) => !quoted && isOfSchedule(text));
    if (isOpen && isScheduled) {
      const line = words.map(typed).join(' ');
      throw new UsageError(error.message, `${help.command} watch ${line}`);
    }
    const subcommands = ['tags', 'watch', 'watches', 'unwatch'];
    const meant = nearest(first, name === 'charges' ? [...subcommands, 'items'] : subcommands);
    // "item" is close to "items", but a keyword of its own.
    if (!isOpen || meant === undefined || properName(first, KEYWORDS)) throw error;
    throw new UsageError(error.message, `${help.command} ${EXAMPLES[meant] ?? meant}`);
  }
}

/** Words that have a meaning only after "watch". */
function isOfSchedule(text: string): boolean {
  return [...CADENCES, 'over'].some((word) => word === text.toLowerCase());
}

const EXAMPLES: Readonly<Record<string, string>> = {
  tags: 'tags gvc',
  watch: 'watch daily',
  unwatch: 'watches',
};

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

function createActions(source: Source, present: Present, services: AnswerServices): ActionRoute[] {
  const stateOf = async ({ userId }: Person, id = ''): Promise<State> =>
    readState(await services.interactions.get(userId, id), source.name);
  const file = (name: string, send: typeof sendCsv): ActionRoute => ({
    actionId: actionId(source.name, name),
    async run({ person, value }) {
      const viewer = await source.authorize(person);
      return send(source, services, viewer, await stateOf(person, value));
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
