import { createAllowance } from '../../platform/answer.ts';
import type { Feature, Services } from '../../services.ts';
import {
  commandRoute,
  type ActionContext,
  type ActionRoute,
  type FormRoute,
} from '../../slack/routing/routes.ts';
import { questionIn, readQuestion } from '../../slack/replies/shelf.ts';
import {
  chosenGrouping,
  createPresent,
  reportRoute,
  sendCsv,
  type AnswerServices,
  type Present,
} from './answer.ts';
import { actionId } from './words.ts';
import { createChargesSource } from './charges.ts';
import { createCustomize } from './customize.ts';
import { createReportGrammar } from './grammar.ts';
import { createLists } from './lists.ts';
import { newState, openRow, readRow, State } from './question.ts';
import type { Source } from './source.ts';
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

type WithKept = Pick<Services, 'kept'>;

type ReportFeature = Feature & { readonly forms: readonly FormRoute[] };

function createReportFeature(
  source: Source,
  services: AnswerServices & SavedServices,
): ReportFeature {
  const saved = createSavedRoutes(source, services);
  const currency = source.name === 'charges' ? services.config.currency : undefined;
  const grammar = createReportGrammar(source.name, currency);
  const present = createPresent(source, services);
  const lists = createLists(source, present, services);
  return {
    name: source.name,
    commands: [
      commandRoute({
        help: source.help,
        parse: (words) => ({ command: grammar.parse(words) }),
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
            case 'report':
              return present(person, newState(command.query, services.clock.now()));
          }
        },
      }),
    ],
    actions: [...createActions(source, present, services), ...lists.actions, ...saved.actions],
    questions: [
      {
        name: reportRoute(source),
        ask: ({ person }, question, page) => present(person, readQuestion(State, question), page),
      },
      ...lists.questions,
    ],
    forms: [createCustomize(source, present, services), saved.form],
    jobs: createSavedJobs(source, services),
  };
}

function createActions(source: Source, present: Present, services: AnswerServices & WithKept) {
  const stateIn = (context: ActionContext) => questionIn(services.kept, context, State);
  const action = (
    name: string,
    next: (state: State, value: string | undefined) => State,
    inPlace = true,
  ): ActionRoute => ({
    actionId: actionId(source.name, name),
    ...(inPlace && { inPlace: true }),
    run: async (context) => present(context.person, next(await stateIn(context), context.value)),
  });
  return [
    action('group', (state, value) => {
      const by = chosenGrouping(value);
      return by === undefined ? state : { ...state, query: { ...state.query, by } };
    }),
    action('tiers', (state) => ({ ...state, detailed: true })),
    action('totals', (state) => ({ ...state, detailed: false, row: undefined })),
    action('tiers-of', (state, row) => ({ ...state, row })),
    action('from', (state) => state),
    action(
      'open',
      (state, value) => openRow(state, state.query.by ?? source.by, readRow(value)),
      false,
    ),
    {
      actionId: actionId(source.name, 'csv'),
      run: async (context: ActionContext) => {
        const viewer = await source.authorize(context.person);
        return sendCsv(source, services, viewer, await stateIn(context));
      },
    },
  ];
}
