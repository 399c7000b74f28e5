import { BigNumber } from 'bignumber.js';
import * as fc from 'fast-check';
import type { ChangeInput } from '../../../../src/changes/kinds/kinds.ts';
import type { BillingClient } from '../../../../src/platform/billing/client.ts';
import type { BillingToken } from '../../../../src/platform/billing/tokens.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { charges } from '../../features/alert/scenario.ts';

/** When the tests take place. */
export const NOW = Date.parse('2026-10-15T12:00:00Z');
const DAY_MS = 86_400_000;

const role = fc.constantFrom('billing_admin', 'billing_viewer', 'org_creator');
const roles = fc.uniqueArray(role, { minLength: 1 });
const amount = fc.double({ min: 0, max: 1e12, noNaN: true });
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });
const time = fc.integer({ min: NOW - 60 * DAY_MS, max: NOW + 60 * DAY_MS });
/** Few, so that an order often names what is there. */
const email = fc.constantFrom(
  'ada@acme.example',
  'ben@acme.example',
  `${'z'.repeat(90)}@a.example`,
);
const id = fc.constantFrom('a', 'b', 'c');
const name = fc.constantFrom('ci', 'nightly report', 'x'.repeat(200));
const enabled = fc.boolean();

export const token: fc.Arbitrary<BillingToken> = fc.record({
  id: fc.string({ minLength: 1, maxLength: 3 }),
  name,
  description: fc.constantFrom('', 'what for'),
  roles,
  createdBy: fc.constantFrom('', 'ada@acme.example'),
  expiresAt: maybe(time),
  created: maybe(time),
  lastModified: maybe(time),
  lastUsedAt: maybe(time),
});

const kind = <K extends ChangeInput['kind']>(one: K) => fc.constant(one);
const recipient = { recipientId: id, email };

/** Orders of all kinds. */
export const order: fc.Arbitrary<ChangeInput> = fc.oneof(
  fc.record({ kind: kind('alert.create'), amount, enabled }),
  fc.record({ kind: kind('alert.replace'), amount, enabled }),
  fc.record({ kind: kind('alert.delete') }),
  fc.record({ kind: kind('user.add'), email, roles }),
  fc.record({ kind: kind('user.roles'), email, roles }),
  fc.record({ kind: kind('user.remove'), email }),
  fc
    .record({
      kind: kind('token.create'),
      name,
      description: fc.constant(''),
      roles,
      end: maybe(time),
    })
    .map(({ end, ...rest }) => ({
      ...rest,
      ...(end !== undefined && { expiresAt: new Date(end).toISOString() }),
    })),
  fc.record({ kind: kind('token.delete'), tokenId: id, name }),
  fc.record({
    kind: kind('org.create'),
    name,
    description: fc.constantFrom('', 'what for'),
    tags: maybe(fc.dictionary(name, name, { minKeys: 1, maxKeys: 2 })),
    invitees: fc.array(email, { minLength: 1, maxLength: 3 }),
    superuser: fc.boolean(),
  }),
  fc.record({ kind: kind('recipient.add'), email, enabled }),
  fc.record({ kind: kind('recipient.enable'), ...recipient }),
  fc.record({ kind: kind('recipient.disable'), ...recipient }),
  fc.record({ kind: kind('recipient.delete'), ...recipient }),
  fc.record({
    kind: kind('quota.request'),
    org: name,
    quotaName: name,
    requestedMax: fc.double({ min: 1, max: 1e9, noNaN: true }),
  }),
);

const byId = { selector: (row: { id: string }) => row.id, maxLength: 3 };

/** What the platform may have. */
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
    fc
      .record({ name: maybe(name), max: maybe(fc.nat()), unit: fc.constantFrom('', 'cores') })
      .map((row) => new Map(Object.entries(row).map(([key, value]) => [key, String(value)]))),
    { maxLength: 3 },
  ),
  skipped: fc.constantFrom(0, 0, 1),
  /** What this month has cost; undefined: the platform does not say it. */
  spent: maybe(amount),
});
type ExpectedState = typeof books extends fc.Arbitrary<infer B> ? B : never;

/** A platform that has what the books say; what is not here, no kind reads. */
export function platformOf(has: Partial<ExpectedState>): BillingClient {
  const reading = async <T>(value: T) => ({ value, readAt: NOW });
  const { skipped = 0 } = has;
  const listOf = (items: readonly unknown[] = []) => reading({ items, skipped });
  const { spent } = has;
  return {
    charges: {
      account: () =>
        spent === undefined
          ? Promise.reject(new PlatformError('timeout', 'no answer'))
          : reading(charges({ org: 'acme', total: spent })),
    },
    getAlert: () => reading(has.alert),
    getAccount: () => reading(has.account),
    listUsers: () => listOf(has.users),
    getUser: (email: string) => reading(has.users?.find((user) => user.email === email)),
    listTokens: () => listOf(has.tokens),
    listRecipients: () => listOf(has.recipients),
    listOrgs: () => listOf(has.orgs),
    listQuotas: () => listOf(has.quotas),
  } as unknown as BillingClient;
}
