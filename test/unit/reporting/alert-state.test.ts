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

/** Saved so long after it fired. */
const saved = (ms: number): Partial<Alert> => ({
  lastTriggered: FIRED,
  alertedTimes: 1,
  lastModified: FIRED + ms,
});
const LATER = saved(3 * 60 * MINUTE);
const UNTIMED = { ...saved(0), lastModified: undefined };
const BOTH = 'fired or armed again';
const dollars = (amount: number) => ({ amount: new BigNumber(amount) });
const MONTH = at('01T00:00');

describe('the spend alert', () => {
  it.each<[what: string, Case, kind: string]>([
    ['whose switch is not reported', { enabled: undefined, ...LATER }, 'not reported'],
    ['that is off', { enabled: false, ...LATER }, 'off'],
    ['that has never fired', {}, 'armed'],
    ['that has fired 0 times', { alertedTimes: 0 }, 'armed'],
    ['that fired last month', { lastTriggered: MONTH - 1, alertedTimes: 1 }, 'armed'],
    ['of last month, changed in this', { lastTriggered: MONTH - 1, lastModified: FIRED }, 'armed'],
    ['that fired as the month began', { lastTriggered: MONTH }, 'fired'],
    ['that fires as the next month begins', { lastTriggered: NOVEMBER.endMs }, 'fired later'],
    ['that fires as this month ends', { lastTriggered: NOVEMBER.endMs - 1 }, 'fired'],
    ['that has fired at some time', { alertedTimes: 2 }, 'fired at some time'],
    ['the same, far below', { alertedTimes: 2, spend: FAR_BELOW }, 'fired at some time'],
    ['that has fired in some way', { hasFired: true, spend: FAR_BELOW }, 'fired at some time'],
    // Saved by its firing, up to 5 s later.
    ['without the time of its change', UNTIMED, 'fired'],
    ['far below, without that time', { ...UNTIMED, spend: FAR_BELOW }, BOTH],
    ['that was changed before it fired', saved(-MINUTE), 'fired'],
    ['the same, far below', { ...saved(-1), spend: FAR_BELOW }, 'fired'],
    ['that was stamped when it fired', saved(0), 'fired'],
    ['that was stamped a millisecond later', saved(1), 'fired'],
    ['that was stamped 5 s later', saved(5 * SECOND), 'fired'],
    ['stamped, and a little below since', { ...saved(SECOND), spend: spent(496) }, 'fired'],
    ['stamped, whatever was spent', { ...saved(SECOND), spend: undefined }, 'fired'],
    ['raised 3 s later', { ...saved(3_000), ...dollars(1_000), spend: spent(510) }, BOTH],
    // Saved later, by its firing or by a change.
    ['stamped late, a cent below', { ...saved(6 * SECOND), spend: spent(499.99) }, BOTH],
    ['below its amount', { ...LATER, spend: FAR_BELOW }, 'armed again'],
    ['just now', { ...LATER, spend: FAR_BELOW, now: FIRED + 181 * MINUTE }, 'armed again'],
    ['that would have fired again since', LATER, 'fired'],
    ['that was stamped a minute late, days ago', saved(MINUTE), 'fired'],
    ['the same, just now', { ...saved(MINUTE), now: FIRED + 2 * MINUTE }, BOTH],
    ['before the check that is due', { ...saved(MINUTE), now: FIRED + 16 * MINUTE }, BOTH],
    ['that the check has passed by', { ...saved(MINUTE), now: FIRED + 17 * MINUTE }, 'fired'],
    ['whose amount was reached only now', { ...LATER, spend: spent(500) }, BOTH],
    ['whose amount was reached hours ago', { ...LATER, spend: spent(506.2) }, 'fired'],
    ['without the spend', { ...LATER, spend: undefined }, BOTH],
    ['whose amount is not reported', { ...LATER, amount: undefined }, BOTH],
    ['of 0, which every month has reached', { ...LATER, ...dollars(0) }, 'fired'],
    // Reset, as its count says.
    ['reset, far below', { ...saved(0), alertedTimes: 0, spend: FAR_BELOW }, 'armed again'],
    ['reset, far above', { ...saved(SECOND), alertedTimes: 0 }, BOTH],
    ['reset, without the spend', { ...saved(SECOND), alertedTimes: 0, spend: undefined }, BOTH],
  ])('%s', (_what, given, kind) => {
    expect(kindOf(given)).toBe(kind);
  });

  it.each<[what: string, Partial<Spend>]>([
    ['some rows could not be read', { skipped: 1 }],
    ['some charges are in other currencies', { others: ['EUR'] }],
    ['the chargeable items could not be read', { mayBeTooLow: true }],
  ])('is not judged by the spend where %s', (_what, flaw) => {
    for (const spend of [FAR_BELOW, FAR_ABOVE]) {
      expect(kindOf({ ...LATER, spend: { ...spend, ...flaw } })).toBe(BOTH);
    }
  });

  it('of which it does not show says both: when it fired, and when it was saved after that', () => {
    const both = { kind: BOTH, firedAt: FIRED };

    expect(alertState(alert(LATER), undefined, NOW)).toEqual({
      ...both,
      savedAt: FIRED + 180 * MINUTE,
    });
    for (const lastModified of [FIRED, FIRED - MINUTE, undefined]) {
      const reset = alert({ lastTriggered: FIRED, lastModified, alertedTimes: 0 });
      expect(alertState(reset, undefined, NOW)).toEqual({ ...both, savedAt: undefined });
    }
  });

  it.each<[ms: number, near: string, farBelow: string]>([
    [5 * SECOND, 'fired', BOTH],
    [5 * SECOND + 1, BOTH, 'armed again'],
  ])('that was saved %i ms after it fired is near its amount %s, and far below %s', (...given) => {
    const [ms, near, farBelow] = given;

    expect(kindOf({ ...saved(ms), spend: spent(500) })).toBe(near);
    expect(kindOf({ ...saved(ms), spend: FAR_BELOW })).toBe(farBelow);
  });

  // 252 whole hours of November have passed: 1 is charged in each, and 3 are the margin.
  it.each<[amount: number, kind: string]>([
    [248.99, 'fired'],
    [249, 'fired'],
    [249.01, BOTH],
    [252, BOTH],
    [254.99, BOTH],
    [255, 'armed again'],
    [255.01, 'armed again'],
  ])('at %d USD, with 252 USD spent at 1 USD an hour, is %s', (amount, kind) => {
    const record = { ...LATER, amount: new BigNumber(amount), spend: spent(252) };

    expect(kindOf({ ...record, now: at('11T12:59') })).toBe(kind);
  });

  it('of the first hours of a month is below its amount while at most half the amount is spent', () => {
    const fired = at('01T00:10');
    const record = { lastTriggered: fired, lastModified: fired + 10 * MINUTE, now: at('01T00:40') };

    expect(kindOf({ ...record, spend: spent(250) })).toBe('armed again');
    expect(kindOf({ ...record, spend: spent(251) })).toBe(BOTH);
    expect(kindOf({ ...record, spend: spent(900) })).toBe(BOTH);
  });

  it('is not judged by the spend of another month', () => {
    for (const total of [200, 900]) {
      const month = { startMs: Date.UTC(2026, 9, 1), endMs: NOVEMBER.startMs };
      const october = spendOf(charges({ org: 'acme', total }), 'USD', month);
      expect(kindOf({ ...LATER, spend: october })).toBe(BOTH);
    }
  });
});
