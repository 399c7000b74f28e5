import { BigNumber } from 'bignumber.js';
import * as fc from 'fast-check';
import type { BillingToken } from '../../../../src/platform/billing/tokens.ts';
import { charges } from '../../features/alert/scenario.ts';
import { ordersOf } from '../any-order.ts';
import { UNSAID } from '../forms/harness.ts';

/** When the tests take place. */
export const NOW = Date.parse('2026-10-15T12:00:00Z');
const DAY_MS = 86_400_000;

const role = fc.constantFrom('billing_admin', 'billing_viewer', 'org_creator');
const roles = fc.uniqueArray(role, { minLength: 1 });
const amount = fc.double({ min: 0, max: 1e12, noNaN: true });
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });
const time = fc.integer({ min: NOW - 60 * DAY_MS, max: NOW + 60 * DAY_MS });
/** Few, so that an order often names one that exists. */
const email = fc.constantFrom(
  'ada@acme.example',
  'ben@acme.example',
  `${'z'.repeat(90)}@a.example`,
);
const id = fc.constantFrom('a', 'b', 'c');
const name = fc.constantFrom('ci', 'nightly report', 'x'.repeat(200));
const description = fc.constantFrom('', 'what for');
const enabled = fc.boolean();

const token: fc.Arbitrary<BillingToken> = fc.record({
  id: fc.string({ minLength: 1, maxLength: 3 }),
  name,
  description,
  roles,
  createdBy: fc.constantFrom('', 'ada@acme.example'),
  expiresAt: maybe(time),
  created: maybe(time),
  lastModified: maybe(time),
  lastUsedAt: maybe(time),
});

/** Orders of all kinds. */
export const order = ordersOf({ id, email, name, amount, description, time });

export const anySpend = fc.oneof(
  amount.map((total) => charges({ org: 'acme', total })),
  fc.constant(UNSAID),
);

const byId = { selector: (row: { id: string }) => row.id, maxLength: 3 };

export const books = fc.record({
  alert: maybe(
    fc.record({
      amount: amount.map((said) => new BigNumber(said)),
      enabled,
      created: maybe(time),
      lastModified: maybe(time),
      lastTriggered: maybe(time),
      alertedTimes: maybe(fc.nat()),
    }),
  ),
  users: fc.uniqueArray(fc.record({ email, roles }), { selector: (user) => user.email }),
  tokens: fc.uniqueArray(
    fc.tuple(token, id).map(([one, id]): BillingToken => ({ ...one, id })),
    byId,
  ),
  // The platform takes an address once (spec section 7).
  recipients: fc
    .uniqueArray(fc.record({ id, email, enabled: maybe(enabled) }), byId)
    .map((all) => [...new Map(all.map((one) => [one.email.toLowerCase(), one])).values()]),
  orgs: fc.array(fc.record({ name, accountId: name, created: maybe(time) }), { maxLength: 2 }),
  account: fc.record({
    tou: maybe(enabled),
    enabled: maybe(enabled),
    orgQuota: maybe(fc.nat(3)),
    paymentMethods: maybe(fc.constantFrom([], [{ brand: 'visa', last4: '4242' }])),
  }),
  quotas: fc.array(
    fc.record({
      name: maybe(name).map(String),
      max: maybe(fc.nat()).map(String),
      unit: fc.constantFrom('', 'cores'),
    }),
    { maxLength: 3 },
  ),
  skipped: fc.constantFrom(0, 0, 1),
  spend: anySpend,
});
