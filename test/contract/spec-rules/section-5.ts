import type { Rule } from './rule.ts';

const CREDENTIALS = 'contract/platform/credentials.test.ts';
const REFUSALS = 'contract/platform/refusals.test.ts';
const ORGS = 'contract/platform/orgs.test.ts';
const LIMITS = 'contract/platform/limits.test.ts';
const VARIABLES = 'unit/features/workload/env-view.test.ts';

/** Spec 5: who may use what, and with which credential. */
export const SECTION_5: readonly Rule[] = [
  {
    id: '5/header',
    says: 'all three APIs take Authorization: Bearer and the token',
    test: [CREDENTIALS, 'each call carries the credential of its API as Bearer'],
  },
  {
    id: '5/header-workload',
    says: 'a workload’s built-in token is the plain value of the header',
    test: [CREDENTIALS, 'a workload’s own token goes plain, and is forbidden outside: %s'],
  },
  {
    id: '5/user-token',
    says: 'a user token works on every endpoint, within the user’s roles',
    test: [CREDENTIALS, 'a user token works on %s'],
  },
  {
    id: '5/billing-token',
    says: 'svc-bsat- tokens work on their own account within their roles, and on the items',
    test: [CREDENTIALS, 'a billing token works on %s of its own account'],
  },
  {
    id: '5/billing-token-made-by',
    says: 'a billing token is created by a billing_admin',
    test: [CREDENTIALS, 'alert, users, recipients, deliveries and tokens are for an admin: %s'],
  },
  {
    id: '5/org-key',
    says: 'the key of an org works on that org’s charges and quotas',
    test: [
      CREDENTIALS,
      'the key of an org works on its charges and quotas, and is sent nowhere else in billing: %s',
    ],
  },
  {
    id: '5/roles/read-account',
    says: 'read account, list orgs: any of the three',
    test: [CREDENTIALS, 'reading an account and listing its orgs takes any of the three roles: %s'],
  },
  {
    id: '5/roles/read-money',
    says: 'charges, tag values, invoices, list users: billing_admin or billing_viewer',
    test: [
      CREDENTIALS,
      'charges, tag values, invoices and users are read by an admin or a viewer: %s',
    ],
  },
  {
    id: '5/roles/create-org',
    says: 'create org: billing_admin or org_creator',
    test: [CREDENTIALS, 'an org is made by an admin or an org creator: %s'],
  },
  {
    id: '5/roles/admin',
    says: 'alert, users, recipients, tokens: billing_admin',
    test: [CREDENTIALS, 'alert, users, recipients, deliveries and tokens are for an admin: %s'],
  },
  {
    id: '5/org-charges/permission',
    says: 'an org’s charges take readMetrics on the org',
    test: [
      CREDENTIALS,
      'the charges of an org take readMetrics there, or an admin or viewer of the account: %s',
    ],
  },
  {
    id: '5/org-charges/role',
    says: 'or billing_admin or billing_viewer on the paying account',
    test: [
      CREDENTIALS,
      'the charges of an org take readMetrics there, or an admin or viewer of the account: %s',
    ],
  },
  {
    id: '5/org-charges/read-usage',
    says: 'readUsage does not grant access',
    test: [
      CREDENTIALS,
      'readUsage opens neither the charges nor the usage of an org, and the refusal says so',
    ],
  },
  {
    id: '5/lacking',
    says: 'a caller who lacks a role or permission gets 401',
    test: [
      REFUSALS,
      'no credential, a bad one or one too weak is a 401 that tells the likely cause: %s',
    ],
  },
  {
    id: '5/role-cache',
    says: 'role changes, revocations and expiry can take up to 5 minutes',
    test: [
      LIMITS,
      'what was found out about a caller holds for five minutes, and then the change counts: %s',
    ],
  },
  {
    id: '5/usage/bearer',
    says: 'the usage API takes an org credential as Bearer',
    test: [CREDENTIALS, 'each call carries the credential of its API as Bearer'],
  },
  {
    id: '5/usage/permission',
    says: 'it needs readMetrics on the org in the path',
    test: [
      CREDENTIALS,
      'the usage of an org opens to its own key alone, and to none when the org is deactivated',
    ],
  },
  {
    id: '5/usage/granted-superuser',
    says: 'superusers have readMetrics on their org through manage',
    test: [ORGS, 'the superuser’s key reads the usage and the charges of its org, and of no other'],
  },
  {
    id: '5/usage/granted',
    says: 'others need a policy that grants readMetrics on the org',
    test: [
      LIMITS,
      'what was found out about a caller holds for five minutes, and then the change counts: %s',
    ],
  },
  {
    id: '5/usage/read-usage',
    says: 'readUsage does not grant access to usage',
    test: [
      CREDENTIALS,
      'readUsage opens neither the charges nor the usage of an org, and the refusal says so',
    ],
  },
  {
    id: '5/usage/cache',
    says: 'grants and revocations can take up to 5 minutes',
    test: [
      LIMITS,
      'what was found out about a caller holds for five minutes, and then the change counts: %s',
    ],
  },
  {
    id: '5/usage/deactivated',
    says: 'a deactivated org gets 401',
    test: [
      CREDENTIALS,
      'the usage of an org opens to its own key alone, and to none when the org is deactivated',
    ],
  },
  {
    id: '5/workload-token',
    says: 'SVC_TOKEN from outside its workload gives 403, also from another workload',
    test: [CREDENTIALS, 'a workload’s own token goes plain, and is forbidden outside: %s'],
  },
  {
    id: '5/identity',
    says: 'a workload identity can be the target of a policy',
    test: [VARIABLES, 'TOKEN gets rights through policies on the identity of the workload'],
  },
];
