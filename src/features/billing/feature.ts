import type { Button } from '@slack/types';
import { ADMINS, ANY_ROLE, ORG_CREATORS, READERS } from '../../access/roles.ts';
import type { Role } from '../../access/roles.ts';
import { helpAnswer } from '../../slack/help-view.ts';
import type { ActionRoute, Answer, Person } from '../../slack/routes.ts';
import type { FormName } from '../changes/forms/form.ts';
import { openingOf } from '../changes/forms/openings.ts';
import type { RequestRoutes } from '../changes/forms/openings.ts';
import { settleOrg } from '../deployments/place.ts';
import type { Orgs } from '../deployments/place.ts';
import type { Feature } from '../feature.ts';
import { account, list } from './answers.ts';
import type { AnswersDeps } from './answers.ts';
import { hasRole } from './has-role.ts';
import type { RequireBillingRole } from './has-role.ts';
import { BILLING_HELP } from './help.ts';
import { askButton, NEXT_ACTION, PREVIOUS_ACTION } from './list-view.ts';
import { parseBilling } from './parse.ts';
import type { BillingCommand } from './parse.ts';
import { readState } from './state.ts';
import type { ListState } from './state.ts';

export interface BillingFeatureDeps extends AnswersDeps {
  readonly forms: RequestRoutes;
  /** The orgs that there is a key for: quotas are read by it. */
  readonly orgs: Orgs;
  readonly requireBillingRole: RequireBillingRole;
  /** @throws Refusal */
  readonly requireOrgAccess: (person: Person) => Promise<void>;
}

/** `/billing`: what the account has, and the forms that ask for a change of it (spec 2.2-2.5, 2.9, 2.10, 2.17). */
export function createBillingFeature(deps: BillingFeatureDeps): Feature {
  return {
    name: 'billing',
    commands: [
      {
        help: BILLING_HELP,
        opens(words) {
          const command = parseBilling(words);
          if (command.kind !== 'open') return undefined;
          return openingOf(deps.forms, command.form, command.given);
        },
        run: async ({ person, words }) => answerTo(deps, person, parseBilling(words)),
      },
    ],
    actions: [turn(deps, PREVIOUS_ACTION, -1), turn(deps, NEXT_ACTION, 1)],
  };
}

async function answerTo(
  deps: BillingFeatureDeps,
  person: Person,
  command: BillingCommand,
): Promise<Answer> {
  switch (command.kind) {
    case 'usage':
      return helpAnswer(BILLING_HELP);
    case 'open':
      throw new Error('These words open a form');
    case 'account':
      await deps.requireBillingRole(person, ANY_ROLE);
      return account(deps);
    case 'quotas': {
      await authorize(deps, person, command.kind);
      const org = settleOrg(command.org, deps.orgs);
      return pageOf(deps, person, { kind: 'quotas', org, page: 0 });
    }
    case 'orgs':
    case 'users':
    case 'tokens':
    case 'recipients':
      await authorize(deps, person, command.kind);
      return pageOf(deps, person, { kind: command.kind, page: 0 });
  }
}

/** Previous and Next: another page in the place of the one that is there. */
function turn(deps: BillingFeatureDeps, actionId: string, by: 1 | -1): ActionRoute {
  return {
    actionId,
    inPlace: true,
    async run({ person, value }) {
      const state = await readState(deps.keep, person.userId, value);
      await authorize(deps, person, state.kind);
      return pageOf(deps, person, { ...state, page: state.page + by });
    },
  };
}

/** Design section 6. @throws Refusal */
async function authorize(
  deps: BillingFeatureDeps,
  person: Person,
  kind: ListState['kind'],
): Promise<void> {
  await (kind === 'quotas'
    ? deps.requireOrgAccess(person)
    : deps.requireBillingRole(person, SEEN_BY[kind]));
}

async function pageOf(deps: BillingFeatureDeps, person: Person, state: ListState): Promise<Answer> {
  return list(deps, person.userId, state, await asksFor(deps, person, state));
}

type RoleList = Exclude<ListState['kind'], 'quotas'>;

/** Any of these. */
const SEEN_BY: Readonly<Record<RoleList, readonly Role[]>> = {
  orgs: ANY_ROLE,
  users: READERS,
  tokens: ADMINS,
  recipients: ADMINS,
};

/** The buttons below a list; the form itself asks who may. */
const ASKS: Readonly<Record<ListState['kind'], readonly (readonly [FormName, string])[]>> = {
  orgs: [['org.create', 'Create an org']],
  users: [
    ['user.add', 'Add a user'],
    ['user.roles', 'Change roles'],
    ['user.remove', 'Remove a user'],
  ],
  tokens: [
    ['token.create', 'Create a token'],
    ['token.delete', 'Delete a token'],
  ],
  recipients: [
    ['recipient.add', 'Add a recipient'],
    ['recipient.enable', 'Enable a recipient'],
    ['recipient.disable', 'Disable a recipient'],
    ['recipient.delete', 'Delete a recipient'],
  ],
  quotas: [['quota.request', 'Request an increase']],
};

/** Who may not ask for a change is shown no button for it. */
async function asksFor(
  deps: BillingFeatureDeps,
  person: Person,
  state: ListState,
): Promise<Button[]> {
  const given = state.kind === 'quotas' ? { org: state.org } : {};
  const makers = state.kind === 'orgs' ? ORG_CREATORS : ADMINS;
  const may = state.kind === 'quotas' || (await hasRole(deps.requireBillingRole, person, makers));
  return may
    ? ASKS[state.kind].map(([name, text]) => askButton(deps.forms, name, text, given))
    : [];
}
