import { BigNumber } from 'bignumber.js';
import { shorten } from '../../lib/text.ts';
import type { MessageContent } from '../../notify/message.ts';
import type { Alert } from '../../platform/billing/alert.ts';
import { formatChange, formatExactMoney, formatMoney, type Line } from '../../reporting/amounts.ts';
import { moveOf } from '../../reporting/movers.ts';
import { dayAndMonth, isEarly } from '../../reporting/range.ts';
import { alertState, formatProjection, paceOf, type Spend } from '../../reporting/spend.ts';
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
        runButton('By workload', '/charges this month by org,gvc,workload'),
        runButton('Alert', '/alert'),
      ]),
    ],
  };
}

const WHY = {
  step: 'Sent once a month at each step towards the spend alert (setting PACE_STEPS).',
  fired: 'Sent when the spend alert of the platform fires, as a rule once a month.',
  armed: 'Sent when a spend alert that has fired can fire again this month.',
  changed: 'Sent when somebody changes the spend alert without Purser.',
} as const;

function linesOf(view: AlertNoticeView): Mrkdwn[] {
  switch (view.notice.kind) {
    case 'step':
      return [
        stepLine(view),
        ...outlook(view),
        ...mailLine(view),
        ...driverLine(view),
        ...wrong(view),
        SEE,
      ];
    case 'fired':
      return [
        firedLine(view),
        ...spentLine(view),
        ...outlook(view),
        ...driverLine(view),
        ...wrong(view),
        AGAIN,
      ];
    case 'armed':
      return [armedLine(view), ...spentLine(view), ...outlook(view), ...wrong(view)];
    case 'changed':
      return [
        mrkdwn`${sign('wrong')} ${changeWords(view.notice.was, view.alert, view.currency)}`,
        ...spentLine(view),
        ...outlook(view),
        ...wrong(view),
        mrkdwn`→ Ask your billing admins who did it; to change it back: ${code('/alert set')}`,
      ];
  }
}

const SEE = mrkdwn`→ See what grew, or ask for another amount: ${code('/alert set')}`;
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
  const isReached = hasReached(alert, spend);
  const head = isReached
    ? 'Spend alert reached'
    : `${percentOf(spend.total, amount)} of the spend alert`;
  const share = isReached ? mrkdwn` (${percentOf(spend.total, amount)})` : mrkdwn``;
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
  if (isEarly(spend.month, now)) return [mrkdwn`Too early in the month to say how it goes on`];
  const ahead = formatProjection(spend, currency, now);
  const pace = paceOf(spend, amount, now);
  switch (pace.kind) {
    case 'reached':
      return [mrkdwn`At this pace the month ends at ${ahead}`];
    case 'reached at':
      return [mrkdwn`At this pace you reach it on ${dayAndMonth(pace.ms)}: ${ahead}`];
    case 'not this month':
      return [mrkdwn`At this pace you do not reach it this month: ${ahead}`];
    case 'unknown':
      return [mrkdwn`The platform projects ${ahead}`];
  }
}

function spentLine({ spend, alert, currency, notice }: AlertNoticeView): Mrkdwn[] {
  if (spend === undefined) return [mrkdwn`⚠ This month’s charges cannot be read just now`];
  const amount = alert?.amount;
  const of = amount?.gt(0) && notice.kind !== 'fired' ? ` (${percentOf(spend.total, amount)})` : '';
  return [mrkdwn`This month so far: *${formatMoney(spend.total, currency)}*${of}`];
}

/** "Main driver: workload acme / shop / api, +$504.10 (+38.0 %) vs 1-14 September". */
function driverLine({ driver, versus, currency }: AlertNoticeView): Mrkdwn[] {
  if (driver === undefined) return [];
  const move = moveOf(driver);
  const [name = '', ...around] = driver.labels.toReversed().map((label) => shorten(label, 60));
  const place = around.filter((label) => label !== '').toReversed();
  const change = formatChange(driver.value, driver.before);
  return [
    mrkdwn`Main driver: workload ${name} (${change}), ${move.gt(0) ? '+' : ''}${formatMoney(move, currency)} in ${place.join(' / ')} vs ${versus}`,
  ];
}

