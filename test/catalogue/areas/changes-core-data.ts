import { KINDS } from '../../../src/changes/messages/plan-view.ts';
import { DAY, NOW } from '../entry.ts';
import { alertOf, booksOf, quotaOf, tokenOf, type ExpectedState } from './changes-core-books.ts';
import { ORDERS } from './changes-feature-data.ts';
import type { ChangeInput, ChangeKind, InputOf } from '../../../src/changes/kinds/kinds.ts';

/** An order, and the state that it needs. */
export interface Case {
  readonly name: string;
  readonly order: ChangeInput;
  readonly books?: Partial<ExpectedState>;
  /** Completes "A request to …". */
  readonly what: string;
}

const idOf = (kind: ChangeKind): string => kind.replace('.', '-');

const WHATS: { readonly [Kind in ChangeKind]: string } = {
  'alert.create': 'set a first spend alert',
  'alert.replace': 'set the spend alert to another amount',
  'alert.delete': 'delete the spend alert',
  'user.add': 'add a billing user',
  'user.roles': 'replace the roles of a billing user',
  'user.remove': 'remove a billing user',
  'token.create': 'create a token of the billing account',
  'token.delete': 'delete a token of the billing account',
  'org.create': 'create an org with a superuser key',
  'recipient.add': 'add a recipient of invoices',
  'recipient.enable': 'switch a recipient of invoices on',
  'recipient.disable': 'switch a recipient of invoices off',
  'recipient.delete': 'delete a recipient of invoices',
  'quota.request': 'raise a quota of an org',
  'identity.confirm': 'confirm another Slack account of a person',
};

/** The state that some orders of `ORDERS` need instead of the usual one. */
const FIT: { readonly [Kind in ChangeKind]?: Partial<ExpectedState> } = {
  'alert.create': { alert: undefined },
};

/** One of each kind. */
export const CASES: readonly Case[] = KINDS.map((kind) => ({
  name: idOf(kind),
  order: ORDERS[kind],
  books: FIT[kind] ?? {},
  what: WHATS[kind],
}));

const CLEO = 'cleo@acme.example';
const [ada] = booksOf().users;
/** No one but Cleo is a billing_admin in the list. */
const LAST_ADMIN: Partial<ExpectedState> = {
  users: [
    { email: 'ada@acme.example', roles: ['billing_viewer'] },
    { email: CLEO, roles: ['billing_admin'] },
  ],
};
const FIRED: Partial<ExpectedState> = { alert: alertOf({ lastTriggered: NOW - 10 * DAY }) };
/** Written long after it fired: by that, or by a change. */
const WRITTEN: Partial<ExpectedState> = {
  alert: alertOf({ lastTriggered: NOW - 10 * DAY, lastModified: NOW - 2 * DAY }),
};
const FIRED_LATER: Partial<ExpectedState> = { alert: alertOf({ lastTriggered: NOW + 40 * DAY }) };
const FIRED_SOME_TIME: Partial<ExpectedState> = { alert: alertOf({ lastTriggered: undefined }) };
const OFF: Partial<ExpectedState> = { alert: alertOf({ enabled: false }) };
const LAST_RECIPIENT: Partial<ExpectedState> = {
  recipients: [
    { id: 'r-1', email: 'books@acme.example', enabled: true },
    { id: 'r-2', email: 'old-books@acme.example', enabled: false },
  ],
};

/** The order of that kind, with other settings. */
export function orderOf<K extends ChangeKind>(kind: K, over: Partial<InputOf<K>>): InputOf<K> {
  return { ...ORDERS[kind], ...over };
}

const replaced = (over: Partial<InputOf<'alert.replace'>>) => orderOf('alert.replace', over);
const roles = (...all: InputOf<'user.roles'>['roles']) => orderOf('user.roles', { roles: all });
/** Without the end that tokens of `ORDERS` have. */
const ENDLESS: ChangeInput = {
  kind: 'token.create',
  name: 'ci',
  description: '',
  roles: ['billing_admin', 'billing_viewer', 'org_creator'],
};

