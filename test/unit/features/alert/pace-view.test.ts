import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';

import { alertNoticeContent, type AlertNoticeView } from '../../../../src/features/alert/pace.ts';
import { spendOf } from '../../../../src/reporting/spend.ts';
import { alert, charges, NOVEMBER, NOW } from './scenario.ts';

const spent = (total: number, projected?: number) =>
  spendOf(charges({ org: 'acme', total, ...(projected && { projected }) }), 'USD', NOVEMBER);

const view: AlertNoticeView = {
  notice: { kind: 'step', key: '2026-11/50', covers: [] },
  alert: alert(),
  spend: spent(305, 643.2),
  driver: {
    labels: ['acme', 'shop', 'api'],
    measure: { kind: 'money', currency: 'USD' },
    value: new BigNumber(138),
    before: new BigNumber(100),
    projected: new BigNumber(138),
    steps: new Map(),
  },
  versus: '1-10 October',
  currency: 'USD',
  now: NOW,
};
const changed = (was: number | undefined) =>
  ({
    kind: 'changed',
    key: '2026-11/changed',
    covers: [],
    was: was === undefined ? undefined : { amount: new BigNumber(was), enabled: true },
  }) as const;
const told = (changes: Partial<AlertNoticeView> = {}): string[] =>
  alertNoticeContent({ ...view, ...changes }).text.split('\n');

describe('a step of the spend alert', () => {
  it('is told with how far, when it is reached, and what grew', () => {
    expect(told()).toEqual([
      ':large_orange_circle: *61% of the spend alert* on 11 November: *$305.00 of $500.00*',
      'At this pace you reach it on 24 November: about $643 by 30 November',
      'Main driver: workload api (+38%), +$38.00 in acme / shop vs 1-10 October',
      '→ See what grew, or ask for another amount: `/alert set`',
    ]);
  });

  it('is rounded down: 100% is reached', () => {
    expect(told({ spend: spent(499.99) })[0]).toContain('*99% of the spend alert*');
    expect(told({ spend: spent(500) })[0]).toContain('*Spend alert reached*');
    expect(told({ spend: spent(755) })[0]).toContain('151%');
  });

  it('names no driver where none is known', () => {
    expect(told({ driver: undefined, versus: '' }).join('\n')).not.toContain('driver');
  });

  it('that will not be followed by the amount has the sign of it', () => {
    const [head, outlook] = told({ spend: spent(255, 480) });
    expect(head).toContain(':white_check_mark: *51% of the spend alert*');
    expect(outlook).toBe('At this pace you do not reach it this month: about $480 by 30 November');
  });

  it('says that there may be more, where charges are left out', () => {
    const inOther = { org: 'globex', total: 5, currency: 'EUR' };
    const spend = spendOf(charges({ org: 'acme', total: 255 }, inOther), 'USD', NOVEMBER);
    expect(told({ spend }).join('\n')).toContain('EUR');
  });
});

it('that the alert fired is told without the charges, too', () => {
  const [head = '', ...others] = told({
    notice: { kind: 'fired', key: '2026-11/fired', covers: [] },
    alert: alert({ lastTriggered: NOW }),
    spend: undefined,
    driver: undefined,
  });
  expect(head).toMatch(/\*Spend alert fired\* at \$500.00 \(<!date.*\): every billing_admin was/);
  expect(others.join('\n')).not.toMatch(/\$|pace|undefined|NaN/);
});

describe('a change of the spend alert', () => {
  it.each([
    ['another amount', changed(400), alert(), 'changed', '$400.00 → *$500.00*'],
    ['off', changed(500), alert({ enabled: false }), 'switched off', '*$500.00*'],
    ['a new one', changed(undefined), alert(), 'set', '*$500.00*, on'],
    ['deleted', changed(400), undefined, 'deleted', 'it was at $400.00'],
  ])('says what was done, and what it was: %s', (_, notice, now, done, words) => {
    const [head] = told({ notice, alert: now });
    expect(head).toContain(`*Spend alert ${done}* outside of Purser: `);
    expect(head).toContain(words);
  });

  it('has no outlook of an alert that is off, or gone', () => {
    const off = told({ notice: changed(500), alert: alert({ enabled: false }) });
    const gone = told({ notice: changed(500), alert: undefined });

    for (const lines of [off, gone]) {
      expect(lines.join('\n')).toContain('This month so far: *$305.00*');
      expect(lines.join('\n')).not.toContain('pace');
    }
    expect(gone.join('\n')).not.toContain(' %');
  });
});

it('every notice says why it came and can be stopped', () => {
  const kinds = ['step', 'fired', 'armed'] as const;
  const notices = [...kinds.map((kind) => ({ kind, key: kind, covers: [] })), changed(400)];
  for (const notice of notices) {
    const blocks = JSON.stringify(alertNoticeContent({ ...view, notice }).blocks);
    expect(blocks).toContain('"action_id":"notices.stop"');
    expect(blocks).toContain('Sent ');
  }
});
