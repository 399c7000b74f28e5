import { describe, expect, it } from 'vitest';
import { TIME_STEPS } from '../../../src/platform/consumption/query.ts';
import { RANGE_WORDS } from '../../../src/reporting/range-words.ts';
import {
  countSteps,
  isAligned,
  monthsAndRest,
  naturalStep,
  resolveRange,
  spanBefore,
  stepsOf,
  stepStart,
  type Range,
} from '../../../src/reporting/range.ts';
import * as fc from '../../support/fast-check.ts';

const hourMs = 3_600_000;
const firstMs = Date.UTC(2001, 0);

const anyMoment = fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2060, 0) });
const anyStep = fc.constantFrom(...TIME_STEPS);
const anyRange: fc.Arbitrary<Range> = fc
  .record({
    startHour: fc.nat(24 * 366 * 50),
    hours: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 9_000 })),
  })
  .map(({ startHour, hours }) => {
    const startMs = firstMs + startHour * hourMs;
    return { startMs, endMs: startMs + hours * hourMs };
  });
/** The n-th day from a first one, "2026-10-05". */
const anyDay = fc
  .nat(36_000)
  .map((day) => new Date(Date.UTC(2000, 0, 1 + day)).toISOString().slice(0, 10));

const anyWords = fc.oneof(
  fc.constantFrom<string>(...RANGE_WORDS),
  fc
    .record({ count: fc.integer({ min: 1, max: 120 }), unit: anyStep })
    .map(({ count, unit }) => `last ${count} ${unit}s`),
  anyDay,
  fc.tuple(anyDay, anyDay).map((days) => days.toSorted().join('..')),
);

describe('any range in words', () => {
  it('is a span on whole hours that ends after it starts', () => {
    fc.assert(
      fc.property(anyWords, anyMoment, (words, nowMs) => {
        const { startMs, endMs } = resolveRange(words, nowMs);
        expect(endMs).toBeGreaterThan(startMs);
        expect([startMs % hourMs, endMs % hourMs]).toEqual([0, 0]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('last N units are N whole units up to the current one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 120 }), anyStep, anyMoment, (count, unit, nowMs) => {
        const range = resolveRange(`last ${count} ${unit}s`, nowMs);
        expect(range.endMs).toBe(stepStart(nowMs, unit));
        expect(isAligned(range, unit)).toBe(true);
        expect(countSteps(range, unit)).toBe(count);
      }),
      { numRuns: 1_000 },
    );
  });

  it('this unit holds the moment, and last unit ends where it starts', () => {
    fc.assert(
      fc.property(fc.constantFrom('week', 'month', 'year'), anyMoment, (unit, nowMs) => {
        const current = resolveRange(`this ${unit}`, nowMs);
        expect(current.startMs).toBeLessThanOrEqual(nowMs);
        expect(current.endMs).toBeGreaterThan(nowMs);
        expect(resolveRange(`last ${unit}`, nowMs).endMs).toBe(current.startMs);
        expect(resolveRange(`last ${unit}`, nowMs)).toEqual(
          resolveRange(`this ${unit}`, current.startMs - 1),
        );
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('any span', () => {
  it('is compared with one that is as long, or as long as its elapsed part', () => {
    fc.assert(
      fc.property(anyRange, fc.double({ min: -0.5, max: 1.5, noNaN: true }), (range, part) => {
        const length = range.endMs - range.startMs;
        const nowMs = Math.round(range.startMs + part * length);
        const elapsed = Math.min(nowMs - range.startMs, length);
        const wholeHours = elapsed - (elapsed % hourMs);

        const before = spanBefore(range, 'last 1 hours', nowMs);
        expect(before?.startMs).toBe(wholeHours > 0 ? range.startMs - length : undefined);
        expect(before && before.endMs - before.startMs).toBe(
          wholeHours > 0 ? wholeHours : undefined,
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it('of whole months is compared with the months before, to the same day and hour', () => {
    const months = fc.record({ first: fc.nat(600), count: fc.integer({ min: 1, max: 14 }) });
    fc.assert(
      fc.property(
        months,
        fc.double({ min: 0, max: 1.2, noNaN: true }),
        ({ first, count }, part) => {
          const [startMs, endMs] = [Date.UTC(2001, first), Date.UTC(2001, first + count)];
          const nowMs = Math.round(startMs + part * (endMs - startMs));
          const before = spanBefore({ startMs, endMs }, 'this month', nowMs);
          const hasBegun = nowMs >= startMs + hourMs;
          const elapsed = new Date(nowMs - (nowMs % hourMs));
          const end = new Date(before?.endMs ?? 0);
          const isSame =
            end.getUTCDate() === elapsed.getUTCDate() &&
            end.getUTCHours() === elapsed.getUTCHours();
          const isClipped = end.getUTCDate() === 1 && end.getUTCHours() === 0;

          expect(before?.startMs).toBe(hasBegun ? Date.UTC(2001, first - count) : undefined);
          expect(nowMs < endMs || end.getTime() === startMs).toBe(true);
          expect(nowMs >= endMs || !hasBegun || isSame || isClipped).toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('is asked for in parts that cover it exactly', () => {
    fc.assert(
      fc.property(anyRange, (range) => {
        const parts = monthsAndRest(range);
        expect(parts.at(0)?.startMs).toBe(range.startMs);
        expect(parts.at(-1)?.endMs).toBe(range.endMs);
        expect(parts.slice(1).map((one) => one.startMs)).toEqual(
          parts.slice(0, -1).map((one) => one.endMs),
        );
        expect(parts.slice(0, -1).every((part) => isAligned(part, 'month'))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is covered by its steps without a gap and without an overlap', () => {
    fc.assert(
      fc.property(anyRange, anyStep, (range, step) => {
        const steps = stepsOf(range, step);
        expect(steps).toHaveLength(countSteps(range, step));
        expect(steps.at(0)?.startMs).toBe(range.startMs);
        expect(steps.at(-1)?.endMs).toBe(range.endMs);
        expect(steps.slice(1).map((one) => one.startMs)).toEqual(
          steps.slice(0, -1).map((one) => one.endMs),
        );
        // No step reaches over a boundary, and each has some time.
        expect(steps.every((one) => one.startMs < one.endMs)).toBe(true);
        expect(
          steps.every((one) => stepStart(one.startMs, step) === stepStart(one.endMs - 1, step)),
        ).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('has a natural step that keeps its ends, and no larger one does', () => {
    fc.assert(
      fc.property(anyWords, anyMoment, (words, nowMs) => {
        const range = resolveRange(words, nowMs);
        const step = naturalStep(range);
        expect(isAligned(range, step)).toBe(true);
        const larger = TIME_STEPS.slice(TIME_STEPS.indexOf(step) + 1);
        expect(larger.filter((other) => isAligned(range, other))).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });
});
