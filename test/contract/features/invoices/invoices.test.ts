import { parse } from 'csv-parse/sync';
import { beforeEach, expect, test } from 'vitest';
import type { Answer } from '../../../../src/slack/routing/routes.ts';
import { proseOf, rowsOf, textOf } from '../../../support/answer.ts';
import { centsIn, dollars, dueOf, linesOf, startInvoices, type Written } from './harness.ts';

let harness: Awaited<ReturnType<typeof startInvoices>>;
let written: Written[];

beforeEach(async () => {
  harness = await startInvoices();
  written = await harness.written();
});

const numbered = (number: number): Written => written.find((one) => one.number === number)!;
/** The rows of an answer on all its pages. */
async function allRows(first: Answer): Promise<string[][]> {
  const rows = [];
  for (let page = first; ; page = await harness.press(page, 'Next')) {
    rows.push(...rowsOf(page));
    if (!JSON.stringify(page.controls).includes('"Next"')) return rows;
  }
}
const days = (count: number) => harness.standing.advance(count * 86_400);
const billedToday = async () =>
  harness.standing.control<{ id: string; number: number }>('invoices/issue', {});

test('the list has the invoices of 12 months with what is due on each, to the cent', async () => {
  const answer = await harness.type('');

  const months = written.filter(({ startTime }) => startTime >= '2025-11-01');
  expect(answer.text).toContain('November 2025 to October 2026');
  expect(
    rowsOf(answer).map(([number, _months, due, _status, total]) => [number, total, due]),
  ).toEqual(
    months.map((invoice) => [
      String(invoice.number),
      dollars(invoice.totalCharge),
      // The one that credits cover is paid, too.
      invoice.status === 'paid' ? '–' : dollars(dueOf(invoice)),
    ]),
  );
  expect(months).toHaveLength(written.length - 1);
  expect(written.some((invoice) => dueOf(invoice) === 0)).toBe(true);
});

test('all five statuses are told in words and with a sign, and what is open is added up', async () => {
  const answer = await harness.type('list last 13 months');

  const told = rowsOf(answer).map((row) => [...row.slice(0, 2), row[3], row[5]]);
  expect(told.slice(0, 4)).toEqual([
    ['12', 'September 2026', '… payment pending', 'acme, globex, initech'],
    ['11', 'August 2026', '✗ payment failed', 'acme, globex, initech'],
    ['10', 'July 2026', '◐ partly paid', 'acme, globex, initech'],
    ['9', 'June 2026', '✓ paid', 'acme, globex, initech'],
  ]);
  expect(told.at(-1)?.slice(1, 3)).toEqual(['September to October 2025', '⊗ partly failed']);
  const open = written.filter(({ status }) => status !== 'paid').map(dueOf);
  const sum = open.reduce((one, other) => one + other);
  expect(answer.text).toContain(
    `*4 open invoices, ${dollars(sum)}* (one partly paid, one partly failed, full amounts counted) · 12 invoices`,
  );
  expect(answer.shareable).toEqual({ question: expect.stringContaining('billing data') });
});

test('an invoice of the current month that came early is in the list', async () => {
  const { number } = await billedToday();

  const [first] = rowsOf(await harness.type('list'));

  expect(first?.slice(0, 2)).toEqual([
    String(number),
    '1 October 2026, 00:00 to 15 October 2026, 12:00 UTC',
  ]);
});

test('a range lists what overlaps it, and an empty one says what to try', async () => {
  const may = await harness.type('list 2026-05');
  const nothing = await harness.type('list 2019-01');

  expect(rowsOf(may).map(([number]) => number)).toEqual(['8']);
  expect(nothing.text).toMatch(
    /^No invoices from January 2019: try .*`\/invoices list last 36 months`/,
  );
  expect(nothing.shareable).toBeUndefined();
  expect(rowsOf(await harness.type('list last 36 months')).length).toBe(written.length);
});

