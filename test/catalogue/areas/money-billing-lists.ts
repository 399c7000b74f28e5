import {
  BILLING_HELP,
  createBillingFeature,
  parseBilling,
} from '../../../src/features/billing/feature.ts';
import type { BillingClient } from '../../../src/platform/billing/client.ts';
import type { Config } from '../../../src/config/config.ts';
import { LIST_ROUTE } from '../../../src/features/billing/answers.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import type { Answer } from '../../../src/slack/routing/routes.ts';
import { account, token } from '../../unit/features/billing/scenario.ts';
import { answer, DAY, HOUR, MINUTE, NOW, refusal, type Area, type Entry } from '../entry.ts';
import {
  ADA,
  at,
  clock,
  CURRENCY,
  failing,
  forms,
  accessOf,
  listing,
  many,
  ORGS,
  reading,
  typed,
  wordsOf,
} from './money-data.ts';

interface Setting {
  readonly role?: string;
  readonly page?: number;
}

function featureOf(says: Partial<BillingClient>, setting: Setting = {}) {
  const { role = 'billing_admin' } = setting;
  return createBillingFeature(
    {
      billing: () => ({ hasUser: false, ...says }) as BillingClient,
      config: { currency: CURRENCY } as Config,
      clock,
      orgs: ORGS,
      access: accessOf(role),
    },
    forms,
  );
}

async function turned(
  { questions = [] }: ReturnType<typeof featureOf>,
  question: unknown,
  page: number,
): Promise<Answer> {
  const route = questions.find(({ name }) => name === LIST_ROUTE);
  const given = await route?.ask(
    { person: ADA, channelId: 'C0BILLING', value: String(page) },
    question,
    page,
  );
  if (given === undefined) throw new Error('There is no such list');
  return given;
}

type Case = readonly [when: string, says: Partial<BillingClient>, setting?: Setting];

function cases(thing: string, all: Readonly<Record<string, Case>>): Entry[] {
  return Object.entries(all).map(([id, [when, says, setting = {}]]) =>
    answer(`billing-${thing}-${id}`, when, (): Promise<Answer> => {
      const feature = featureOf(says, setting);
      return setting.page === undefined
        ? typed(feature, `/billing ${thing}`)
        : turned(feature, { kind: thing }, setting.page);
    }),
  );
}

const ACCOUNT_ID = '5f1c2a34-0000-4000-8000-000000000001';
const org = (name: string, created: number | undefined = at('2026-02-11')) => ({
  name,
  accountId: ACCOUNT_ID,
  created,
});
const orgsOf = (...names: string[]) => ({
  listOrgs: () => listing(names.map((name) => org(name))),
});

const payers: Partial<BillingClient> = {
  ...orgsOf('acme', 'globex', 'initech'),
  hasUser: true,
  getPayerOf: (name) =>
    name === 'initech'
      ? failing(new PlatformError('forbidden', 'forbidden', { status: 403 }))
      : reading(account(name === 'acme' ? {} : { fullName: '' })),
};

const manyPayers: Partial<BillingClient> = {
  ...payers,
  ...orgsOf(...many(51, (place) => `org-${10 + place}`)),
};

const ORG_CASES: Readonly<Record<string, Case>> = {
  several: ['A person lists the orgs of the account.', orgsOf('globex', 'acme', 'initech')],
  one: [
    'The account has one org, and the platform leaves out some of its fields.',
    {
      listOrgs: () => listing([{ name: 'acme', accountId: '', created: undefined }]),
    },
  ],
  none: ['The account has no orgs.', orgsOf()],
  'none-readable': ['There are orgs, and none can be read.', { listOrgs: () => listing([], 2) }],
  'may-not-create': [
    'A viewer lists them, without the right to have orgs created.',
    orgsOf('acme'),
    { role: 'billing_viewer' },
  ],
  payers: [
    'Purser has the token of a user, so it can know who pays for each; for one it cannot.',
    payers,
  ],
  'many-payers': ['With the token of a user, and more orgs than are asked for payers.', manyPayers],
};

