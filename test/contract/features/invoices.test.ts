import { beforeEach, expect, test } from 'vitest';

import { PlatformError } from '../../../src/platform/errors.ts';
import {
  centsIn,
  dollars,
  dueOf,
  linesOf,
  rowsOf,
  startInvoices,
  wordsOf,
} from './invoices-support.ts';
import type { Written } from './invoices-support.ts';

let house: Awaited<ReturnType<typeof startInvoices>>;
let written: Written[];

beforeEach(async () => {
  house = await startInvoices();
  written = await house.written();
});

const numbered = (number: number): Written => written.find((one) => one.number === number)!;
const days = (count: number) => house.standing.advance(count * 86_400);
const billedToday = async () =>
  house.standing.control<{ id: string; number: number }>('invoices/issue', {});

test('the list has the invoices of 12 months with what is due on each, to the cent', async () => {
  const answer = await house.type('');

  const months = written.filter(({ startTime }) => startTime >= '2025-11-01');
  expect(answer.text).toContain('from 2025-11-01 00:00 to 2026-11-01 00:00 UTC');
  expect(rowsOf(answer).map(([number, _months, due]) => [number, due])).toEqual(
    months.map((invoice) => [String(invoice.number), dollars(dueOf(invoice))]),
  );
  expect(months).toHaveLength(written.length - 1);
  expect(written.some((invoice) => dueOf(invoice) === 0)).toBe(true);
});

test('all five statuses are told in words and with a sign, and what is open is added up', async () => {
  const answer = await house.type('list last 13 months');

  expect(rowsOf(answer).slice(0, 4)).toEqual([
    ['12', 'Sep 2026', expect.any(String), '… payment pending', 'acme, globex, initech'],
    ['11', 'Aug 2026', expect.any(String), '✗ payment failed', 'acme, globex, initech'],
    ['10', 'Jul 2026', expect.any(String), '◐ partly paid', 'acme, globex, initech'],
    ['9', 'Jun 2026', expect.any(String), '✓ paid', 'acme, globex, initech'],
  ]);
  expect(rowsOf(answer).at(-1)?.slice(1, 4)).toEqual([
    'Sep–Oct 2025',
    expect.any(String),
    '⊗ partly failed',
  ]);
  const open = written.filter(({ status }) => status !== 'paid').map(dueOf);
  const sum = open.reduce((one, other) => one + other);
  expect(answer.text).toContain(`*${dollars(sum)}* due on 4 invoices not paid`);
  expect(answer.shareable).toEqual({ question: expect.stringContaining('billing data') });
});

test('an invoice of the current month that came early is in the list', async () => {
  const { number } = await billedToday();

  const [first] = rowsOf(await house.type('list'));

  expect(first?.slice(0, 2)).toEqual([
    String(number),
    'Oct 1, 2026, 00:00–Oct 15, 2026, 12:00 UTC',
  ]);
});

test('a range lists what overlaps it, and an empty one says what to try', async () => {
  const may = await house.type('list 2026-05');
  const nothing = await house.type('list 2019-01');

  expect(rowsOf(may).map(([number]) => number)).toEqual(['8']);
  expect(nothing.text).toMatch(
    /^No invoices from 2019-01-01 00:00 to 2019-02-01 00:00 UTC: try .*`\/invoices list last 36 months`/,
  );
  expect(nothing.shareable).toBeUndefined();
  expect(rowsOf(await house.type('list last 36 months')).length).toBe(written.length);
});

test('a long list pages in place, and a choice from its menu shows that invoice', async () => {
  for (let day = 0; day < 8; day += 1) {
    await billedToday();
    await days(1);
  }
  const first = await house.type('list');

  const second = (await house.press(first, 'Next'))!;
  const back = (await house.press(second, 'Previous'))!;
  const shown = await house.press(first, 'Show an invoice', numbered(12).id);

  expect(rowsOf(first).length).toBe(15);
  expect(rowsOf(first)[0]?.[0]).toBe('20');
  expect(wordsOf(first)).toContain('Page 1 of 2');
  expect(rowsOf(second).map(([number]) => number)).toEqual(['5', '4', '3', '2']);
  expect(rowsOf(back)).toEqual(rowsOf(first));
  expect(shown?.text).toContain('*Invoice 12* · Sep 2026');
  const inPlace = (house.feature.actions ?? []).filter((action) => action.inPlace);
  expect(inPlace.map(({ actionId }) => actionId)).toEqual(['invoices.previous', 'invoices.next']);
});

