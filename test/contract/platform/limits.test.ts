import { BigNumber } from 'bignumber.js';
import { beforeEach, expect, test } from 'vitest';

import { ADMIN, DAY, MINUTE, startBilling, VIEWER, type Standing } from './billing/support.ts';
import { isAllowed } from './calls.ts';
import { rowsOf, startUsageClient } from './consumption/support.ts';
import { bearer } from './support.ts';

let standing: Standing;

beforeEach(async () => {
  standing = await startBilling();
});

const usage = () =>
  startUsageClient(standing.platform.usageUrl, {
    credentialOf: (org) => bearer(standing.platform.tokens[org]),
  });

/** The value of a metric in the two hours before the test begins, in full digits. */
async function metered(metric: string): Promise<string> {
  const { value } = await usage().query('acme', {
    startTime: '2026-10-15T08:00:00Z',
    endTime: '2026-10-15T10:00:00Z',
    timeStep: 'hour',
    groupBy: [],
    consumptionQueries: [{ filterBy: { metric }, aggregateBy: ['metric'] }],
  });
  return rowsOf(value)
    .reduce((sum, row) => sum.plus(row.value), new BigNumber(0))
    .toFixed();
}

test.each([
  ['snapshot-storage', true],
  ['load-balancer-processed-bytes', true],
  ['cpu', false],
])(
  'usage that the provider bills is revised within 48 hours and stays after that',
  async (metric, isRevised) => {
    const first = await metered(metric);
    await standing.advance(2 * DAY);
    const revised = await metered(metric);
    await standing.advance(10 * DAY);
    const later = await metered(metric);

    expect(Number(first)).toBeGreaterThan(0);
    expect(revised !== first).toBe(isRevised);
    expect(later).toBe(revised);
  },
);

test('the charges of the month are checked every ten minutes', async () => {
  const client = standing.client();
  await client.createAlert({ amount: 10, enabled: true });

  const times = [];
  for (let check = 0; check < 3; check += 1) {
    await standing.advance(10 * MINUTE);
    times.push((await client.getAlert()).value?.lastTriggered ?? 0);
    await client.replaceAlert({ amount: 10, enabled: true });
  }

  const [first = 0, second = 0, third = 0] = times;
  expect(first).toBeGreaterThan(0);
  expect([second - first, third - second]).toEqual([10 * MINUTE * 1000, 10 * MINUTE * 1000]);
});

const CLEO = 'cleo@acme.example';
/** A new token of the account, by its id and as the credential of a client. */
async function makeToken(expiresAt?: string) {
  const made = await standing
    .client()
    .createToken({ name: 'ci', roles: ['billing_viewer'], ...(expiresAt ? { expiresAt } : {}) });
  return { id: made.id, token: made.secret.reveal() };
}
const reads = (token: string) => isAllowed(standing.client({ token }).getAccount());
const meters = () => isAllowed(metered('cpu'));

/** Sets up a caller; returns a change of its rights, and a check whether they suffice. */
type Begin = () => Promise<{ change: () => Promise<unknown>; may: () => Promise<boolean> }>;

test.each<[string, boolean, Begin]>([
  [
    'a role that was taken',
    false,
    async () => ({
      change: () => standing.client().removeUser(CLEO),
      may: () => reads('sandbox-user-cleo'),
    }),
  ],
  [
    'a role that was given',
    true,
    async () => {
      await standing.client().removeUser(CLEO);
      return {
        change: () => standing.client().addUser({ email: CLEO, roles: ['billing_viewer'] }),
        may: () => reads('sandbox-user-cleo'),
      };
    },
  ],
  [
    'a token that was removed',
    false,
    async () => {
      const { id, token } = await makeToken();
      return { change: () => standing.client().removeToken(id), may: () => reads(token) };
    },
  ],
  [
    'a token that expired',
    false,
    async () => {
      const { token } = await makeToken('2026-10-15T12:00:30Z');
      return { change: () => standing.advance(30), may: () => reads(token) };
    },
  ],
  [
    'readMetrics that was taken',
    false,
    async () => ({
      change: () => standing.control('permissions', { org: 'acme', readMetrics: false }),
      may: meters,
    }),
  ],
  [
    'readMetrics that was granted',
    true,
    async () => {
      await standing.control('permissions', { org: 'acme', readMetrics: false });
      return {
        change: () => standing.control('permissions', { org: 'acme', readMetrics: true }),
        may: meters,
      };
    },
  ],
])(
  'the cached rights of a caller hold for five minutes, and then the change counts: %s',
  async (_what, expected, begin) => {
    const { change, may } = await begin();
    const before = await may();

    await change();
    await standing.advance(4 * MINUTE);
    const soon = await may();
    await standing.advance(MINUTE);

    expect([before, soon, await may()]).toEqual([!expected, !expected, expected]);
  },
);

test('of more than 500 deliveries the latest 500 come', async () => {
  await standing.control('deliveries', { count: 600 });
  const { id } = await standing.control<{ id: string }>('invoices/issue', {});

  const { value } = await standing.client({ token: ADMIN }).listDeliveries();

  expect(value.items.length + value.skipped).toBe(500);
  expect(value.items.some(({ invoiceId }) => invoiceId === id)).toBe(true);
  const oldest = (await standing.client({ token: VIEWER }).listInvoices(FIRST_MONTHS)).value.items;
  expect(oldest.length).toBeGreaterThan(0);
  const early = new Set(oldest.map((invoice) => invoice.id));
  expect(value.items.some(({ invoiceId }) => early.has(invoiceId))).toBe(false);
});

/** Long before the latest deliveries. */
const FIRST_MONTHS = { start: '2025-09-01T00:00:00Z', end: '2025-12-01T00:00:00Z' };
