import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';

import type { AlertNotice } from '../../../../src/features/alert/compare.ts';
import {
  alertNoticeContent,
  type AlertNoticeView,
} from '../../../../src/features/alert/notice-view.ts';
import type { Alert } from '../../../../src/platform/billing/alert.ts';
import { spendOf } from '../../../../src/reporting/spend.ts';
import { alert, charges, NOVEMBER, NOW } from './scenario.ts';

const HOUR = 3_600_000;
const OCTOBER = { startMs: Date.UTC(2026, 9, 1), endMs: Date.UTC(2026, 10, 1) };

const spent = (total: number, projected?: number) =>
  spendOf(charges({ org: 'acme', total, ...(projected && { projected }) }), 'USD', NOVEMBER);

const noticeOf = (kind: AlertNotice['kind'], was?: number, isPast = false): AlertNotice => ({
  kind,
  key: `2026-11/${kind}`,
  covers: [],
  isPast,
  was: was === undefined ? undefined : { amount: new BigNumber(was), enabled: true },
});

const view: AlertNoticeView = {
  notice: noticeOf('step'),
  alert: alert(),
  spend: spent(305, 643.2),
  ended: undefined,
  driver: {
    line: {
      labels: ['acme', 'shop', 'api'],
      measure: { kind: 'money', currency: 'USD' },
      value: new BigNumber(138),
      before: new BigNumber(100),
      projected: new BigNumber(138),
      steps: new Map(),
    },
    versus: '1-10 October',
    isOneOfSeveral: true,
  },
  currency: 'USD',
  now: NOW,
};
const changed = (was: number | undefined) => noticeOf('changed', was);
const reported = (changes: Partial<AlertNoticeView> = {}): string[] =>
  alertNoticeContent({ ...view, ...changes }).text.split('\n');

describe('a step of the spend alert', () => {
  it('is reported with the share, the projected day, and the main driver', () => {
    expect(reported()).toEqual([
      '🟠 61% of the $500 alert used; on course for 129%',
      'This month so far: $305.00; projected: about $643 by 30 November, over the alert on 24 November',
      'Main driver: shop/api (acme), +$38.00 (+38%) vs 1-10 October',
      'Next: Press By workload to see what grew, or Alert to change the amount',
    ]);
  });

  it('is rounded down: 100% is reached', () => {
    expect(reported({ spend: spent(499.99) })[0]).toContain('99% of the $500 alert used');
    expect(reported({ spend: spent(500) })[0]).toContain(
      'Spend alert reached: $500.00 of $500 (100%)',
    );
    expect(reported({ spend: spent(755) })[0]).toContain('151%');
  });

  it('names no driver where none is known', () => {
    expect(reported({ driver: undefined }).join('\n')).not.toContain('driver');
  });

  it('has the ✅ sign while the projection stays below the amount', () => {
    const [head, outlook] = reported({ spend: spent(255, 480) });
    expect(head).toBe('✅ 51% of the $500 alert used; on course for 96%');
    expect(outlook).toContain('; projected: about $480 by 30 November');
  });

  it('says that there may be more, where charges are left out', () => {
    const inOther = { org: 'globex', total: 5, currency: 'EUR' };
    const spend = spendOf(charges({ org: 'acme', total: 255 }, inOther), 'USD', NOVEMBER);
    expect(reported({ spend }).join('\n')).toContain('EUR');
    expect(reported({ spend: { ...spend, projected: new BigNumber(643) } })[0]).toBe(
      '🟠 At least 51% of the $500 alert used; on course for 129%',
    );
  });
});

it('that the alert fired is reported without the charges, too', () => {
  const [head = '', ...others] = reported({
    notice: noticeOf('fired', 500),
    alert: alert({ lastTriggered: NOW }),
    spend: undefined,
    driver: undefined,
  });
  expect(head).toMatch(
    /Spend alert fired at \$500: all billing admins were e-mailed \(<!date.*\)$/,
  );
  expect(others.join('\n')).not.toMatch(/\$|projected|undefined|NaN/);
});

