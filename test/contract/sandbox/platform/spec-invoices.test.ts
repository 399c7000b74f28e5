import { describe, expect, test } from 'vitest';
import {
  everything,
  exactly,
  OCTOBER,
  refusal,
  rowsOf,
  SEPTEMBER,
  startInvoices,
  sumOf,
  type QueryResult,
} from './spec-support.ts';

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
  };
}

describe('GET .../charges/invoices?start=<time>&end=<time>', () => {
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
