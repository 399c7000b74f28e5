import { BigNumber } from 'bignumber.js';
import { describe, expect, test } from 'vitest';
import type { Change } from '../../../../src/changes/change.ts';
import {
  correctionContent,
  digestContent,
  type DigestFigures,
  type Standing,
} from '../../../../src/features/reports/digest-view.ts';
import { known } from '../../../../src/monitors/monitor.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import type { ChargeRow, Charges } from '../../../../src/platform/billing/charge-rows.ts';
import { DAY_MS } from '../../../../src/lib/time.ts';
import { sumOf, type Line } from '../../../../src/reporting/amounts.ts';
import type { MessageContent } from '../../../../src/notify/message.ts';
import { tooLong } from '../../../catalogue/heard.ts';
import * as fc from '../../../support/fast-check.ts';
import { line } from './support.ts';

const at = (moment: string) => Date.parse(moment);
/** The week of 28 September: its words are the longest. */
const WEEK = { startMs: at('2026-09-28T00:00Z'), endMs: at('2026-10-05T00:00Z') };
const BEFORE = { startMs: at('2026-09-21T00:00Z'), endMs: WEEK.startMs };
const MONTH = { startMs: at('2026-10-01T00:00Z'), endMs: at('2026-11-01T00:00Z') };
const NOW = at('2026-10-05T09:00Z');

/** Usage of these metrics, which no chargeable item is for. */
function unpriced(metrics: readonly string[], skipped: number): Charges {
  const rows = metrics.map((metric): ChargeRow => ({
    value: new BigNumber(1),
    tags: { metric, feature: 'volume-sets' },
    total: new BigNumber(0),
    projectedTotal: undefined,
    currency: undefined,
    ratePlans: [],
  }));
  const item = { id: 'c', name: 'cpu', description: '', unit: '', type: undefined };
  return {
    periods: [
      {
        ...WEEK,
        totalSeconds: 1,
        elapsedSeconds: 1,
        consumptionCount: rows.length,
        groups: [{ key: {}, rows }],
      },
    ],
    consumptionCount: rows.length,
    aggregateBy: [],
    skipped,
    mayBeTooLow: false,
    catalogue: { items: [{ ...item, consumptionTags: { metric: 'cpu' } }], skipped: 0 },
  };
}

function figuresOf(lines: readonly Line[], charges: Charges = unpriced([], 0)): DigestFigures {
  const span = { range: WEEK, before: BEFORE, total: sumOf(lines), lines, charges };
  const days = Array.from({ length: 14 }, (_, at) => ({
    startMs: WEEK.endMs - (14 - at) * DAY_MS,
    endMs: WEEK.endMs - (13 - at) * DAY_MS,
    value: at === 0 ? undefined : new BigNumber(at),
  }));
  return {
    span,
    movers: lines,
    monthToDate: { ...span, range: { ...MONTH, endMs: WEEK.endMs } },
    days,
  };
}

function standingOf(waiting: number, amount: string): Standing {
  const total = new BigNumber(amount);
  return {
    spend: {
      value: {
        total,
        projected: total.times(7),
        driver: undefined,
        others: [],
        skipped: 0,
        mayBeTooLow: false,
        month: MONTH,
      },
    },
    alert: {
      value: {
        amount: total.times(6),
        enabled: true,
        created: undefined,
        lastModified: undefined,
        lastTriggered: undefined,
        alertedTimes: undefined,
      },
    },
    waiting: Array.from({ length: waiting }, () => ({ requestedAt: NOW - 29_000_000 }) as Change),
  };
}

const say = (figures: DigestFigures, standing: Standing, corrected?: BigNumber) =>
  digestContent(figures, {
    currency: 'USD',
    now: NOW,
    schedule: WEEKLY,
    corrected,
    lasting: standing,
  });
const WEEKLY = { every: 'weekly', time: { hour: 9, minute: 0 }, zone: 'UTC' } as const;
const MOST = { lines: 12, characters: 900 };

/** The lines of the changes. */
function movesIn(blocks: MessageContent['blocks'] = []): string[] {
  const [first] = blocks;
  const text = first?.type === 'section' ? (first.text?.text ?? '') : '';
  return text.split('\n').filter((one) => one.startsWith('• '));
}

