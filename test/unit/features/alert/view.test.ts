import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';

import { spendOf } from '../../../../src/reporting/spend.ts';
import { alertAnswer, type AlertView } from '../../../../src/features/alert/view.ts';
import { button } from '../../../../src/slack/kit/blocks.ts';
import { proseOf } from '../../../support/answer.ts';
import { alert, charges, NOVEMBER, NOW } from './scenario.ts';

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
const FIRED = Date.UTC(2026, 10, 5);
const HOUR = 3_600_000;
/** All that can be read, the notes among it. */
const words = (changes: Partial<AlertView> = {}) => {
  const answer = alertAnswer({ ...view, ...changes });
  return [proseOf(answer), ...(answer.notes ?? [])].join('\n');
};

describe('the spend alert', () => {
  it('is shown with this month against it', () => {
    expect(alertAnswer(view).text.split('\n')[0]).toBe(
      ':large_orange_circle: *Reached by 26 November* at this pace · *Spend alert at $500.00* a month, *on*',
    );
    for (const text of [
      'An e-mail goes out when this month’s charges reach the amount',
      'Has not fired so far',
      '▰▰▰▰▰▰▰▰▱▱▱▱▱▱▱▱▱▱▱▱',
      '*$200.00 of $500.00* (40\u00A0%) so far this month',
      'about $600 by 30 November',
      'Main driver: org `acme`, $150.00 (75.0 %)',
    ]) {
      expect(words()).toContain(text);
    }
  });

  it('that there is not has a next step', () => {
    const ask = button({ action: 'ask', text: 'Set an alert' });
    const answer = alertAnswer({ ...view, alert: undefined, asks: [ask] });

    expect(answer.text).toContain('There is no spend alert: `/alert set` asks for one.\n');
    expect(proseOf(answer)).toContain('*$200.00* so far this month');
    expect(proseOf(answer)).not.toContain('pace');
    expect(proseOf(answer)).not.toContain('▰');
  });

  it('that there is not is no business of who may not ask for one', () => {
    expect(alertAnswer({ ...view, alert: undefined }).text).toContain(
      'There is no spend alert: a billing_admin can ask for one.',
    );
  });

  it('that cannot be read is not none', () => {
    const silent = alert({ amount: undefined, enabled: undefined });
    const ask = button({ action: 'ask', text: 'Change' });
    const answer = alertAnswer({ ...view, alert: silent, asks: [ask] });

    expect(answer.text).toContain(
      'There is a spend alert whose amount is not said: `/alert set` asks for another.',
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
    const lastModified = Date.UTC(2026, 9, 1);
    const fired = alert({ lastTriggered: FIRED, alertedTimes: 3, lastModified });

    expect(words({ alert: fired })).toContain(
      'E-mailed this month: the next e-mail can come from 1 December on',
    );
    expect(words({ alert: fired })).toContain('|2026-11-05 00:00 UTC>, 3 times in all');
    expect(words({ alert: fired })).toMatch(/Changed <.*\|2026-10-01 00:00 UTC>/);
  });

  it('whose record was written when it fired has fired, and nobody has changed it', () => {
    const reached = alert({ lastTriggered: FIRED, alertedTimes: 1, amount: new BigNumber(80) });
    const stamped = alert({ ...reached, lastModified: FIRED + 1_000 });
    const later = alert({ ...reached, lastModified: FIRED + 60_000 });

    for (const fired of [stamped, later]) {
      expect(words({ alert: fired })).toContain('E-mailed this month:');
      expect(words({ alert: fired })).not.toContain('Changed');
    }
  });

  it('whose record was written when it fired last month is armed, and nobody has changed it', () => {
    const lastTriggered = Date.UTC(2026, 9, 31, 23);
    const before = words({ alert: alert({ lastTriggered, lastModified: lastTriggered + 1_000 }) });

    expect(before).toContain('An e-mail goes out when this month’s charges reach the amount');
    expect(before).not.toContain('Changed');
  });

  it('that fired at a lower amount than it has now is armed again', () => {
    const changed = alert({ lastTriggered: FIRED, alertedTimes: 1, lastModified: FIRED + HOUR });

    expect(words({ alert: changed })).toContain(
      'E-mailed this month, but changed after that: it fires when this month’s charges reach the amount',
    );
    expect(words({ alert: changed })).toMatch(/Changed <.*\|2026-11-05 01:00 UTC>/);
  });

  it('that fired or was armed again, one cannot tell which, says when it was saved, once, and claims no change', () => {
    const lastModified = NOW - HOUR / 6;
    const unclear = alert({ lastTriggered: FIRED, alertedTimes: 2, lastModified });
    const unknown = { unknown: 'The platform does not answer just now.' };
    const reached = words({ alert: alert({ ...unclear, amount: new BigNumber(80) }) });

    expect(reached).toMatch(
      /Fired <.*\|2026-11-05 00:00 UTC>, saved <.*\|2026-11-10 23:50 UTC>\. It fires again this month only if that was a change; otherwise from 1 December on/,
    );
    expect(reached).toContain('Fired 2 times in all');
    expect(reached.match(/2026-11-05 00:00/g)).toHaveLength(1);
    expect(reached.match(/2026-11-10 23:50/g)).toHaveLength(1);
    expect(reached).not.toMatch(/was changed|Changed/);
    expect(words({ alert: unclear, spend: unknown })).toContain(
      'It fires again this month only if that was a change; otherwise from 1 December on',
    );
  });

  it('that fired, and nobody says when it was saved after that, claims no time of a change', () => {
    const unclear = alert({ lastTriggered: FIRED, alertedTimes: 1, lastModified: undefined });

    expect(words({ alert: unclear })).toMatch(
      /Fired <.*\|2026-11-05 00:00 UTC>\. It fires again this month only if it was changed since; otherwise from 1 December on/,
    );
  });

  it('whose count says that it never fired, although it has been above its amount for days, says both', () => {
    const lastModified = FIRED + 1_000;
    const reset = alert({ lastTriggered: FIRED, alertedTimes: 0, lastModified });
    const said = words({ alert: { ...reset, amount: new BigNumber(80) } });

    expect(said).toContain('It fires again this month only if that was a change');
    expect(said).toContain('otherwise from 1 December on');
    expect(said).not.toContain('changed after that');
  });

  it('that fired 0 times by its count, and did fire, leaves the count out', () => {
    const before = alert({ lastTriggered: Date.UTC(2026, 9, 5), alertedTimes: 0 });

    expect(words({ alert: before })).toContain('Last fired');
    expect(words({ alert: before })).not.toContain('0 times');
  });

  it('whose amount was raised seconds after it fired is not said to be quiet', () => {
    const lastModified = FIRED + 3_000;
    const raised = alert({ lastTriggered: FIRED, alertedTimes: 1, lastModified });

    expect(words({ alert: raised })).not.toContain('E-mailed this month');
    expect(words({ alert: raised })).toContain(
      'It fires again this month only if that was a change',
    );
  });

  it('that is off, or fired last month, is not said to be changed when its record was saved soon after', () => {
    const lastTriggered = Date.UTC(2026, 9, 20);
    const soon = alert({ lastTriggered, lastModified: lastTriggered + 60_000 });
    const later = { ...soon, lastModified: lastTriggered + HOUR };

    for (const enabled of [true, false]) {
      expect(words({ alert: { ...soon, enabled } })).not.toContain('Changed');
      expect(words({ alert: { ...soon, enabled } })).toMatch(
        /Record saved <.*\|2026-10-20 00:01 UTC>/,
      );
      expect(words({ alert: { ...later, enabled } })).toMatch(/Changed <.*\|2026-10-20 01:00 UTC>/);
    }
  });

  it('that fires in a month that has not begun says that, and nothing of that month', () => {
    const ahead = words({ alert: alert({ lastTriggered: NOVEMBER.endMs, alertedTimes: 1 }) });

    expect(ahead).toMatch(
      /Its record says that it fired at a time that is still to come \(<.*\|2026-12-01 00:00 UTC>\), so whether it is quiet does not show/,
    );
    expect(ahead).not.toMatch(/Last fired|1 December/);
  });

  it('is not held against the charges of last month when the month has just begun', () => {
    const reached = alert({ amount: new BigNumber(80) });
    const turned = words({ alert: reached, now: NOVEMBER.endMs });

    expect(turned).toContain('An e-mail goes out when this month’s charges reach the amount');
    expect(turned).toContain(
      'This month’s charges are not known: The month has only just begun: please ask again.',
    );
    expect(turned).not.toMatch(/Reached|so far this month|▰/);
  });

  it('that has fired, nobody says when, says both', () => {
    const some = alert({ lastTriggered: undefined, alertedTimes: 1, amount: new BigNumber(80) });

    expect(words({ alert: some })).toContain(
      'It has fired, but when is not said: if it was this month, it fires again from 1 December on; if not, it fires at the next check',
    );
    expect(words({ alert: some })).toContain('Fired once in all');
    expect(words({ alert: some })).not.toContain('Has not fired');
  });

  it('that has fired in a way that nobody can read has fired, on or off', () => {
    const some = alert({ hasFired: true });

    expect(words({ alert: some })).toContain('It has fired, but when is not said: if');
    expect(words({ alert: some })).not.toMatch(/Has not fired|Has fired|Changed/);
    expect(words({ alert: { ...some, enabled: false } })).toContain(
      'Has fired, but when is not said',
    );
  });

  it('that is reached says so, and the bar is full', () => {
    const reached = words({ alert: alert({ amount: new BigNumber(80) }) });

    expect(reached).toContain(':large_orange_circle: *Reached* · *Spend alert at $80.00*');
    expect(reached).toContain('The amount is reached: an e-mail goes out at the next check');
    expect(reached).not.toContain('it fires when');
    expect(reached).toContain(`${'▰'.repeat(20)}\\n*$200.00 of $80.00* (250\u00A0%)`);
  });

  it('of nothing at all is reached by nothing', () => {
    expect(words({ alert: alert({ amount: new BigNumber(0) }) })).toContain(
      ':large_orange_circle: *Reached*',
    );
  });

  it('that this month does not reach says that', () => {
    expect(words({ alert: alert({ amount: new BigNumber(5_000) }) })).toContain(
      ':white_check_mark: *Not reached this month* at this pace',
    );
  });

  it('is worth knowing without the charges', () => {
    const answer = words({ spend: { unknown: 'The platform does not answer just now.' } });

    expect(answer).toContain('An e-mail goes out');
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

  it('says that all of it may be too low without the chargeable items', () => {
    expect(words({ spend: { ...spend, mayBeTooLow: true } })).toContain(
      '⚠ The chargeable items could not be read, so the charges may be too low, and with them the projection and the pace',
    );
    expect(words()).not.toContain('too low');
  });

  it('is shared after a question, with those who may see it', () => {
    expect(alertAnswer(view)).toMatchObject({ needs: 'billing', shareable: {} });
  });

  it('has names of orgs as text', () => {
    const hostile = { ...spend, driver: { org: '<!channel>`', total: new BigNumber(1) } };

    expect(words({ spend: hostile })).toContain('org `&lt;!channel&gt;ˋ`');
  });
});
