import type { Button } from '@slack/types';
import { hasRole } from '../../access/authorizer.ts';
import { ADMINS, ANY_ROLE, ORG_CREATORS, READERS } from '../../access/policy.ts';
import { askButtons, openingOf, type RequestForms } from '../../changes/forms/form.ts';
import type { BillingRole } from '../../platform/billing/roles.ts';
import { resolveOrg } from '../../platform/deployments/target.ts';
import { helpAnswer } from '../../slack/replies/help-view.ts';
import {
  commandRoute,
  type ActionRoute,
  type Answer,
  type CommandHelp,
  type Person,
} from '../../slack/routing/routes.ts';
import type { Feature, Services } from '../../services.ts';
import { account, list, readState, type BillingServices, type ListState } from './answers.ts';
import { NEXT_ACTION, PREVIOUS_ACTION } from './lists.ts';
import { parseBilling, type BillingCommand } from './parse.ts';

export const BILLING_HELP: CommandHelp = {
  command: '/billing',
  summary: 'The billing account, its people, tokens, orgs and quotas.',
  usages: [
    {
      text: '/billing account',
      does: 'shows the account: its terms, how many orgs it may have, its cards and its spend alert',
    },
    { text: '/billing orgs', does: 'lists the orgs of the account' },
    { text: '/billing orgs create [NAME]', does: 'opens a form to create an org' },
    { text: '/billing users', does: 'lists the people on the account, with their roles' },
    {
      text: '/billing users add|roles|remove [E-MAIL]',
      does: 'opens a form to add somebody, change their roles, or remove them',
    },
    {
      text: '/billing tokens',
      does: 'lists the tokens that programs use, when they expire and when they were last used',
    },
    {
      text: '/billing tokens create|delete [NAME]',
      does: 'opens a form to create a token, or delete one',
    },
    { text: '/billing recipients', does: 'lists who gets invoices by e-mail' },
    {
      text: '/billing recipients add|enable|disable|delete [E-MAIL]',
      does: 'opens a form to add a recipient, switch their e-mails on or off, or delete them',
    },
    {
      text: '/billing quotas [org NAME]',
      does: 'lists what an org may use at most; name the org if there are several',
    },
    {
      text: '/billing quotas request [QUOTA] [org NAME]',
      does: 'opens a form to ask the platform for a higher quota',
    },
  ],
  notes: [
    'A form asks for a change: with approvals on, somebody else approves it before it is made',
  ],
  examples: ['/billing account', '/billing users add ann@example.com', '/billing quotas'],
};

type FeatureServices = BillingServices & Pick<Services, 'access' | 'orgs'>;
type WithForms = FeatureServices & { readonly forms: RequestForms };

/** `/billing`: what the account has, and the forms that ask for a change of it (spec 2.2-2.5, 2.9, 2.10, 2.17). */
export function createBillingFeature(services: FeatureServices, forms: RequestForms): Feature {
  const own = { ...services, forms };
  return {
    name: 'billing',
    commands: [
      commandRoute<Read>({
        help: BILLING_HELP,
        parse(words) {
          const command = parseBilling(words);
          return command.kind === 'open'
            ? openingOf(forms, command.form, command.given)
            : { command };
        },
        run: (command, { person }) => answerTo(own, person, command),
      }),
    ],
    actions: [turn(own, PREVIOUS_ACTION, -1), turn(own, NEXT_ACTION, 1)],
  };
}

/** What is answered, and opens no form. */
type Read = Exclude<BillingCommand, { kind: 'open' }>;

async function answerTo(services: WithForms, person: Person, command: Read): Promise<Answer> {
  switch (command.kind) {
    case 'usage':
      return helpAnswer(BILLING_HELP);
    case 'account':
      await services.access.requireRole(person, ANY_ROLE);
      return account(services);
    case 'quotas': {
      await authorize(services, person, command.kind);
      const org = resolveOrg(command.org, services.orgs, '/billing quotas');
      return pageOf(services, person, { kind: 'quotas', org, page: 0 });
    }
    case 'orgs':
    case 'users':
    case 'tokens':
    case 'recipients':
      await authorize(services, person, command.kind);
      return pageOf(services, person, { kind: command.kind, page: 0 });
  }
}

/** Previous and Next: another page in place of the present one. */
function turn(services: WithForms, actionId: string, by: 1 | -1): ActionRoute {
  return {
    actionId,
    inPlace: true,
    async run({ person, value }) {
      const state = await readState(services.interactions, person.userId, value);
      await authorize(services, person, state.kind);
      return pageOf(services, person, { ...state, page: state.page + by });
    },
  };
}

/** Design section 6. @throws Refusal */
async function authorize(
  services: WithForms,
  person: Person,
  kind: ListState['kind'],
): Promise<void> {
  await (kind === 'quotas'
    ? services.access.requireOrgAccess(person)
    : services.access.requireRole(person, SEEN_BY[kind]));
}

async function pageOf(services: WithForms, person: Person, state: ListState): Promise<Answer> {
  return list(services, person.userId, state, await asksFor(services, person, state));
}

type RoleList = Exclude<ListState['kind'], 'quotas'>;

/** Any of these. */
const SEEN_BY: Readonly<Record<RoleList, readonly BillingRole[]>> = {
  orgs: ANY_ROLE,
  users: READERS,
  tokens: ADMINS,
  recipients: ADMINS,
};

/** The buttons below a list, whose forms ask who may; who may not ask for a change is shown none for it. */
async function asksFor(services: WithForms, person: Person, state: ListState): Promise<Button[]> {
  const given = state.kind === 'quotas' ? { org: state.org } : {};
  const makers = state.kind === 'orgs' ? ORG_CREATORS : ADMINS;
  const may = state.kind === 'quotas' || (await hasRole(services.access, person, makers));
  return may ? askButtons(services.forms, `/billing ${state.kind}`, given) : [];
}
