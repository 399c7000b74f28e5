import type { Rule } from './rule.ts';

const ACCOUNT = 'contract/platform/account.test.ts';
const INVOICES = 'contract/platform/invoices.test.ts';
const CHARGES = 'contract/platform/charges.test.ts';
const CHARGES_ANSWER = 'contract/platform/charges-answer.test.ts';
const TOKENS = 'contract/platform/tokens.test.ts';
const ORGS = 'contract/platform/orgs.test.ts';
const ALERT = 'contract/platform/alert.test.ts';

/** Spec 2.1 to 2.5: conventions of billing, account, org, spend alert, service account token. */
export const SECTION_2_RECORDS: readonly Rule[] = [
  {
    id: '2.1/account-id',
    says: 'accountId in a path is the UUID that an item of GET /account has as its id',
    test: [
      ACCOUNT,
      'the accounts of a user are listed, and the id of each is what goes into paths',
    ],
  },
  {
    id: '2.1/processor-id',
    says: 'the account’s own accountId is the payment processor’s; a path built from it gives 401',
    test: [
      ACCOUNT,
      'the payment processor’s id in a path is unauthorized, and the refusal names that cause',
    ],
  },
  {
    id: '2.1/invoice-amounts',
    says: 'invoice amounts are integers in the currency’s smallest unit',
    test: [
      INVOICES,
      'amounts are whole numbers of the smallest unit, and quantities stay exact beyond 2^53',
    ],
  },
  {
    id: '2.1/charge-amounts',
    says: 'amounts of charge queries are decimals in whole currency units',
    test: [
      CHARGES_ANSWER,
      'each charge is an exact decimal in whole units, with its currency and its rate plans',
    ],
  },
  {
    id: '2.1/times',
    says: 'times are RFC 3339 strings',
    test: [CHARGES, 'a charge query with %s is refused before it is sent'],
  },
  {
    id: '2.1/roles',
    says: 'the billing roles are billing_admin, billing_viewer and org_creator',
    test: [TOKENS, 'a token %s is refused before it is sent'],
  },
  {
    id: '2.2/person',
    says: 'the account has fullName, email and address',
    test: [
      ACCOUNT,
      'an account is read with owner, quota, terms, cards, and its alert once there is one',
    ],
  },
  {
    id: '2.2/standing',
    says: 'the account has orgQuota, enabled and tou',
    test: [
      ACCOUNT,
      'an account is read with owner, quota, terms, cards, and its alert once there is one',
    ],
  },
  {
    id: '2.2/payment-methods',
    says: 'paymentMethods are card entries with last4 and brand',
    test: [
      ACCOUNT,
      'an account is read with owner, quota, terms, cards, and its alert once there is one',
    ],
  },
  {
    id: '2.2/alert',
    says: 'alert is present if it is set',
    test: [
      ACCOUNT,
      'an account is read with owner, quota, terms, cards, and its alert once there is one',
    ],
  },
  {
    id: '2.2/ids',
    says: 'id is the account id, accountId the payment processor’s',
    test: [
      ACCOUNT,
      'an account is read with owner, quota, terms, cards, and its alert once there is one',
    ],
  },
  {
    id: '2.2/open-shapes',
    says: 'types and nested shapes of the account are not shown: any may differ',
    test: [ACCOUNT, 'a member of an account that is absent or odd costs only itself'],
  },
  {
    id: '2.3/org',
    says: 'an org has kind org, name, accountId and created',
    test: [ORGS, 'the orgs of an account are listed with name, account and day of creation'],
  },
  {
    id: '2.3/list',
    says: 'the list of orgs has kind list, itemKind org, accountUUID and items',
    test: [ORGS, 'the orgs of an account are listed with name, account and day of creation'],
  },
  {
    id: '2.4/kind',
    says: 'kind is alert',
    test: [ALERT, 'an alert is made, read, changed and removed'],
  },
  {
    id: '2.4/account-uuid',
    says: 'accountUUID is the account id',
    test: [ALERT, 'an alert is made, read, changed and removed'],
  },
  {
    id: '2.4/amount',
    says: 'amount is the threshold in whole units of the account’s currency, decimals included',
    test: [ALERT, 'an amount may be 0 or a fraction; below 0 it is refused before it is sent'],
  },
  {
    id: '2.4/amount-not-negative',
    says: 'amount must be at least 0',
    test: [ALERT, 'an amount may be 0 or a fraction; below 0 it is refused before it is sent'],
  },
  {
    id: '2.4/enabled',
    says: 'enabled is false unless it is said',
    test: [ALERT, 'an alert that nobody switched on is off, and one that is off never fires'],
  },
  {
    id: '2.4/timestamps',
    says: 'created and lastModified are timestamps',
    test: [ALERT, 'an alert is made, read, changed and removed'],
  },
  {
    id: '2.4/fired-fields',
    says: 'lastTriggered and alertedTimes are present only after the alert has fired',
    test: [ALERT, 'an alert that has fired says when and how often; one that has not says neither'],
  },
  {
    id: '2.4/one',
    says: 'an account has at most one alert',
    test: [ALERT, 'a second alert is a conflict'],
  },
  {
    id: '2.4/wrapped',
    says: 'request bodies wrap the alert in alert',
    test: [ALERT, 'the alert is sent wrapped, and refused when it comes bare or with a field more'],
  },
  {
    id: '2.4/unknown-fields',
    says: 'request bodies with unknown fields are rejected',
    test: [ALERT, 'the alert is sent wrapped, and refused when it comes bare or with a field more'],
  },
  {
    id: '2.5/name',
    says: 'name is required on create',
    test: [TOKENS, 'a token %s is refused before it is sent'],
  },
  {
    id: '2.5/description',
    says: 'description may be left out',
    test: [TOKENS, 'a token needs no description and no expiry'],
  },
  {
    id: '2.5/roles',
    says: 'roles are required: one or more of the three',
    test: [TOKENS, 'a token %s is refused before it is sent'],
  },
  {
    id: '2.5/expires-in-future',
    says: 'expiresAt must be in the future',
    test: [TOKENS, 'a token %s is refused before it is sent'],
  },
  {
    id: '2.5/no-expiry',
    says: 'without expiresAt the token does not expire',
    test: [TOKENS, 'a token needs no description and no expiry'],
  },
  {
    id: '2.5/answer',
    says: 'the answer has kind serviceAccountToken, id, accountUUID, name, description, roles, expiresAt, created, lastModified',
    test: [TOKENS, 'a new token comes with all that it is, and with its secret this once'],
  },
  {
    id: '2.5/created-by',
    says: 'createdBy is an e-mail address',
    test: [TOKENS, 'a new token comes with all that it is, and with its secret this once'],
  },
  {
    id: '2.5/secret',
    says: 'token is the secret, begins with svc-bsat- and comes in the create response alone',
    test: [TOKENS, 'a new token comes with all that it is, and with its secret this once'],
  },
  {
    id: '2.5/list-without-secret',
    says: 'items of the list carry no secret',
    test: [TOKENS, 'the list of tokens has no secret, and says when each was last used'],
  },
  {
    id: '2.5/last-used',
    says: 'items of the list include lastUsedAt, which is approximate',
    test: [TOKENS, 'the list of tokens has no secret, and says when each was last used'],
  },
];
