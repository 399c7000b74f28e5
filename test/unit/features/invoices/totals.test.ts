import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';

import { invoiceAnswer } from '../../../../src/features/invoices/invoice-view.ts';
import type { Invoice } from '../../../../src/platform/billing/invoices.ts';
import * as fc from '../../../support/fast-check.ts';
import { proseOf } from '../../../support/answer.ts';
import { invoice, line, OCTOBER, period, shared } from './scenario.ts';

const NOVEMBER = { startTime: OCTOBER.endTime, endTime: Date.UTC(2026, 11, 1) };
const cents = (amount: number | undefined) =>
  amount === undefined ? undefined : new BigNumber(amount);
const lines = (...charges: (number | undefined)[]) =>
  charges.map((charge) => line({ charge: cents(charge) }));

/** The warnings about totals that are not the sums of their parts. */
function warnings(changes: Partial<Invoice>): string[] {
  const answer = invoiceAnswer({
    invoice: invoice(changes),
    reconciliation: { impossible: 'the platform does not answer.' },
    ...shared,
  });
  const said = proseOf(answer).matchAll(/⚠ [^"\\]* (?:add up to|names no lines of) [^"\\]*/g);
  return [...said].map(([text]) => text);
}

const month = (totalCharge: number | undefined, ...charges: (number | undefined)[]) =>
  period({ totalCharge: cents(totalCharge), items: lines(...charges) });
const next = (totalCharge: number | undefined, ...charges: (number | undefined)[]) => ({
  ...month(totalCharge, ...charges),
  ...NOVEMBER,
});

describe('an invoice that does not agree', () => {
  it('with its periods says both sums and the difference', () => {
    expect(warnings({ totalCharge: cents(100), periods: [month(60, 60), next(30, 30)] })).toEqual([
      '⚠ The periods add up to $0.90, but the total of the invoice is $1.00: difference +$0.10',
      '⚠ All lines together add up to $0.90, but the total of the invoice is $1.00: difference +$0.10',
    ]);
  });

  it('with the lines of a period says which period', () => {
    expect(
      warnings({ totalCharge: cents(90), periods: [month(60, 60), next(30, 20, 15)] }),
    ).toEqual([
      '⚠ The lines of November 2026 add up to $0.35, but the total of the period is $0.30: difference −$0.05',
      '⚠ All lines together add up to $0.95, but the total of the invoice is $0.90: difference −$0.05',
    ]);
  });

  it('with its lines alone says it once, where its one period says the same', () => {
    expect(warnings({ totalCharge: cents(100), periods: [month(100, 70, 20)] })).toEqual([
      '⚠ All lines together add up to $0.90, but the total of the invoice is $1.00: difference +$0.10',
    ]);
  });

  it('with its period, whose lines agree with the invoice, says both', () => {
    expect(warnings({ totalCharge: cents(100), periods: [month(90, 100)] })).toEqual([
      '⚠ The periods add up to $0.90, but the total of the invoice is $1.00: difference +$0.10',
      '⚠ The lines of October 2026 add up to $1.00, but the total of the period is $0.90: difference −$0.10',
    ]);
  });
});

it.each([
  [30, '$0.30'],
  [-30, '−$0.30'],
])(
  'a period without lines that comes to %s is named where the others have lines',
  (amount, words) => {
    const periods = [month(60, 60), next(amount)];
    expect(warnings({ totalCharge: cents(60 + amount), periods })).toEqual([
      `⚠ The platform names no lines of November 2026 (${words})`,
    ]);
  },
);

it.each<[string, Partial<Invoice>]>([
  ['that agrees', { totalCharge: cents(90), periods: [month(60, 60), next(30, 20, 10)] }],
  ['without periods', { totalCharge: cents(100), periods: [] }],
  ['without a total', { totalCharge: undefined, periods: [month(100, 60, 40)] }],
  [
    'without the total of a period',
    { totalCharge: cents(100), periods: [month(undefined), next(30)] },
  ],
  ['that names no lines', { totalCharge: cents(100), periods: [month(100)] }],
  ['that names none twice', { totalCharge: cents(90), periods: [month(60), next(30)] }],
  [
    'with a month without a total',
    { totalCharge: cents(60), periods: [month(60, 60), next(undefined)] },
  ],
  [
    'with a line that cannot be read',
    { totalCharge: cents(100), periods: [month(100, 60, undefined)] },
  ],
  ['of a month that costs nothing', { totalCharge: cents(60), periods: [month(60, 60), next(0)] }],
])('no warning for an invoice %s', (_what, changes) => {
  expect(warnings(changes)).toEqual([]);
});

describe('whatever an invoice says', () => {
  const amount = fc.option(fc.nat({ max: 300 }), { nil: undefined, freq: 10 });
  const months = fc.array(fc.tuple(amount, fc.array(amount, { maxLength: 3 })), { maxLength: 3 });

  it('a warning is there exactly where complete parts do not add up', () => {
    fc.assert(
      fc.property(amount, months, fc.boolean(), (total, drawn, isRight) => {
        const reported = drawn.map(([said, charges]) => {
          const sum = charges.reduce<number>((all, charge) => all + (charge ?? 0), 0);
          return { said: isRight && charges.length > 0 ? sum : said, charges, sum };
        });
        const sumOf = (numbers: (number | undefined)[]) =>
          numbers.includes(undefined) ? undefined : numbers.reduce((a, b) => a! + b!, 0);
        const isReported = (one: { said: number | undefined; charges: (number | undefined)[] }) =>
          one.charges.length > 0 ? !one.charges.includes(undefined) : one.said === 0;
        const ofPeriods = reported.length > 0 ? sumOf(reported.map(({ said }) => said)) : undefined;
        const isAllReported = reported.length > 0 && reported.every(isReported);
        const ofLines = isAllReported ? sumOf(reported.map(({ sum }) => sum)) : undefined;
        const differs = (one: number | undefined, other: number | undefined) =>
          one !== undefined && other !== undefined && one !== other;
        const odd = reported.filter((one) => isReported(one) && differs(one.sum, one.said));
        const isSaidOnce =
          reported.length === 1 && reported[0]!.said === total && total !== undefined;

        const said = warnings({
          totalCharge: cents(total),
          periods: reported.map((one) => month(one.said, ...one.charges)),
        });

        expect(said.filter((text) => text.includes('The periods'))).toHaveLength(
          Number(differs(ofPeriods, total)),
        );
        expect(said.filter((text) => text.includes('The lines of'))).toHaveLength(
          isSaidOnce ? 0 : odd.length,
        );
        const hasLines = reported.some(({ charges }) => charges.length > 0);
        const unreported = reported.filter(
          (one) => one.charges.length === 0 && (one.said ?? 0) !== 0,
        );
        expect(said.filter((text) => text.includes('names no lines of'))).toHaveLength(
          hasLines ? unreported.length : 0,
        );
        expect(said.filter((text) => text.includes('All lines'))).toHaveLength(
          Number(differs(ofLines, total)),
        );
      }),
      { numRuns: 1_000 },
    );
  });
});
