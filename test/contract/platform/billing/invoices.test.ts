import { BigNumber } from 'bignumber.js';
import { parse } from 'lossless-json';
import { beforeEach, expect, test } from 'vitest';
import {
  amountDue,
  type Invoice,
  type InvoicePeriod,
} from '../../../../src/platform/billing/invoices.ts';
import { failureOf } from '../support.ts';
import {
  ALWAYS,
  MAIN,
  newestInvoice,
  NOW,
  ORGS,
  SEPTEMBER,
  startBilling,
  UUID,
  type Standing,
} from './support.ts';

let standing: Standing;

beforeEach(async () => {
  standing = await startBilling();
});

const sumOf = (amounts: readonly { charge: BigNumber | undefined }[]) =>
  amounts.reduce((sum, { charge }) => sum.plus(charge ?? Number.NaN), new BigNumber(0)).toFixed();
const totalOf = (periods: readonly InvoicePeriod[]) =>
  periods
    .reduce((sum, { totalCharge }) => sum.plus(totalCharge ?? Number.NaN), new BigNumber(0))
    .toFixed();
/** How many different ones there are. */
const countOf = (names: readonly unknown[]) =>
  new Set(names.map((name) => JSON.stringify(name))).size;
const allInvoices = async (): Promise<readonly Invoice[]> =>
  (await standing.client().listInvoices(ALWAYS)).value.items;

test('amounts are whole numbers of the smallest unit, and quantities stay exact beyond 2^53', async () => {
  const { id } = await newestInvoice(standing.client());
  const sent = await standing.raw('GET', `account/${MAIN}/charges/invoices/${id}`, {
    headers: { accept: 'application/json' },
  });
  const { periods } = parse(await sent.text(), null, (text) => text) as {
    periods: { items: { quantity: string; charge: string }[] }[];
  };
  const asSent = periods.flatMap(({ items }) => items);

  const { value } = await standing.client().getInvoice(id);

  const lines = value.periods.flatMap(({ items }) => items);
  expect(lines.map(({ charge }) => charge?.toFixed())).toEqual(asSent.map(({ charge }) => charge));
  expect(lines.map(({ quantity }) => quantity?.toFixed())).toEqual(
    asSent.map(({ quantity }) => quantity),
  );
  expect(lines.some(({ quantity }) => quantity?.gt(Number.MAX_SAFE_INTEGER))).toBe(true);
  expect([value, ...value.periods].every(({ totalCharge }) => totalCharge?.isInteger())).toBe(true);
});

test('an invoice is read whole: number, range, status, orgs, periods and lines', async () => {
  const listed = await newestInvoice(standing.client());

  const { value, readAt } = await standing.client().getInvoice(listed.id);

  expect(value).toEqual(listed);
  expect(value).toMatchObject({
    id: expect.stringMatching(/./),
    accountId: expect.stringMatching(/./),
    number: expect.any(Number),
    startTime: Date.parse(SEPTEMBER.start),
    endTime: Date.parse(SEPTEMBER.end),
    status: expect.stringMatching(/paid|pay/),
    orgNames: expect.arrayContaining(ORGS),
  });
  expect(value.periods[0]).toMatchObject({
    startTime: Date.parse(SEPTEMBER.start),
    endTime: Date.parse(SEPTEMBER.end),
    totalCharge: value.totalCharge,
    status: expect.stringMatching(/./),
  });
  const lines = value.periods.flatMap(({ items }) => items);
  expect(
    lines.every(({ org, description }) => ORGS.includes(org ?? '') && description !== ''),
  ).toBe(true);
  expect(readAt).toBe(Date.parse(NOW));
});

test('the invoices that overlap the range are listed, newest first, numbered one after another', async () => {
  const all = await allInvoices();
  const range = { start: '2026-03-31T23:00:00Z', end: '2026-07-01T00:00:00Z' };

  const { value } = await standing.client().listInvoices(range);

  const numbers = all.map(({ number }) => number ?? 0);
  expect(numbers.length).toBeGreaterThan(5);
  expect(numbers).toEqual(numbers.map((_number, index) => (numbers[0] ?? 0) - index));
  expect(all.map(({ startTime }) => startTime)).toEqual(
    all.map(({ startTime }) => startTime ?? 0).toSorted((one, other) => other - one),
  );
  expect(value.items).toEqual(
    all.filter(
      ({ startTime = 0, endTime = 0 }) =>
        startTime < Date.parse(range.end) && endTime > Date.parse(range.start),
    ),
  );
  expect(value.items.length).toBeLessThan(all.length);
});

