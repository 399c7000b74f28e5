import { BigNumber } from 'bignumber.js';
import type { MessageContent } from '../../notify/message.ts';
import type { Alert } from '../../platform/billing/alert.ts';
import { formatChange, formatExactMoney, formatMoney } from '../../reporting/amounts.ts';
import type { Line } from '../../reporting/amounts.ts';
import { moveOf } from '../../reporting/movers.ts';
import { dayAndMonth, resolveRange } from '../../reporting/range.ts';
import { formatProjection, paceOf } from '../../reporting/spend.ts';
import type { Spend } from '../../reporting/spend.ts';
import { lines, SIGN, topText } from '../../slack/kit/blocks.ts';
import { code, joinMrkdwn, moment, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import { noticeEnd, runButton } from '../notices.ts';
import type { AlertNotice, Settings } from './pace.ts';
import { barOf, flaws } from './view.ts';

export interface AlertNoticeView {
  readonly notice: AlertNotice;
  readonly alert: Alert | undefined;
  /** Undefined: the charges could not be read. */
  readonly spend: Spend | undefined;
  /** The workload whose charge grew most, by org, GVC and workload; undefined where none is known. */
  readonly driver: Line | undefined;
  /** What it grew against, in words: "1-14 September". */
  readonly versus: string;
  readonly currency: string;
  /** Ms since the epoch. */
  readonly now: number;
}

/** What Purser tells of the spend alert by itself (spec 2.4, section 3). Pure. */
export function alertNoticeContent(view: AlertNoticeView): MessageContent {
  const said = linesOf(view);
  return {
    text: topText(joinMrkdwn(said, '\n')),
    blocks: [
      lines([...bar(view, said[0]), ...said.slice(1)]),
      ...noticeEnd('alert', mrkdwn`${WHY[view.notice.kind]}`, [
        runButton('Charges by workload', '/charges this month by org,gvc,workload'),
        runButton('Alert', '/alert'),
      ]),
    ],
  };
}

const WHY = {
  step: 'Sent once a month for each step of PACE_STEPS that this month’s charges reach.',
  fired: 'Sent when the platform’s spend alert fires, which is once a month.',
  armed: 'Sent when a spend alert that has fired can fire again this month.',
  changed: 'Sent when the spend alert changes in another way than through Purser.',
} as const;

function linesOf(view: AlertNoticeView): Mrkdwn[] {
  switch (view.notice.kind) {
    case 'step':
      return [
        stepLine(view),
        ...outlook(view),
        ...driverLine(view),
        ...wrong(view),
        nextLine(view),
      ];
    case 'fired':
      return [firedLine(view), ...spentLine(view), ...driverLine(view), ...wrong(view), AGAIN];
    case 'armed':
      return [armedLine(view), ...spentLine(view), ...outlook(view)];
    case 'changed':
      return [
        mrkdwn`${sign('wrong')} *Spend alert changed* outside of Purser: ${changeWords(view.notice.was, view.alert, view.currency)}`,
        ...spentLine(view),
        ...outlook(view),
        mrkdwn`→ The platform does not say who did it: ask your billing admins; ${code('/alert set')} asks for another amount`,
      ];
  }
}

const AGAIN = mrkdwn`→ See what grew; to be told again this month, raise it: ${code('/alert set')}`;

/** The bar stands behind the headline: nobody listens to it. */
function bar({ alert, spend, notice }: AlertNoticeView, head: Mrkdwn | undefined): Mrkdwn[] {
  if (head === undefined) return [];
  const amount = alert?.amount;
  if (notice.kind === 'changed' || amount === undefined || spend === undefined) return [head];
  return [head, new Mrkdwn(barOf(spend.total, amount, 20))];
}

/** "61 % of the spend alert on 14 October: $3,050.00 of $5,000.00". */
function stepLine({ alert, spend, currency, now }: AlertNoticeView): Mrkdwn {
  const amount = alert?.amount;
  if (amount === undefined || spend === undefined) return mrkdwn`*Spend alert*: not known`;
  const of = mrkdwn`${formatMoney(spend.total, currency)} of ${formatExactMoney(amount, currency)}`;
  const isReached = spend.total.gte(amount);
  const head = isReached
    ? 'Spend alert reached'
    : `${percentOf(spend.total, amount)} of the spend alert`;
  const share = isReached ? mrkdwn`, ${percentOf(spend.total, amount)}` : mrkdwn``;
  const runsOver = paceOf(spend, amount, now).kind === 'not this month' ? 'good' : 'wrong';
  return mrkdwn`${sign(runsOver)} *${head}* on ${dayAndMonth(now)}: *${of}*${share}`;
}

/** Rounded down, so that 100 % means reached. */
function percentOf(total: BigNumber, amount: BigNumber): string {
  return `${total.times(100).div(amount).integerValue(BigNumber.ROUND_FLOOR).toFormat(0)} %`;
}

/** "At this pace you reach it on 22 October: about $6,430 by 31 October". */
function outlook({ alert, spend, currency, now }: AlertNoticeView): Mrkdwn[] {
  const amount = alert?.amount;
  if (amount === undefined || spend === undefined || alert?.enabled === false) return [];
  const ahead = formatProjection(spend, currency, now);
  const pace = paceOf(spend, amount, now);
  switch (pace.kind) {
    case 'reached':
      return [mrkdwn`At this pace the month ends at ${ahead}`];
    case 'reached at':
      return [mrkdwn`At this pace you reach it on *${dayAndMonth(pace.ms)}*: ${ahead}`];
    case 'not this month':
      return [mrkdwn`At this pace you do not reach it this month: ${ahead}`];
    case 'unknown':
      return [mrkdwn`When it is reached cannot be said yet: ${ahead}`];
  }
}

function spentLine({ spend, alert, currency, notice }: AlertNoticeView): Mrkdwn[] {
  if (spend === undefined) return [];
  const amount = alert?.amount;
  const of = amount?.gt(0) && notice.kind !== 'fired' ? ` (${percentOf(spend.total, amount)})` : '';
  return [mrkdwn`This month so far: *${formatMoney(spend.total, currency)}*${of}`];
}

/** "Main driver: workload acme / shop / api, +$504.10 (+38.0 %) vs 1-14 September". */
function driverLine({ driver, versus, currency }: AlertNoticeView): Mrkdwn[] {
  if (driver === undefined) return [];
  const move = moveOf(driver);
  const name = driver.labels.filter((label) => label !== '').join(' / ');
  const change = formatChange(driver.value, driver.before);
  return [
    mrkdwn`Main driver: workload ${code(name, 120)}, ${move.gt(0) ? '+' : ''}${formatMoney(move, currency)} (${change}) vs ${versus}`,
  ];
}

function wrong({ spend }: AlertNoticeView): Mrkdwn[] {
  return spend === undefined ? [] : flaws({ spend });
}

function nextLine({ alert, spend, now }: AlertNoticeView): Mrkdwn {
  const amount = alert?.amount;
  const isReached = amount !== undefined && spend?.total.gte(amount) === true;
  const check = isReached ? ', and the alert fires at its next check' : '';
  const nextMonth = dayAndMonth(resolveRange('this month', now).endMs);
  return isReached
    ? mrkdwn`→ See what grew${check}; it counts from 0 again on ${nextMonth}`
    : mrkdwn`→ See what grew, or ask for another amount: ${code('/alert set')}`;
}

function firedLine({ alert, currency }: AlertNoticeView): Mrkdwn {
  const { amount, lastTriggered } = alert ?? {};
  const at = amount === undefined ? mrkdwn`` : mrkdwn` at ${formatExactMoney(amount, currency)}`;
  const when = lastTriggered === undefined ? mrkdwn`` : mrkdwn` (${moment(lastTriggered)})`;
  return mrkdwn`${sign('wrong')} *Spend alert fired*${at}${when}: every billing_admin was e-mailed`;
}

function armedLine({ alert, currency }: AlertNoticeView): Mrkdwn {
  const amount = alert?.amount;
  const at = amount === undefined ? mrkdwn`its amount` : formatExactMoney(amount, currency);
  return mrkdwn`${sign('underWay')} *Spend alert armed again*: it fires once more this month when the charges reach *${at}*`;
}

/** "$5,000.00 → $6,000.00, on → off". */
function settingsChange(was: Settings, now: Settings, currency: string): Mrkdwn {
  const parts = [
    ...(equal(was.amount, now.amount)
      ? [mrkdwn`*${amountWords(now, currency)}*`]
      : [mrkdwn`${amountWords(was, currency)} → *${amountWords(now, currency)}*`]),
    ...(was.enabled === now.enabled ? [] : [mrkdwn`${onOff(was)} → *${onOff(now)}*`]),
  ];
  return joinMrkdwn(parts, ', ');
}

/** The same, or "deleted (it was at $5,000.00)", or "set to $5,000.00, on". */
function changeWords(was: Settings | undefined, now: Settings | undefined, currency: string) {
  if (now === undefined) {
    return mrkdwn`*deleted*${was === undefined ? '' : ` (it was at ${amountWords(was, currency)})`}`;
  }
  if (was === undefined) return mrkdwn`set to *${amountWords(now, currency)}*, ${onOff(now)}`;
  return settingsChange(was, now, currency);
}

function equal(a: BigNumber | undefined, b: BigNumber | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.eq(b);
}

function amountWords({ amount }: Settings, currency: string): string {
  return amount === undefined ? 'an amount that is not said' : formatExactMoney(amount, currency);
}

function onOff({ enabled }: Settings): string {
  return enabled === undefined ? 'not said' : enabled ? 'on' : 'off';
}

function sign(name: keyof typeof SIGN): Mrkdwn {
  return new Mrkdwn(SIGN[name]);
}
