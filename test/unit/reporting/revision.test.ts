import { expect, test } from 'vitest';
import { finalFrom, isProvisional } from '../../../src/reporting/range.ts';

test('a figure is provisional for 48 hours after its span, and 6 more', () => {
  const day = { endMs: Date.parse('2026-10-16T00:00:00Z') };
  const final = Date.parse('2026-10-18T06:00:00Z');

  expect(finalFrom(day)).toBe(final);
  expect([final - 1, final].map((now) => isProvisional(day, now))).toEqual([true, false]);
});
