import { hasRole } from '../../access/authorizer.ts';
import { ADMINS, ANY_ROLE, ORG_CREATORS, READERS } from '../../access/policy.ts';
import {
  askButton,
  askButtons,
  type FormName,
  openingOf,
  type RequestForms,
} from '../../changes/forms/form.ts';
import type { Given } from '../../changes/forms/request-form.ts';
import { COMMANDS } from '../../changes/kinds/kinds.ts';
import { UsageError } from '../../lib/errors.ts';
import { nearest, truncate, type Word } from '../../lib/text.ts';
import type { BillingRole } from '../../platform/billing/roles.ts';
import { resolveOrg } from '../../platform/deployments/target.ts';
import { refuseSingleQuotes, typed } from '../../reporting/query-words.ts';
import type { Feature, Services } from '../../services.ts';
import { helpAnswer } from '../../slack/replies/help-view.ts';
import { readQuestion } from '../../slack/replies/shelf.ts';
import {
  type Answer,
  type CommandHelp,
  commandRoute,
  type Person,
} from '../../slack/routing/routes.ts';
import { account, type BillingServices, list, LIST_ROUTE, ListQuestion } from './answers.ts';
import type { Asks } from './lists.ts';

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

/** Any of these roles. */
const SEEN_BY: Readonly<Record<RoleList, readonly BillingRole[]>> = {
  orgs: ANY_ROLE,
  users: READERS,
  tokens: ADMINS,
  recipients: ADMINS,
};

/** The request in each row of a list. */
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

/** `/billing …` (design section 3). */
export type BillingCommand =
  | { readonly kind: 'usage' | 'account' | 'orgs' | 'users' | 'tokens' | 'recipients' }
  | { readonly kind: 'quotas'; readonly org: string | undefined }
  /** Opens a form; `given` prefills it: `name` (also of a quota), `email` and `org`. */
  | { readonly kind: 'open'; readonly form: FormName; readonly given: Given };

const THINGS = ['account', 'orgs', 'users', 'tokens', 'recipients', 'quotas'] as const;
type Thing = (typeof THINGS)[number];

/** Forms by the thing and the word after it, as in `/billing users add`. */
const REQUESTS: Readonly<Record<Thing, Readonly<Record<string, FormName>>>> = {
  account: {},
  orgs: requestsOf('orgs'),
  users: requestsOf('users'),
  tokens: requestsOf('tokens'),
  recipients: requestsOf('recipients'),
  quotas: requestsOf('quotas'),
};

function requestsOf(thing: Thing): Readonly<Record<string, FormName>> {
  const start = `/billing ${thing} `;
  const asked = Object.entries(COMMANDS).filter(([, { ask }]) => ask.startsWith(start));
  return Object.fromEntries(
    asked.map(([kind, { ask }]) => [ask.slice(start.length), kind as FormName]),
  );
}

/** The longest e-mail address, and longer than any name. */
const MAX_NAME = 254;

const ALIKE: readonly (readonly string[])[] = [
  ['add', 'create', 'new', 'invite'],
  ['delete', 'remove', 'revoke'],
  ['roles', 'role', 'change', 'set'],
  ['request', 'raise', 'increase'],
  ['enable', 'on'],
  ['disable', 'off'],
];

/** Parses the words after `/billing`, in any case. @throws UsageError with the nearest match */
export function parseBilling(words: readonly Word[]): BillingCommand {
  const [first, ...rest] = words;
  if (first === undefined) return { kind: 'usage' };
  refuseSingleQuotes(words, '/billing');
  const thing = wordIn(THINGS, first);
  if (thing === undefined) {
    const meant = first.quoted ? undefined : nearest(first.text, THINGS);
    throw new UsageError(
      `${quote(first)} is no word of /billing.`,
      meant && ['/billing', meant, ...rest.map(typed)].join(' '),
    );
  }
  const { org, others } = thing === 'quotas' ? takeOrg(rest) : { org: undefined, others: rest };
  const [act, ...more] = others;
  if (act === undefined) return thing === 'quotas' ? { kind: thing, org } : { kind: thing };
  const form = REQUESTS[thing][formWord(thing, act)];
  if (form === undefined) throw noRequest(thing, act, more);
  const given = readGiven(thing, act, more);
  return { kind: 'open', form, given: { ...given, ...(org === undefined ? {} : { org }) } };
}

/** `org NAME`, at any position. @throws UsageError */
function takeOrg(words: readonly Word[]): { org: string | undefined; others: readonly Word[] } {
  const at = words.findIndex(({ text, quoted }) => !quoted && text.toLowerCase() === 'org');
  if (at === -1) return { org: undefined, others: words };
  const name = words[at + 1]?.text.trim() ?? '';
  if (name === '') throw new UsageError('After "org" comes the name of an org.');
  if (name.length > MAX_NAME) throw new UsageError('That is too long for the name of an org.');
  return { org: name, others: words.toSpliced(at, 2) };
}

/** An own key of the thing's requests, or ''; keeps "constructor" out. */
function formWord(thing: Thing, act: Word): string {
  return wordIn(Object.keys(REQUESTS[thing]), act) ?? '';
}

/** @throws UsageError */
function readGiven(thing: Thing, act: Word, [word, ...more]: readonly Word[]): Given {
  const command = `/billing ${thing} ${act.text.toLowerCase()}`;
  if (word === undefined || word.text.trim() === '') return {};
  const text = word.text;
  if (more.length > 0) {
    throw new UsageError(
      'One at a time, please: the form asks for the rest.',
      `${command} ${typed(word)}`,
    );
  }
  if (text.length > MAX_NAME) throw new UsageError('That name is too long.', command);
  if (thing !== 'users' && thing !== 'recipients') return { name: text };
  if (/^[^\s@<>]+@[^\s@<>]+$/.test(text)) return { email: text };
  throw new UsageError(
    text.startsWith('<@')
      ? 'People of the billing account go by their e-mail address, so write that and no mention.'
      : `${quote(word)} is not an e-mail address.`,
    command,
  );
}

function noRequest(thing: Thing, act: Word, more: readonly Word[]): UsageError {
  const known = Object.keys(REQUESTS[thing]);
  const meant = act.quoted ? undefined : meantBy(act.text, known);
  const problem = `${quote(act)} is not known here`;
  return new UsageError(
    known.length === 0
      ? `${problem}: nothing follows "${thing}".`
      : `${problem}: after "${thing}" there is ${known.map((word) => `"${word}"`).join(', ')}${thing === 'quotas' ? ' and "org NAME"' : ''}.`,
    known.length === 0
      ? `/billing ${thing}`
      : meant && ['/billing', thing, meant, ...more.map(typed)].join(' '),
  );
}

function meantBy(text: string, known: readonly string[]): string | undefined {
  const alike = ALIKE.find((words) => words.includes(text.toLowerCase())) ?? [];
  return known.find((word) => alike.includes(word)) ?? nearest(text, known);
}

function wordIn<W extends string>(known: readonly W[], { text, quoted }: Word): W | undefined {
  return quoted ? undefined : known.find((word) => word === text.toLowerCase());
}

function quote({ text }: Word): string {
  return `"${truncate(text, 60)}"`;
}
