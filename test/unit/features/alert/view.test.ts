import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';

import { DAY_MS } from '../../../../src/lib/time.ts';
import { spendOf } from '../../../../src/reporting/spend.ts';
import { alertAnswer, type AlertView } from '../../../../src/features/alert/view.ts';
import { button } from '../../../../src/slack/kit/blocks.ts';
import { proseOf, spoken } from '../../../support/answer.ts';
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
  days: Array.from({ length: 30 }, (_, at) => ({
    startMs: NOVEMBER.startMs + at * DAY_MS,
    endMs: NOVEMBER.startMs + (at + 1) * DAY_MS,
    value: at < 10 ? new BigNumber(20) : undefined,
  })),
  currency: 'USD',
  readAt: NOW,
  now: NOW,
  mayAsk: false,
  isReadOnly: false,
};
const FIRED = Date.UTC(2026, 10, 5);
const HOUR = 3_600_000;
/** All that can be read, the notes among it. */
const words = (changes: Partial<AlertView> = {}) => {
  const answer = alertAnswer({ ...view, ...changes }, []);
  return [proseOf(answer), ...(answer.notes ?? [])].join('\n');
};

const UNKNOWN = { unknown: 'The platform does not answer just now.' };
const AGAIN = 'it can fire again this month; if not, from 1 December';
const QUIET = 'E-mailed this month: the next e-mail can come from 1 December on';
const ARMED = 'An e-mail goes out when this month’s charges reach the amount';
const SAVED_SOON = FIRED + 1_000;
const amount = (value: number) => ({ amount: new BigNumber(value) });
const fired = { lastTriggered: FIRED, alertedTimes: 1 };

