import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';

import { spendOf } from '../../../../src/figures/spend.ts';
import { alertAnswer } from '../../../../src/features/alert/view.ts';
import type { AlertView } from '../../../../src/features/alert/view.ts';
import { button } from '../../../../src/slack/kit/index.ts';
import { proseOf } from '../billing/story.ts';
import { alert, charges, NOVEMBER, NOW } from './story.ts';

const spend = spendOf(
  charges(
    { org: 'acme', total: 150, projected: 450 },
    { org: 'globex', total: 50, projected: 150 },
  ),
  'USD',
  NOVEMBER,
);
const view: AlertView = {
  alert: alert(),
  spend,
  currency: 'USD',
  readAt: NOW,
  now: NOW,
  asks: [],
};
const words = (changes: Partial<AlertView> = {}) => proseOf(alertAnswer({ ...view, ...changes }));

describe('the spend alert', () => {
  it('is shown with this month against it', () => {
    expect(alertAnswer(view).text).toBe('*Spend alert at $500.00* a month, *on*');
    for (const text of [
      'Armed: it fires when this month’s charges reach the amount',
      'Has not fired so far',
      '▰▰▰▰▰▰▰▰▱▱▱▱▱▱▱▱▱▱▱▱ 40.0 %',
      '*$200.00* so far this month of $500.00',
      '*$600.00* projected to the end of the month',
      'At this pace it is reached on *26 November*',
      'Main driver: org `acme`, $150.00 (75.0 %)',
    ]) {
      expect(words()).toContain(text);
    }
  });

  it('that there is not has a next step', () => {
    const ask = button({ action: 'ask', text: 'Set an alert' });
    const answer = alertAnswer({ ...view, alert: undefined, asks: [ask] });

    expect(answer.text).toBe('There is no spend alert: `/alert set 500` asks for one.');
    expect(proseOf(answer)).toContain('*$200.00* so far this month');
    expect(proseOf(answer)).not.toContain('pace');
    expect(proseOf(answer)).not.toContain('▰');
  });

  it('that there is not is no business of who may not ask for one', () => {
    expect(alertAnswer({ ...view, alert: undefined }).text).toBe(
      'There is no spend alert: a billing_admin can ask for one.',
    );
  });

  it('that cannot be read is not none', () => {
    const silent = alert({ amount: undefined, enabled: undefined });
    const ask = button({ action: 'ask', text: 'Change' });
    const answer = alertAnswer({ ...view, alert: silent, asks: [ask] });

    expect(answer.text).toBe(
      'There is a spend alert whose amount is not said: `/alert set 500` asks for another.',
    );
    expect(proseOf(answer)).toContain('Whether it is on is not said');
    expect(proseOf(answer)).toContain('so far this month');
    expect(proseOf(answer)).not.toContain('▰');
  });

  it('that is off tells nobody', () => {
    const off = alert({ enabled: false });

    expect(alertAnswer({ ...view, alert: off }).text).toContain('*off*');
    expect(words({ alert: off })).toContain('Off: nobody is told');
  });

  it('that has fired this month is quiet until the next', () => {
    const fired = alert({ lastTriggered: Date.UTC(2026, 10, 5), alertedTimes: 3 });

    expect(words({ alert: fired })).toContain(
      'Quiet: it has fired this month, and is armed again on 1 December',
    );
    expect(words({ alert: fired })).toContain('|2026-11-05 00:00 UTC>, 3 times in all');
  });

  it('that was changed since, or fired in an earlier month, is armed', () => {
    const lastTriggered = Date.UTC(2026, 10, 5);

    expect(words({ alert: alert({ lastTriggered, lastModified: lastTriggered + 1 }) })).toContain(
      'Armed',
    );
    expect(words({ alert: alert({ lastTriggered, lastModified: lastTriggered }) })).toContain(
      'Quiet',
    );
    expect(words({ alert: alert({ lastTriggered: Date.UTC(2026, 9, 31, 23) }) })).toContain(
      'Armed',
    );
  });

  it('that is reached says so, and the bar is full', () => {
    const reached = words({ alert: alert({ amount: new BigNumber(80) }) });

    expect(reached).toContain('*The amount is reached*');
    expect(reached).toContain('Armed: the amount is reached, so it fires at the next check');
    expect(reached).not.toContain('it fires when');
    expect(reached).toContain(`${'▰'.repeat(20)} 250.0 %`);
  });

  it('of nothing at all is reached by nothing', () => {
    expect(words({ alert: alert({ amount: new BigNumber(0) }) })).toContain(
      '*The amount is reached*',
    );
  });

  it('that this month does not reach says that', () => {
    expect(words({ alert: alert({ amount: new BigNumber(5_000) }) })).toContain(
      'At this pace it is not reached this month',
    );
  });

  it('is worth knowing without the charges', () => {
    const answer = words({ spend: { unknown: 'The platform does not answer just now.' } });

    expect(answer).toContain('Armed');
    expect(answer).toContain(
      'This month’s charges are not known: The platform does not answer just now.',
    );
  });

  it('says what is not counted, and when it was read', () => {
    const partly = { ...spend, others: ['EUR'], skipped: 1 };

    expect(words({ spend: partly })).toContain('⚠ Charges in `EUR` are not counted');
    expect(words({ spend: partly })).toContain(
      '⚠ 1 row of the charges could not be read and is left out',
    );
    expect(words({ readAt: NOW - 12_000 })).toContain('Read 12 s ago');
  });

  it('is shared after a question, with those who may see it', () => {
    expect(alertAnswer(view)).toMatchObject({ needs: 'billing', shareable: {} });
  });

  it('has names of orgs as text', () => {
    const hostile = { ...spend, driver: { org: '<!channel>`', total: new BigNumber(1) } };

    expect(words({ spend: hostile })).toContain('org `&lt;!channel&gt;ˋ`');
  });
});
