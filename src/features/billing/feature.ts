import { hasRole } from '../../access/authorizer.ts';
import { ADMINS, ANY_ROLE, ORG_CREATORS, READERS } from '../../access/policy.ts';
import {
  askButton,
  askButtons,
  type FormName,
  openingOf,
  type RequestForms,
} from '../../changes/forms/form.ts';
import type { Given } from '../../changes/forms/fields.ts';
import { grammarOf } from '../../grammar/grammar.ts';
import { coded } from '../../grammar/typed.ts';
import { UsageError } from '../../lib/errors.ts';
import type { BillingRole } from '../../platform/billing/roles.ts';
import { resolveOrg } from '../../platform/deployments/target.ts';
import { withoutSingleQuotes } from '../../reporting/query-words.ts';
import type { Feature, Services } from '../../services.ts';
import { helpAnswer } from '../../slack/replies/help-view.ts';
import { readQuestion } from '../../slack/replies/shelf.ts';
import { type Answer, commandRoute, type Person } from '../../slack/routing/routes.ts';
import { account, type BillingServices, list, LIST_ROUTE, ListQuestion } from './answers.ts';
import type { Asks } from './lists.ts';

/** `/billing …` (design section 3). */
export type BillingCommand =
  | { readonly kind: 'usage' | 'account' | 'orgs' | 'users' | 'tokens' | 'recipients' }
  | { readonly kind: 'quotas'; readonly org: string | undefined }
  /** Opens a form; `given` prefills it: `name` (also of a quota), `email` and `org`. */
  | { readonly kind: 'open'; readonly form: FormName; readonly given: Partial<Given> };

const opens =
  (form: FormName) => (values: Readonly<Partial<Record<'NAME' | 'EMAIL', string>>>) => ({
    kind: 'open' as const,
    form,
    given: { name: values.NAME, email: values.EMAIL },
  });

export const { help: BILLING_HELP, parse: parseBilling } = grammarOf<BillingCommand>()({
  command: '/billing',
  hint: 'account | orgs [create] | users [add] | tokens [create] | recipients [add] | quotas [request]',
  summary: 'The billing account, its people, tokens, orgs and quotas.',
  usages: [
    { words: '', to: () => ({ kind: 'usage' }) },
    {
      words: 'account',
      does: 'shows the account: its terms, how many orgs it may have, its cards and its spend alert',
      wish: 'payment method limit card',
      examples: ['/billing account'],
      to: () => ({ kind: 'account' }),
    },
    {
      words: 'orgs',
      does: 'lists the orgs of the account',
      wish: 'organization organisation list',
      to: () => ({ kind: 'orgs' }),
    },
    {
      words: 'orgs create [NAME]',
      does: 'opens a form to create an org',
      wish: 'ask new organization organisation add',
      to: opens('org.create'),
    },
    {
      words: 'users',
      does: 'lists the people on the account, with their roles',
      wish: 'person member viewer admin list role',
      to: () => ({ kind: 'users' }),
    },
    {
      words: 'users add [EMAIL]',
      does: 'opens a form to add a person',
      wish: 'ask access people member role invite viewer admin',
      examples: ['/billing users add ann@example.com'],
      to: opens('user.add'),
    },
    {
      words: 'users roles [EMAIL]',
      does: 'opens a form to change the roles of a person',
      wish: 'ask permission access viewer admin',
      to: opens('user.roles'),
    },
    {
      words: 'users remove [EMAIL]',
      does: 'opens a form to remove a person',
      wish: 'ask delete access leave',
      to: opens('user.remove'),
    },
    {
      words: 'tokens',
      does: 'lists the tokens that programs use, when they expire and when they were last used',
      wish: 'key credential expiry list',
      to: () => ({ kind: 'tokens' }),
    },
    {
      words: 'tokens create [NAME]',
      does: 'opens a form to create a token',
      wish: 'ask key secret credential service account api program',
      to: opens('token.create'),
    },
    {
      words: 'tokens delete [NAME]',
      does: 'opens a form to delete a token',
      wish: 'ask revoke key remove',
      to: opens('token.delete'),
    },
    {
      words: 'recipients',
      does: 'lists who gets invoices by e-mail',
      wish: 'address mail',
      to: () => ({ kind: 'recipients' }),
    },
    {
      words: 'recipients add [EMAIL]',
      does: 'opens a form to add a recipient',
      wish: 'ask mail invoice address person',
      to: opens('recipient.add'),
    },
    {
      words: 'recipients enable [EMAIL]',
      does: 'opens a form to switch e-mails to a recipient on',
      wish: 'ask mail invoice address',
      to: opens('recipient.enable'),
    },
    {
      words: 'recipients disable [EMAIL]',
      does: 'opens a form to switch them off',
      wish: 'ask mail invoice address',
      to: opens('recipient.disable'),
    },
    {
      words: 'recipients delete [EMAIL]',
      does: 'opens a form to delete a recipient',
      wish: 'ask mail invoice address remove',
      to: opens('recipient.delete'),
    },
    {
      words: 'quotas [org NAME]',
      does: 'lists what an org may use at most; name the org if there are several',
      wish: 'limit maximum going over',
      examples: ['/billing quotas'],
      to: ({ org }) => ({ kind: 'quotas', org }),
    },
    {
      words: 'quotas request [QUOTA] [org NAME]',
      does: 'opens a form to ask the platform for a higher quota',
      wish: 'limit raise increase more maximum going over',
      to: ({ QUOTA: name, org }) => ({
        kind: 'open',
        form: 'quota.request',
        given: { name, org },
      }),
    },
  ],
  tidy: withoutSingleQuotes('/billing'),
  readers: { NAME: readName, QUOTA: readName, EMAIL: readEmail, org: readName },
  notes: [
    'A form asks for a change: with approvals on, another person approves it before it is made',
  ],
});

