import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../src/platform/billing/alert.ts';
import { alertState, spendOf, type Spend } from '../../../src/reporting/spend.ts';
import * as fc from '../../support/fast-check.ts';
import { charges, NOVEMBER } from '../features/alert/scenario.ts';

/** Of November, in UTC. */
const at = (text: string) => Date.parse(`2026-11-${text}:00Z`);
const FIRED = at('05T06:20');
const MINUTE = 60_000;
const spent = (total: number): Spend => spendOf(charges({ org: 'acme', total }), 'USD', NOVEMBER);

/** From what a change did to what firing did. */
const ORDER = ['armed again', 'fired or armed again', 'fired'];
const times = fc.option(
  fc.oneof(
    fc.integer({ min: at('01T00:00') - 40 * 24 * 60 * MINUTE, max: at('30T00:00') }),
    fc.integer({ min: FIRED - MINUTE, max: FIRED + 20 * MINUTE }),
  ),
  { nil: undefined },
);
const alerts = fc
  .record({
    amount: fc.option(fc.nat(2000), { nil: undefined }),
    enabled: fc.constantFrom(true, true, true, false, undefined),
    created: times,
    lastModified: times,
    lastTriggered: times,
    alertedTimes: fc.constantFrom(undefined, 0, 1, 7),
  })
  .map(({ amount, ...rest }): Alert => {
    return { ...rest, amount: amount === undefined ? undefined : new BigNumber(amount) };
  });
const nows = fc.integer({ min: at('01T00:00'), max: at('30T23:59') });
const totals = fc.nat(2000);

describe('any spend alert', () => {
  it('looks the more like one that has fired the more was spent, and once reached, the longer ago it was written', () => {
    fc.assert(
      fc.property(
        alerts,
        totals,
        fc.nat(500),
        nows,
        fc.nat(MINUTE * 600),
        (record, total, more, now, ms) => {
          const place = (spend: number, moment: number) =>
            ORDER.indexOf(alertState(record, spent(spend), moment).kind);
          const first = place(total, now);

          expect(place(total + more, now)).toBeGreaterThanOrEqual(first);
          if (record.amount?.gt(total)) return;
          expect(place(total, Math.min(now + ms, at('30T23:59')))).toBeGreaterThanOrEqual(first);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is judged without the charges as it is with them, or not at all', () => {
    fc.assert(
      fc.property(alerts, totals, nows, (record, total, now) => {
        const blind = alertState(record, undefined, now).kind;
        // A stamp of seconds is trusted until the charges speak against it, and then it is both.
        const unlike = blind === 'fired' ? 1 : 0;
        const possible = ORDER.includes(blind) ? ORDER.slice(unlike) : [blind];

        expect(possible).toContain(alertState(record, spent(total), now).kind);
      }),
    );
  });
});
