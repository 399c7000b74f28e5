import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';
import type { ConsumptionResult } from '../../../src/platform/consumption/result.ts';
import {
  aggregateLines,
  measureKey,
  type Line,
  type LineRules,
} from '../../../src/reporting/amounts.ts';
import * as fc from '../../support/fast-check.ts';

interface Row {
  readonly total: string;
  readonly projected?: string | undefined;
  readonly currency: string;
}

/** One period: groups by org. */
type Period = Readonly<Record<string, readonly Row[]>>;

const DAY = 86_400_000;

function answer(...periods: readonly Period[]): ConsumptionResult<Row> {
  return {
    periods: periods.map((groups, index) => ({
      startMs: index * DAY,
      endMs: (index + 1) * DAY,
      totalSeconds: 86_400,
      elapsedSeconds: 86_400,
      consumptionCount: undefined,
      groups: Object.entries(groups).map(([org, rows]) => ({ key: { org }, rows })),
    })),
    consumptionCount: undefined,
    skipped: 0,
  };
}

const rules: LineRules<Row> = {
  labels: (key) => [key['org'] ?? ''],
  measure: ({ currency }) => ({ kind: 'money', currency }),
  value: ({ total }) => new BigNumber(total),
  projected: ({ projected }) => (projected === undefined ? undefined : new BigNumber(projected)),
};

const usd = (total: string, projected?: string): Row => ({ total, projected, currency: 'USD' });
const eur = (total: string): Row => ({ total, currency: 'EUR' });

const reported = (lines: readonly Line[]) =>
  lines.map(({ labels, measure, value, projected, before }) => [
    labels.join(),
    measureKey(measure),
    value.toFixed(),
    projected.toFixed(),
    before?.toFixed(),
  ]);

describe('rows of the platform, added up to lines', () => {
  it('adds rows with the same labels, largest first', () => {
    const lines = aggregateLines(
      [answer({ acme: [usd('1.1'), usd('2.2')], globex: [usd('10')] })],
      undefined,
      rules,
    );

    expect(reported(lines)).toEqual([
      ['globex', 'USD', '10', '10', undefined],
      ['acme', 'USD', '3.3', '3.3', undefined],
    ]);
  });

  it('never adds two currencies, and keeps the lines of each together', () => {
    const lines = aggregateLines(
      [answer({ acme: [usd('1'), eur('5')], globex: [eur('7'), usd('9')] })],
      undefined,
      rules,
    );

    expect(reported(lines).map(([org, currency]) => `${org} ${currency}`)).toEqual([
      'globex EUR',
      'acme EUR',
      'globex USD',
      'acme USD',
    ]);
  });

  it('puts the largest credit first, and a credit among charges where its size is', () => {
    const credits = answer({ acme: [usd('-1')], globex: [usd('-10')], initech: [usd('-3')] });
    const mixed = answer({ acme: [usd('-5')], globex: [usd('2')], initech: [usd('9')] });
    const orgs = (one: typeof credits) =>
      aggregateLines([one], undefined, rules).map(({ labels }) => labels.join());

    expect(orgs(credits)).toEqual(['globex', 'initech', 'acme']);
    expect(orgs(mixed)).toEqual(['initech', 'acme', 'globex']);
  });

  it('projects the values that the platform extrapolates, and takes the rest as it is', () => {
    const lines = aggregateLines([answer({ acme: [usd('1', '4'), usd('2')] })], undefined, rules);

    expect(reported(lines)).toEqual([['acme', 'USD', '3', '6', undefined]]);
  });

  it('keeps lines of the earlier span alone, and separates new from unknown', () => {
    const now = answer({ acme: [usd('1')] });
    const before = answer({ globex: [usd('8')] });

    expect(reported(aggregateLines([now], [before], rules))).toEqual([
      ['acme', 'USD', '1', '1', '0'],
      ['globex', 'USD', '0', '0', '8'],
    ]);
    expect(reported(aggregateLines([now], undefined, rules))).toEqual([
      ['acme', 'USD', '1', '1', undefined],
    ]);
  });

  it('adds finer periods to the asked steps, and leaves out a step without usage', () => {
    const periods = [{ acme: [usd('1')] }, { acme: [usd('2')] }, {}, {}, { acme: [usd('4')] }];
    const [line] = aggregateLines(
      [answer(...periods)],
      undefined,
      rules,
      (ms) => Math.floor(ms / (2 * DAY)) * 2 * DAY,
    );

    expect(
      [...(line?.steps ?? [])].map(([start, value]) => [start / DAY, value.toFixed()]),
    ).toEqual([
      [0, '3'],
      [4, '4'],
    ]);
  });

  it('loses and gains nothing: every sum of lines is the sum of the rows, exactly', () => {
    const amount = fc
      .tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 0, max: 24 }))
      .map(([digits, shift]) => new BigNumber(digits.toString()).shiftedBy(-shift).toFixed());
    const row = fc.record({
      total: amount,
      projected: fc.option(amount, { nil: undefined }),
      currency: fc.constantFrom('USD', 'EUR', 'JPY'),
    });
    const period = fc.dictionary(fc.constantFrom('a', 'b', 'c', ''), fc.array(row));
    const answers = fc.array(
      fc.array(period, { maxLength: 4 }).map((periods) => answer(...periods)),
      { maxLength: 3 },
    );
    fc.assert(
      fc.property(answers, answers, (now, before) => {
        const lines = aggregateLines(now, before, rules, (ms) => ms);
        for (const currency of ['USD', 'EUR', 'JPY']) {
          const own = lines.filter(({ measure }) => measureKey(measure) === currency);
          const rows = rowsIn(now, currency);

          expect(sum(own.map(({ value }) => value))).toBe(sum(rows.map(({ total }) => total)));
          expect(sum(own.map(({ projected }) => projected))).toBe(
            sum(rows.map(({ total, projected }) => projected ?? total)),
          );
          expect(sum(own.map((line) => line.before ?? 0))).toBe(
            sum(rowsIn(before, currency).map(({ total }) => total)),
          );
          expect(sum(own.flatMap(({ steps }) => [...steps.values()]))).toBe(
            sum(rows.map(({ total }) => total)),
          );
        }
      }),
      { numRuns: 300 },
    );
  });
});

function rowsIn(answers: readonly ConsumptionResult<Row>[], currency: string): Row[] {
  return answers
    .flatMap(({ periods }) => periods.flatMap(({ groups }) => groups.flatMap(({ rows }) => rows)))
    .filter((row) => row.currency === currency);
}

function sum(amounts: readonly BigNumber.Value[]): string {
  return amounts.reduce<BigNumber>((all, one) => all.plus(one), new BigNumber(0)).toFixed();
}