/** The longest e-mail address, and longer than any name. */
const MAX_NAME = 254;

function readName(text: string): string {
  if (text.length <= MAX_NAME) return text;
  throw new UsageError('That name is too long.', '');
}

function readEmail(text: string): string {
  readName(text);
  if (/^[^\s@<>]+@[^\s@<>]+$/.test(text)) return text;
  throw new UsageError(
    text.startsWith('<@')
      ? 'The billing account knows its users by e-mail address, so write that and no mention.'
      : `${coded(text)} is not an e-mail address.`,
    '',
  );
}

type FeatureServices = BillingServices & Pick<Services, 'access' | 'orgs'>;
type WithForms = FeatureServices & { readonly forms: RequestForms };

/** `/billing`: the account, and the forms that request a change (spec 2.2-2.5, 2.9, 2.10, 2.17). */
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
    questions: [
      {
        name: LIST_ROUTE,
        ask: ({ person }, question, page) =>
          listPage(own, person, readQuestion(ListQuestion, question), page),
      },
    ],
  };
}

type Read = Exclude<BillingCommand, { kind: 'open' }>;

async function answerTo(services: WithForms, person: Person, command: Read): Promise<Answer> {
  switch (command.kind) {
    case 'usage':
      return helpAnswer(BILLING_HELP);
    case 'account':
      await services.access.requireRole(person, ANY_ROLE);
      return account(services);
    case 'quotas': {
      await services.access.requireOrgAccess(person);
      const org = resolveOrg(command.org, services.orgs, '/billing quotas');
      return listPage(services, person, { kind: 'quotas', org });
    }
    case 'orgs':
    case 'users':
    case 'tokens':
    case 'recipients':
      return listPage(services, person, { kind: command.kind });
  }
}

/** Design section 6. @throws Refusal */
async function listPage(
  services: WithForms,
  person: Person,
  question: ListQuestion,
  page = 1,
): Promise<Answer> {
  await (question.kind === 'quotas'
    ? services.access.requireOrgAccess(person, question.org)
    : services.access.requireRole(person, SEEN_BY[question.kind]));
  return list(services, question, page, await asksFor(services, person, question));
}

type RoleList = Exclude<ListQuestion['kind'], 'quotas'>;

const SEEN_BY: Readonly<Record<RoleList, readonly BillingRole[]>> = {
  orgs: ANY_ROLE,
  users: READERS,
  tokens: ADMINS,
  recipients: ADMINS,
};

const ROW_REQUESTS: Readonly<Partial<Record<ListQuestion['kind'], [FormName, string]>>> = {
  users: ['user.roles', 'Roles'],
  tokens: ['token.delete', 'Delete'],
  recipients: ['recipient.delete', 'Delete'],
  quotas: ['quota.request', 'Request'],
};

async function asksFor(services: WithForms, person: Person, question: ListQuestion): Promise<Asks> {
  const { forms } = services;
  const makers = question.kind === 'orgs' ? ORG_CREATORS : ADMINS;
  const may = question.kind === 'quotas' || (await hasRole(services.access, person, makers));
  if (!may) return { buttons: [] };
  const given = question.kind === 'quotas' ? { org: question.org } : {};
  const buttons = askButtons(forms, `/billing ${question.kind}`, given);
  const ofRow = ROW_REQUESTS[question.kind];
  if (ofRow === undefined) return { buttons };
  const [name, text] = ofRow;
  return { buttons, row: (of: Given) => askButton(forms, name, text, of) };
}
