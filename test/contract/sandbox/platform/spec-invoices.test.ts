import { describe, expect, test } from 'vitest';
import {
  instant,
  SECOND,
  startInvoices,
  sumCharges,
  TIME,
  UUID,
  type Invoices,
} from './spec-support.ts';

const STATUS = /^(paid|pending-payment|payment-failed|partially-paid|partially-failed)$/; // spec 2.8

describe('an invoice (spec 2.8)', () => {
  test('it has the fields of the table', async () => {
    const { list } = await startInvoices();

    const invoices = await list();

    expect(invoices.length).toBeGreaterThan(0);
    for (const invoice of invoices) {
      expect(invoice).toMatchObject({
        id: expect.stringMatching(UUID),
        accountId: expect.any(String),
        number: expect.any(Number),
        startTime: expect.stringMatching(TIME),
        endTime: expect.stringMatching(TIME),
        totalCharge: expect.any(Number),
        status: expect.stringMatching(STATUS),
        orgNames: expect.arrayContaining(['acme']),
        periods: expect.any(Array),
      });
      for (const period of invoice.periods) {
        expect(period).toMatchObject({
          startTime: expect.stringMatching(TIME),
          endTime: expect.stringMatching(TIME),
          totalCharge: expect.any(Number),
          status: expect.stringMatching(STATUS),
        });
        expect(period.items.length).toBeGreaterThan(0);
      }
    }
  });

  test('amounts are integers in the smallest unit of the currency', async () => {
    const { list } = await startInvoices();

    const amounts = (await list()).flatMap(({ totalCharge, periods, credits = [] }) => [
      totalCharge,
      ...periods.flatMap((period) => [period.totalCharge, ...period.items.map((i) => i.charge)]),
      ...credits.map(({ charge }) => charge),
    ]);

    expect(amounts.length).toBeGreaterThan(0);
    expect(amounts.filter((amount) => !Number.isSafeInteger(amount))).toEqual([]);
  });

  test('one line per org, chargeable item and tier: description, quantity, charge, org', async () => {
    const { list } = await startInvoices();

    for (const { periods, orgNames } of await list()) {
      for (const item of periods.flatMap(({ items }) => items)) {
        expect(item).toMatchObject({
          description: expect.stringMatching(/./),
          quantity: expect.any(Number),
          charge: expect.any(Number),
        });
        expect(orgNames).toContain(item.org);
      }
    }
  });

  test('totalCharge is the sum of the periods, and theirs the sum of the lines, before credits', async () => {
    const { list } = await startInvoices();

    const invoices = await list();

    for (const { totalCharge, periods } of invoices) {
      expect(periods.reduce((all, period) => all + period.totalCharge, 0)).toBe(totalCharge);
      expect(periods.map(({ items }) => sumCharges(items))).toEqual(
        periods.map((p) => p.totalCharge),
      );
    }
    expect(invoices.length).toBeGreaterThan(0);
  });

  test('credits are lines with a negative charge, omitted when there are none', async () => {
    const { list } = await startInvoices();

    const invoices = await list();
    const credited = invoices.flatMap(({ credits }) => (credits === undefined ? [] : [credits]));

    expect(credited.length).toBeGreaterThan(0);
    expect(credited.length).toBeLessThan(invoices.length);
    for (const credits of credited) {
      expect(credits.length).toBeGreaterThan(0);
      expect(credits.every(({ charge }) => charge < 0)).toBe(true);
    }
  });

  test('number is a sequential integer', async () => {
    const { list } = await startInvoices();

    const numbers = (await list()).map(({ number }) => number);

    const newest = numbers[0] ?? Number.NaN;
    expect(numbers).toEqual(numbers.map((_, index) => newest - index));
  });

  test('the periods lie within the range of the invoice', async () => {
    const { list } = await startInvoices();

    for (const { startTime, endTime, periods } of await list()) {
      const times = periods.flatMap((period) => [period.startTime, period.endTime]).map(instant);
      expect(times.toSorted()[0]).toBe(instant(startTime));
      expect(times.toSorted().at(-1)).toBe(instant(endTime));
    }
  });
});

