import type { Standing } from '../../access/changes.ts';
import { denied } from '../../access/denial.ts';
import type { Bench } from '../../changes/decide.ts';
import type { Clerk } from '../../changes/execute.ts';
import { WITHDRAW_ACTION } from '../../changes/messages/actions.ts';
import { titleOf } from '../../changes/messages/words.ts';
import type { Counter } from '../../changes/reveal.ts';
import { mrkdwn, section, topText } from '../../slack/kit/index.ts';
import type { ActionRoute, Person } from '../../slack/routes.ts';
import type { Feature } from '../feature.ts';
import { sendAudit } from './audit-file.ts';
import type { AuditFileDeps } from './audit-file.ts';
import { CHANGES_HELP } from './help.ts';
import { createChangesHome } from './home.ts';
import type { ChangesHomeDeps } from './home.ts';
import { createChangeJobs } from './jobs.ts';
import { LIST_ACTIONS } from './list-view.ts';
import { list } from './list.ts';
import type { ListDeps } from './list.ts';
import { parseChanges } from './parse.ts';
import { createRefused } from './refused.ts';
import { createReveal } from './reveal.ts';
import { createReview } from './review.ts';
import { show } from './show.ts';
import { requireAdmin } from './sight.ts';
import { FIRST, readChoice, readState } from './state.ts';

export interface ChangesFeatureDeps extends ListDeps, AuditFileDeps, ChangesHomeDeps {
  readonly changes: ListDeps['changes'];
  readonly bench: Bench;
  readonly counter: Counter;
  readonly clerk: Clerk;
  /** What is known of a person now. @throws Refusal when nobody says */
  readonly standing: (person: Person) => Promise<Standing>;
}

/** `/changes`, the buttons of the cards, and the work behind them (design sections 3 and 5). */
export function createChangesFeature(deps: ChangesFeatureDeps): Feature {
  return {
    name: 'changes',
    commands: [
      {
        help: CHANGES_HELP,
        async run({ person, words }) {
          const command = parseChanges(words);
          const who = await admitted(deps, person);
          return command.kind === 'list' ? list(deps, who, FIRST) : show(deps, who, command.id);
        },
      },
    ],
    actions: [
      turn(deps, LIST_ACTIONS.previous, -1),
      turn(deps, LIST_ACTIONS.next, 1),
      choose(deps, LIST_ACTIONS.which, 'which'),
      choose(deps, LIST_ACTIONS.kind, 'of'),
      {
        actionId: LIST_ACTIONS.show,
        run: async ({ person, value = '' }) => show(deps, await admitted(deps, person), value),
      },
      {
        actionId: LIST_ACTIONS.audit,
        async run({ person }) {
          requireAdmin(await admitted(deps, person));
          return sendAudit(deps, person.userId);
        },
      },
      withdraw(deps),
    ],
    forms: [createReview(deps.bench)],
    reveals: [createReveal(deps.counter)],
    jobs: createChangeJobs(deps.clerk),
    home: createChangesHome(deps),
    refused: createRefused(deps),
  };
}

/** @throws Refusal for who may not use the bot, or of whom nobody says */
async function admitted({ standing }: ChangesFeatureDeps, person: Person): Promise<Standing> {
  const who = await standing(person);
  if (who.refusal !== undefined) throw denied(who.why ?? 'stranger', who.refusal);
  return who;
}

/** Previous and Next: another page in the place of the one that is there. */
function turn(deps: ChangesFeatureDeps, actionId: string, by: 1 | -1): ActionRoute {
  return {
    actionId,
    inPlace: true,
    async run({ person, value }) {
      const state = await readState(deps.keep, person.userId, value);
      return list(deps, await admitted(deps, person), { ...state, page: state.page + by });
    },
  };
}

/** Another list in the place of the one that is there. */
function choose(deps: ChangesFeatureDeps, actionId: string, field: 'which' | 'of'): ActionRoute {
  return {
    actionId,
    inPlace: true,
    async run({ person, value = '' }) {
      const state = await readChoice(deps.keep, { userId: person.userId, value, field });
      return list(deps, await admitted(deps, person), state);
    },
  };
}

function withdraw({ bench }: ChangesFeatureDeps): ActionRoute {
  return {
    actionId: WITHDRAW_ACTION,
    async run({ person, value = '' }) {
      const change = await bench.withdraw(person, value);
      const said = mrkdwn`Withdrawn: *${titleOf(change)}*. Nothing is changed.`;
      return { text: topText(said), blocks: [section(said)] };
    },
  };
}
