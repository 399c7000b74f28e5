import type { Button, KnownBlock } from '@slack/types';
import { BigNumber } from 'bignumber.js';
import { ADMINS, needRefusal, type Principal, READERS } from '../../access/policy.ts';
import { plural } from '../../lib/text.ts';
import type { Alert } from '../../platform/billing/alert.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import type { BillingRole } from '../../platform/billing/roles.ts';
import { explainPlatformError } from '../../platform/errors.ts';
import { type Bar, formatExactMoney, formatLimit, formatMoney } from '../../reporting/amounts.ts';
import { dayName } from '../../reporting/chart.ts';
import { factOf, known } from '../../monitors/monitor.ts';
import { dayAndMonth, resolveRange } from '../../reporting/range.ts';
import { alertOfAccount, type AlertRead, readAlert } from '../../monitors/read-alert.ts';
import { readDays, readSpend, type Spend } from '../../reporting/spend.ts';
import type { Services } from '../../services.ts';
import { actions, lines, section, sign } from '../../slack/kit/blocks.ts';
import { chart } from '../../slack/kit/charts.ts';
import { moment, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer, HomePart } from '../../slack/routing/routes.ts';
import { footnotes, SHARING, smallPrint } from '../answer-parts.ts';
import { runButton } from '../notices.ts';
import { type AlertSheet, alertSheet } from './sheet.ts';

export interface AlertView extends AlertRead {
  /** `unknown`: why this month's charges could not be read, as a sentence. */
  readonly spend: Spend | { readonly unknown: string };
  /** This month's charges by day; undefined: they could not be read. */
  readonly days: readonly Bar[] | undefined;
  readonly currency: string;
  /** Ms since the epoch. */
  readonly now: number;
  readonly mayAsk: boolean;
}

/** The answer to `/alert` (spec 2.4, section 3). @param asks buttons that request a change. Pure. */
export function alertAnswer(view: AlertView, asks: readonly Button[]): Answer {
  const { alert } = view;
  const sheet = sheetOf(view);
  const head = headline(view, sheet);
  const facts = [
    ...spentLines(view, sheet),
    ...(alert === undefined ? [] : alertLines(alert, sheet, view)),
  ];
  const wrong = [...(view.isReadOnly ? [READ_ONLY] : []), ...sheet.flaws];
  return {
    blocks: [
      section(head),
      lines(facts),
      ...courseBlocks(view, sheet),
      ...smallPrint([...wrong, ...footnotes({ ...view, skipped: 0, thing: 'alert' })]),
    ],
    buttons: [...asks],
    notes: alert === undefined ? [] : [CHECKS, ...historyOf(alert)].map(({ text }) => text),
    ...SHARING,
  };
}

/** Spec section 3. */
const CHECKS = mrkdwn`The platform compares every 10 minutes; when the alert fires, all billing admins get an e-mail, once a month`;
const READ_ONLY = mrkdwn`⚠ Purser’s billing token may read the alert but not change it`;

function sheetOf(view: AlertView): AlertSheet {
  return alertSheet(view.alert, spentIn(view), view.currency, view.now);
}

/** Charges read just before midnight can be those of last month. */
function spentIn({ spend, now }: AlertView): Spend | undefined {
  const isThisMonth =
    !('unknown' in spend) && spend.month.startMs === resolveRange('this month', now).startMs;
  return isThisMonth ? spend : undefined;
}

function whyUnknown({ spend }: AlertView): string {
  return 'unknown' in spend ? spend.unknown : 'The month has only just begun: please ask again.';
}

/** "✅ *On track*: about $298 of the $500 alert". */
function headline(
  view: AlertView,
  { amount, total, pace, projected, use, flaws }: AlertSheet,
): Mrkdwn {
  const { alert, currency, mayAsk } = view;
  // A member who can ask has a button.
  const way = (one: string) => (mayAsk ? '' : `: a billing_admin can ask for ${one}`);
  if (alert === undefined) return mrkdwn`*There is no spend alert*${way('one')}`;
  if (amount === undefined) {
    return mrkdwn`*There is a spend alert whose amount is not known*${way('another')}`;
  }
  const limit = formatLimit(amount, currency);
  if (alert.enabled === false) return mrkdwn`${sign('off')} *The ${limit} alert is off*`;
  if (total === undefined) return mrkdwn`*Spend alert at ${limit}*`;
  const ahead = projected?.split(' by ')[0] ?? '';
  switch (pace.kind) {
    case 'reached':
      return mrkdwn`${sign('wrong')} *Reached*: ${formatMoney(total, currency)} of the ${limit} alert`;
    case 'reached at':
      return mrkdwn`${sign('wrong')} *Over the ${limit} alert on ${dayAndMonth(pace.ms)}*: projected ${ahead}`;
    case 'not this month':
      if (flaws.length > 0) return mrkdwn`${sign('unknown')} *${use}*`;
      return mrkdwn`${sign('good')} *On track*: ${ahead} of the ${limit} alert`;
    case 'unknown':
      return mrkdwn`*${use}*`;
  }
}

