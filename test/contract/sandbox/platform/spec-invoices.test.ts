import { describe, expect, test } from 'vitest';
import {
  everything,
  exactly,
  instant,
  MAIN,
  OCTOBER,
  refusal,
  rowsOf,
  SECOND,
  SEPTEMBER,
  SHOP_CART,
  startInvoices,
  sumCharges,
  sumOf,
  TIME,
  UUID,
  type QueryResult,
} from './spec-support.ts';

const STATUS = expect.stringMatching(
  /^(paid|pending-payment|payment-failed|partially-paid|partially-failed)$/, // spec 2.8
) as string;
const AT = expect.stringMatching(TIME) as string;
const OCTOBERS = 'start=2026-10-01T00:00:00Z&end=2026-11-01T00:00:00Z';
const DAY = 86_400;

async function start(options: Parameters<typeof startInvoices>[0] = {}) {
  const apis = await startInvoices(options);
  const consumptionQueries = everything(await apis.catalogue());
  return {
    ...apis,
    /** The charges of a range, in cents. */
    cents: async (range: object) =>
      Number(sumOf(await apis.charges({ ...range, consumptionQueries }), 'total')) * 100,
    months: async (query?: string) =>
      (await apis.pending(query)).map((one) => instant(one.startTime).slice(0, 7)).toSorted(),
  };
}

describe('an invoice (spec 2.8)', () => {
  test('it has the fields of the table, and its lines one org each', async () => {
    const { list } = await start();

    const invoices = await list();

    const period = { startTime: AT, endTime: AT, totalCharge: expect.any(Number), status: STATUS };
    expect(invoices.length).toBeGreaterThan(10);
    for (const invoice of invoices) {
      expect(invoice).toMatchObject({
        ...period,
        id: expect.stringMatching(UUID),
        accountId: expect.any(String),
        number: expect.any(Number),
        orgNames: expect.arrayContaining(['acme']),
      });
      for (const one of invoice.periods) expect(one).toMatchObject(period);
      for (const item of invoice.periods.flatMap(({ items }) => items)) {
        expect(item).toMatchObject({
          description: expect.stringMatching(/./),
          quantity: expect.any(Number),
        });
        expect(invoice.orgNames).toContain(item.org);
      }
    }
  });

  test('amounts are integers: the total is the sum of the periods, and theirs of the lines, before credits', async () => {
    const { list } = await start();

    for (const { totalCharge, periods, credits = [] } of await list()) {
      const totals = periods.map((period) => period.totalCharge);
      expect(sumCharges(totals.map((charge) => ({ charge })))).toBe(totalCharge);
      expect(periods.map(({ items }) => sumCharges(items))).toEqual(totals);
      const charges = [...periods.flatMap(({ items }) => items), ...credits];
      expect(charges.filter(({ charge }) => !Number.isSafeInteger(charge))).toEqual([]);
    }
    expect.hasAssertions();
  });

  test('credits are lines with a negative charge, omitted when there are none', async () => {
    const { list } = await start();

    const invoices = await list();
    const credited = invoices.filter((invoice) => 'credits' in invoice);

    expect(credited.length).toBeGreaterThan(0);
    expect(credited.length).toBeLessThan(invoices.length);
    for (const { credits = [] } of credited) {
      expect(credits.length).toBeGreaterThan(0);
      expect(credits.every(({ charge }) => charge < 0)).toBe(true);
    }
  });

  test('they are listed newest first, with sequential numbers and the periods within their range', async () => {
    const { list } = await start();

    const invoices = await list();

    const times = invoices.map(({ startTime }) => instant(startTime));
    const [{ number: newest } = { number: Number.NaN }] = invoices;
    expect(times).toEqual(times.toSorted().toReversed());
    expect(invoices.map(({ number }) => number)).toEqual(times.map((_, index) => newest - index));
    for (const { startTime, endTime, periods } of invoices) {
      const bounds = periods.flatMap((period) => [period.startTime, period.endTime]).map(instant);
      expect([bounds.toSorted()[0], bounds.toSorted().at(-1)]).toEqual(
        [startTime, endTime].map(instant),
      );
    }
  });
});

