import { BigNumber } from 'bignumber.js';
import { expect, it } from 'vitest';
import { alertNoticeContent } from '../../../../src/features/alert/notice-view.ts';
import type { Alert } from '../../../../src/platform/billing/alert.ts';
import { spendOf } from '../../../../src/reporting/spend.ts';
import { alert, charges, NOVEMBER, NOW } from './scenario.ts';

// The words of every notice are in the catalogue.

const HOUR = 3_600_000;
const amount = (value: number) => ({ amount: new BigNumber(value) });

/** Of an alert that was at `was` on the last check, and fired an hour ago. */
const firedText = (was: number, now: Partial<Alert>, total = 305) =>
  alertNoticeContent({
    notice: {
      kind: 'fired',
      key: '',
      covers: [],
      isPast: false,
      was: { ...amount(was), enabled: true },
    },
    alert: alert({ lastTriggered: NOW - HOUR, alertedTimes: 1, ...now }),
    spend: spendOf(charges({ org: 'acme', total }), 'USD', NOVEMBER),
    ended: undefined,
    driver: undefined,
    currency: 'USD',
    now: NOW,
  }).text;

it.each<[string, number, Partial<Alert>, now: string]>([
  [
    'is the present one if that was saved before it fired',
    5_000,
    { ...amount(300), lastModified: NOW - 2 * HOUR },
    'The alert stays quiet until 1 December unless it is changed',
  ],
  [
    'is the former one if the present one is not reached, though saved at once',
    300,
    { ...amount(8_000), lastModified: NOW - HOUR + 3_000 },
    'Since then it was set to $8,000, so it can fire once more',
  ],
  [
    'is the former one if it was raised since',
    300,
    { ...amount(8_000), lastModified: NOW - HOUR / 2 },
    'Since then it was set to $8,000, so it can fire once more',
  ],
])('the amount at which an alert fired %s', (_what, was, now, then) => {
  expect(firedText(was, now)).toContain('Spend alert fired at $300: ');
  expect(firedText(was, now)).toContain(then);
});

it('an alert that was saved again fires at its next check if its amount is reached', () => {
  const saved = { lastModified: NOW - HOUR / 2 };
  expect(firedText(500, saved, 505)).toContain('it fires at its next check');
});