const USERS = [
  { email: 'ada@acme.example', roles: ['billing_admin'] as const },
  { email: 'ben@acme.example', roles: ['billing_admin', 'org_creator'] as const },
  { email: 'cleo@acme.example', roles: ['billing_viewer'] as const, otherRoles: ['auditor'] },
  { email: 'dana@acme.example', roles: [] },
];
const crowd = {
  listUsers: () =>
    listing(
      many(220, (place) => ({
        email: `user-${100 + place}@acme.example`,
        roles: ['billing_viewer' as const],
      })),
    ),
};

const USER_CASES: Readonly<Record<string, Case>> = {
  several: ['A person lists the people on the account.', { listUsers: () => listing(USERS) }],
  viewer: [
    'A viewer lists them, without the right to change them.',
    { listUsers: () => listing(USERS.slice(0, 1)) },
    { role: 'billing_viewer' },
  ],
  none: ['No one is on the account.', { listUsers: () => listing([]) }],
  'some-left-out': [
    'One of them cannot be read, and the answer is a minute old.',
    { listUsers: () => listing(USERS, 1, NOW - MINUTE) },
  ],
  'page-1': ['There are more than Slack takes in a table.', crowd],
  'page-2': ['Next is pressed.', crowd, { page: 2 }],
  'two-alphabets': [
    'The first letter of an address is a Cyrillic one.',
    { listUsers: () => listing([{ email: '\u0430da@acme.example', roles: ['billing_admin'] }]) },
  ],
};

const TOKENS = [
  token({ name: 'nightly-report', expiresAt: NOW + 300 * DAY, lastUsedAt: NOW - 3 * HOUR }),
  token({ name: 'ci', id: 'tok-2', expiresAt: NOW + 9 * DAY, lastUsedAt: NOW - 20 * MINUTE }),
  token({ name: 'old-ci', id: 'tok-3', expiresAt: NOW - 2 * DAY, lastUsedAt: NOW - 41 * DAY }),
  token({
    name: 'bootstrap',
    id: 'tok-4',
    description: '',
    roles: ['billing_admin', 'org_creator'],
    lastUsedAt: undefined,
    lastModified: undefined,
    createdBy: '',
  }),
  token({ name: 'purser', id: 'tok-5', expiresAt: NOW + HOUR, lastUsedAt: NOW - 10_000 }),
];

const TOKEN_CASES: Readonly<Record<string, Case>> = {
  several: ['A person lists the tokens of the account.', { listTokens: () => listing(TOKENS) }],
  one: ['There is one token.', { listTokens: () => listing(TOKENS.slice(0, 1)) }],
  none: ['There is no token.', { listTokens: () => listing([]) }],
  hidden: [
    'A token has an invisible character in its name, and another one has signs of formatting.',
    {
      listTokens: () =>
        listing([token({ name: 'ci\u200B' }), token({ name: '*ci* `y`', id: 'tok-2' })]),
    },
  ],
  many: [
    'There are many.',
    {
      listTokens: () =>
        listing(many(33, (place) => token({ name: `job-${10 + place}`, id: `tok-${place}` }))),
    },
  ],
};

const RECIPIENTS = [
  { id: 'r-1', email: 'books@acme.example', enabled: true },
  { id: 'r-2', email: 'old-books@acme.example', enabled: false },
  { id: 'r-3', email: 'cfo@acme.example', enabled: undefined },
];

const RECIPIENT_CASES: Readonly<Record<string, Case>> = {
  several: [
    'A person lists who gets the invoices by e-mail.',
    { listRecipients: () => listing(RECIPIENTS) },
  ],
  one: ['One person gets them.', { listRecipients: () => listing(RECIPIENTS.slice(0, 1)) }],
  none: ['No one gets them.', { listRecipients: () => listing([]) }],
  'none-readable': [
    'There are recipients, and none can be read.',
    { listRecipients: () => listing([], 3) },
  ],
};

