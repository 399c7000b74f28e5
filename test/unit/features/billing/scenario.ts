import { BigNumber } from 'bignumber.js';
import type { Authorizer } from '../../../../src/access/authorizer.ts';
import type { FormName, RequestForms } from '../../../../src/changes/forms/form.ts';
import { Refusal } from '../../../../src/lib/errors.ts';
import type { Account } from '../../../../src/platform/billing/account.ts';
import type { BillingToken } from '../../../../src/platform/billing/tokens.ts';
import type { FormRoute, Person } from '../../../../src/slack/routing/routes.ts';

export const NOW = Date.UTC(2026, 10, 20, 12);
export const DAY = 86_400_000;
export const ANN: Person = { userId: 'UANN', teamId: 'T1' };

/** The state of a list without anything special. */
export const frame = {
  asked: { route: 'billing.list', question: {}, page: 1 },
  skipped: 0,
  readAt: NOW,
  now: NOW,
  asks: { buttons: [] },
};

export function account(changes: Partial<Account> = {}): Account {
  return {
    id: '5f1c2a34-0000-4000-8000-000000000001',
    accountId: 'cus_Q1',
    fullName: 'Acme Corp',
    email: 'billing@acme.example',
    address: ['1 Main Street', '12345 Springfield'],
    orgQuota: 10,
    enabled: true,
    tou: true,
    paymentMethods: [{ brand: 'visa', last4: '4242' }],
    alert: undefined,
    ...changes,
  };
}

export const ALERT = {
  amount: new BigNumber(500),
  enabled: true,
  created: undefined,
  lastModified: undefined,
  lastTriggered: undefined,
  alertedTimes: undefined,
};

export function token(changes: Partial<BillingToken> = {}): BillingToken {
  return {
    id: 'tok-1',
    name: 'ci',
    description: 'for the pipeline',
    roles: ['billing_viewer'],
    createdBy: 'ann@acme.example',
    expiresAt: undefined,
    created: NOW - 40 * DAY,
    lastModified: NOW - 30 * DAY,
    lastUsedAt: NOW - 11 * DAY - 3_600_000,
    ...changes,
  };
}

/** The form of every name, which no one fills in here. */
export const forms = new Proxy({} as RequestForms, {
  get: (_, name: FormName): FormRoute => ({
    actionId: `ask.${name}`,
    callbackId: `asked.${name}`,
    title: name,
    fill: () => Promise.resolve(),
    submit: () => ({ errors: {} }),
  }),
});

/** The access of a person who has these roles, and may read the orgs. */
export function accessFor(held: readonly string[]): Authorizer {
  const access: Partial<Authorizer> = {
    requireRole: (_, roles) =>
      roles.some((role) => held.includes(role))
        ? Promise.resolve()
        : Promise.reject(new Refusal(`This takes the role ${roles.join(' or ')}.`)),
    readableOrgs: (_: unknown, orgs: readonly string[]) => Promise.resolve(orgs),
    requireOrgAccess: () => Promise.resolve(),
  };
  return access as Authorizer;
}
