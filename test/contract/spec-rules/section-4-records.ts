import type { Rule } from './rule.ts';

const ALERT = 'contract/platform/alert.test.ts';
const CREDENTIALS = 'contract/platform/credentials.test.ts';
const TOKENS = 'contract/platform/tokens.test.ts';
const ACCOUNT = 'contract/platform/account.test.ts';
const ORGS = 'contract/platform/orgs.test.ts';

/** Spec 4.3: alert, tokens, account, orgs. */
export const SECTION_4_RECORDS: readonly Rule[] = [
  {
    id: '4.3/alert/post',
    says: 'POST creates with {alert: {amount, enabled}} and gives 201 with the alert',
    test: [ALERT, 'an alert is made, read, changed and removed'],
  },
  {
    id: '4.3/alert/post-again',
    says: 'a second create gives 409',
    test: [ALERT, 'a second alert is a conflict'],
  },
  {
    id: '4.3/alert/put',
    says: 'PUT replaces amount and enabled and gives 200 with the alert',
    test: [ALERT, 'an alert is made, read, changed and removed'],
  },
  {
    id: '4.3/alert/put-both',
    says: 'amount and enabled must both be sent on PUT',
    test: [
      ALERT,
      'a change sends both fields: an omitted enabled would be off, an omitted amount 0',
    ],
  },
  {
    id: '4.3/alert/put-omitted',
    says: 'omitted enabled turns the alert off, omitted amount becomes 0',
    test: [
      ALERT,
      'a change sends both fields: an omitted enabled would be off, an omitted amount 0',
    ],
  },
  {
    id: '4.3/alert/put-rearms',
    says: 'PUT arms a fired alert again',
    test: [ALERT, 'a change of any kind arms a fired alert again'],
  },
  {
    id: '4.3/alert/get',
    says: 'GET reads the alert with 200',
    test: [ALERT, 'an alert is made, read, changed and removed'],
  },
  {
    id: '4.3/alert/get-none',
    says: 'GET gives 404 when none exists',
    test: [ALERT, 'where there is no alert, reading it says so and is no failure'],
  },
  {
    id: '4.3/alert/delete',
    says: 'DELETE removes the alert with 200',
    test: [ALERT, 'an alert is made, read, changed and removed'],
  },
  {
    id: '4.3/alert/delete-none',
    says: 'DELETE gives 500 when none exists',
    test: [ALERT, 'removing an alert that is not there is found out before the 500'],
  },
  {
    id: '4.3/alert/role',
    says: 'the alert takes billing_admin',
    test: [CREDENTIALS, 'alert, users, recipients, deliveries and tokens are for an admin: %s'],
  },
  {
    id: '4.3/tokens/role',
    says: 'the tokens take billing_admin',
    test: [CREDENTIALS, 'alert, users, recipients, deliveries and tokens are for an admin: %s'],
  },
  {
    id: '4.3/tokens/post',
    says: 'POST gives 201 with the token and its one-time secret',
    test: [TOKENS, 'a new token comes with all that it is, and with its secret this once'],
  },
  {
    id: '4.3/tokens/get',
    says: 'GET gives items without secrets',
    test: [TOKENS, 'the list of tokens has no secret, and says when each was last used'],
  },
  {
    id: '4.3/tokens/delete',
    says: 'DELETE gives 204',
    test: [TOKENS, 'a token is removed once; one that the account does not have is not found'],
  },
  {
    id: '4.3/tokens/delete-unknown',
    says: 'DELETE gives 404 if the account has no such token',
    test: [TOKENS, 'a token is removed once; one that the account does not have is not found'],
  },
  {
    id: '4.3/tokens/where',
    says: 'a token works on the endpoints of its own account and on GET /chargeable_items',
    test: [CREDENTIALS, 'a billing token works on %s of its own account'],
  },
  {
    id: '4.3/tokens/roles',
    says: 'a token works within its roles',
    test: [CREDENTIALS, 'a billing token works within its roles: %s'],
  },
  {
    id: '4.3/tokens/one-account',
    says: 'a token belongs to one account',
    test: [CREDENTIALS, 'a billing token of another account is unauthorized'],
  },
  {
    id: '4.3/tokens/where-not',
    says: 'it does not work on the org API, the usage API, the org’s billing endpoints or GET /account',
    test: [CREDENTIALS, 'a billing token is not even sent to %s'],
  },
  {
    id: '4.3/account/list',
    says: 'GET /account lists the accounts that the user belongs to',
    test: [
      ACCOUNT,
      'the accounts of a user are listed, and the id of each is what goes into paths',
    ],
  },
  {
    id: '4.3/account/list-user-token',
    says: 'GET /account takes a user token',
    test: [CREDENTIALS, 'a billing token is not even sent to %s'],
  },
  {
    id: '4.3/account/get',
    says: 'GET of an account takes any of the three roles',
    test: [CREDENTIALS, 'reading an account and listing its orgs takes any of the three roles: %s'],
  },
  {
    id: '4.3/account/of-org',
    says: 'GET of an org’s account finds the account that pays for the org',
    test: [ACCOUNT, 'the account that pays for an org is found by the org'],
  },
  {
    id: '4.3/account/of-org-role',
    says: 'GET of an org’s account takes billing_admin or billing_viewer on the paying account',
    test: [
      CREDENTIALS,
      'the account of an org is told to an admin or viewer of the account that pays: %s',
    ],
  },
  {
    id: '4.3/account/open-bodies',
    says: 'answers of GET /account and of an org’s account are open beyond the named fields',
    test: [ACCOUNT, 'a member of an account that is absent or odd costs only itself'],
  },
  {
    id: '4.3/orgs/list',
    says: 'GET of the orgs gives the list wrapper, with any of the three roles',
    test: [ORGS, 'the orgs of an account are listed with name, account and day of creation'],
  },
  {
    id: '4.3/orgs/list-token',
    says: 'listing orgs works with a billing service account token',
    test: [CREDENTIALS, 'a billing token works on %s of its own account'],
  },
  {
    id: '4.3/orgs/create',
    says: 'POST creates an org that is billed to the account',
    test: [ORGS, 'a new org is made once: created at first, found when it is asked for again'],
  },
  {
    id: '4.3/orgs/create-role',
    says: 'creating an org takes billing_admin or org_creator',
    test: [CREDENTIALS, 'an org is made by an admin or an org creator: %s'],
  },
  {
    id: '4.3/orgs/name',
    says: 'org.name is required',
    test: [ORGS, 'a new org %s is refused before it is sent'],
  },
  {
    id: '4.3/orgs/name-global',
    says: 'org names are global',
    test: [ORGS, 'a name that another account has is refused'],
  },
  {
    id: '4.3/orgs/name-permanent',
    says: 'org names are permanent',
    test: [ORGS, 'a name is for ever: nothing renames or deletes an org, and none frees the name'],
  },
  {
    id: '4.3/orgs/description-tags',
    says: 'org.description and org.tags may be given',
    test: [ORGS, 'a new org takes a description and tags, and needs neither'],
  },
  {
    id: '4.3/orgs/invitees',
    says: 'invitees are e-mail addresses',
    test: [ORGS, 'a new org %s is refused before it is sent'],
  },
  {
    id: '4.3/orgs/invitees-required',
    says: 'invitees are required when a billing service account token creates the org',
    test: [ORGS, 'a billing token that makes an org always names who is invited'],
  },
  {
    id: '4.3/orgs/superuser',
    says: 'createSuperuserServiceAccount true returns the key once, in superuserServiceAccountToken',
    test: [ORGS, 'the superuser’s key comes once, and only when it was asked for'],
  },
  {
    id: '4.3/orgs/preconditions',
    says: 'terms accepted, payment method, account enabled, under its quota: else 400 that names it',
    test: [ORGS, 'an org is not made when %s, and the refusal names it'],
  },
  {
    id: '4.3/orgs/created',
    says: 'a new org gives 201',
    test: [ORGS, 'a new org is made once: created at first, found when it is asked for again'],
  },
  {
    id: '4.3/orgs/repeated',
    says: 'repeating it for an org that this account created gives 200',
    test: [ORGS, 'a new org is made once: created at first, found when it is asked for again'],
  },
];