const quota = (
  name: string,
  max: string,
  current: string,
  more: readonly [string, string][] = [],
) => new Map([['name', name], ['max', max], ['current', current], ...more]);

const QUOTA_CASES: Readonly<Record<string, Case>> = {
  several: [
    'A person lists the quotas of an org.',
    {
      listQuotas: () =>
        listing([
          quota('workloads', '50', '41', [['unit', 'workloads']]),
          quota('gvcs', '10', '10'),
          quota('cpu', '64', '12.5', [
            ['unit', 'cores'],
            ['dimension.location', 'aws-eu-central-1'],
          ]),
        ]),
    },
  ],
  known: [
    'The platform says all that is publicly known of a quota.',
    {
      listQuotas: () =>
        listing([
          new Map([
            ['id', 'acme-memory'],
            ['name', 'memory'],
            ['description', 'Memory over all workloads'],
            ['unit', 'GiB'],
            ['max', '512'],
            ['current', '310.5'],
            ['origin', 'default'],
          ]),
        ]),
    },
  ],
  none: ['The platform names none.', { listQuotas: () => listing([]) }],
  'none-readable': [
    'There are quotas, and none can be read.',
    { listQuotas: () => listing([], 1) },
  ],
  wide: [
    'The platform says more of a quota than a table has columns.',
    {
      listQuotas: () =>
        listing([
          quota(
            'workloads',
            '50',
            '41',
            many(20, (place) => [`field-${place + 1}`, `${place}`]),
          ),
        ]),
    },
  ],
};

const area = (id: string, title: string, all: Readonly<Record<string, Case>>): Area => ({
  id: `billing-${id}`,
  title,
  entries: cases(id, all),
});

export const billingOrgs = area('orgs', '/billing orgs', ORG_CASES);
export const billingUsers = area('users', '/billing users', USER_CASES);
export const billingTokens = area('tokens', '/billing tokens', TOKEN_CASES);
export const billingRecipients = area('recipients', '/billing recipients', RECIPIENT_CASES);
export const billingQuotas = area('quotas', '/billing quotas', QUOTA_CASES);

const LINES: Readonly<Record<string, [when: string, line: string]>> = {
  'unknown-word': ['The first word is nothing that is known.', 'frobnicate'],
  misspelled: ['The first word is misspelled.', 'tokns create ci'],
  quoted: ['The first word is in quotes.', '"users"'],
  'single-quotes': ['A name is in single quotes.', "tokens create 'my ci'"],
  'account-more': ['Something follows "account".', 'account show'],
  'orgs-act': ['Orgs cannot be deleted here.', 'orgs delete acme'],
  'users-act': ['The act is called otherwise here.', 'users invite ann@acme.example'],
  'tokens-act': ['The act is called otherwise here.', 'tokens revoke ci'],
  'recipients-act': ['The act is not known.', 'recipients frobnicate'],
  'quotas-act': ['The act is called otherwise here.', 'quotas increase cpu'],
  'org-missing': ['No name follows "org".', 'quotas org'],
  'org-too-long': ['The name of the org is far too long.', `quotas org ${'a'.repeat(300)}`],
  'two-names': ['Two tokens are to be created at once.', 'tokens create ci nightly'],
  'name-too-long': ['The name is far too long.', `tokens create ${'a'.repeat(300)}`],
  mention: ['A person is mentioned instead of named by e-mail.', 'users add <@U0BEN|ben>'],
  'no-email': ['The word is not an e-mail address.', 'recipients add books'],
};

export const billingRefusals: Area = {
  id: 'billing-refusals',
  title: '/billing: alone, and refusals',
  entries: [
    answer('billing-alone', 'A person types the command alone.', () =>
      typed(featureOf({}), '/billing'),
    ),
    ...Object.entries(LINES).map(([id, [when, line]]) =>
      refusal(`billing-unreadable-${id}`, when, () => parseBilling(wordsOf(line)), BILLING_HELP),
    ),
    refusal('billing-click-too-old', 'A button of another version is pressed.', () =>
      turned(featureOf({}), 'tokens', 2),
    ),
  ],
};