describe('GET .../charges/invoices?start=<time>&end=<time>', () => {
  test('newest first', async () => {
    const { list } = await startInvoices();

    const times = (await list()).map(({ startTime }) => instant(startTime));

    expect(times.length).toBeGreaterThan(10);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  test.each([
    ['within', '2026-08-10T00:00:00Z', '2026-08-10T01:00:00Z', 1],
    ['across two months', '2026-07-31T23:00:00Z', '2026-08-01T01:00:00Z', 2],
    ['before all of them', '2020-01-01T00:00:00Z', '2020-02-01T00:00:00Z', 0],
  ])('invoices overlapping the range: %s', async (_where, start, end, count) => {
    const { list } = await startInvoices();

    const invoices = await list(`start=${start}&end=${end}`);

    expect(invoices).toHaveLength(count);
    for (const { startTime, endTime } of invoices) {
      expect(instant(startTime) < instant(end) && instant(endTime) > instant(start)).toBe(true);
    }
  });

  test.each([
    ['both missing', ''],
    ['end missing', '?start=2026-08-01T00:00:00Z'],
    ['start missing', '?end=2026-08-01T00:00:00Z'],
    ['start invalid', '?start=yesterday&end=2026-08-01T00:00:00Z'],
    ['end invalid', '?start=2026-08-01T00:00:00Z&end=2026-08-01'],
  ])(
    'missing or invalid start or end gives 400 with a plain-text body: %s',
    async (_why, query) => {
      const { account } = await startInvoices();

      const { status, type, text } = await account('GET', `/charges/invoices${query}`);

      expect(status).toBe(400);
      expect(type).toContain('text/plain');
      expect(text).not.toBe('');
    },
  );

  test.each([
    'start=2026-08-01T00:30:00Z&end=2026-09-01T00:00:00Z',
    'start=2026-08-01T00:00:00Z&end=2026-09-01T00:00:01Z',
  ])(
    'times not on an hour boundary give 500, and the message names the problem: %s',
    async (range) => {
      const { account } = await startInvoices();

      const { status, body } = await account('GET', `/charges/invoices?${range}`);

      expect(status).toBe(500);
      expect(body).toEqual({ code: 500, error: expect.stringMatching(/hour/) });
    },
  );
});

test.each(['2026-08-01T02:00:00%2B02:00', '2026-08-01T05:30:00%2B05:30'])(
  'an hour boundary is one in UTC: %s',
  async (start) => {
    const { list } = await startInvoices();

    const invoices = await list(`start=${start}&end=2026-09-01T00:00:00Z`);

    expect(invoices.map(({ startTime }) => instant(startTime).slice(0, 7))).toEqual(['2026-08']);
  },
);

test('an account that pays for no org has no invoices', async () => {
  const { billing } = await startInvoices();

  const path = `/account/${SECOND}/charges/invoices`;
  const billed = await billing(
    'GET',
    `${path}?start=2025-10-01T00:00:00Z&end=2026-10-05T12:00:00Z`,
  );

  expect([billed.status, billed.body]).toEqual([200, { invoices: [] }]);
});

describe('GET .../charges/invoices/pending', () => {
  test('accrued charges that are not billed yet, {invoices:[...]}', async () => {
    const { account, list } = await startInvoices();

    const { status, body } = await account<Invoices>('GET', '/charges/invoices/pending');

    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['invoices']);
    expect(body.invoices.length).toBeGreaterThan(0);
    const billed = (await list()).map(({ id }) => id);
    expect(body.invoices.filter(({ id }) => billed.includes(id))).toEqual([]);
  });

  test("include-surcharges=true returns only the current month's pending invoice", async () => {
    const { pending } = await startInvoices();

    const invoices = await pending('?include-surcharges=true');

    expect(invoices.map(({ startTime }) => instant(startTime).slice(0, 7))).toEqual(['2026-10']);
  });

  test('it includes credits, and surcharges where there are any', async () => {
    const { pending, wait } = await startInvoices();
    const full = '?include-surcharges=true';

    const [october] = await pending();
    expect(october).not.toHaveProperty('credits');
    expect(sumCharges((await pending(full))[0]?.credits ?? [])).toBeLessThan(0);

    await wait(29 * 86_400);
    const [november] = await pending();
    const [surcharged] = await pending(full);
    expect(november?.totalCharge).toBeGreaterThan(0);
    expect(surcharged?.totalCharge).toBeGreaterThan(november?.totalCharge ?? 0);
  });

  test('issuing moves what was pending to the list', async () => {
    const { pending, list, act } = await startInvoices();
    const before = await list();

    await act('invoices/issue', {});

    const after = await list();
    expect(after).toHaveLength(before.length + 1);
    expect(after[0]?.number).toBe((before[0]?.number ?? 0) + 1);
    expect((await pending()).reduce((all, { totalCharge }) => all + totalCharge, 0)).toBe(0);
  });
});