/** More points than Slack takes are every second day. */
const MOST_POINTS = 20;

/** The sum of each day so far beside an even pace that comes to the amount at the end of the month. */
function courseBlocks(
  { days = [], currency, now }: AlertView,
  { amount }: AlertSheet,
): KnownBlock[] {
  const begun = days.filter(({ startMs }) => startMs <= now);
  let sum = new BigNumber(0);
  const points = begun.map(({ startMs, value }, at) => {
    sum = sum.plus(value ?? 0);
    const pace =
      amount
        ?.times(at + 1)
        .div(days.length)
        .dp(2)
        .toNumber() ?? 0;
    return { name: dayName(startMs), spend: sum.toNumber(), pace };
  });
  // A single day is no course.
  if (points.length < 2 || sum.isZero()) return [];
  const stride = Math.ceil(points.length / MOST_POINTS);
  const shown = points.filter((_, at) => (points.length - 1 - at) % stride === 0);
  const spend = { name: 'Spend', values: shown.map((point) => point.spend) };
  const pace = { name: 'Even pace', values: shown.map((point) => point.pace) };
  const isPaced = amount?.gt(0) === true;
  return [
    chart({
      title: isPaced ? 'Spend this month and even pace' : 'Spend this month',
      type: 'line',
      points: shown.map(({ name }) => name),
      series: isPaced ? [spend, pace] : [spend],
      unit: currency,
    }),
  ];
}

function spentLines(view: AlertView, sheet: AlertSheet): [Mrkdwn, ...Mrkdwn[]] {
  const { currency } = view;
  const { amount, total, percent } = sheet;
  if (total === undefined) return [mrkdwn`This month’s charges are not known. ${whyUnknown(view)}`];
  const of = amount === undefined ? '' : ` of ${formatExactMoney(amount, currency)}`;
  const share = percent === '' ? '' : ` (${percent})`;
  return [
    mrkdwn`*${formatMoney(total, currency)}${of}*${share} so far this month`,
    sheet.projected === undefined
      ? mrkdwn`Too early in the month to project`
      : mrkdwn`Projected: ${sheet.projected}`,
    ...sheet.mostly,
  ];
}

function alertLines(alert: Alert, sheet: AlertSheet, { currency, now }: AlertView): Mrkdwn[] {
  const { amount, enabled } = alert;
  const at = amount === undefined ? '' : ` at ${formatExactMoney(amount, currency)} a month`;
  const is = enabled === undefined ? '' : `, *${enabled ? 'on' : 'off'}*`;
  return [
    mrkdwn`Spend alert${at}${new Mrkdwn(is)}`,
    ...stateLines(sheet, now),
    ...firedLine(alert, sheet),
  ];
}

/** Whether the alert can fire now (spec section 3): a change or a new month arms it again. */
function stateLines({ state, pace }: AlertSheet, now: number): Mrkdwn[] {
  const nextMonth = dayAndMonth(resolveRange('this month', now).endMs);
  const isReached = pace.kind === 'reached';
  const fires = isReached
    ? 'fires at the next check'
    : 'fires when this month’s charges reach the amount';
  switch (state?.kind) {
    case undefined:
      return [];
    case 'not reported':
      return [mrkdwn`Whether it is on is not known`];
    case 'off':
      return [mrkdwn`Off: no e-mail goes out when the amount is reached`];
    case 'armed':
      return isReached
        ? [mrkdwn`The amount is reached: an e-mail goes out at the next check`]
        : [mrkdwn`An e-mail goes out when this month’s charges reach the amount`];
    case 'fired':
      return [mrkdwn`E-mailed this month: the next e-mail can come from ${nextMonth} on`];
    case 'armed again':
      return [mrkdwn`E-mailed this month, but changed after that: it ${fires}`];
    case 'fired or armed again': {
      const when = state.savedAt === undefined ? mrkdwn` since` : mrkdwn` ${moment(state.savedAt)}`;
      return [
        mrkdwn`It fired ${moment(state.firedAt)}. If its amount changed${when}, it can fire again this month; if not, from ${nextMonth}`,
      ];
    }
    case 'fired at some time':
      return [
        mrkdwn`It has fired, but when is not known: if it was this month, it fires again from ${nextMonth} on; if not, it ${fires}`,
      ];
    case 'fired later':
      return [
        mrkdwn`Its record has a time of firing that is still to come (${moment(state.firedAt)}), so whether it is quiet is not known`,
      ];
  }
}

