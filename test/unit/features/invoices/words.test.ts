import { describe, expect, it } from 'vitest';
import { monthsInWords, monthStart } from '../../../../src/features/invoices/sheet.ts';
import * as fc from '../../../support/fast-check.ts';

describe('a span in words', () => {
  it.each([
    ['2026-10-01T00:00Z', '2026-11-01T00:00Z', 'October 2026'],
    ['2026-10-01T00:00Z', '2026-12-01T00:00Z', 'October to November 2026'],
    ['2026-12-01T00:00Z', '2027-02-01T00:00Z', 'December 2026 to January 2027'],
    ['2026-10-05T00:00Z', '2026-11-01T00:00Z', '5-31 October 2026'],
    ['2026-10-05T00:00Z', '2026-10-06T00:00Z', '5 October 2026'],
    ['2026-10-05T00:00Z', '2026-11-03T00:00Z', '5 October to 2 November 2026'],
    ['2026-10-05T00:00Z', '2026-10-05T12:00Z', '5 October 2026, 00:00-12:00 UTC'],
  ])('%s to %s is %s', (start, end, words) => {
    expect(monthsInWords(Date.parse(start), Date.parse(end))).toBe(words);
  });

  it('that is not reported, or cannot be one, is a dash', () => {
    expect(monthsInWords(undefined, 5)).toBe('–');
    expect(monthsInWords(5, undefined)).toBe('–');
    expect(monthsInWords(5, 5)).toBe('–');
  });

  it('is one line for every span', () => {
    const time = fc.integer({ min: 0, max: Date.UTC(2100, 0) });
    fc.assert(
      fc.property(time, time, (start, end) => {
        expect(monthsInWords(start, end)).toMatch(/^(?:–|[\w ,:-]+)$/);
      }),
    );
  });
});

it('months are counted over the ends of years', () => {
  const now = Date.UTC(2026, 10, 20, 15);

  expect(monthStart(now, 0)).toBe(Date.UTC(2026, 10));
  expect(monthStart(now, 2)).toBe(Date.UTC(2027, 0));
  expect(monthStart(now, -12)).toBe(Date.UTC(2025, 10));
});
