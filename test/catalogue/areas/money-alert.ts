import { ALERT_HELP, parseAlert } from '../../../src/features/alert/feature.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { charges } from '../../unit/features/alert/scenario.ts';
import { answer, HOUR, home, MINUTE, NOW, refusal, type Area } from '../entry.ts';
import { alertAsked, SPENT, spendAtHome, spent, type Asked } from './money-alert-data.ts';
import { amount, at, CURRENCY, wordsOf } from './money-data.ts';

type States = Readonly<Record<string, [when: string, asked: Asked]>>;

const FIRED = { lastTriggered: at('2026-11-19T06:20:00Z'), alertedTimes: 3 };
const VIEWER = 'billing_viewer';
const LONG_AGO = { lastTriggered: at('2026-08-20T06:20:00Z') };

const ALERTS: States = {
  none: ['There is no alert, and an admin asks.', { alert: 'none' }],
  'none-viewer': ['There is no alert, and a viewer asks.', { alert: 'none', role: VIEWER }],
  armed: ['The alert is on and has never fired.', { alert: {} }],
  viewer: ['A viewer asks, without the right to change it.', { role: VIEWER }],
  'read-only': ['The token of the bot is that of a billing_viewer.', { isReadOnly: true }],
  off: ['The alert is off.', { alert: { enabled: false } }],
  'on-unknown': [
    'The platform omits whether it is on.',
    { alert: { enabled: undefined, created: undefined, lastModified: undefined } },
  ],
  quiet: ['It has fired this month already.', { alert: FIRED, spent: spent(512.3) }],
  'quiet-stamped': [
    'It has fired this month, and its record was written then.',
    { alert: { ...FIRED, lastModified: at('2026-11-19T06:20:02Z') }, spent: spent(512.3) },
  ],
  'fired-before': ['It has fired in an earlier month.', { alert: LONG_AGO }],
  'armed-again': [
    'It has fired this month, and was changed since: the amount is not reached.',
    { alert: { ...FIRED, alertedTimes: 1, lastModified: at('2026-11-20T09:00:00Z') } },
  ],
  'fired-or-armed': [
    'It has fired this month, and was changed or only written a moment ago.',
    {
      alert: { ...FIRED, lastModified: NOW - 4 * MINUTE },
      spent: spent(512.3),
    },
  ],
  'fired-or-armed-unknown': [
    'It has fired this month, and was changed or only written after that; the charges cannot be read.',
    {
      alert: { ...FIRED, alertedTimes: undefined, lastModified: at('2026-11-20T09:00:00Z') },
      spent: new PlatformError('unavailable', 'no answer', { status: 503 }),
    },
  ],
  'fired-or-armed-at-once': [
    'It has fired this month, and was changed or only written seconds later; the amount is far.',
    { alert: { ...FIRED, lastModified: at('2026-11-19T06:20:03Z') } },
  ],
  'fired-or-armed-not-said': [
    'It has fired this month, the amount is far, and no one says when its record was written.',
    { alert: { ...FIRED, lastModified: undefined } },
  ],
  'fired-or-armed-count': [
    'It has fired this month and is far above its amount, and its count says that it never fired.',
    {
      alert: { ...FIRED, alertedTimes: 0, lastModified: at('2026-11-19T06:20:01Z') },
      spent: spent(900),
    },
  ],
  'off-saved': [
    'The alert is off, and its record was written minutes after it fired.',
    { alert: { ...FIRED, enabled: false, lastModified: at('2026-11-19T06:23:00Z') } },
  ],
  'fired-later': [
    'It has fired, as the platform says, in a month that has not begun.',
    { alert: { lastTriggered: at('2026-12-01'), alertedTimes: 1 } },
  ],
  'fired-unreadable': [
    'It has fired, and neither when nor how often can be read.',
    { alert: { hasFired: true } },
  ],
  'fired-unreadable-off': [
    'It has fired, which cannot be read in full, and is off.',
    { alert: { hasFired: true, enabled: false } },
  ],
  'fired-some-time': [
    'It has fired, and the platform omits when.',
    { alert: { alertedTimes: 2 }, spent: spent(512.3) },
  ],
  'amount-unknown': ['The platform omits its amount.', { alert: { amount: undefined } }],
  'amount-unknown-viewer': [
    'The platform omits its amount, and a viewer asks.',
    { alert: { amount: undefined }, role: VIEWER },
  ],
  'amount-zero': ['It is set to nothing at all.', { alert: { amount: amount(0) } }],
  old: ['The alert was read some minutes ago.', { readAt: NOW - 4 * MINUTE }],
};