describe('GET .../charges/invoices?start=<time>&end=<time>', () => {
  test.each([
    ['within a month', '2026-08-10T00:00:00Z', '2026-08-10T01:00:00Z', ['2026-08']],
    ['across two', '2026-07-31T23:00:00Z', '2026-08-01T01:00:00Z', ['2026-08', '2026-07']],
    ['before all of them', '2020-01-01T00:00:00Z', '2020-02-01T00:00:00Z', []],
    ['an offset of hours', '2026-08-01T02:00:00%2B02:00', '2026-09-01T00:00:00Z', ['2026-08']],
    [
      'half hours that are whole ones in UTC',
      '2026-08-01T05:30:00%2B05:30',
      '2026-09-01T00:00:00Z',
      ['2026-08'],
    ],
  ])('those that overlap the range: %s', async (_where, start_, end, months) => {
    const { list } = await start();

    const invoices = await list(`start=${start_}&end=${end}`);

    expect(invoices.map(({ startTime }) => instant(startTime).slice(0, 7))).toEqual(months);
  });

  test.each([
    '',
    '?start=2026-08-01T00:00:00Z',
    '?end=2026-08-01T00:00:00Z',
    '?start=yesterday&end=2026-08-01T00:00:00Z',
    '?start=2026-08-01T00:00:00Z&end=2026-08-01',
  ])('missing or invalid start or end gives 400 with a plain-text body: %j', async (query) => {
    const { ask } = await start();

    const { status, type, text } = await ask(`GET /charges/invoices${query}`);

    expect([status, type]).toEqual([400, expect.stringContaining('text/plain')]);
    expect(text).not.toBe('');
  });

  test.each([
    'start=2026-08-01T00:30:00Z&end=2026-09-01T00:00:00Z',
    'start=2026-08-01T00:00:00Z&end=2026-09-01T00:00:01Z',
  ])(
    'times not on an hour boundary give 500, and the message names the problem: %s',
    async (range) => {
      const { ask } = await start();

      const { status, body } = await ask(`GET /charges/invoices?${range}`);

      expect([status, body]).toEqual([500, refusal(500, /hour/)]);
    },
  );
});

describe('one invoice', () => {
  const startOne = async () => {
    const apis = await start();
    const [invoice] = await apis.list();
    const path = `/charges/invoices/${invoice?.id}`;
    const download = (headers: Record<string, string>) => apis.account('GET', path, { headers });
    return { ...apis, invoice, path, download };
  };

  test.each([
    [{ accept: 'application/json' }, 200, 'application/json'],
    [{ accept: 'application/pdf' }, 200, 'application/pdf'],
    [{ accept: '*/*' }, 400, 'application/json'],
    [{ accept: 'text/html' }, 400, 'application/json'],
    [{ accept: 'application/*' }, 400, 'application/json'],
    [{ accept: 'application/json, text/plain' }, 400, 'application/json'],
    // A Content-Type takes precedence.
    [{ 'content-type': 'application/json', accept: '*/*' }, 200, 'application/json'],
    [{ 'content-type': 'application/pdf', accept: 'application/json' }, 200, 'application/pdf'],
    [{ 'content-type': 'application/json', accept: 'application/pdf' }, 200, 'application/json'],
    [{ 'content-type': 'text/plain', accept: 'application/json' }, 400, 'application/json'],
  ])('%j gives %i, %s', async (headers, status, type) => {
    const { download } = await startOne();

    const answer = await download(headers);

    expect([answer.status, answer.type]).toEqual([status, expect.stringContaining(type)]);
  });

  test('it is the object of the list, or a whole PDF', async () => {
    const { download, invoice } = await startOne();

    const pdf = await download({ accept: 'application/pdf' });

    expect((await download({ accept: 'application/json' })).body).toEqual(invoice);
    expect(pdf.text).toMatch(/^%PDF-/);
    expect(pdf.text.trimEnd()).toMatch(/%%EOF$/);
  });

  test('it has hosted payment page links, one per invoice period', async () => {
    const { ask, invoice, path } = await startOne();

    const { status, body } = await ask(`GET ${path}/external-url`);

    const page = { id: expect.stringMatching(UUID), externalUrl: expect.stringMatching(/^https:/) };
    expect([status, body]).toEqual([200, { invoicePeriods: invoice?.periods.map(() => page) }]);
  });

  test('another account does not have it', async () => {
    const { ask, path } = await startOne();

    expect((await ask(`GET /account/${SECOND}${path}`)).status).toBe(404);
    expect((await ask(`GET /account/${MAIN}${path}`)).status).toBe(200);
  });
});