/** Orders and states for which a card has other sentences. */
export const VARIANTS: readonly Case[] = [
  {
    name: 'user-add-outside',
    order: orderOf('user.add', { email: 'eve@evil.example' }),
    what: 'add a billing user with a domain that no other one has',
  },
  {
    name: 'alert-create-off',
    order: orderOf('alert.create', { enabled: false }),
    books: { alert: undefined },
    what: 'set a first spend alert that is switched off',
  },
  {
    name: 'alert-replace-rearms',
    order: replaced({}),
    books: FIRED,
    what: 'replace a spend alert that has fired this month',
  },
  {
    name: 'alert-replace-rearms-off',
    order: replaced({ enabled: false }),
    books: FIRED,
    what: 'switch a spend alert off that has fired this month',
  },
  {
    name: 'alert-replace-rearms-perhaps',
    order: replaced({}),
    books: WRITTEN,
    what: 'replace a spend alert that has fired this month, and may have been changed since',
  },
  {
    name: 'alert-replace-fired-some-time',
    order: replaced({}),
    books: FIRED_SOME_TIME,
    what: 'replace a spend alert that has fired at an unknown time',
  },
  {
    name: 'alert-replace-fired-later',
    order: replaced({}),
    books: FIRED_LATER,
    what: 'replace a spend alert that has fired in a month that has not begun',
  },
  {
    name: 'alert-replace-stays',
    order: replaced({ amount: 400 }),
    what: 'save the spend alert as it is',
  },
  {
    name: 'alert-replace-stays-off',
    order: replaced({ enabled: false }),
    books: OFF,
    what: 'set the amount of a spend alert that stays off',
  },
  {
    name: 'alert-replace-not-said',
    order: replaced({ amount: 1_234_567.89 }),
    books: { alert: alertOf({ amount: undefined, enabled: undefined }) },
    what: 'replace a spend alert that the platform shows without its state',
  },
  {
    name: 'user-add-all-roles',
    order: orderOf('user.add', { roles: ['billing_admin', 'billing_viewer', 'org_creator'] }),
    what: 'add a billing user with all roles',
  },
  {
    name: 'user-roles-swapped',
    order: roles('org_creator'),
    what: 'give a billing user one other role instead',
  },
  {
    name: 'user-roles-unknown-role',
    order: roles('billing_viewer'),
    books: {
      users: [...(ada ? [ada] : []), { email: CLEO, roles: [], otherRoles: ['auditor'] }],
    },
    what: 'replace a role that Purser does not know',
  },
  {
    name: 'user-roles-last-admin',
    order: roles('billing_viewer'),
    books: LAST_ADMIN,
    what: 'take the role billing_admin from the last one who has it',
  },
  {
    name: 'user-roles-one-admin-stays',
    order: roles('billing_viewer'),
    books: { users: [...(ada ? [ada] : []), { email: CLEO, roles: ['billing_admin'] }] },
    what: 'take the role billing_admin from the last but one who has it',
  },
  {
    name: 'user-remove-last-admin',
    order: ORDERS['user.remove'],
    books: LAST_ADMIN,
    what: 'remove the last billing_admin',
  },
  {
    name: 'token-create-endless',
    order: ENDLESS,
    what: 'create a second token of one name, without an end',
  },
  {
    name: 'token-delete-little-known',
    order: ORDERS['token.delete'],
    books: { tokens: [tokenOf('f3b1c0de-1', 'ci', { created: undefined, createdBy: '' })] },
    what: 'delete a token of which the platform says little',
  },
  {
    name: 'token-delete-nameless',
    order: orderOf('token.delete', { name: '' }),
    books: { tokens: [tokenOf('f3b1c0de-1', '')] },
    what: 'delete a token without a name',
  },
  {
    name: 'org-create-plain',
    order: orderOf('org.create', {
      description: '',
      invitees: ['dana@acme.example'],
      superuser: false,
    }),
    what: 'create an org without a key, for one person',
  },
  {
    name: 'org-create-already-there',
    order: orderOf('org.create', { name: 'acme-lab' }),
    what: 'create an org that the account has created before',
  },
  {
    name: 'org-create-many-invitees',
    order: orderOf('org.create', {
      invitees: Array.from({ length: 40 }, (_, index) => `colleague-${index + 1}@acme.example`),
      description: 'Experiments of all teams, with their owners. '.repeat(10).trim(),
    }),
    what: 'create an org for forty people',
  },
  {
    name: 'recipient-add-off',
    order: orderOf('recipient.add', { enabled: false }),
    what: 'add a recipient of invoices that is switched off',
  },
  {
    name: 'recipient-disable-last',
    order: ORDERS['recipient.disable'],
    books: LAST_RECIPIENT,
    what: 'switch the last recipient of invoices off',
  },
  {
    name: 'recipient-delete-last',
    order: orderOf('recipient.delete', { recipientId: 'r-1', email: 'books@acme.example' }),
    books: LAST_RECIPIENT,
    what: 'delete the last recipient of invoices',
  },
  {
    name: 'recipient-enable-not-said',
    order: ORDERS['recipient.enable'],
    books: { recipients: [{ id: 'r-2', email: 'old-books@acme.example', enabled: undefined }] },
    what: 'switch a recipient on that the platform shows without its state',
  },
  {
    name: 'quota-request-nameless',
    order: ORDERS['quota.request'],
    books: { quotas: [quotaOf({ limit: '50' })] },
    what: 'raise a quota where the platform names none of its quotas',
  },
  {
    name: 'quota-request-more-fields',
    order: ORDERS['quota.request'],
    books: {
      quotas: [
        quotaOf({
          id: 'acme-workloads',
          name: 'workloads',
          description: 'Workloads in the org',
          unit: 'count',
          max: '50',
          current: '41',
          origin: 'default',
        }),
      ],
    },
    what: 'raise a quota of which the platform says all that is publicly known',
  },
  {
    name: 'token-create-marks',
    order: orderOf('token.create', {
      name: '*ci* <!channel> _x_ `y`',
      description: 'first line\n• Roles: none :fire:',
    }),
    what: 'create a token whose name Slack would format',
  },
  {
    name: 'token-create-hidden',
    order: orderOf('token.create', { name: 'ci\u200B' }),
    what: 'create a token with an invisible character in its name',
  },
  {
    name: 'user-add-two-alphabets',
    order: orderOf('user.add', { email: '\u0430da@acme.example' }),
    what: 'add a billing user whose address has a Cyrillic letter',
  },
];
