import type { BigNumber } from 'bignumber.js';
import * as fc from '../../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { byMeasure, pageOf } from '../../../../src/features/consumption/pages.ts';
import { EUR, anyLines, line } from './support.ts';

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => line(`org-${index}`, String(1_000 - index)));

describe('the pages of an answer', () => {
  it('show fifteen lines, and the others as one', () => {
    const { windows, pages } = pageOf(byMeasure(many(40)), 2);
    const [window] = windows;

    expect(pages).toBe(3);
    expect(window?.shown.map(({ labels }) => labels[0])).toEqual(
      Array.from({ length: 15 }, (_, index) => `org-${index + 15}`),
    );
    expect(window?.others?.count).toBe(25);
  });

  it('show the largest of each currency on the first page', () => {
    const lines = [line('a', '2', { measure: EUR }), ...many(20)];
    const first = pageOf(byMeasure(lines), 1);
    const second = pageOf(byMeasure(lines), 2);

    expect(first.windows.map(({ shown }) => shown.length)).toEqual([1, 12]);
    expect(second.windows.map(({ shown }) => shown.length)).toEqual([8]);
  });

  it('show a last line itself instead of "1 other", on whatever page it is', () => {
    const sizes = (count: number, page: number) => {
      const { windows, pages } = pageOf(byMeasure(many(count)), page);
      return { pages, shown: windows[0]?.shown.length, others: windows[0]?.others?.count };
    };

    expect(sizes(16, 1)).toEqual({ pages: 1, shown: 16, others: undefined });
    expect(sizes(17, 1)).toEqual({ pages: 2, shown: 15, others: 2 });
    expect(sizes(31, 2)).toEqual({ pages: 2, shown: 16, others: 15 });
  });

  it('end for each currency where its lines do', () => {
    const some = (count: number, measure: typeof EUR) =>
      Array.from({ length: count }, (_, at) => line(`x-${at}`, '1', { measure }));
    const lines = ['AUD', 'CAD', 'CHF'].flatMap((currency, at) =>
      some([40, 11, 12][at]!, { kind: 'money', currency }),
    );

    const [first, second] = [1, 2].map((page) => pageOf(byMeasure(lines), page).windows);

    expect(first?.map(({ shown }) => shown.length)).toEqual([7, 7, 7]);
    expect(second?.map(({ shown }) => shown.length)).toEqual([7, 4, 5]);
  });

  it('a page beyond the last is the last', () => {
    expect(pageOf(byMeasure(many(17)), 99).page).toBe(2);
    expect(pageOf([], 1)).toEqual({ windows: [], page: 1, pages: 1 });
  });

  it('shown and others are the whole, exactly, and every line is on one page', () => {
    fc.assert(
      fc.property(anyLines(120), (lines) => {
        const groups = byMeasure(lines);
        const { pages } = pageOf(groups, 1);
        const seen: unknown[] = [];
        for (let page = 1; page <= pages; page += 1) {
          for (const { shown, others, total } of pageOf(groups, page).windows) {
            expect(others?.count).not.toBe(1);
            seen.push(...shown.map(({ labels }) => labels[0]));
            expect(sum([...shown, ...(others ? [others.sum] : [])], 'value')).toBe(
              total.value.toFixed(),
            );
            expect(sum([...shown, ...(others ? [others.sum] : [])], 'before')).toBe(
              total.before?.toFixed(),
            );
          }
        }

        expect(seen).toHaveLength(lines.length);
        expect(new Set(seen)).toEqual(new Set(lines.map(({ labels }) => labels[0])));
      }),
      { numRuns: 300 },
    );
  });
});

type Summed = { value: BigNumber; before: BigNumber | undefined };

function sum(parts: readonly Summed[], field: keyof Summed): string | undefined {
  const amounts = parts.flatMap((part) => part[field] ?? []);
  return amounts
    .slice(1)
    .reduce((all, one) => all.plus(one), amounts[0]!)
    ?.toFixed();
}