test('there is a line for each org, item and tier; lines add up to periods, periods to the total', async () => {
  const all = await allInvoices();
  const periods = all.flatMap((invoice) => invoice.periods);

  expect(all.map((invoice) => totalOf(invoice.periods))).toEqual(
    all.map(({ totalCharge }) => totalCharge?.toFixed()),
  );
  expect(periods.map(({ items }) => sumOf(items))).toEqual(
    periods.map(({ totalCharge }) => totalCharge?.toFixed()),
  );
  for (const { items } of periods) {
    // The description says the quantity too, which would show two halves of one line apart.
    const tiers = items.map(({ org, description }) => [
      org,
      description.replace(/, Quantity: [^,]+/, ''),
    ]);
    const itemsOfOrgs = tiers.map(([org, tier = '']) => [org, tier.replace(/, Rate: .+/, '')]);
    expect(countOf(tiers)).toBe(items.length);
    expect(countOf(itemsOfOrgs)).toBeLessThan(items.length);
  }
  expect(all.some((invoice) => invoice.periods.length > 1)).toBe(true);
});

test.each([
  'paid',
  'pending-payment',
  'payment-failed',
  'partially-paid',
  'partially-failed',
  'written-off',
])('the status %s is read', async (status) => {
  const { id } = await newestInvoice(standing.client());
  const path = `account/${MAIN}/charges/invoices/${id}`;
  const sent = await standing.raw('GET', path, { headers: { accept: 'application/json' } });
  const invoice = (await sent.json()) as object;
  // A word that came later is known to no control.
  if (status === 'written-off') await standing.fault({ status: 200, body: { ...invoice, status } });
  else await standing.control('invoices/status', { id, status });

  const { value } = await standing.client().getInvoice(id);

  expect(value.status).toBe(status);
});

test('credits are negative, and absent on an invoice without credits', async () => {
  const sent = await standing.raw(
    'GET',
    `account/${MAIN}/charges/invoices?${new URLSearchParams(ALWAYS).toString()}`,
  );
  const { invoices } = (await sent.json()) as { invoices: { credits?: unknown[] }[] };

  const all = await allInvoices();

  const withCredits = all.filter(({ credits }) => credits.length > 0);
  expect(withCredits.length).toBeGreaterThan(0);
  expect(withCredits.flatMap(({ credits }) => credits).every(({ charge }) => charge?.lt(0))).toBe(
    true,
  );
  expect(invoices.map(({ credits }) => credits?.length)).toEqual(
    all.map(({ credits }) => credits.length || undefined),
  );
});

test('the amount due is the total less the credits, and never below 0', async () => {
  const all = await allInvoices();
  const credited = all.find(({ credits }) => credits.length > 0);
  if (credited === undefined) throw new Error('no invoice has credits');

  const total = credited.totalCharge ?? new BigNumber(Number.NaN);
  const due = amountDue(credited);
  expect(due).toEqual({ amount: total.plus(sumOf(credited.credits)), isExact: true });
  expect(due?.amount.lt(total)).toBe(true);
  expect(amountDue({ ...credited, totalCharge: new BigNumber(1) })?.amount.toFixed()).toBe('0');
});