const SPENDS: States = {
  'not-reached': ['The amount is not projected to be reached this month.', { spent: SPENT }],
  'reached-later': [
    'It is projected to be reached before the end of the month.',
    { spent: spent(431.07) },
  ],
  reached: ['The amount is reached, and passed by far.', { spent: spent(1_730.5) }],
  'month-begins': [
    'The month is so young that there is no pace yet.',
    { now: at('2026-11-01') + HOUR / 2, readAt: at('2026-11-01') + HOUR / 2, spent: spent(0.02) },
  ],
  'month-turned': [
    'The month begins while its charges are read.',
    { now: at('2026-11-01') - 1_000, turned: at('2026-11-01') + 500, spent: spent(1_730.5) },
  ],
  nothing: ['Nothing is charged this month.', { spent: charges() }],
  currencies: [
    'Some charges are in other currencies than the alert.',
    {
      spent: charges(
        { org: 'acme', total: 180.4 },
        { org: 'globex', total: 70, currency: 'EUR' },
        { org: 'initech', total: 9, currency: 'GBP' },
      ),
    },
  ],
  'row-unreadable': ['One of the charges cannot be read.', { spent: { ...SPENT, skipped: 1 } }],
  'too-low': [
    'The chargeable items cannot be read, so some usage may count as nothing.',
    { spent: { ...SPENT, mayBeTooLow: true } },
  ],
  'rows-unreadable': ['Some of the charges cannot be read.', { spent: { ...SPENT, skipped: 12 } }],
  unknown: [
    'The platform shows the alert, but not the charges.',
    { spent: new PlatformError('unavailable', 'no answer', { status: 503 }) },
  ],
};

export const alertShown: Area = {
  id: 'alert',
  title: '/alert: the spend alert',
  entries: [
    ...Object.entries(ALERTS).map(([id, [when, asked]]) =>
      answer(`alert-${id}`, when, () => alertAsked(asked)),
    ),
    ...Object.entries(SPENDS).map(([id, [when, asked]]) =>
      answer(`alert-spend-${id}`, when, () => alertAsked(asked)),
    ),
  ],
};

export const alertAtHome: Area = {
  id: 'home-spend',
  title: 'Home tab: this month’s spend',
  entries: [
    ...Object.entries(ALERTS).map(([id, [when, asked]]) =>
      home(`home-spend-alert-${id}`, when.replace('asks', 'looks'), () => spendAtHome(asked)),
    ),
    ...Object.entries(SPENDS).map(([id, [when, asked]]) =>
      home(`home-spend-${id}`, when, () => spendAtHome(asked)),
    ),
  ],
};

const LINES: Readonly<Record<string, [when: string, line: string]>> = {
  'follows-off': ['Something follows "off".', 'off now'],
  'follows-delete': ['Something follows "delete".', 'delete 500'],
  'amount-alone': ['An amount is typed alone.', '500'],
  'unknown-word': ['The first word is nothing that is known.', 'frobnicate'],
  'other-word': ['The first word means one that is known.', 'disable'],
  misspelled: ['The first word is misspelled.', 'delte'],
  'single-quotes': ['The amount is in single quotes.', "set '500'"],
  negative: ['The amount is below 0.', 'set -5'],
  'no-amount': ['The word after "set" is no amount.', 'set lots'],
  'decimal-comma': ['The amount has a comma for a point.', 'set 1.000,50'],
  'two-readings': ['The amount has a point before three digits.', 'set 1.500'],
  'other-currency': ['The amount is in another currency.', 'set 500 EUR'],
  'too-large': ['The amount is larger than the platform takes.', 'set 99999999999999999999'],
};

export const alertRefusals: Area = {
  id: 'alert-refusals',
  title: '/alert: refusals',
  entries: Object.entries(LINES).map(([id, [when, line]]) =>
    refusal(`alert-unreadable-${id}`, when, () => parseAlert(wordsOf(line), CURRENCY), ALERT_HELP),
  ),
};
