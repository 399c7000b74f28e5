import type { BigNumber } from 'bignumber.js';
import { expect, test } from 'vitest';
import {
  everything,
  exactly,
  instant,
  OCTOBER,
  rowsOf,
  SEPTEMBER,
  startInvoices,
  sumCharges,
  sumOf,
  type QueryResult,
} from './spec-support.ts';

interface ExactInvoices {
  invoices: { periods: { items: { org: string; quantity: BigNumber }[] }[] }[];
}
interface Detailed {
  detailedResults: { results: QueryResult[] }[];
}

test.each([4, 5, 6] as const)(
  'the total of an invoice is the charge query of the same months, to the cent, with %i pricing tags',
  async (pricingTags) => {
    const { list, charges, catalogue } = await startInvoices({ pricingTags });
    const consumptionQueries = everything(await catalogue());

    for (const { totalCharge, periods } of await list()) {
      const priced = periods.map(({ startTime, endTime }) =>
        charges({ startTime, endTime, consumptionQueries }),
      );
      const cents = (await Promise.all(priced)).map(
        (result) => Number(sumOf(result, 'total')) * 100,
      );
      expect(Math.round(cents.reduce((all, part) => all + part, 0))).toBe(totalCharge);
    }
    expect.hasAssertions();
  },
);

test("the lines of an org are its share of the account's charges, but for rounding", async () => {
  const { list, charges, catalogue } = await startInvoices();
  const [period] = (await list())[0]?.periods ?? [];
  const { startTime, endTime, items = [] } = period ?? {};

  const result = await charges({
    startTime,
    endTime,
    timeStep: 'month',
    groupBy: ['org'],
    consumptionQueries: everything(await catalogue(), 'org'),
  });

  const groups = result.periods?.[0]?.groups ?? [];
  expect(groups).toHaveLength(3);
  for (const { key, consumptions } of groups) {
    const lines = items.filter(({ org }) => org === key['org']);
    const share = consumptions.reduce((all, { total }) => all + total.toNumber() * 100, 0);
    expect(Math.abs(sumCharges(lines) - share)).toBeLessThan(lines.length);
  }
});

test('pending invoices are the charges accrued since, to the cent', async () => {
  const { pending, charges, catalogue } = await startInvoices();

  const invoices = await pending();
  const since = invoices.map(({ startTime }) => instant(startTime)).toSorted()[0];
  const accrued = await charges({
    startTime: since,
    endTime: '2026-11-01T00:00:00Z',
    timeStep: 'hour',
    consumptionQueries: everything(await catalogue()),
  });

  const total = invoices.reduce((all, { totalCharge }) => all + totalCharge, 0);
  expect(total).toBe(Math.round(Number(sumOf(accrued, 'total')) * 100));
});

test('a month that is billed in parts is billed once', async () => {
  const { list, act, wait, charges, catalogue } = await startInvoices();
  await act('invoices/issue', {});

  await wait(30 * 86_400);
  const consumptionQueries = everything(await catalogue());
  const october = await charges({ ...OCTOBER, consumptionQueries });

  const range = 'start=2026-10-01T00:00:00Z&end=2026-11-01T00:00:00Z';
  const parts = (await list(range)).map(({ totalCharge }) => totalCharge);
  expect(parts).toHaveLength(2);
  expect(parts[0]).toBeGreaterThan(0);
  expect((parts[0] ?? 0) + (parts[1] ?? 0)).toBe(Math.round(Number(sumOf(october, 'total')) * 100));
});

test('the next month is issued by itself, with the next number and what it charged', async () => {
  const { list, wait, charges, catalogue } = await startInvoices();
  const [newest] = await list();

  await wait(30 * 86_400);
  const [invoice] = await list('start=2026-10-01T00:00:00Z&end=2026-11-01T00:00:00Z');
  const october = await charges({
    ...OCTOBER,
    consumptionQueries: everything(await catalogue()),
  });

  expect(invoice?.number).toBe((newest?.number ?? 0) + 1);
  expect(invoice?.totalCharge).toBe(Math.round(Number(sumOf(october, 'total')) * 100));
});

test('just after a month two are pending, and include-surcharges leaves the current one', async () => {
  const { pending, wait } = await startInvoices();
  const months = async (query?: string) =>
    (await pending(query)).map(({ startTime }) => instant(startTime).slice(0, 7)).toSorted();

  await wait(27 * 86_400);

  expect(await months()).toEqual(['2026-10', '2026-11']);
  expect(await months('?include-surcharges=true')).toEqual(['2026-11']);
});

test('credits appear only on invoices: the charges are what they were before them', async () => {
  const { list, charges, catalogue } = await startInvoices();
  const credited = (await list()).find(({ credits }) => credits !== undefined);
  const { startTime, endTime, totalCharge } = credited ?? {};

  const consumptionQueries = everything(await catalogue());
  const charged = await charges({ startTime, endTime, consumptionQueries });

  expect(Math.round(Number(sumOf(charged, 'total')) * 100)).toBe(totalCharge);
});

test('a line per org, item and tier: quantities are the units of the detailed charges', async () => {
  const { account, catalogue } = await startInvoices();
  const range = `start=${SEPTEMBER.startTime}&end=${SEPTEMBER.endTime}`;
  const query = { ...SEPTEMBER, timeStep: 'month', groupBy: ['org'], detailed: true };

  const bills = await account('GET', `/charges/invoices?${range}`);
  const charges = await account('POST', '/charges/-query', {
    body: { ...query, consumptionQueries: everything(await catalogue(), 'org') },
  });

  const { invoices } = exactly(bills.text) as ExactInvoices;
  const lines = invoices[0]?.periods[0]?.items.map(
    (line) => `${line.org} ${line.quantity.toFixed()}`,
  );
  const { detailedResults } = exactly(charges.text) as Detailed;
  const rows = detailedResults.flatMap(({ results }) => results.flatMap(rowsOf));
  const units = rows.flatMap(({ tags, details }) =>
    details.map(({ units }) => `${tags['org']} ${units.toFixed()}`),
  );
  expect(lines?.length).toBeGreaterThan(30);
  expect(lines?.toSorted()).toEqual(units.toSorted());
});
