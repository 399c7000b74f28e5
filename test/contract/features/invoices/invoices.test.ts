import { beforeEach, expect, test } from 'vitest';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { proseOf, rowsOf, textOf, spoken } from '../../../support/answer.ts';
import { centsIn, dollars, startInvoices } from './harness.ts';

let harness: Awaited<ReturnType<typeof startInvoices>>;

beforeEach(async () => {
  harness = await startInvoices();
});

test('an invoice of the current month that came early is in the list', async () => {
  const { number } = await harness.standing.control<{ number: number }>('invoices/issue', {});

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
  expect(spoken(await harness.type('list 2010-01..2019-01'))).toMatch(
    /2019: see `\/invoices pending`/,
  );
  expect(nothing.shareable).toBeUndefined();
  const all = rowsOf(await harness.type('list last 36 months'));
  expect(all.length).toBe((await harness.written()).length);
});

test('a row of the list leads to its invoice', async () => {
  const list = await harness.type('list');

  expect(rowsOf(list)[0]?.at(-1)).toBe('[Details]');
  expect(spoken(await harness.step(list, '12'))).toContain(
    'Invoice 12 · September 2026\nAmount due',
  );
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

test('the pages of a list are of the same months, also in another month', async () => {
  const first = await harness.type('list');
  await harness.standing.advance(40 * 86_400);

  const again = await harness.turn(first, 1);

  expect(spoken(first)).toContain('November 2025 to October 2026');
  expect(spoken(again)).toContain('November 2025 to October 2026');
});

test('whether an invoice is paid is read anew before anyone pays', async () => {
  const fresh: unknown[] = [];
  const watched = await startInvoices({
    billing: () => ({
      ...harness.client,
      getInvoice: (id, options) => {
        fresh.push(options?.fresh);
        return harness.client.getInvoice(id, options);
      },
    }),
  });

  await watched.type('show 10');
  await watched.type('pay 10');

  expect(fresh).toEqual([false, true]);
});

test('a row of the list opens only with a role that may see invoices', async () => {
  const list = await harness.type('list');
  harness.person.roles = ['org_creator'];

  await expect(harness.step(list, '12')).rejects.toThrow('not for you');
});

test.each([
  ['list', 'billing'],
  ['show 1', 'billing'],
  ['pending', 'billing'],
  ['deliveries', 'billing_admin'],
])('"%s" is shared after a question, with members who have the role', async (text, needs) => {
  expect(await harness.type(text)).toMatchObject({
    shareable: { question: 'It shows billing data to everyone in this channel.' },
    needs,
  });
});