test('all lines of an invoice, over all its pages, are its total and are the sums of its tiers', async () => {
  const invoice = numbered(1);
  const rows = [];
  let page = await house.type('show 1');
  const words = wordsOf(page);
  for (;;) {
    rows.push(...rowsOf(page));
    if (!JSON.stringify(page.controls).includes('"Next"')) break;
    page = (await house.press(page, 'Next'))!;
  }

  const charges = rows.map(([, , , charge]) => charge!);
  expect(centsIn(charges)).toBe(invoice.totalCharge);
  expect(charges.map((charge) => centsIn([charge]))).toEqual(
    charges.map((charge) => centsIn([charge])).toSorted((a, b) => b - a),
  );
  const cpu = linesOf(invoice).filter(({ description }) => description.startsWith('acme: cpu ('));
  const cents = cpu.reduce((sum, { charge }) => sum + charge, 0);
  expect(cpu.length).toBeGreaterThan(2);
  expect(rows).toContainEqual([
    'acme',
    'cpu',
    expect.stringMatching(/ core-hours$/),
    dollars(cents),
  ]);
  expect(words).toContain('Period Sep 2025: $5,535.83, ✓ paid');
  expect(words).toContain('Period Oct 2025: $5,755.48, ✗ payment failed');
});

test('without credits and surcharges an invoice is the charges of its months to the cent', async () => {
  const answer = await house.type('show 12');

  expect(answer.text).toContain('(2026-09-01 00:00 to 2026-10-01 00:00 UTC) · … payment pending');
  expect(wordsOf(answer)).toContain(
    `Charges of the same months: ${dollars(numbered(12).totalCharge)}, exactly what is on the invoice`,
  );
});

test('credits are named, and are the whole difference to the charges', async () => {
  const { totalCharge } = numbered(8);

  const words = wordsOf(await house.type('show 8'));

  expect(words).toContain(
    `Amount due *${dollars(totalCharge - 6234)}* = ${dollars(totalCharge)} before credits, credits -$62.34`,
  );
  expect(words).toContain('Credit `Goodwill credit`: -$12.34');
  expect(words).toContain(
    `Charges of the same months: ${dollars(totalCharge)}; invoice: ${dollars(totalCharge - 6234)}; difference -$62.34: credits -$62.34`,
  );
});

test('a credit larger than the bill counts as far as it lowers it', async () => {
  const charged = dollars(numbered(6).totalCharge);

  const words = wordsOf(await house.type('show 6'));

  expect(words).toContain('Amount due *$0.00*');
  expect(words).toContain(`invoice: $0.00; difference -${charged}: credits -${charged}`);
});

test('surcharges are lines without an org and part of the difference', async () => {
  await days(50);
  // The list of everything ends with the year.
  const invoice = (await house.written())[0]!;
  const surcharge = linesOf(invoice).find(({ org }) => org === '')!.charge;

  const answer = await house.type(`show ${invoice.number}`);

  expect(invoice.startTime).toContain('2026-11-01');
  expect(rowsOf(answer)).toContainEqual([
    '(surcharge)',
    'Support surcharge, 3 %',
    '–',
    dollars(surcharge),
  ]);
  expect(wordsOf(answer)).toContain(
    `Charges of the same months: ${dollars(invoice.totalCharge - surcharge)}; invoice: ${dollars(invoice.totalCharge)}; difference +${dollars(surcharge)}: surcharges (lines without an org) +${dollars(surcharge)}`,
  );
});