test('a month of charges is its invoice to the cent, before credits', async () => {
  // May has credits, which no charge query knows of.
  const may = { start: '2026-05-01T00:00:00Z', end: '2026-06-01T00:00:00Z' };
  const client = standing.client();
  const [invoice] = (await client.listInvoices(may)).value.items;
  const lines = invoice?.periods.flatMap(({ items }) => items) ?? [];

  const { value } = await client.charges.account({
    startTime: may.start,
    endTime: may.end,
    timeStep: 'month',
    groupBy: ['org'],
    consumptionQueries: [
      { aggregateBy: ['org', 'feature', 'metric', 'locationType', 'performanceClass'] },
    ],
  });

  const groups = value.periods.flatMap(({ groups }) => groups);
  const centsOf = (rows: readonly { total: BigNumber }[]) =>
    rows.reduce((sum, { total }) => sum.plus(total), new BigNumber(0)).times(100);
  expect(invoice?.credits.length).toBeGreaterThan(0);
  expect(centsOf(groups.flatMap(({ rows }) => rows)).toFixed(0)).toBe(
    invoice?.totalCharge?.toFixed(),
  );
  // Rounding moves no more than a cent from one org to another.
  for (const { key, rows } of groups) {
    const billed = sumOf(lines.filter(({ org }) => org === key['org']));
    expect(centsOf(rows).minus(billed).abs().toNumber()).toBeLessThan(1);
  }
  expect(new Set(groups.map(({ key }) => key['org']))).toEqual(new Set(ORGS));
});

test('payment pages come by period of the invoice, for an account that is billed by card alone', async () => {
  const oldest = (await allInvoices()).at(-1);

  const byCard = await standing.client().listPaymentLinks(oldest?.id ?? '');
  await standing.control('account', { paymentMethods: [] });
  const withoutCard = await standing.client().listPaymentLinks(oldest?.id ?? '');

  expect(byCard.skipped).toBe(0);
  expect(byCard.items.length).toBe(oldest?.periods.length);
  for (const { id, externalUrl } of byCard.items) {
    expect(id).toMatch(UUID);
    expect(externalUrl).toMatch(/^https:/);
  }
  expect(withoutCard.items).toEqual([]);
});

test.each([
  ['without a start', { start: '', end: SEPTEMBER.end }, 400],
  ['without an end', { start: SEPTEMBER.start, end: '' }, 400],
  ['from an invalid time', { start: 'yesterday', end: SEPTEMBER.end }, 400],
  ['off the hour', { start: '2026-09-01T00:30:00Z', end: SEPTEMBER.end }, 500],
])('an invoice list %s is refused before it is sent', async (_what, range, status) => {
  const failure = await failureOf(standing.client().listInvoices(range));
  const unchecked = await standing.raw(
    'GET',
    `account/${MAIN}/charges/invoices?${new URLSearchParams(range).toString()}`,
  );

  expect(failure).toMatchObject({ reason: 'bad-request', status: undefined });
  expect(unchecked.status).toBe(status);
  expect((await standing.calls()).length).toBe(1);
});

test('pending invoices hold what has accrued and is not billed yet', async () => {
  // On the first, the month before has ended and is not billed yet.
  await standing.advance((Date.parse('2026-11-01T06:00:00Z') - Date.parse(NOW)) / 1000);
  const [october] = (await standing.client().listInvoices(ALWAYS)).value.items;

  const { value } = await standing.client().listPendingInvoices();

  expect(value.skipped).toBe(0);
  expect(october?.endTime).toBe(Date.parse('2026-10-01T00:00:00Z'));
  expect(new Set(value.items.map(({ startTime }) => startTime))).toEqual(
    new Set(['2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z'].map((time) => Date.parse(time))),
  );
  expect(value.items.length).toBe(2);
  expect(value.items.every(({ totalCharge }) => totalCharge?.gt(0))).toBe(true);
});

test('with surcharges only the current month is pending, with surcharges and credits', async () => {
  // The next month with a credit; surcharges begin in November.
  await standing.advance((Date.parse('2027-03-01T06:00:00Z') - Date.parse(NOW)) / 1000);

  const { value } = await standing.client().listPendingInvoices({ includeSurcharges: true });

  const plain = (await standing.client().listPendingInvoices()).value.items;
  const march = plain.find(({ startTime }) => startTime === Date.parse('2027-03-01T00:00:00Z'));
  expect(plain.length).toBe(2);
  expect(value.items.map(({ startTime }) => startTime)).toEqual([march?.startTime]);
  expect(value.items[0]?.totalCharge?.gt(march?.totalCharge ?? Number.NaN)).toBe(true);
  expect(value.items[0]?.credits.map(({ charge }) => charge?.lt(0))).toEqual([true]);
  expect(march?.credits).toEqual([]);
  const lastCall = (await standing.calls()).find(({ path }) => path.includes('surcharges'));
  expect(lastCall?.path).toContain('include-surcharges=true');
});
