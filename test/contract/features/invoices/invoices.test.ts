import { beforeEach, expect, test } from 'vitest';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { proseOf, rowsOf, textOf, spoken } from '../../../support/answer.ts';
import { centsIn, dollars, dueOf, linesOf, startInvoices, type Written } from './harness.ts';

let harness: Awaited<ReturnType<typeof startInvoices>>;
let written: Written[];

beforeEach(async () => {
  harness = await startInvoices();
  written = await harness.written();
});

const numbered = (number: number): Written => written.find((one) => one.number === number)!;
const days = (count: number) => harness.standing.advance(count * 86_400);
const billedToday = async () =>
  harness.standing.control<{ id: string; number: number }>('invoices/issue', {});

test('the list has the invoices of 12 months with the amount due of each, to the cent', async () => {
  const answer = await harness.type('');

  const months = written.filter(({ startTime }) => startTime >= '2025-11-01');
  expect(spoken(answer)).toContain('November 2025 to October 2026');
  expect(
    rowsOf(answer).map(([number, _status, due, _months, total]) => [number, total, due]),
  ).toEqual(
    months.map((invoice) => [
      String(invoice.number),
      dollars(invoice.totalCharge),
      // The one that credits cover is paid, too.
      invoice.status === 'paid'
        ? '–'
        : `${invoice.status.startsWith('partially') ? 'at most ' : ''}${dollars(dueOf(invoice))}`,
    ]),
  );
  expect(months).toHaveLength(written.length - 1);
  expect(written.some((invoice) => dueOf(invoice) === 0)).toBe(true);
});

test('an invoice of the current month that came early is in the list', async () => {
  const { number } = await billedToday();

  const [first] = rowsOf(await harness.type('list'));

  expect([first?.[0], first?.[3]]).toEqual([
    String(number),
    '1 October 2026, 00:00 to 15 October 2026, 12:00 UTC',
  ]);
});

test('a range lists the overlapping invoices, and an empty one names a next step', async () => {
  const may = await harness.type('list 2026-05');
  const nothing = await harness.type('list 2019-01');

  expect(rowsOf(may).map(([number]) => number)).toEqual(['8']);
  expect(spoken(nothing)).toMatch(
    /^No invoices from January 2019: try .*`\/invoices list last 36 months`/,
  );
  expect(nothing.shareable).toBeUndefined();
  expect(rowsOf(await harness.type('list last 36 months')).length).toBe(written.length);
});

test('a row of the list leads to its invoice', async () => {
  const list = await harness.type('list');

  expect(rowsOf(list)[0]?.at(-1)).toBe('[Details]');
  expect(spoken(await harness.step(list, '12'))).toContain(
    'Invoice 12 · September 2026\nAmount due',
  );
});

test('surcharges are lines without an org and part of the difference', async () => {
  await days(50);
  // The list of everything ends with the year.
  const invoice = (await harness.written())[0]!;
  const surcharge = linesOf(invoice).find(({ org }) => org === '')!.charge;

  const answer = await harness.type(`show ${invoice.number}`);

  expect(invoice.startTime).toContain('2026-11-01');
  expect(rowsOf(answer)).toContainEqual([
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

test.each([
  ['refuses them', { status: 401, body: { code: 401, error: 'unauthorized' } }, 'refuses Purser'],
  ['has nothing readable', { status: 200, body: { nonsense: true } }, 'cannot be read'],
])('an invoice is shown although the platform %s, the charges', async (_what, fault, why) => {
  await harness.standing.fault({ path: '/charges/-query', ...fault });

  const answer = await harness.type('show 12');

  expect(proseOf(answer)).toMatch(
    new RegExp(`No comparison with the charges of the same months: .*${why}`),
  );
  expect(rowsOf(answer).length).toBeGreaterThan(linesOf(numbered(12)).length);
});

test('an invoice is found by number as far back as there are any, and by its id', async () => {
  // The oldest is five years back now.
  await days(5 * 365);
  const oldest = numbered(1);

  const byNumber = await harness.type('show #1');
  const byId = await harness.type(`show ${oldest.id}`);

  expect(spoken(byNumber)).toMatch(/^Invoice 1 · September to October 2025\n/);
  expect(byId.blocks).toEqual(byNumber.blocks);
});

test('a failure of the platform is shown as its error, not as a missing invoice', async () => {
  await harness.standing.fault({ path: '/charges/invoices', status: 503 });

  await expect(harness.type('show 12')).rejects.toThrow(PlatformError);
});

test('pending lists the accrued charges, by month; with surcharges only the current month, in full', async () => {
  // Early in December of the next year, with a month that is not billed yet, a surcharge and a credit.
  await harness.standing.advance(
    (Date.parse('2027-03-01T06:00:00Z') - Date.parse('2026-10-15T12:00:00Z')) / 1000,
  );

  const plain = await harness.type('pending');
  const full = await harness.type('pending surcharges');

  expect(rowsOf(plain).map((row) => row.slice(0, 2))).toEqual([
    ['March 2027', '–'],
    ['February 2027', '–'],
  ]);
  expect(spoken(plain)).toContain('accrued, not billed yet');
  expect(textOf(plain)).toContain('Without surcharges and credits');
  expect(proseOf(plain) + proseOf(full)).not.toContain('⚠');
  expect(rowsOf(full).map(([months]) => months)).toEqual(['March 2027']);
  const [accrued] = rowsOf(plain).map((row) => centsIn([row[2]!]));
  const surcharge = Math.round((accrued! * 3) / 100);
  expect(rowsOf(full)[0]?.[2]).toBe(dollars(accrued! + surcharge));
  expect(proseOf(full)).toContain(`Surcharge \`Support surcharge, 3 %\`: ${dollars(surcharge)}`);
  expect(proseOf(full)).toMatch(/Credit `.+`: −\$/);
});