function wrong({ spend }: AlertNoticeView): Mrkdwn[] {
  return spend === undefined ? [] : flaws({ spend });
}

/** What the platform does of it, where that is clear: it does not fire twice. */
function mailLine({ alert, spend, now }: AlertNoticeView): Mrkdwn[] {
  if (alert === undefined || !hasReached(alert, spend)) return [];
  const state = alertState(alert, spend, now).kind;
  const isDue = state === 'armed' || state === 'armed again';
  return isDue ? [mrkdwn`At the next check every billing_admin is e-mailed`] : [];
}

function hasReached(alert: Alert | undefined, spend: Spend | undefined): boolean {
  const amount = alert?.amount;
  return amount !== undefined && spend?.total.gte(amount) === true;
}

function firedLine({ alert, currency }: AlertNoticeView): Mrkdwn {
  const { amount, lastTriggered } = alert ?? {};
  const at = amount === undefined ? mrkdwn`` : mrkdwn` at ${formatExactMoney(amount, currency)}`;
  const when = lastTriggered === undefined ? mrkdwn`` : mrkdwn` (${moment(lastTriggered)})`;
  return mrkdwn`${sign('wrong')} *Spend alert fired*${at}${when}: every billing_admin was e-mailed`;
}

/** "Spend alert armed again: it was saved after it fired, so it fires once more this month at $5,000.00". */
function armedLine({ alert, spend, currency }: AlertNoticeView): Mrkdwn {
  const amount = alert?.amount;
  const isDue = hasReached(alert, spend);
  const at = amount === undefined ? 'its amount' : mrkdwn`*${formatExactMoney(amount, currency)}*`;
  const when = isDue ? 'its next check' : at;
  return mrkdwn`${sign(isDue ? 'wrong' : 'underWay')} *Spend alert armed again*: it was saved after it fired, so it fires once more this month at ${when}`;
}

/** "Spend alert changed outside of Purser: $5,000.00 → $6,000.00, off → on"; what was done comes first. */
function changeWords(was: Settings | undefined, now: Settings | undefined, currency: string) {
  const done = (what: string, how: Mrkdwn | string) =>
    mrkdwn`*Spend alert ${what}* outside of Purser: ${how}`;
  if (now === undefined) {
    return done(
      'deleted',
      was?.amount === undefined ? NOT_SAID : `it was at ${amountWords(was, currency)}`,
    );
  }
  const amount = mrkdwn`*${amountWords(now, currency)}*`;
  if (was === undefined) {
    const how = now.amount === undefined ? NOT_SAID : amount;
    return done('set', now.enabled === undefined ? how : mrkdwn`${how}, ${onOff(now)}`);
  }
  const switched = was.enabled === now.enabled ? [] : [mrkdwn`${onOff(was)} → *${onOff(now)}*`];
  if (!equal(was.amount, now.amount)) {
    const moved = mrkdwn`${amountWords(was, currency)} → ${amount}`;
    return done('changed', joinMrkdwn([moved, ...switched], ', '));
  }
  if (now.enabled === undefined) return done('changed', joinMrkdwn([amount, ...switched], ', '));
  const who = now.enabled ? 'every billing_admin' : 'nobody';
  return done(`switched ${onOff(now)}`, mrkdwn`${who} is e-mailed at ${amount}`);
}

const NOT_SAID = 'the platform does not say its amount';

function equal(a: BigNumber | undefined, b: BigNumber | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.eq(b);
}

function amountWords({ amount }: Settings, currency: string): string {
  return amount === undefined ? 'an amount not said' : formatExactMoney(amount, currency);
}

function onOff({ enabled }: Settings): string {
  return enabled === undefined ? 'not said' : enabled ? 'on' : 'off';
}

function sign(name: keyof typeof SIGN): Mrkdwn {
  return new Mrkdwn(SIGN[name]);
}