/** Not again where the state line has it: "fired or …", "fired at …", "fired later". */
function firedLine(
  { lastTriggered, alertedTimes, hasFired }: Alert,
  { state }: AlertSheet,
): Mrkdwn[] {
  const times = alertedTimes === 1 ? 'once' : plural(alertedTimes ?? 0, 'time');
  const isSaid = state?.kind.startsWith('fired ') === true;
  if (lastTriggered !== undefined && !isSaid) {
    return [mrkdwn`Last fired ${moment(lastTriggered)}${alertedTimes ? `, ${times} in all` : ''}`];
  }
  if (alertedTimes) return [mrkdwn`Fired ${times} in all`];
  if (isSaid) return [];
  return [hasFired ? mrkdwn`Has fired, but when is not known` : mrkdwn`Has not fired so far`];
}

/** With the year: an alert may be years old. */
const DATED = '{date_short} {time}';

/** Firing saves the record, too, so a save is not called a change. */
function historyOf({ created, lastModified }: Alert): Mrkdwn[] {
  return [
    ...(created === undefined ? [] : [mrkdwn`Created ${moment(created, DATED)}`]),
    ...(lastModified === undefined || lastModified === created
      ? []
      : [mrkdwn`Record saved ${moment(lastModified, DATED)}`]),
  ];
}

type ReadServices = Pick<Services, 'billing' | 'clock' | 'config'>;

/** Everything for `/alert` and the home tab; viewers read the account alone. @throws PlatformError */
export async function readView(services: ReadServices, mayAsk: boolean): Promise<AlertView> {
  const { clock, config } = services;
  const client = services.billing();
  const now = clock.now();
  const { currency } = config;
  const [read, spend, days] = await Promise.all([
    mayAsk ? readAlert(client) : alertOfAccount(client),
    spendOrWhy(client, currency, now),
    factOf(readDays(client.charges, resolveRange('this month', now), currency)),
  ]);
  return { ...read, spend, days: known(days), currency, now: clock.now(), mayAsk };
}

/** The alert is shown even without this month's charges. */
async function spendOrWhy({ charges }: BillingClient, currency: string, now: number) {
  try {
    return await readSpend(charges, currency, now);
  } catch (error) {
    const sentence = explainPlatformError(error);
    if (sentence === undefined) throw error;
    return { unknown: sentence };
  }
}

/**
 * This month's spend against the alert, on the home tab of members with a billing role (design section 3).
 * @param asks buttons that request a change
 */
export function createAlertPart(
  services: ReadServices,
  asks: (view: AlertView) => Button[],
): HomePart<Principal> {
  return {
    title: 'This month’s spend',
    rank: 30,
    async fill(_, who) {
      const principal = await who();
      const has = (roles: readonly BillingRole[]) =>
        needRefusal({ roles }, principal) === undefined;
      if (!has(READERS)) return [];
      const view = await readView(services, has(ADMINS));
      return homeBlocks(view, view.alert === undefined ? asks(view) : []);
    },
  };
}

/** The first lines of `/alert`; the usual facts are left to it. */
function homeBlocks(view: AlertView, asks: readonly Button[]): KnownBlock[] {
  const sheet = sheetOf(view);
  const [spent, ...more] = spentLines(view, sheet);
  const isUsual = ['off', 'not reported', 'armed'].includes(sheet.state?.kind ?? 'off');
  return [
    lines([headline(view, sheet), spent]),
    ...courseBlocks(view, sheet),
    ...smallPrint([...sheet.flaws, ...(isUsual ? [] : stateLines(sheet, view.now)), ...more]),
    actions(...asks, runButton('Alert', '/alert'), runButton('Charges', '/charges')),
  ];
}
