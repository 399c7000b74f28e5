import {
  accountProbes,
  tokenProbes,
  userTokenProbe,
  type AccountAnswers,
  type BillingFacts,
} from '../../../src/features/doctor/billing.ts';
import { judge, probe, type Finding } from '../../../src/features/doctor/probe.ts';
import { wrongPath } from '../../../src/features/doctor/calls.ts';
import type { Account } from '../../../src/platform/billing/account.ts';
import type { BillingToken } from '../../../src/platform/billing/tokens.ts';
import type { BillingUser } from '../../../src/platform/billing/users.ts';
import { account, token } from '../../unit/features/billing/scenario.ts';
import { DAY, NOW, type Area } from '../entry.ts';
import { failed, found, judged } from '../../unit/features/doctor/support.ts';
import { findings, type Findings } from './doctor-data.ts';
import { API, judgeAddress, reached } from './doctor-platform.ts';

const judgeToken = judged(tokenProbes);
const judgeUserToken = judged(userTokenProbe);
const judgeAccount = judged(accountProbes);

const BILLING = { ...API, variable: 'BILLING_URL', url: 'https://billing.example.com' };
const ACCOUNT_ID = account().id;
const OTHER_ID = '9b7d4c02-0000-4000-8000-000000000002';
const SETUP = { orgs: ['acme'], approvals: { required: true, allowSelf: false }, now: NOW };

const refused = failed('unauthorized', 401);
const forbidden = failed('forbidden', 403);
const listOf = <T>(...items: T[]) => found({ items, skipped: 0 });
const org = (name: string) => ({ name, accountId: ACCOUNT_ID, created: undefined });
const user = (name: string, ...roles: BillingUser['roles'][number][]): BillingUser => ({
  email: `${name}@acme.example`,
  roles,
});
const expiring = (id: string): BillingToken => token({ id, expiresAt: NOW + 5 * DAY });

const WELL: AccountAnswers = {
  catalogue: found([]),
  account: found(account()),
  orgs: listOf(org('acme')),
  users: listOf(user('ada', 'billing_admin'), user('ben', 'billing_admin'), user('cleo')),
  alert: found(undefined),
  recipients: found([]),
  tokens: listOf(token()),
};
/** An account that does not take the token, and nothing else does. */
const SHUT: Partial<AccountAnswers> = { account: forbidden };
const PERSON = {
  kind: 'unknown',
  keyOf: [],
  accounts: listOf(account()),
  payer: undefined,
} as const;

function billing(seen: Partial<AccountAnswers>, more: Partial<BillingFacts> = {}): BillingFacts {
  return {
    accountId: ACCOUNT_ID,
    kind: 'billing',
    keyOf: [],
    answers: { ...WELL, ...seen },
    withKey: undefined,
    behaves: undefined,
    user: undefined,
    ...more,
  };
}

const ofAccount = (changes: Partial<Account>) =>
  judgeAccount(billing({ account: found(account(changes)) }).answers, SETUP);
const ofToken = (seen: Partial<AccountAnswers>, more: Partial<BillingFacts> = {}) =>
  judgeToken(billing(seen, more));
const ofUser = (changes: Partial<NonNullable<BillingFacts['user']>>) =>
  judgeUserToken(billing({}, { user: { ...PERSON, ...changes } }));
const troubles = (all: readonly Finding[]) => all.filter(({ state }) => state !== 'well');

/** All that is well of billing. @param changes of the account */
export const billingWell = (changes: Partial<Account> = {}): Findings => ({
  Billing: [
    ...judgeAddress(BILLING, reached(401), true),
    ...ofToken({}),
    ...ofUser({}),
    ...ofAccount(changes),
  ],
});

/** A billing token will expire. */
export const expiringToken = (): readonly Finding[] =>
  troubles(judgeAccount(billing({ tokens: listOf(expiring('1')) }).answers, SETUP));

const FOR_ADMINS = { alert: forbidden, recipients: forbidden, tokens: forbidden };

const TOKEN = (): Finding[] =>
  [
    ofToken({}, { keyOf: ['acme', 'globex'] }),
    ofToken(SHUT, { kind: 'unknown', behaves: { as: 'key', org: 'acme' } }),
    ofToken({}, { kind: 'unknown', behaves: { as: 'user' } }),
    ofToken({ ...SHUT, catalogue: refused }),
    ofToken({}, { kind: 'other-billing' }),
    ofToken(FOR_ADMINS),
    ofToken({ ...FOR_ADMINS, users: forbidden }),
    ofToken(SHUT, { user: PERSON }),
    ofToken({ orgs: failed('server-error', 500), catalogue: failed('server-error', 500) }),
    ofToken({ account: failed('timeout') }),
  ].flat();

const ID = (): Finding[] =>
  [
    ofToken(SHUT),
    ofToken({ account: failed('not-found', 404), catalogue: failed('unavailable', 503) }),
    ofToken(SHUT, { accountId: account().accountId, user: PERSON }),
    ofToken(SHUT, {
      accountId: OTHER_ID,
      user: { ...PERSON, payer: { org: 'acme', accountId: ACCOUNT_ID } },
    }),
    ofToken(SHUT, { accountId: OTHER_ID, user: PERSON }),
    ofToken(SHUT, {
      accountId: OTHER_ID,
      user: { ...PERSON, accounts: listOf(account(), account({ id: '77', accountId: 'cus_2' })) },
    }),
  ].flat();

const USER = (): Finding[] =>
  [
    judgeUserToken(billing({})),
    ofUser({ kind: 'billing', accounts: undefined }),
    ofUser({ accounts: refused, keyOf: ['acme'] }),
    ofUser({ accounts: refused }),
    ofUser({ accounts: failed('unavailable', 503) }),
    ofUser({ accounts: listOf(account({ id: OTHER_ID })) }),
  ].flat();

const ACCOUNT = (): Finding[] =>
  [
    ofAccount({ enabled: false }),
    ofAccount({ tou: false }),
    ofAccount({ orgQuota: 1 }),
    ...[['globex'], ['globex', 'initech']].map((orgs) =>
      judgeAccount(billing({}).answers, { ...SETUP, orgs }),
    ),
    expiringToken(),
    judgeAccount(billing({ tokens: listOf(expiring('1'), expiring('2')) }).answers, SETUP),
    judgeAccount(billing({ users: listOf(user('cleo', 'billing_viewer')) }).answers, SETUP),
    judgeAccount(billing({ users: listOf(user('ada', 'billing_admin')) }).answers, SETUP),
  ].flatMap(troubles);

export const doctorBilling: Area = {
  id: 'doctor-billing',
  title: 'The doctor: billing',
  entries: [
    findings(
      'billing-token',
      'Everything that can be wrong with the billing token.',
      'Billing',
      TOKEN,
    ),
    findings(
      'billing-account-id',
      'The id of the billing account is wrong, with the known facts about the right one.',
      'Billing',
      ID,
    ),
    findings(
      'billing-user-token',
      'All findings about the token of a billing user, which is optional.',
      'Billing',
      USER,
    ),
    findings(
      'billing-account',
      'Everything of the billing account, its orgs and its people that will stop something.',
      'Billing',
      ACCOUNT,
    ),
    findings('billing-path-wrong', 'The address of billing has the wrong path.', 'Billing', () =>
      judge([probe('BILLING_URL', false, { [wrongPath('BILLING_URL')]: true })]),
    ),
  ],
};