describe('the digest', () => {
  test.each([
    ['8.82', '0', 'October so far: $8.82, nothing in 1-4 September'],
    ['0', '8.82', 'October so far: $0.00, $8.82 in 1-4 September'],
    ['8.82', '8.82', 'October so far: $8.82, no change vs 1-4 September'],
  ])('has the month of %s beside %s before', (value, before, words) => {
    const figures = figuresOf([line(['acme', 'shop', 'api'], value, { before })]);
    const span = { startMs: at('2026-09-01T00:00Z'), endMs: at('2026-09-05T00:00Z') };
    const monthToDate = { ...figures.monthToDate, before: span };

    expect(say({ ...figures, monthToDate }, standingOf(0, '100')).text).toContain(words);
  });

  test('has no chart of days without charges', () => {
    const { blocks } = say({ ...figuresOf([]), days: [] }, standingOf(0, '100'));
    expect(JSON.stringify(blocks)).not.toContain('data_visualization');
  });

  test('stays short whatever the names and the amounts', () => {
    const name = fc.oneof(
      fc.string({ minLength: 1, maxLength: 64 }),
      fc.constantFrom('orders-reconciliation-worker-of-the-northern-european-warehouses-2'),
      fc.constantFrom('&'.repeat(30)),
    );
    const labels = fc.tuple(name, name, name);
    const cents = fc.integer({ min: -999_999_999, max: 999_999_999 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(labels, cents, cents), { maxLength: 12 }),
        fc.array(name, { maxLength: 8 }),
        fc.nat(3),
        fc.nat(20),
        fc.option(cents, { nil: undefined }),
        (costs, metrics, skipped, waiting, corrected) => {
          const lines = costs.map(([of, now, before]) =>
            line(of, String(now / 100), { before: String(before / 100) }),
          );
          const was = corrected === undefined ? undefined : new BigNumber(corrected).div(100);
          const figures = figuresOf(lines, unpriced(metrics, skipped));
          const { text, blocks } = say(figures, standingOf(waiting, '1234567.89'), was);

          expect(tooLong({ text, blocks }, MOST)).toBeUndefined();
          // People read it to see the changes.
          const least = figures.span.total.value.abs().div(100);
          const moved = lines.filter(({ value, before }) =>
            BigNumber.max(least, 0.01).lte(value.minus(before!).abs()),
          ).length;
          const named = movesIn(blocks).length;
          expect(named).toBeGreaterThanOrEqual(Math.min(moved, 2));
          const reply = correctionContent(figures, was ?? new BigNumber(0), 'USD');
          expect(tooLong(reply, MOST)).toBeUndefined();
        },
      ),
      { numRuns: 500, endOnFailure: true },
    );
  });

  test('names five changes by workload, the largest first whichever way, and none below 1 % of the span', () => {
    const cost = (workload: string, now: string, before: string, org = 'acme') =>
      line([org, workload === '' ? '' : 'shop', workload], now, { before });
    const lines = [
      cost('cart', '10', '9'),
      cost('web', '2', '7'),
      cost('api', '4', '0', 'globex'),
      cost('', '0', '3'),
      cost('search', '10.3', '10'),
      cost('same', '10', '10'),
      cost('far', '12', '10'),
      cost('late', '10.5', '10'),
    ];
    expect(movesIn(say(figuresOf(lines), standingOf(0, '100')).blocks)).toEqual([
      expect.stringMatching(/^• shop\/web \(acme\): .\$5\.00 \(/),
      expect.stringMatching(/^• shop\/api \(globex\): \+\$4\.00 \(new\)$/),
      expect.stringMatching(/^• without a workload \(acme\): .\$3\.00 \(gone\)$/),
      expect.stringMatching(/^• shop\/far \(acme\): \+\$2\.00 \(/),
      expect.stringMatching(/^• shop\/cart \(acme\): \+\$1\.00 \(/),
    ]);

    const still = [cost('same', '10', '10'), cost('search', '10.1', '10')];
    const { text, blocks } = say(figuresOf(still), standingOf(0, '100'));
    expect(text).toContain('No notable changes against the week before');
    expect(movesIn(blocks)).toEqual([]);
  });

  test('with everything that there can be to say it still names five changes', () => {
    const costs = [1, 2, 3, 4, 5].map((n) => line(['a', 'b', `c${n}`], `${n}`, { before: '0' }));
    const { text, blocks } = say(figuresOf(costs, unpriced(['gpu'], 1)), standingOf(2, '100'));
    expect(tooLong({ text, blocks }, MOST)).toBeUndefined();
    expect(movesIn(blocks)).toHaveLength(5);
  });

  test('of an alert that is off it says so, and of one that cannot be read, too', () => {
    const standing = standingOf(0, '100');
    const alert = known(standing.alert)!;
    const paceOf = (over: Standing['alert']) =>
      say(figuresOf([]), { ...standing, alert: over }).text.split('\n')[2];
    expect(paceOf({ value: { ...alert, enabled: false } })).toContain(' · no spend alert is on: ');
    expect(paceOf({ value: undefined })).toContain(' · no spend alert is on: ');
    for (const unread of [{ enabled: undefined }, { amount: undefined }]) {
      expect(paceOf({ value: { ...alert, ...unread } })).toBe(
        'Heading for about $700 by 31 October',
      );
    }
    expect(paceOf({ unread: new PlatformError('unavailable', 'no answer') })).toContain(
      '⚠ the spend alert cannot be read just now',
    );
  });
});
