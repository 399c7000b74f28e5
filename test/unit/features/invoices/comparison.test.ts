import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';

import { reconciliationReply } from '../../../../src/features/invoices/card-view.ts';
import { invoiceAnswer } from '../../../../src/features/invoices/invoice-view.ts';
import type { Comparison } from '../../../../src/features/invoices/reconcile.ts';
import { proseOf } from '../../../support/answer.ts';
import { invoice, shared } from './scenario.ts';

/** Of $100.00 charged and these parts, in cents: everything from the comparison on. */
const said = (changes: Parameters<typeof proseWith>[0]) =>
  /Charges of the same months[^"]*/.exec(proseWith(changes))?.[0] ?? '';

function proseWith(
  changes: Partial<Record<keyof Comparison, number | boolean>>,
  now = shared.now,
): string {
  const parts = {
    charged: 10_000,
    credits: 0,
    surcharges: 0,
    rest: 0,
    isRestSmall: true,
    invoiced: 10_000,
    isBeforeCredits: false,
    hasUnreadSurcharges: false,
    mayBeTooLow: false,
    ...changes,
  };
  const reconciliation = Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [
      name,
      typeof part === 'number' ? new BigNumber(part) : part,
    ]),
  ) as unknown as Comparison;
  return proseOf(invoiceAnswer({ invoice: invoice(), reconciliation, ...shared, now }));
}

describe('the difference to the charges of the same months', () => {
  it('has every part that there is, with its sign; a small rest is explained', () => {
    expect(said({ credits: -5_000, surcharges: 300, rest: -1, invoiced: 5_299 })).toBe(
      'Charges of the same months: $100.00; invoice: $52.99; difference −$47.01: credits −$50.00, surcharges (lines without an org) +$3.00, rounding or later revisions −$0.01',
    );
  });

  it('that is not small is unexplained: it has a mark and a next step, as in the posted message', () => {
    const off = { rest: 700, isRestSmall: false, invoiced: 10_700 };
    expect(proseWith(off)).toContain(
      ':large_orange_circle: *Unexplained difference of +$7.00* between invoice and charges\\nCharges of the same months: ',
    );
    expect(said(off)).toBe(
      'Charges of the same months: $100.00; invoice: $107.00; difference +$7.00: unexplained\\n→ Send the PDF and the CSV to the platform’s support',
    );
    expect(proseWith({})).toContain('*Reconciliation adds up*\\nCharges of the same months: ');
  });

  it('is provisional while usage can still be revised, and says until when', () => {
    const off = { rest: 700, isRestSmall: false, invoiced: 10_700 };
    expect(proseWith(off, invoice().endTime)).toContain(
      '*Unexplained difference of +$7.00* between invoice and charges (provisional until 3 November: look again then)',
    );
  });

  it('is not called final where the charges cannot be read', () => {
    const impossible = { impossible: 'the platform does not answer.' };
    const reply = reconciliationReply(invoice(), impossible, shared.money, { isFinal: true });
    expect(reply.text).toMatch(/Reconciliation not possible · Invoice 12\n/);
  });

  it.each([true, false])('can be a surcharge that cannot be read; small: %s', (isRestSmall) => {
    const rest = { rest: 300, invoiced: 10_300, isRestSmall };
    expect(said({ ...rest, hasUnreadSurcharges: true })).toBe(
      'Charges of the same months: $100.00; invoice: $103.00; difference +$3.00: perhaps unreadable surcharges\\n→ See it in the PDF',
    );
    expect(proseWith({ ...rest, hasUnreadSurcharges: true })).toContain(
      '*Difference of +$3.00* between invoice and charges, perhaps an unreadable surcharge',
    );
    expect(said({ ...rest, hasUnreadSurcharges: false })).not.toContain('readable');
  });

  it('is of the invoice before credits where one of them cannot be read', () => {
    expect(said({ isBeforeCredits: true })).toBe(
      'Charges of the same months: $100.00, exactly what is on the invoice before credits',
    );
    expect(said({ isBeforeCredits: true, rest: 1, invoiced: 10_001 })).toContain(
      '; invoice before credits: $100.01; difference +$0.01: rounding',
    );
  });

  it('may be there because the charges could not all be priced', () => {
    const low =
      '⚠ These charges may be too low, because the chargeable items could not be read: some usage may count as 0';

    const incomplete = { mayBeTooLow: true, rest: 900, isRestSmall: false, invoiced: 10_900 };
    expect(said(incomplete)).toContain(`difference +$9.00: perhaps incomplete charges\\n${low}`);
    expect(proseWith(incomplete)).toContain(':white_circle: *Reconciliation not certain*\\n');
    expect(proseWith(incomplete)).not.toMatch(/unexplained/i);
    expect(said({ mayBeTooLow: true })).toContain(`exactly what is on the invoice\\n${low}`);
    expect(said({})).not.toContain('too low');
  });
});
