import { beforeEach, describe, expect, test } from 'vitest';
import { proseOf, rowsOf } from '../../../support/answer.ts';
import { dollars, linesOf, startInvoices, type Written } from './harness.ts';

let harness: Awaited<ReturnType<typeof startInvoices>>;
let newest: Written;

beforeEach(async () => {
  harness = await startInvoices();
  [newest] = (await harness.written()) as [Written, ...Written[]];
});

/** From now on the platform says something else of the newest invoice, number 12, which is not paid. */
const says = (at: readonly (string | number)[], value?: unknown) =>
  harness.standing.control('invoices/patch', { id: newest.id, at, value });

const CHARGE = ['periods', 0, 'items', 0, 'charge'];

describe.each<[string, (string | number)[], unknown]>([
  ['a line without a charge', CHARGE, undefined],
  ['a line with a fraction of a cent', CHARGE, 95.5],
  ['a period without an amount', ['periods', 0, 'totalCharge'], undefined],
  ['a period with a fraction of a cent', ['periods', 0, 'totalCharge'], 1.25],
  ['no total', ['totalCharge'], undefined],
  ['a total with a fraction of a cent', ['totalCharge'], 629_931.5],
  ['a credit that cannot be read', ['credits'], [{ description: 'Goodwill', charge: -0.5 }]],
  ['periods that are no list', ['periods'], 'none'],
])('an invoice with %s', (_what, at, value) => {
  test('is in the list, is found by its number, and has its PDF and its payment page', async () => {
    await says(at, value);

    expect(rowsOf(await harness.type('')).map(([number]) => number)).toContain('12');
    expect((await harness.type('show 12')).text).toContain(
      '*Invoice 12* · … payment pending · September 2026',
    );
    expect((await harness.type('pdf 12')).text).toContain('invoice-12.pdf');
    expect(harness.sent[0]?.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    const pay = await harness.type('pay 12');
    expect(pay.text).toContain('*Invoice 12*');
    expect(pay.buttons?.map(({ text }) => text.text)).toEqual([
      expect.stringMatching(/^Open payment page(?: \((?:at most )?\$[\d,.]+\))?$/),
    ]);
  });
});

describe('what cannot be read', () => {
  test('of a line is said of this line, and missing in the sums', async () => {
    await says(CHARGE, 95.5);

    const answer = await harness.type('show 12');

    const sum = newest.totalCharge - linesOf(newest)[0]!.charge;
    expect(proseOf(answer)).toContain(`Amount due *${dollars(newest.totalCharge)}*, no credits`);
    expect(proseOf(answer)).toContain(`All lines: *${dollars(sum)}*`);
    expect(proseOf(answer)).toContain('⚠ The charge of 1 line is not readable');
    expect(rowsOf(answer).flat()).toContain('not readable');
  });

  test('of the total is not counted as due, and that is said', async () => {
    await says(['totalCharge'], 'much');

    const list = await harness.type('');
    const shown = await harness.type('show 12');

    expect(list.text).toContain(
      'for 2 (one partly paid, full amount counted); what is due of 1 cannot be read',
    );
    expect([2, 4].map((at) => rowsOf(list)[0]?.[at])).toEqual(['not readable', 'not readable']);
    expect(proseOf(shown)).toContain('*Amount due not known*: the total cannot be read');
    expect(proseOf(shown)).toContain(
      'No comparison with the charges of the same months: the total of the invoice cannot be read.',
    );
    expect((await harness.type('pay 12')).text).toContain(
      'what is due is not known, because an amount cannot be read',
    );
  });

  test('of a credit makes what is due uncertain', async () => {
    await says(['credits'], [{ description: 'Goodwill', charge: -0.5, org: '' }]);

    const most = dollars(newest.totalCharge);
    expect((await harness.type('pay 12')).text).toContain(`*at most ${most}* due`);
    expect(rowsOf(await harness.type(''))[0]?.[2]).toBe(`at most ${most}`);
    const words = proseOf(await harness.type('show 12'));
    expect(words).toContain(`Amount due at most *${most}*`);
    expect(words).toContain('Credit `Goodwill`: not readable');
    expect(words).toContain('exactly what is on the invoice before credits');
  });
});

test('a status that nobody knows is shown and not counted', async () => {
  const before = await harness.type('');
  await says(['status'], 'written-off');

  const after = await harness.type('');

  expect(before.text).toContain('3 open invoices');
  expect(after.text).toContain('2 open invoices');
  expect(after.text).toContain(
    '⚠ 1 invoice has a status that Purser does not know and is not counted',
  );
  expect(rowsOf(after)[0]?.slice(2, 4)).toEqual(['not known', 'written-off']);
  expect(proseOf(await harness.type('show 12'))).toContain(
    'whether it is due is not known, because Purser does not know its status',
  );
});

test('charges that may not all be priced are said to be too low, perhaps', async () => {
  await harness.standing.fault({ path: 'chargeable_items', status: 503 });

  expect(proseOf(await harness.type('show 12'))).toContain(
    '⚠ These charges may be too low, because the chargeable items could not be read',
  );
});
