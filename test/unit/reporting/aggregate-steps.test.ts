import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';
import { sumBySteps, type PlacedRow, type RowSum } from '../../../src/reporting/amounts.ts';
import { stepsOf } from '../../../src/reporting/range.ts';
import * as fc from '../../support/fast-check.ts';

const DAY = 86_400_000;
const OCTOBER = { startMs: Date.parse('2026-10-01'), endMs: Date.parse('2026-11-01') };
const WEEKS = stepsOf(OCTOBER, 'week');

interface Row {
  readonly value: BigNumber;
  readonly tags: Readonly<Record<string, string>>;
  readonly currency: string;
}

const SUM: RowSum<Row> = {
  keyOf: ({ currency }) => currency,
  plus: (one, other) => ({ ...one, value: one.value.plus(other.value) }),
  partOf: (row) => row,
};

/** Usage of one day of October, from 1. */
function onDay(
  day: number,
  value: string,
  { gvc = 'shop', currency = 'USD' } = {},
): PlacedRow<Row> {
  const startMs = OCTOBER.startMs + (day - 1) * DAY;
  const row = { value: new BigNumber(value), tags: { gvc }, currency };
  return { startMs, endMs: startMs + DAY, key: { gvc }, row };
}

function reported(rows: readonly PlacedRow<Row>[]): string[] {
  return rows.map(({ startMs, endMs, row }) =>
    [...[startMs, endMs].map(dayOf), row.tags['gvc'], row.value.toFixed(), row.currency].join(' '),
  );
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(5, 10);
}

describe('rows by larger steps', () => {
  it('are added up within a step, which the range may cut', () => {
    const rows = [onDay(1, '0.1'), onDay(4, '0.2'), onDay(5, '1'), onDay(31, '7')];

    expect(reported(sumBySteps(rows, WEEKS, SUM))).toEqual([
      '10-01 10-05 shop 0.3 USD',
      '10-05 10-12 shop 1 USD',
      '10-26 11-01 shop 7 USD',
    ]);
  });

  it('keep apart rows that differ in a tag, in their group or in their currency', () => {
    const other = { ...onDay(2, '4'), key: { gvc: 'shop', org: 'acme' } };
    const rows = [
      onDay(1, '1'),
      onDay(2, '2', { gvc: 'data' }),
      onDay(3, '3', { currency: 'EUR' }),
      other,
    ];

    expect(sumBySteps(rows, WEEKS, SUM)).toHaveLength(4);
  });

  it('take tags in any order for the same', () => {
    const tags = { gvc: 'shop', metric: 'cpu' };
    const turned = { metric: 'cpu', gvc: 'shop' };
    const rows = [tags, turned].map((one) => {
      const placed = onDay(1, '1');
      return { ...placed, row: { ...placed.row, tags: one } };
    });

    expect(reported(sumBySteps(rows, WEEKS, SUM))).toEqual(['10-01 10-05 shop 2 USD']);
  });

  it('leave a period that is in no step as it is', () => {
    const early = onDay(0, '1');
    const wide = { ...onDay(4, '2'), endMs: OCTOBER.startMs + 6 * DAY };

    expect(reported(sumBySteps([early, wide], WEEKS, SUM))).toEqual([
      '09-30 10-01 shop 1 USD',
      '10-04 10-07 shop 2 USD',
    ]);
  });

  it('are exactly the whole, each row in its step', () => {
    const amount = fc
      .tuple(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.integer({ min: 0, max: 15 }))
      .map(([digits, shift]) => new BigNumber(digits.toString()).shiftedBy(-shift).toFixed());
    const row = fc
      .tuple(fc.integer({ min: 1, max: 31 }), amount, fc.constantFrom('shop', 'data', ''))
      .map(([day, value, gvc]) => onDay(day, value, { gvc }));
    fc.assert(
      fc.property(fc.array(row, { maxLength: 60 }), (rows) => {
        const sums = sumBySteps(rows, WEEKS, SUM);

        expect(sumOf(sums)).toBe(sumOf(rows));
        for (const { startMs, endMs, key } of sums) {
          expect(WEEKS).toContainEqual({ startMs, endMs });
          const same = rows.filter((one) => one.startMs >= startMs && one.endMs <= endMs);
          const mine = sums.filter(
            (one) => one.startMs === startMs && one.key['gvc'] === key['gvc'],
          );
          expect(sumOf(mine)).toBe(sumOf(same.filter((one) => one.key['gvc'] === key['gvc'])));
          expect(mine).toHaveLength(1);
        }
      }),
      { numRuns: 200 },
    );
  });
});

function sumOf(rows: readonly PlacedRow<Row>[]): string {
  return rows.reduce((sum, { row }) => sum.plus(row.value), new BigNumber(0)).toFixed();
}