describe('the spend alert', () => {
  it('is shown with this month against it', () => {
    expect(spoken(alertAnswer(view, []))).toContain(
      '🟠 Over the $500 alert on 26 November: projected about $600\n',
    );
    expect(words()).toContain('Projected: about $600 by 30 November');
    expect(words()).toContain('Mostly `acme` (75%): $150.00');
  });

  it('is drawn with an even pace to its amount, up to today', () => {
    const { blocks } = alertAnswer(view, []);
    const drawn = JSON.stringify(blocks);

    expect(blocks[2]).toMatchObject({
      type: 'data_visualization',
      title: 'Spend this month and even pace',
    });
    expect(drawn).toContain('"name":"Spend","data":[{"label":"1 Nov","value":20}');
    expect(drawn).toContain('{"label":"11 Nov","value":200}]');
    expect(drawn).toContain('"name":"Even pace","data":[{"label":"1 Nov","value":16.67}');
    expect(drawn).toContain('{"label":"11 Nov","value":183.33}]');
    expect(drawn).not.toContain('12 Nov');
  });

  it('is drawn by every second day late in the month, the last one among them', () => {
    const { blocks } = alertAnswer({ ...view, now: NOVEMBER.endMs - HOUR }, []);
    const categories = JSON.stringify(blocks)
      .match(/"categories":\[(.*?)\]/)?.[1]
      ?.split(',');
    expect(categories).toHaveLength(15);
    expect(categories?.at(-1)).toBe('"30 Nov"');
  });

  it.each<[string, Partial<AlertView>]>([
    ['days that could not be read', { days: undefined }],
    ['the first day of a month', { now: NOVEMBER.startMs + HOUR }],
    ['a month without charges', { days: [] }],
  ])('has no chart of %s', (_, changes) => {
    expect(words(changes)).not.toContain('data_visualization');
  });

  it('without an alert has the spend alone, and a next step for the roles that may ask', () => {
    const ask = button({ action: 'ask', text: 'Set an alert' });
    const answer = alertAnswer({ ...view, alert: undefined, mayAsk: true }, [ask]);

    expect(spoken(answer)).toContain('There is no spend alert\n');
    expect(proseOf(answer)).toContain('*$200.00* so far this month');
    expect(proseOf(answer)).not.toMatch(/track|pace/);
    expect(answer.buttons).toEqual([ask]);
    expect(words({ alert: undefined })).toContain('a billing_admin can ask for one');
  });

  it.each<[string, Partial<ReturnType<typeof alert>>, RegExp, RegExp?]>([
    [
      'unreadable',
      { amount: undefined, enabled: undefined },
      /amount is not known.*is not known/s,
      /Even pace/,
    ],
    ['off', { enabled: false }, /alert is off.*\*off\*.*Off: no e-mail/s],
    [
      'fired',
      { ...fired, lastModified: Date.UTC(2026, 9, 1) },
      // An alert may be years old.
      /Record saved <!date\^\d+\^\{date_short\} \{time\}\|2026-10-01 00:00/,
    ],
    [
      'fired, saved by that',
      { ...fired, ...amount(80), lastModified: SAVED_SOON },
      /E-mailed this month:/,
      /Changed/,
    ],
    [
      'fired, saved a minute later',
      { ...fired, ...amount(80), lastModified: FIRED + 60_000 },
      /E-mailed this month:/,
      /Changed/,
    ],
    [
      'raised since',
      { ...fired, lastModified: FIRED + HOUR },
      /but changed after that.*Record saved <.*\|2026-11-05 01:00/s,
    ],
    [
      'raised seconds after',
      { ...fired, lastModified: FIRED + 3_000 },
      new RegExp(AGAIN),
      /E-mailed this month/,
    ],
    [
      'saved at an unknown time',
      { ...fired, lastModified: undefined },
      /If its amount changed since, it can fire/,
    ],
    [
      'fired by its time, not by its count',
      { ...fired, ...amount(80), alertedTimes: 0, lastModified: SAVED_SOON },
      new RegExp(AGAIN),
      /changed after that|0 times/,
    ],
    [
      'fired last month',
      { lastTriggered: Date.UTC(2026, 9, 31, 23), lastModified: Date.UTC(2026, 9, 31, 23) + 1_000 },
      new RegExp(`${ARMED}.*Last fired`, 's'),
      /Changed/,
    ],
    [
      'fired in the future',
      { ...fired, lastTriggered: NOVEMBER.endMs },
      /a time of firing that is still to come/,
      /Last fired|1 December/,
    ],
    [
      'fired, time unknown',
      { ...amount(80), lastTriggered: undefined, alertedTimes: 1 },
      /if it was this month.*Fired once in all/s,
      /Has not fired/,
    ],
    [
      'fired, unreadable',
      { hasFired: true },
      /It has fired, but when is not known: if/,
      /Has (not )?fired|Changed/,
    ],
    [
      'fired, unreadable, off',
      { hasFired: true, enabled: false },
      /Has fired, but when is not known/,
    ],
    [
      'reached',
      amount(80),
      /\*Reached\*: \$200.00 of the \$80 alert.*\*\$200.00 of \$80.00\* \(250%\).*an e-mail goes out at the next check/s,
      /it fires when/,
    ],
    ['of nothing', amount(0), /\*Reached\*/],
    [
      'not reached',
      amount(5_000),
      /:white_check_mark: \*On track\*: about \$600 of the \$5,000 alert/,
    ],
  ])('%s is shown as that', (_, state, shows, hides) => {
    const shown = words({ alert: alert(state) });
    expect(shown).toMatch(shows);
    expect(shown).not.toMatch(hides ?? /^$/);
  });

  it('that fired this month is quiet until the next', () => {
    const before = { ...fired, lastModified: Date.UTC(2026, 9, 1), alertedTimes: 3 };
    expect(words({ alert: alert(before) })).toContain(QUIET);
    expect(words({ alert: alert(before) })).toContain('|2026-11-05 00:00 UTC>, 3 times in all');
  });

  it('that fired or was armed again says when it was saved, once, and claims no change', () => {
    const unclear = alert({ ...fired, alertedTimes: 2, lastModified: NOW - HOUR / 6 });
    const reached = words({ alert: { ...unclear, ...amount(80) } });

    expect(reached).toContain(AGAIN);
    expect(reached).toContain('Fired 2 times in all');
    expect(reached.match(/2026-11-05 00:00/g)).toHaveLength(1);
    expect(reached).toContain('2026-11-10 23:50');
    expect(reached).not.toMatch(/was changed|Changed/);
    expect(words({ alert: unclear, spend: UNKNOWN })).toContain(AGAIN);
  });

  it.each([true, false])(
    'whose record was saved after it fired last month is not reported to be changed (on: %s)',
    (enabled) => {
      const lastTriggered = Date.UTC(2026, 9, 20);
      const saved = (after: number) =>
        words({ alert: alert({ lastTriggered, lastModified: lastTriggered + after, enabled }) });

      expect(saved(60_000)).toMatch(/Record saved <.*\|2026-10-20 00:01 UTC>/);
      expect(saved(60_000)).not.toContain('Changed');
      expect(saved(HOUR)).toMatch(/Record saved <.*\|2026-10-20 01:00 UTC>/);
    },
  );

  it('is not held against the charges of last month when the month has just begun', () => {
    const turned = words({ alert: alert(amount(80)), now: NOVEMBER.endMs });

    expect(turned).toContain(ARMED);
    expect(turned).toContain('The month has only just begun');
    expect(turned).not.toMatch(/Reached|so far this month/);
  });

  it.each<[string, Partial<AlertView>]>([
    ['charges are not known. The platform does not answer', { spend: UNKNOWN }],
    ['⚠ Charges in `EUR` are not counted', { spend: { ...spend, others: ['EUR'] } }],
    ['⚠ 1 row of the charges could not be read', { spend: { ...spend, skipped: 1 } }],
    ['so the charges may be too low', { spend: { ...spend, mayBeTooLow: true } }],
    ['Read 12 s ago', { readAt: NOW - 12_000 }],
    [
      'Mostly `&lt;!channel&gt;ˋ`',
      { spend: { ...spend, driver: { org: '<!channel>`', total: new BigNumber(1) } } },
    ],
  ])('says only when it is so: %s', (sentence, changes) => {
    expect(words(changes)).toContain(sentence);
    expect(words()).not.toContain(sentence);
  });

  it('is shared after a question, with members who have access to it', () => {
    expect(alertAnswer(view, [])).toMatchObject({ needs: 'billing', shareable: {} });
  });
});