describe('GET .../charges/invoices/pending', () => {
  test('accrued charges that are not billed yet, {invoices:[...]}; issuing moves them to the list', async () => {
    const { ask, pending, list, act } = await start();
    const before = await list();

    const { status, body } = await ask('GET /charges/invoices/pending');
    const [accrued] = await pending();
    await act('invoices/issue', {});

    expect([status, Object.keys(body)]).toEqual([200, ['invoices']]);
    const [issued, ...others] = await list();
    expect(others).toEqual(before);
    expect(issued).toMatchObject({
      number: (before[0]?.number ?? 0) + 1,
      totalCharge: accrued?.totalCharge,
    });
    expect(await pending()).toEqual([]);
  });

  test("include-surcharges=true returns only the current month's invoice, with credits and surcharges", async () => {
    const { months, pending, wait } = await start();
    const full = '?include-surcharges=true';
    expect([await months(), await months(full)]).toEqual([['2026-10'], ['2026-10']]);
    expect((await pending())[0]).not.toHaveProperty('credits');
    expect(sumCharges((await pending(full))[0]?.credits ?? [])).toBeLessThan(0);

    await wait(27 * DAY);
    expect([await months(), await months(full)]).toEqual([['2026-10', '2026-11'], ['2026-11']]);
    await wait(2 * DAY);

    const [[plain], [surcharged]] = [await pending(), await pending(full)];
    expect(plain?.totalCharge).toBeGreaterThan(0);
    expect(surcharged?.totalCharge).toBeGreaterThan(plain?.totalCharge ?? 0);
  });
});

describe('sums', () => {
  test.each([4, 5, 6] as const)(
    'an invoice is the charge query of its months, to the cent, with %i pricing tags',
    async (pricingTags) => {
      const { list, cents } = await start({ pricingTags });

      for (const { totalCharge, periods } of await list()) {
        const parts = await Promise.all(
          periods.map(({ startTime, endTime }) => cents({ startTime, endTime })),
        );
        expect(Math.round(parts.reduce((all, part) => all + part, 0))).toBe(totalCharge);
      }
      expect.hasAssertions();
    },
  );

  test('pending invoices are the charges accrued since, to the cent', async () => {
    const { pending, cents } = await start();

    const [invoice] = await pending();

    const range = { startTime: invoice?.startTime, endTime: OCTOBER.endTime, timeStep: 'hour' };
    expect(invoice?.totalCharge).toBe(Math.round(await cents(range)));
  });

  test('a month that is billed in parts is billed once', async () => {
    const { list, act, wait, cents } = await start();
    await act('invoices/issue', {});

    await wait(30 * DAY);

    const parts = (await list(OCTOBERS)).map(({ totalCharge }) => totalCharge);
    expect(parts).toHaveLength(2);
    expect(parts[0]).toBeGreaterThan(0);
    expect((parts[0] ?? 0) + (parts[1] ?? 0)).toBe(Math.round(await cents(OCTOBER)));
  });

  test('the next month is issued by itself, with the next number and its charges', async () => {
    const { list, wait, cents } = await start();
    const [newest] = await list();

    await wait(30 * DAY);

    const [invoice] = await list(OCTOBERS);
    expect(invoice?.number).toBe((newest?.number ?? 0) + 1);
    expect(invoice?.totalCharge).toBe(Math.round(await cents(OCTOBER)));
  });

  test('a workload that is gone is on the invoices of its time, which add up', async () => {
    const { list, act, cents } = await start();
    const [before] = await list();

    await act('delete', SHOP_CART);

    expect((await list())[0]).toEqual(before);
    expect(Math.round(await cents({}))).toBe(before?.totalCharge);
  });

  test('a line per org, item and tier: quantities are the units of the detailed charges', async () => {
    const { ask, catalogue } = await start();
    const range = `start=${SEPTEMBER.startTime}&end=${SEPTEMBER.endTime}`;
    const query = { ...SEPTEMBER, timeStep: 'month', groupBy: ['org'], detailed: true };
    const consumptionQueries = everything(await catalogue(), 'org');

    const bills = await ask(`GET /charges/invoices?${range}`);
    const charges = await ask('POST /charges/-query', { ...query, consumptionQueries });

    const { invoices } = exactly(bills.text) as {
      invoices: { periods: { items: { org: string; quantity: { toFixed(): string } }[] }[] }[];
    };
    const items = invoices[0]?.periods[0]?.items ?? [];
    const lines = items.map(({ org, quantity }) => `${org} ${quantity.toFixed()}`);
    const { detailedResults } = exactly(charges.text) as {
      detailedResults: { results: QueryResult[] }[];
    };
    const rows = detailedResults.flatMap(({ results }) => results.flatMap(rowsOf));
    const units = rows.flatMap(({ tags, details }) =>
      details.map(({ units }) => `${tags['org']} ${units.toFixed()}`),
    );
    expect(lines.length).toBeGreaterThan(30);
    expect(lines.toSorted()).toEqual(units.toSorted());
  });
});
