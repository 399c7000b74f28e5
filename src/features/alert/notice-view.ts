import type { BigNumber } from 'bignumber.js';
import { shorten } from '../../lib/text.ts';
import type { MessageContent } from '../../notify/message.ts';
import type { Alert } from '../../platform/billing/alert.ts';
import {
  formatChange,
  formatLimit,
  formatMoney,
  formatUsed,
  type Line,
} from '../../reporting/amounts.ts';
import { dayAndMonth, describeRange, isEarly, resolveRange } from '../../reporting/range.ts';
import { isSavedAfterFiring, moveOf, type Spend } from '../../reporting/spend.ts';
import { lines, sign } from '../../slack/kit/blocks.ts';
import { messageText } from '../../slack/kit/message-text.ts';
import { code, joinMrkdwn, moment, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import { noticeEnd, runButton } from '../notices.ts';
import type { AlertNotice, Settings } from './compare.ts';
import { type AlertSheet, alertSheet } from './sheet.ts';

/** The workload with the largest increase. */
export interface Driver {
  /** Labelled by org, GVC and workload. */
  readonly line: Line;
  /** The span it is compared with: "1-14 September". */
  readonly versus: string;
  /** Several orgs have charges, so the name of its own is shown. */
  readonly isOneOfSeveral: boolean;
}

export interface AlertNoticeView {
  readonly notice: AlertNotice;
  readonly alert: Alert | undefined;
  /** Undefined: the charges could not be read. */
  readonly spend: Spend | undefined;
  /** The month before, as a whole, if it was read. */
  readonly ended: Spend | undefined;
  readonly driver: Driver | undefined;
  readonly currency: string;
  /** Ms since the epoch. */
  readonly now: number;
}

interface Known extends AlertNoticeView {
  readonly sheet: AlertSheet;
}

/** A notice about the spend alert (spec 2.4, section 3). Pure. */
export function alertNoticeContent(view: AlertNoticeView): MessageContent {
  const { alert, spend, currency, now, notice } = view;
  const sheet = alertSheet(alert, spend, currency, now);
  const said = lines(linesOf({ ...view, sheet }));
  return {
    text: messageText([said]),
    blocks: [
      said,
      ...noticeEnd('alert', WHY[notice.kind], [
        runButton(
          BY_WORKLOAD,
          `/charges ${notice.isPast ? 'last' : 'this'} month by org,gvc,workload`,
        ),
        runButton('Alert', '/alert'),
      ]),
    ],
  };
}

const BY_WORKLOAD = 'By workload';

const WHY = {
  step: mrkdwn`Sent once a month at each step towards the spend alert.`,
  fired: mrkdwn`Sent when the spend alert of the platform fires, as a rule once a month.`,
  armed: mrkdwn`Sent when a spend alert that has fired can fire again this month.`,
  changed: mrkdwn`Sent when the reported spend alert changes without Purser.`,
};

function linesOf(view: Known): [Mrkdwn, ...Mrkdwn[]] {
  const { notice, sheet } = view;
  switch (notice.kind) {
    case 'step':
      if (notice.isPast) return [endedStep(view), NEW_MONTH];
      return [
        stepLine(view),
        ...spentLines(view),
        ...mailLine(sheet),
        ...driverLine(view),
        ...sheet.flaws,
        mrkdwn`→ Press *${BY_WORKLOAD}* to see what grew, or *Alert* to change the amount`,
      ];
    case 'fired':
      return [
        firedLine(view),
        ...(notice.isPast ? endedLine(view) : [...spentLines(view), ...driverLine(view)]),
        ...sheet.flaws,
        ...sinceFired(view),
      ];
    case 'armed':
      return [armedLine(view), SAVED_AFTER, ...spentLines(view), ...sheet.flaws];
    case 'changed': {
      const changed = changeWords(notice.was, view.alert, view.currency);
      return [
        changed
          ? mrkdwn`${sign('wrong')} ${changed}`
          : mrkdwn`${sign('unknown')} ${omittedWords(notice.was, view)}`,
        ...spentLines(view),
        ...sheet.flaws,
        changed
          ? mrkdwn`→ Ask your billing admins who did it; *Alert* can change it back`
          : mrkdwn`→ Check it with *Alert*`,
      ];
    }
  }
}

const SAVED_AFTER = mrkdwn`It was saved after it fired`;
const NEW_MONTH = mrkdwn`A new month has begun, so the alert starts again from 0`;

/** "🟠 *61% of the $500 alert used; on course for 128%*". */
function stepLine({ sheet, currency }: Known): Mrkdwn {
  const { amount, total, percent, pace, use, flaws } = sheet;
  if (amount === undefined || total === undefined) return mrkdwn`*Spend alert*: not known`;
  if (pace.kind === 'reached') {
    return mrkdwn`${sign('wrong')} *Spend alert reached: ${formatMoney(total, currency)} of ${formatLimit(amount, currency)}* (${percent})`;
  }
  if (pace.kind !== 'not this month') return mrkdwn`${sign('wrong')} *${use}*`;
  return flaws.length > 0 ? mrkdwn`${sign('unknown')} *${use}*` : mrkdwn`${sign('good')} *${use}*`;
}

/** "This month so far: *$305.00*; projected: about $643 by 30 November, over the alert on 24 November". */
function spentLines({ notice, spend, sheet, alert, currency, now }: Known): Mrkdwn[] {
  if (spend === undefined) return [mrkdwn`⚠ This month’s charges cannot be read just now`];
  const { pace, percent, projected } = sheet;
  const isOn = alert?.enabled !== false && alert?.amount !== undefined;
  // A step has it in its first line.
  const of = isOn && percent !== '' && notice.kind !== 'step' ? ` (${percent})` : '';
  const so = mrkdwn`This month so far: *${formatMoney(spend.total, currency)}*${of}`;
  if (isEarly(spend.month, now)) return [mrkdwn`${so}; too early in the month to project`];
  const over = pace.kind === 'reached at' ? `, over the alert on ${dayAndMonth(pace.ms)}` : '';
  return isOn ? [mrkdwn`${so}; projected: ${projected ?? ''}${over}`] : [so];
}

/** "*92% of the $5,000 alert used in October 2026*: $4,610.00". */
function endedStep({ notice, ended, currency }: Known): Mrkdwn {
  const amount = notice.was?.amount;
  if (ended === undefined || amount === undefined) return mrkdwn`*Spend alert*: not known`;
  const month = describeRange(ended.month);
  const sum = formatMoney(ended.total, currency);
  const limit = formatLimit(amount, currency);
  return ended.total.gte(amount)
    ? mrkdwn`${sign('wrong')} *Spend alert reached in ${month}: ${sum} of ${limit}* (${formatUsed(ended.total, amount)})`
    : mrkdwn`${sign('good')} *${formatUsed(ended.total, amount)} of the ${limit} alert used in ${month}*: ${sum}`;
}

function endedLine({ ended, currency }: Known): Mrkdwn[] {
  if (ended === undefined) return [];
  return [mrkdwn`${describeRange(ended.month)}: *${formatMoney(ended.total, currency)}*`];
}

/** "Main driver: shop/api (acme), +$504.10 (+38%) vs 1-14 September". */
function driverLine({ driver, currency }: Known): Mrkdwn[] {
  if (driver === undefined) return [];
  const { line, versus, isOneOfSeveral } = driver;
  const [org = '', gvc = '', workload = ''] = line.labels.map((label) => shorten(label, 60));
  const of = isOneOfSeveral ? ` (${org})` : '';
  const change = formatChange(line.value, line.before);
  return [
    mrkdwn`Main driver: ${gvc}/${workload}${of}, +${formatMoney(moveOf(line), currency)} (${change}) vs ${versus}`,
  ];
}

/** Announces the platform's e-mail if it is certain: the alert does not fire twice. */
function mailLine({ state, pace }: AlertSheet): Mrkdwn[] {
  const isDue = state?.kind === 'armed' || state?.kind === 'armed again';
  return isDue && pace.kind === 'reached'
    ? [mrkdwn`At the next check all billing admins are e-mailed`]
    : [];
}

function firedLine({ alert, notice, currency, spend }: Known): Mrkdwn {
  const amount = alert && amountAtFiring(notice.was, alert, spend);
  const at = amount === undefined ? '' : ` at ${formatLimit(amount, currency)}`;
  const fired = alert?.lastTriggered;
  const when = fired === undefined ? mrkdwn`` : mrkdwn` (${moment(fired)})`;
  return mrkdwn`${sign('wrong')} *Spend alert fired*${at}: all billing admins were e-mailed${when}`;
}

/** The amount of the last run, unless the present one was saved before it fired. */
function amountAtFiring(
  was: Settings | undefined,
  alert: Alert,
  spend: Spend | undefined,
): BigNumber | undefined {
  const { amount, lastTriggered = 0, lastModified } = alert;
  const isAsNow =
    lastModified !== undefined &&
    !isSavedAfterFiring(lastModified, lastTriggered) &&
    // An amount that is not reached has not fired.
    (amount === undefined || spend?.total.lt(amount) !== true);
  return was === undefined || isAsNow ? amount : was.amount;
}

function sinceFired({ alert, notice, currency, now, spend, sheet }: Known): Mrkdwn[] {
  if (alert === undefined) return [];
  const { amount, enabled, lastModified = 0, lastTriggered } = alert;
  const then = amountAtFiring(notice.was, alert, spend);
  const isOtherAmount = amount !== undefined && then?.eq(amount) === false;
  const at = isOtherAmount ? ` at ${formatLimit(amount, currency)}` : '';
  if (enabled === false) return [mrkdwn`Since then it was switched off`];
  if (notice.isPast && lastTriggered !== undefined) {
    return [
      mrkdwn`It fired on ${dayAndMonth(lastTriggered)}; a new month has begun, so it is armed again${at}`,
    ];
  }
  if (isOtherAmount) {
    return [
      mrkdwn`Since then it was set to ${formatLimit(amount, currency)}, so ${firesWhen(sheet)}`,
    ];
  }
  if (isSavedAfterFiring(lastModified, lastTriggered ?? now)) {
    return [mrkdwn`Since then it was saved again, so ${firesWhen(sheet)}`];
  }
  return [
    mrkdwn`→ Press *${BY_WORKLOAD}* to see what grew. The alert stays quiet until ${dayAndMonth(resolveRange('this month', now).endMs)} unless it is changed: ${code('/alert set')}`,
  ];
}

/** "*Spend alert armed again* at $5,000: it can fire once more this month". */
function armedLine({ sheet, currency }: Known): Mrkdwn {
  const { amount, pace } = sheet;
  const isDue = pace.kind === 'reached';
  const at = amount === undefined ? '' : ` at ${formatLimit(amount, currency)}`;
  return mrkdwn`${sign(isDue ? 'wrong' : 'underWay')} *Spend alert armed again*${at}: ${firesWhen(sheet)}`;
}

/** Of an alert that was saved after it fired. */
function firesWhen({ pace }: AlertSheet): string {
  return pace.kind === 'reached'
    ? 'it fires at its next check'
    : 'it can fire once more this month';
}

/**
 * "Spend alert changed outside of Purser: $5,000 → $6,000, off → on"; the action comes first. Undefined: a setting is no
 * longer reported, and nothing shows a change.
 */
function changeWords(
  was: Settings | undefined,
  now: Settings | undefined,
  currency: string,
): Mrkdwn | undefined {
  const done = (what: string, how: Mrkdwn | string) =>
    mrkdwn`*Spend alert ${what}* outside of Purser: ${how}`;
  const [then, amount] = [was, now].map((one) => one?.amount && formatLimit(one.amount, currency));
  if (now === undefined) return done('deleted', then ? `it was at ${then}` : NOT_KNOWN);
  if (was === undefined) {
    const how = amount ? mrkdwn`*${amount}*` : NOT_KNOWN;
    return done('set', now.enabled === undefined ? how : mrkdwn`${how}, ${onOff(now)}`);
  }
  const isSwitched = isMoved(was.enabled, now.enabled);
  if (isMoved(was.amount?.toFixed(), now.amount?.toFixed())) {
    const switched = isSwitched ? [mrkdwn`${onOff(was)} → *${onOff(now)}*`] : [];
    return done(
      'changed',
      joinMrkdwn([mrkdwn`${then ?? ''} → *${amount ?? ''}*`, ...switched], ', '),
    );
  }
  if (!isSwitched) return undefined;
  const who = now.enabled ? 'all billing admins are e-mailed' : 'no e-mail goes out';
  return done(`switched ${onOff(now)}`, amount ? mrkdwn`${who} at *${amount}*` : who);
}

function isMoved(was: unknown, now: unknown): boolean {
  return was !== undefined && now !== undefined && was !== now;
}

/** "*The platform no longer reports the amount of the spend alert* (it was $2,000)". */
function omittedWords(was: Settings | undefined, { alert, currency }: Known): Mrkdwn {
  const [what, then] =
    was?.amount !== undefined && alert?.amount === undefined
      ? ['the amount of the spend alert', formatLimit(was.amount, currency)]
      : ['whether the spend alert is on', was?.enabled ? 'on' : 'off'];
  return mrkdwn`*The platform no longer reports ${what}* (it was ${then})`;
}

const NOT_KNOWN = 'the platform omits its amount';

function onOff({ enabled }: Settings): string {
  return enabled ? 'on' : 'off';
}
