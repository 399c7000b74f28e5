import { BigNumber } from 'bignumber.js';
import { describe, expect, test } from 'vitest';
import type { Change } from '../../../../src/changes/change.ts';
import {
  correctionContent,
  digestContent,
  type DigestFigures,
  type Standing,
} from '../../../../src/features/reports/digest.ts';
import type { ChargeRow, Charges } from '../../../../src/platform/billing/charge-rows.ts';
import { sumOf, type Line } from '../../../../src/reporting/amounts.ts';
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
  const days = Array.from({ length: 31 }, () => new BigNumber(1));
  return { span, monthToDate: { ...span, range: { ...MONTH, endMs: WEEK.endMs } }, days };
}

function standingOf(waiting: number, amount: string): Standing {
  const total = new BigNumber(amount);
  return {
    spend: {
      total,
      projected: total.times(7),
      driver: undefined,
      others: [],
      skipped: 0,
      mayBeTooLow: false,
      month: MONTH,
    },
    alert: {
      amount: total.times(6),
      enabled: true,
      created: undefined,
      lastModified: undefined,
      lastTriggered: undefined,
      alertedTimes: undefined,
    },
    waiting: Array.from({ length: waiting }, () => ({ requestedAt: NOW - 29_000_000 }) as Change),
  };
}

const say = (figures: DigestFigures, standing: Standing, corrected?: BigNumber) =>
  digestContent(figures, { currency: 'USD', now: NOW, corrected, lasting: standing });
const MOST = { lines: 12, characters: 900 };

describe('the digest', () => {
  test('stays short whatever the names and the amounts', () => {
    const name = fc.oneof(
      fc.string({ minLength: 1, maxLength: 64 }),
      fc.constantFrom('orders-reconciliation-worker-of-the-northern-european-warehouses-2'),
      fc.constantFrom('&'.repeat(30)),
    );
    const labels = fc.tuple(name, name, name, name);
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
          // What moved is what it is read for.
          const moved = lines.filter(({ value, before }) => !value.eq(before!)).length;
          const named = text.split('\n').filter((one) => one.startsWith('• ')).length;
          expect(named).toBeGreaterThanOrEqual(Math.min(moved, 2));
          const reply = correctionContent(figures, was ?? new BigNumber(0), 'USD');
          expect(tooLong(reply, MOST)).toBeUndefined();
        },
      ),
      { numRuns: 500, endOnFailure: true },
    );
  });

  test('names five changes with their metric, the largest first whichever way, and none below a cent', () => {
    const cost = (workload: string, metric: string, now: string, before: string) =>
      line(['acme', 'shop', workload, metric], now, { before });
    const figures = figuresOf([
      cost('cart', 'cpu', '10', '9'),
      cost('web', 'memory', '2', '7'),
      cost('api', 'egress', '4', '0'),
      cost('', '', '0', '3'),
      cost('search', 'cpu', '10.004', '10'),
      cost('same', 'cpu', '10', '10'),
      cost('far', 'cpu', '12', '10'),
      cost('late', 'cpu', '10.5', '10'),
    ]);
    const { text } = say(figures, standingOf(0, '100'));
    expect(text.split('\n').filter((one) => one.startsWith('•'))).toEqual([
      '• acme / shop / web · memory: −$5.00 (−71%)',
      '• acme / shop / api · egress: +$4.00 (new)',
      '• acme / shop · no metric: −$3.00 (gone)',
      '• acme / shop / far · cpu: +$2.00 (+20%)',
      '• acme / shop / cart · cpu: +$1.00 (+11%)',
    ]);

    const still = [cost('same', 'cpu', '10', '10'), cost('search', 'cpu', '10.004', '10')];
    expect(say(figuresOf(still), standingOf(0, '100')).text).not.toContain('Largest changes');
  });

  test('with everything that there can be to say it still names five changes', () => {
    const costs = [1, 2, 3, 4, 5].map((n) =>
      line(['a', 'b', `c${n}`, 'cpu'], `${n}`, { before: '0' }),
    );
    const { text, blocks } = say(figuresOf(costs, unpriced(['gpu'], 1)), standingOf(2, '100'));
    expect(tooLong({ text, blocks }, MOST)).toBeUndefined();
    expect(text.split('\n').filter((one) => one.startsWith('• '))).toHaveLength(5);
  });

  test('of an alert that is off it says so, and of one that cannot be read nothing', () => {
    const standing = standingOf(0, '100');
    const alert = { ...(standing.alert as object) } as Exclude<Standing['alert'], 'not said'>;
    const paceOf = (over: Standing['alert']) =>
      say(figuresOf([]), { ...standing, alert: over }).text.split('\n')[2];
    expect(paceOf({ ...alert!, enabled: false })).toContain(' · no spend alert is on: ');
    expect(paceOf(undefined)).toContain(' · no spend alert is on: ');
    for (const unread of [{ enabled: undefined }, { amount: undefined }]) {
      expect(paceOf({ ...alert!, ...unread })).toBe('Projection: about $700 by 31 October');
    }
  });
});
