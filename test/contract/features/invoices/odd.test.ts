import { beforeEach, expect, test } from 'vitest';
import { proseOf, rowsOf, spoken } from '../../../support/answer.ts';
import { startInvoices, type Written } from './harness.ts';

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

test.each<[string, (string | number)[], unknown]>([
  ['a line without a charge', CHARGE, undefined],
  ['a line with a fraction of a cent', CHARGE, 95.5],
  ['a period without an amount', ['periods', 0, 'totalCharge'], undefined],
  ['a period with a fraction of a cent', ['periods', 0, 'totalCharge'], 1.25],
  ['no total', ['totalCharge'], undefined],
  ['a total with a fraction of a cent', ['totalCharge'], 629_931.5],
  ['a credit that cannot be read', ['credits'], [{ description: 'Goodwill', charge: -0.5 }]],
  ['periods that are no list', ['periods'], 'none'],
])(
  'an invoice with %s is in the list, is found by its number, and has its PDF and its payment page',
  async (_what, at, value) => {
    await says(at, value);

    expect(rowsOf(await harness.type('')).map(([number]) => number)).toContain('12');
    expect(spoken(await harness.type('show 12'))).toContain('Invoice 12 · September 2026\n');
    expect(spoken(await harness.type('pdf 12'))).toContain('invoice-12.pdf');
    expect(harness.sent[0]?.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    const pay = await harness.type('pay 12');
    expect(spoken(pay)).toContain('Invoice 12');
    expect(pay.buttons?.map(({ text }) => text.text)).toEqual([
      expect.stringMatching(/^(?:Open payment page|Receipt)$/),
    ]);
  },
);

test('warns that charges may be too low when the chargeable items cannot be read', async () => {
  await harness.standing.fault({ path: 'chargeable_items', status: 503 });

  expect(proseOf(await harness.type('show 12'))).toContain(
    '⚠ These charges may be too low, because the chargeable items could not be read',
  );
});
