import type { Org } from '../deployments/model.ts';
import { openQuotas } from './quotas.ts';
import {
  BILLING_ROLES,
  type Account,
  type AccountOrg,
  type BillingRole,
  type BillingToken,
  type BillingUser,
} from './model.ts';

const DAY_MS = 86_400_000;
const FOUNDED_DAYS_AGO = 500;

const MAIN = '5f0c9d3e-8a41-4b7e-9c26-d1a7e3b0f482';
const SECOND = 'b2e4a6c8-1d3f-4a5b-8c7d-9e0f1a2b3c4d';

const ADMIN: BillingRole = 'billing_admin';
const VIEWER: BillingRole = 'billing_viewer';
const CREATOR: BillingRole = 'org_creator';

const PEOPLE: Readonly<Record<string, BillingRole>> = {
  'ada@acme.example': ADMIN,
  'ben@acme.example': ADMIN,
  'cleo@acme.example': VIEWER,
  'dana@acme.example': CREATOR,
  'eve@contractor.example': VIEWER,
  'gus@acme.example': ADMIN,
  'finance@acme.example': VIEWER,
};

/**
 * The billing accounts before anything happened to them: one pays for every org, the other for none
 * and cannot, since it lacks all that creating an org takes.
 * @param now ms since the epoch
 */
export function seedAccounts(orgs: ReadonlyMap<string, Org>, now: number): Account[] {
  const founded = now - FOUNDED_DAYS_AGO * DAY_MS;
  const user = (email: string, role: BillingRole): [string, BillingUser] => [
    email,
    { email, roles: [role], created: founded },
  ];

  const main: Account = {
    id: MAIN,
    accountId: 'cus_SandboxMain',
    fullName: 'Acme Corporation',
    email: 'finance@acme.example',
    address: address('1 Anvil Way', 'Tucson', 'AZ', '85701', 'US'),
    orgQuota: 5,
    enabled: true,
    tou: true,
    paymentMethods: [{ last4: '4242', brand: 'visa' }],
    orgs: new Map([...orgs.values()].map((org) => [org.name, seedOrg(org, founded)])),
    users: new Map(Object.entries(PEOPLE).map(([email, role]) => user(email, role))),
    tokens: seedTokens(now),
    recipients: [
      { id: uuid('e', 1), email: 'finance@acme.example', enabled: true },
      { id: uuid('e', 2), email: 'archive@acme.example', enabled: false },
    ],
    alert: undefined,
  };
  const second: Account = {
    id: SECOND,
    accountId: 'cus_SandboxSecond',
    fullName: 'Acme Labs',
    email: 'ada@acme.example',
    address: address('7 Feather Lane', 'Tucson', 'AZ', '85705', 'US'),
    orgQuota: 0,
    enabled: false,
    tou: false,
    paymentMethods: [],
    orgs: new Map(),
    users: new Map([user('ada@acme.example', ADMIN)]),
    tokens: [token(8, 'second', [ADMIN], now)],
    recipients: [],
    alert: undefined,
  };
  return [main, second];
}

function seedOrg(org: Org, created: number): AccountOrg {
  const gvcs = [...org.gvcs.values()];
  const used = {
    gvcs: gvcs.length,
    workloads: gvcs.reduce((sum, { workloads }) => sum + workloads.size, 0),
  };
  return { name: org.name, created, tags: {}, active: true, quotas: openQuotas(org.name, used) };
}

function seedTokens(now: number): BillingToken[] {
  return [
    token(1, 'admin', [ADMIN], now),
    token(2, 'viewer', [VIEWER], now),
    token(3, 'creator', [CREATOR], now),
    token(4, 'all', BILLING_ROLES, now),
    { ...token(5, 'expired', [ADMIN], now), expiresAt: now - 10 * DAY_MS },
  ];
}

/** `svc-bsat-sandbox-<name>`, in use since long ago. */
function token(
  serial: number,
  name: string,
  roles: readonly BillingRole[],
  now: number,
): BillingToken {
  return {
    id: uuid('d', serial),
    name: `sandbox-${name}`,
    description: `seeded: ${roles.join(', ')}`,
    roles,
    createdBy: 'ada@acme.example',
    created: now - 100 * DAY_MS,
    secret: `svc-bsat-sandbox-${name}`,
    lastUsedAt: now - 11 * DAY_MS,
    deleted: false,
  };
}

function address(line1: string, city: string, state: string, postalCode: string, country: string) {
  return { line1, city, state, postalCode, country };
}

/** The same on every run. */
function uuid(digit: string, serial: number): string {
  return `${digit.repeat(8)}-0000-4000-a000-${String(serial).padStart(12, '0')}`;
}
