import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../src/platform/billing/alert.ts';
import { alertState, spendOf, type Spend } from '../../../src/reporting/spend.ts';
import { alert, charges, NOVEMBER } from '../features/alert/scenario.ts';

/** Of November, in UTC. */
const at = (text: string) => Date.parse(`2026-11-${text}:00Z`);
const NOW = at('11T12:00');
const FIRED = at('05T06:20');
const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Charged so far, of which 500 are the amount. */
const spent = (total: number): Spend => spendOf(charges({ org: 'acme', total }), 'USD', NOVEMBER);
const FAR_BELOW = spent(200);
const FAR_ABOVE = spent(900);

interface Case extends Partial<Alert> {
  readonly spend?: Spend | undefined;
  readonly now?: number;
}

function kindOf({ now = NOW, ...given }: Case): string {
  const { spend = FAR_ABOVE, ...record } = given;
  const known = 'spend' in given ? given.spend : spend;
  return alertState(alert(record), known, now).kind;
}

/** Written so long after it fired. */
const written = (ms: number): Partial<Alert> => ({
  lastTriggered: FIRED,
  alertedTimes: 1,
  lastModified: FIRED + ms,
});
const HOURS_LATER = written(3 * 60 * MINUTE);

describe('the spend alert', () => {
  it.each<[what: string, Case, kind: string]>([
    ['whose switch is not reported', { enabled: undefined, ...HOURS_LATER }, 'not reported'],
    ['that is off', { enabled: false, ...HOURS_LATER }, 'off'],
    ['that has never fired', {}, 'armed'],
    ['that has never fired, and is reported to have fired 0 times', { alertedTimes: 0 }, 'armed'],
    ['that fired last month', { lastTriggered: at('01T00:00') - 1, alertedTimes: 1 }, 'armed'],
    [
      'that fired last month, and was changed in this one',
      { lastTriggered: at('01T00:00') - 1, lastModified: FIRED },
      'armed',
    ],
    ['that fired as the month began', { lastTriggered: at('01T00:00') }, 'fired'],
    [
      'that fired, and without the time of its change',
      { ...written(0), lastModified: undefined },
      'fired',
    ],
    ['that was changed before it fired', written(-MINUTE), 'fired'],
    ['that was stamped when it fired', written(0), 'fired'],
    ['that was stamped a millisecond after it fired', written(1), 'fired'],
    ['that was stamped 5 s after it fired', written(5 * SECOND), 'fired'],
    [
      'that was stamped when it fired, before its charges were revised downward',
      { ...written(SECOND), spend: spent(499) },
      'fired',
    ],
    [
      'that was stamped when it fired, whatever was spent',
      { ...written(SECOND), spend: undefined },
      'fired',
    ],
    [
      'that was stamped when it fired, a little below its amount by now',
      { ...written(SECOND), spend: spent(496) },
      'fired',
    ],
    [
      'whose amount was raised three seconds after it fired',
      { ...written(3 * SECOND), amount: new BigNumber(1_000), spend: spent(510) },
      'fired or armed again',
    ],
    [
      'that is far below its amount, and without the time of its change',
      { ...written(0), lastModified: undefined, spend: FAR_BELOW },
      'fired or armed again',
    ],
    [
      'that is far below its amount, and was not changed since it fired',
      { ...written(-1), spend: FAR_BELOW },
      'fired',
    ],
    [
      'that was stamped late, one cent below its amount',
      { ...written(6 * SECOND), spend: spent(499.99) },
      'fired or armed again',
    ],
    [
      'that is below its amount, and was reset, as its count says',
      { ...written(0), alertedTimes: 0, spend: FAR_BELOW },
      'armed again',
    ],
    [
      'that was reset, as its count says, and has been above its amount for days',
      { ...written(SECOND), alertedTimes: 0 },
      'fired or armed again',
    ],
    [
      'that was reset, as its count says, without the spend',
      { ...written(SECOND), alertedTimes: 0, spend: undefined },
      'fired or armed again',
    ],
    [
      'that has fired in some way, without a time',
      { hasFired: true, spend: FAR_BELOW },
      'fired at some time',
    ],
    ['that fires as the next month begins', { lastTriggered: NOVEMBER.endMs }, 'fired later'],
    ['that fires as this month ends', { lastTriggered: NOVEMBER.endMs - 1 }, 'fired'],
    [
      'that is below its amount, although it fired',
      { ...HOURS_LATER, spend: FAR_BELOW },
      'armed again',
    ],
    [
      'that is below its amount, just changed',
      { ...HOURS_LATER, spend: FAR_BELOW, now: FIRED + 181 * MINUTE },
      'armed again',
    ],
    ['that would have fired again since', HOURS_LATER, 'fired'],
    ['that was stamped a minute late, days ago', written(MINUTE), 'fired'],
    [
      'that was written a minute after it fired, just now',
      { ...written(MINUTE), now: FIRED + 2 * MINUTE },
      'fired or armed again',
    ],
    [
      'that was written before the check that is due',
      { ...written(MINUTE), now: FIRED + 16 * MINUTE },
      'fired or armed again',
    ],
    ['that the check has passed by', { ...written(MINUTE), now: FIRED + 17 * MINUTE }, 'fired'],
    [
      'whose amount was reached only now',
      { ...HOURS_LATER, spend: spent(500) },
      'fired or armed again',
    ],
    ['whose amount was reached a few hours ago', { ...HOURS_LATER, spend: spent(506.2) }, 'fired'],
    [
      'that was written, without the spend',
      { ...HOURS_LATER, spend: undefined },
      'fired or armed again',
    ],
    [
      'that was written, while its amount is not reported',
      { ...HOURS_LATER, amount: undefined },
      'fired or armed again',
    ],
    [
      'of an amount of 0, which every month has reached',
      { ...HOURS_LATER, amount: new BigNumber(0) },
      'fired',
    ],
    ['that has fired at some time', { alertedTimes: 2 }, 'fired at some time'],
    [
      'that has fired at some time, and is below its amount',
      { alertedTimes: 2, spend: FAR_BELOW },
      'fired at some time',
    ],
  ])('%s', (_what, given, kind) => {
    expect(kindOf(given)).toBe(kind);
  });

  it.each<[what: string, Partial<Spend>]>([
    ['some rows could not be read', { skipped: 1 }],
    ['some charges are in other currencies', { others: ['EUR'] }],
    ['the chargeable items could not be read', { mayBeTooLow: true }],
  ])('is not judged by the spend where %s', (_what, flaw) => {
    for (const spend of [FAR_BELOW, FAR_ABOVE]) {
      expect(kindOf({ ...HOURS_LATER, spend: { ...spend, ...flaw } })).toBe('fired or armed again');
    }
  });

  it('of which it does not show says both: when it fired, and when it was saved after that', () => {
    const both = { kind: 'fired or armed again', firedAt: FIRED };

    expect(alertState(alert(HOURS_LATER), undefined, NOW)).toEqual({
      ...both,
      savedAt: FIRED + 180 * MINUTE,
    });
    for (const lastModified of [FIRED, FIRED - MINUTE, undefined]) {
      const reset = alert({ lastTriggered: FIRED, lastModified, alertedTimes: 0 });
      expect(alertState(reset, undefined, NOW)).toEqual({ ...both, savedAt: undefined });
    }
  });

  it.each<[ms: number, near: string, farBelow: string]>([
    [5 * SECOND, 'fired', 'fired or armed again'],
    [5 * SECOND + 1, 'fired or armed again', 'armed again'],
  ])('that was saved %i ms after it fired is near its amount %s, and far below %s', (...given) => {
    const [ms, near, farBelow] = given;

    expect(kindOf({ ...written(ms), spend: spent(500) })).toBe(near);
    expect(kindOf({ ...written(ms), spend: FAR_BELOW })).toBe(farBelow);
  });

  // 252 whole hours of November have passed: 1 is charged in each, and 3 are the margin.
  it.each<[amount: number, kind: string]>([
    [248.99, 'fired'],
    [249, 'fired'],
    [249.01, 'fired or armed again'],
    [252, 'fired or armed again'],
    [254.99, 'fired or armed again'],
    [255, 'armed again'],
    [255.01, 'armed again'],
  ])('at %d USD, with 252 USD spent at 1 USD an hour, is %s', (amount, kind) => {
    const record = { ...HOURS_LATER, amount: new BigNumber(amount), spend: spent(252) };

    expect(kindOf({ ...record, now: at('11T12:59') })).toBe(kind);
  });

  it('of the first hours of a month is below its amount while at most half the amount is spent', () => {
    const fired = at('01T00:10');
    const record = { lastTriggered: fired, lastModified: fired + 10 * MINUTE, now: at('01T00:40') };

    expect(kindOf({ ...record, spend: spent(250) })).toBe('armed again');
    expect(kindOf({ ...record, spend: spent(251) })).toBe('fired or armed again');
    expect(kindOf({ ...record, spend: spent(900) })).toBe('fired or armed again');
  });

  it('is not judged by the spend of another month', () => {
    for (const total of [200, 900]) {
      const month = { startMs: Date.UTC(2026, 9, 1), endMs: NOVEMBER.startMs };
      const october = spendOf(charges({ org: 'acme', total }), 'USD', month);
      expect(kindOf({ ...HOURS_LATER, spend: october })).toBe('fired or armed again');
    }
  });
});