test('a long list pages in place, and a choice from its menu shows that invoice', async () => {
  for (let day = 0; day < 8; day += 1) {
    await billedToday();
    await days(1);
  }
  const first = await harness.type('list');

  const second = await harness.press(first, 'Next');
  const back = await harness.press(second, 'Previous');
  const shown = await harness.choose(first, 'Show an invoice', numbered(12).id);

  expect(rowsOf(first).length).toBe(15);
  expect(rowsOf(first)[0]?.[0]).toBe('20');
  expect(proseOf(first)).toContain('Page 1 of 2');
  expect(rowsOf(second).map(([number]) => number)).toEqual(['5', '4', '3', '2']);
  expect(rowsOf(back)).toEqual(rowsOf(first));
  expect(shown?.text).toContain('*Invoice 12* · … payment pending · September 2026');
  const inPlace = (harness.feature.actions ?? []).filter((action) => action.inPlace);
  expect(inPlace.map(({ actionId }) => actionId)).toEqual(['invoices.previous', 'invoices.next']);
});

test('all lines of an invoice, over all its pages, are its total, below the sums of their items', async () => {
  const invoice = numbered(1);
  const page = await harness.type('show 1');
  const words = proseOf(page);
  const rows = await allRows(page);

  const isSum = (row: readonly string[]) => /, \d+ lines together$/.test(row[1] ?? '');
  const chargesOf = (some: string[][]) => some.map((row) => row[2]!);
  const ofLines = rows.filter((row) => !isSum(row));
  expect(ofLines.length).toBe(linesOf(invoice).length);
  expect(centsIn(chargesOf(ofLines))).toBe(invoice.totalCharge);
  expect(words).toContain(`All lines: *${dollars(invoice.totalCharge)}* = `);
  const cpu = linesOf(invoice).filter(({ description }) => description.startsWith('acme: cpu ('));
  const cents = cpu.reduce((sum, { charge }) => sum + charge, 0);
  const place = rows.findIndex(([org, item]) => org === 'acme' && item?.startsWith('cpu, '));
  expect(cpu.length).toBeGreaterThan(2);
  expect(rows[place]).toEqual([
    'acme',
    `cpu, ${cpu.length} lines together`,
    dollars(cents),
    '–',
    expect.stringMatching(/ core-hours$/),
    '–',
  ]);
  const tiers = rows.slice(place + 1, place + 1 + cpu.length);
  expect(chargesOf(tiers)).toEqual(cpu.map(({ charge }) => dollars(charge)));
  expect(new Set(tiers.map((row) => row[3]))).toEqual(new Set(['September 2025', 'October 2025']));
  expect(tiers.every((row) => /^\$[\d.]+ per core-hour$/.test(row[5]!))).toBe(true);
  expect(new Set(tiers.map((row) => row[5])).size).toBeGreaterThan(1);
  expect(words).toContain('Period September 2025: $5,535.83, ✓ paid');
  expect(words).toContain('Period October 2025: $5,755.48, ✗ payment failed');
});

test('the CSV button sends every line and credit of the invoice as a file', async () => {
  const invoice = numbered(8);

  const answer = await harness.press(await harness.type('show 8'), 'CSV');

  const [file] = harness.sent;
  expect(file).toMatchObject({ userId: 'U0ADA', filename: 'invoice-8.csv' });
  expect(answer?.text).toContain(
    'All lines and credits of *Invoice 8* are in your messages with Purser, as invoice-8.csv.',
  );
  const rows = parse<Record<string, string>>(file!.bytes.toString(), { columns: true });
  const charges = (kind: string) =>
    rows.filter((row) => row['kind'] === kind).map((row) => Number(row['charge in smallest unit']));
  expect(charges('line')).toEqual(linesOf(invoice).map(({ charge }) => charge));
  expect(charges('credit')).toEqual(invoice.credits?.map(({ charge }) => charge));
  expect(harness.asked.at(-1)).toBe('billing_admin billing_viewer');
});

test('without credits and surcharges an invoice is the charges of its months to the cent', async () => {
  const answer = await harness.type('show 12');

  expect(answer.text).toContain(' · … payment pending · September 2026');
  expect(proseOf(answer)).toContain(
    `Charges of the same months: ${dollars(numbered(12).totalCharge)}, exactly what is on the invoice`,
  );
});

test('credits are named, and are the whole difference to the charges', async () => {
  const { totalCharge } = numbered(8);

  const words = proseOf(await harness.type('show 8'));

  expect(words).toContain(
    `Paid *${dollars(totalCharge - 6234)}* = ${dollars(totalCharge)} before credits, credits -$62.34`,
  );
  expect(words).toContain('Credit `Goodwill credit`: -$12.34');
  expect(words).toContain(
    `Charges of the same months: ${dollars(totalCharge)}; invoice: ${dollars(totalCharge - 6234)}; difference -$62.34: credits`,
  );
});