test('an early invoice is compared with the charges of its hours', async () => {
  const { number } = await billedToday();
  const early = (await house.written())[0]!;

  const words = wordsOf(await house.type(`show ${number}`));

  expect(words).toContain(
    `Charges of the same months: ${dollars(early.totalCharge)}, exactly what is on the invoice`,
  );
});

test('a difference that nothing explains is called the rest', async () => {
  await house.standing.fault({
    path: '/charges/-query',
    status: 200,
    body: {
      results: {
        consumptionCount: 1,
        periods: [
          {
            startTime: '2026-09-01T00:00:00Z',
            endTime: '2026-10-01T00:00:00Z',
            groups: [
              {
                key: { org: 'acme' },
                consumptions: [{ value: 1, tags: { org: 'acme' }, total: 6000, currency: 'USD' }],
              },
            ],
          },
        ],
      },
    },
  });

  const words = wordsOf(await house.type('show 12'));

  const rest = dollars(numbered(12).totalCharge - 600_000);
  expect(words).toContain(`difference +${rest}: rest +${rest} (tiers over the whole account`);
});

test.each([
  ['refuses them', { status: 401, body: { code: 401, error: 'unauthorized' } }, 'refuses Purser'],
  ['has nothing readable', { status: 200, body: { nonsense: true } }, 'cannot be read'],
])('an invoice is shown although the platform %s, the charges', async (_what, fault, why) => {
  await house.standing.fault({ path: '/charges/-query', ...fault });

  const answer = await house.type('show 12');

  expect(wordsOf(answer)).toMatch(
    new RegExp(`No comparison with the charges of the same months: .*${why}`),
  );
  expect(rowsOf(answer).length).toBe(15);
});

test('an invoice is found by number as far back as there are any, and by its id', async () => {
  // The oldest is five years back now.
  await days(5 * 365);
  const oldest = numbered(1);

  const byNumber = await house.type('show #1');
  const byId = await house.type(`show ${oldest.id}`);

  expect(byNumber.text).toContain('*Invoice 1* · Sep–Oct 2025');
  expect(byId.blocks).toEqual(byNumber.blocks);
});

test('a number or an id that is not there says what is', async () => {
  await expect(house.type('show 99')).rejects.toThrow(
    'There is no invoice 99: they go from 1 to 12.',
  );
  await expect(house.type('show 0')).rejects.toThrow('There is no invoice 0');
  await expect(house.type('show 5c65e044-0000-0000-0000-000000000000')).rejects.toThrow(
    'There is no invoice with the id "5c65e044',
  );
});

test('what failed at the platform is its error, not a missing invoice', async () => {
  await house.standing.fault({ path: '/charges/invoices', status: 503 });

  await expect(house.type('show 12')).rejects.toThrow(PlatformError);
});

test('pending is what has accrued, by month; with surcharges only the current month, in full', async () => {
  // Early in December of the next year, with a month that is not billed yet, a surcharge and a credit.
  await house.standing.advance(
    (Date.parse('2027-03-01T06:00:00Z') - Date.parse('2026-10-15T12:00:00Z')) / 1000,
  );

  const plain = await house.type('pending');
  const full = await house.type('pending surcharges');

  expect(rowsOf(plain).map((row) => row.slice(0, 2))).toEqual([
    ['–', 'Mar 2027'],
    ['–', 'Feb 2027'],
  ]);
  expect(plain.text).toContain('accrued and not billed yet');
  expect(wordsOf(plain)).toContain('Without surcharges and credits');
  expect(rowsOf(full).map((row) => row[1])).toEqual(['Mar 2027']);
  const [accrued] = rowsOf(plain).map((row) => centsIn([row[2]!]));
  const surcharge = Math.round((accrued! * 3) / 100);
  expect(rowsOf(full)[0]?.[2]).toBe(dollars(accrued! + surcharge));
  expect(wordsOf(full)).toContain(`Surcharge \`Support surcharge, 3 %\`: ${dollars(surcharge)}`);
  expect(wordsOf(full)).toMatch(/Credit `.+`: -\$/);
});