describe('that the alert fired, read later,', () => {
  const FIRED = Date.UTC(2026, 9, 31, 23, 58);
  const of = (was: number, now: Partial<Alert>, isPast = false) =>
    reported({ notice: noticeOf('fired', was, isPast), alert: alert(now), ended: october }).join(
      '\n',
    );
  const october = spendOf(charges({ org: 'acme', total: 5_010 }), 'USD', OCTOBER);
  const amount = (value: number) => ({ amount: new BigNumber(value) });
  const justNow = { lastTriggered: NOW - HOUR, alertedTimes: 1 };

  it('has the amount and the month of then, and says that the new month armed it', () => {
    const text = of(5_000, { ...amount(5_000), lastTriggered: FIRED }, true);

    expect(text).toContain('Spend alert fired at $5,000: all billing admins were e-mailed (<!date');
    expect(text).toContain(
      'October 2026: $5,010.00\nIt fired on 31 October; a new month has begun, so it is armed again',
    );
    expect(text).not.toMatch(/This month so far|quiet|once more/);
  });

  it('says that it was set to another amount since, and does not call that one reached', () => {
    const text = of(300, { ...justNow, ...amount(8_000), lastModified: NOW - HOUR / 2 });

    expect(text).toContain('Spend alert fired at $300: ');
    expect(text).toContain('Since then it was set to $8,000, so it can fire once more this month');
    expect(text).not.toContain('quiet');
  });

  it('has the present amount where that was saved before it fired', () => {
    const text = of(5_000, { ...justNow, ...amount(300), lastModified: NOW - 2 * HOUR });

    expect(text).toContain('Spend alert fired at $300: ');
    expect(text).toContain('The alert stays quiet until 1 December unless it is changed');
  });

  it('has the amount of before where the present one is not reached, though saved at once', () => {
    const text = of(300, { ...justNow, ...amount(8_000), lastModified: NOW - HOUR + 3_000 });
    expect(text).toContain('Spend alert fired at $300: ');
  });

  it('says that it was saved as it was, or switched off', () => {
    const saved = { ...justNow, lastModified: NOW - HOUR / 2 };

    expect(of(500, saved)).toContain('Since then it was saved again, so it can fire once more');
    const notice = noticeOf('fired', 500);
    expect(reported({ notice, alert: alert(saved), spend: spent(505) })).toContain(
      'Since then it was saved again, so it fires at its next check',
    );
    expect(of(500, { ...saved, enabled: false })).toContain('Since then it was switched off');
    expect(of(500, { ...saved, enabled: false })).not.toContain('quiet');
  });
});

describe('a step of the month before', () => {
  it.each([
    [1_830, 'good', '91% of the $2,000 alert used in October 2026: $1,830.00'],
    [2_010, 'wrong', 'Spend alert reached in October 2026: $2,010.00 of $2,000 (100%)'],
  ])('of which $%d were spent has that month in its words', (total, _sign, words) => {
    const ended = spendOf(charges({ org: 'acme', total }), 'USD', OCTOBER);
    const [head, next] = reported({ notice: noticeOf('step', 2_000, true), ended });

    expect(head).toContain(words);
    expect(next).toBe('A new month has begun, so the alert starts again from 0');
  });
});

it('the notification has subject, figure and state within its first 100 characters', () => {
  const reached = alertNoticeContent({ ...view, spend: spent(505) }).text.slice(0, 100);
  expect(alertNoticeContent(view).text.slice(0, 100)).toContain(
    '61% of the $500 alert used; on course',
  );
  expect(reached).toContain('Spend alert reached: $505.00 of $500');
});

it('a workload has the name of its org only where there are several', () => {
  const driver = view.driver && { ...view.driver, isOneOfSeveral: false };
  expect(reported({ driver })[2]).toBe('Main driver: shop/api, +$38.00 (+38%) vs 1-10 October');
});

describe('a change of the spend alert', () => {
  it.each([
    ['another amount', changed(400), alert(), 'changed', '$400 → $500'],
    ['off', changed(500), alert({ enabled: false }), 'switched off', '$500'],
    ['a new one', changed(undefined), alert(), 'set', '$500, on'],
    ['deleted', changed(400), undefined, 'deleted', 'it was at $400'],
  ])('names the change, and the amount before: %s', (_, notice, now, done, words) => {
    const [head] = reported({ notice, alert: now });
    expect(head).toContain(`Spend alert ${done} outside of Purser: `);
    expect(head).toContain(words);
  });

  it.each([
    [alert({ amount: undefined }), 'the amount of the spend alert (it was $500)'],
    [alert({ enabled: undefined }), 'whether the spend alert is on (it was on)'],
  ])('is not claimed where a setting is no longer reported', (now, words) => {
    const lines = reported({ notice: changed(500), alert: now });

    expect(lines[0]).toContain(`The platform no longer reports ${words}`);
    expect(lines.at(-1)).toBe('Next: Check it with Alert');
  });

  it('has no outlook of an alert that is off, or gone', () => {
    const off = reported({ notice: changed(500), alert: alert({ enabled: false }) });
    const gone = reported({ notice: changed(500), alert: undefined });

    for (const lines of [off, gone]) {
      expect(lines.join('\n')).toContain('This month so far: $305.00');
      expect(lines.join('\n')).not.toContain('projected');
    }
    expect(gone.join('\n')).not.toContain('%');
  });
});

it('every notice says why it came and can be stopped', () => {
  const kinds = ['step', 'fired', 'armed'] as const;
  const notices = [...kinds.map((kind) => noticeOf(kind)), changed(400)];
  for (const notice of notices) {
    const blocks = JSON.stringify(alertNoticeContent({ ...view, notice }).blocks);
    expect(blocks).toContain('"action_id":"notices.stop"');
    expect(blocks).toContain('Sent ');
    expect(blocks).not.toContain('PACE_STEPS');
  }
});