test('a credit larger than the bill counts as far as it lowers it', async () => {
  const charged = dollars(numbered(6).totalCharge);

  const words = proseOf(await harness.type('show 6'));

  expect(words).toContain('Nothing to pay: credits cover it');
  expect(words).not.toMatch(/due/i);
  expect(words).toContain(`invoice: $0.00; difference -${charged}: credits`);
});

test('surcharges are lines without an org and part of the difference', async () => {
  await days(50);
  // The list of everything ends with the year.
  const invoice = (await harness.written())[0]!;
  const surcharge = linesOf(invoice).find(({ org }) => org === '')!.charge;

  const answer = await harness.type(`show ${invoice.number}`);

  expect(invoice.startTime).toContain('2026-11-01');
  expect(await allRows(answer)).toContainEqual([
    '(surcharge)',
    'Support surcharge, 3 %',
    dollars(surcharge),
    '–',
    '–',
  ]);
  expect(proseOf(answer)).toContain(` + (surcharges) ${dollars(surcharge)}`);
  expect(proseOf(answer)).toContain(
    `Charges of the same months: ${dollars(invoice.totalCharge - surcharge)}; invoice: ${dollars(invoice.totalCharge)}; difference +${dollars(surcharge)}: surcharges (lines without an org)`,
  );
});

test('an early invoice is compared with the charges of its hours', async () => {
  const { number } = await billedToday();
  const early = (await harness.written())[0]!;

  const words = proseOf(await harness.type(`show ${number}`));

  expect(words).toContain(
    `Charges of the same months: ${dollars(early.totalCharge)}, exactly what is on the invoice`,
  );
});

test.each([
  ['refuses them', { status: 401, body: { code: 401, error: 'unauthorized' } }, 'refuses Purser'],
  ['has nothing readable', { status: 200, body: { nonsense: true } }, 'cannot be read'],
])('an invoice is shown although the platform %s, the charges', async (_what, fault, why) => {
  await harness.standing.fault({ path: '/charges/-query', ...fault });

  const answer = await harness.type('show 12');

  expect(proseOf(answer)).toMatch(
    new RegExp(`No comparison with the charges of the same months: .*${why}`),
  );
  expect(rowsOf(answer).length).toBe(15);
});

test('an invoice is found by number as far back as there are any, and by its id', async () => {
  // The oldest is five years back now.
  await days(5 * 365);
  const oldest = numbered(1);

  const byNumber = await harness.type('show #1');
  const byId = await harness.type(`show ${oldest.id}`);

  expect(byNumber.text).toMatch(/^\*Invoice 1\* · [^·]+ · September to October 2025\n/);
  expect(byId.blocks).toEqual(byNumber.blocks);
});

test('pending is what has accrued, by month; with surcharges only the current month, in full', async () => {
  // Early in December of the next year, with a month that is not billed yet, a surcharge and a credit.
  await harness.standing.advance(
    (Date.parse('2027-03-01T06:00:00Z') - Date.parse('2026-10-15T12:00:00Z')) / 1000,
  );

  const plain = await harness.type('pending');
  const full = await harness.type('pending surcharges');

  expect(rowsOf(plain).map((row) => row.slice(0, 2))).toEqual([
    ['–', 'March 2027'],
    ['–', 'February 2027'],
  ]);
  expect(plain.text).toContain('accrued, not billed yet');
  expect(textOf(plain)).toContain('Without surcharges and credits');
  expect(proseOf(plain) + proseOf(full)).not.toContain('⚠');
  expect(rowsOf(full).map((row) => row[1])).toEqual(['March 2027']);
  const [accrued] = rowsOf(plain).map((row) => centsIn([row[2]!]));
  const surcharge = Math.round((accrued! * 3) / 100);
  expect(rowsOf(full)[0]?.[2]).toBe(dollars(accrued! + surcharge));
  expect(proseOf(full)).toContain(`Surcharge \`Support surcharge, 3 %\`: ${dollars(surcharge)}`);
  expect(proseOf(full)).toMatch(/Credit `.+`: -\$/);
});
