import type { Button, KnownBlock } from '@slack/types';
import { BigNumber } from 'bignumber.js';
import { ADMINS, needRefusal, type Principal, READERS } from '../../access/policy.ts';
import { plural } from '../../lib/text.ts';
import type { Alert } from '../../platform/billing/alert.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import type { BillingRole } from '../../platform/billing/roles.ts';
import { explainPlatformError } from '../../platform/errors.ts';
import { formatExactMoney, formatMoney, formatShare, formatUsed } from '../../reporting/amounts.ts';
import { dayAndMonth, resolveRange } from '../../reporting/range.ts';
import {
  alertState,
  type AlertState,
  formatProjection,
  lastSaved,
  paceOf,
  readSpend,
  type Spend,
} from '../../reporting/spend.ts';
import type { Services } from '../../services.ts';
import { lines, section, SIGN, topText } from '../../slack/kit/blocks.ts';
import { code, joinMrkdwn, moment, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer, HomePart } from '../../slack/routing/routes.ts';
import { footnotes, SHARING, smallPrint } from '../answer-parts.ts';

export interface AlertView {
  readonly alert: Alert | undefined;
  /** `unknown`: why this month's charges could not be read, as a sentence. */
  readonly spend: Spend | { readonly unknown: string };
  readonly currency: string;
  /** Of the alert; ms since the epoch, as is `now`. */
  readonly readAt: number;
  readonly now: number;
  /** Buttons that request a change; empty without the role. */
  readonly asks: readonly Button[];
}

/** The answer to `/alert` (spec 2.4, section 3). Pure. */
export function alertAnswer(read: AlertView): Answer {
  const view = { ...read, spend: ofThisMonth(read) };
  const { alert, asks, currency } = view;
  const spend: SpendView = {
    ...view,
    mayAsk: asks.length > 0,
    money: (units) => formatMoney(units, currency),
  };
  const head = headline(spend);
  const facts = [...spendLines(spend), ...(alert === undefined ? [] : stateLines(alert, view))];
  const wrong = flaws(view);
  return {
    text: topText(joinMrkdwn([head, ...facts.filter(isReadAloud), ...wrong], '\n')),
    blocks: [
      section(head),
      lines(facts),
      ...smallPrint([...wrong, ...footnotes({ ...view, skipped: 0, thing: 'alert' })]),
    ],
    buttons: [...asks],
    notes: alert === undefined ? [] : [CHECKS, ...historyOf(alert, view)].map(({ text }) => text),
    ...SHARING,
  };
}

/** A screen reader cannot read a bar; the share follows it in words. */
function isReadAloud({ text }: Mrkdwn): boolean {
  return !/^[▰▱]/.test(text);
}

export interface SpendView extends Pick<AlertView, 'alert' | 'spend' | 'now'> {
  readonly mayAsk: boolean;
  readonly currency: string;
  /** Formats an amount in whole units. */
  readonly money: (units: BigNumber) => string;
}

/** Spec section 3. */
const CHECKS = mrkdwn`The platform compares every 10 minutes; when it fires, every billing_admin gets an e-mail, once a month`;

function headline({ alert, mayAsk, money, spend, now }: SpendView): Mrkdwn {
  const way = mayAsk ? code('/alert set') : mrkdwn`a billing_admin`;
  const asks = mayAsk ? 'asks' : 'can ask';
  if (alert === undefined) return mrkdwn`There is no spend alert: ${way} ${asks} for one.`;
  const { amount, enabled } = alert;
  if (amount === undefined) {
    return mrkdwn`There is a spend alert whose amount is not said: ${way} ${asks} for another.`;
  }
  const threshold = mrkdwn`*Spend alert at ${money(amount)}* a month`;
  const named =
    enabled === undefined ? threshold : mrkdwn`${threshold}, *${enabled ? 'on' : 'off'}*`;
  const outlook = outlookOf({ spend, now }, amount);
  return outlook === undefined ? named : mrkdwn`${outlook} · ${named}`;
}

function outlookOf({ spend, now }: Known, amount: BigNumber): Mrkdwn | undefined {
  if ('unknown' in spend) return undefined;
  const pace = paceOf(spend, amount, now);
  switch (pace.kind) {
    case 'reached':
      return mrkdwn`${new Mrkdwn(SIGN.wrong)} *Reached*`;
    case 'reached at':
      return mrkdwn`${new Mrkdwn(SIGN.wrong)} *Reached by ${dayAndMonth(pace.ms)}* at this pace`;
    case 'not this month':
      return mrkdwn`${new Mrkdwn(SIGN.good)} *Not reached this month* at this pace`;
    case 'unknown':
      return undefined;
  }
}

type Known = Pick<AlertView, 'spend' | 'now'>;

/** Charges read just before midnight can be those of last month. */
function ofThisMonth({ spend, now }: Known): AlertView['spend'] {
  const isOther =
    !('unknown' in spend) && spend.month.startMs !== resolveRange('this month', now).startMs;
  return isOther ? { unknown: 'The month has only just begun: please ask again.' } : spend;
}

function stateLines(alert: Alert, view: Known): Mrkdwn[] {
  const state = stateOf(alert, view);
  // These state lines already give the time of firing, or say that it is unknown.
  const showsTime =
    state.kind === 'fired or armed again' ||
    state.kind === 'fired at some time' ||
    state.kind === 'fired later';
  return [stateLine(state, alert, view), ...(showsTime ? timesLine(alert) : [firedLine(alert)])];
}

function historyOf(alert: Alert, view: Known): Mrkdwn[] {
  return [
    ...(alert.created === undefined ? [] : [mrkdwn`Created ${moment(alert.created)}`]),
    ...savedLine(alert, stateOf(alert, view)),
  ];
}

/** Firing can save the record, too, so a save is not always called a change. */
function savedLine(alert: Alert, state: AlertState): Mrkdwn[] {
  const saved = lastSaved(alert, state);
  if (saved === undefined || saved.at === alert.created) return [];
  return [mrkdwn`${saved.isChange ? 'Changed' : 'Record saved'} ${moment(saved.at)}`];
}

function stateOf(alert: Alert, { spend, now }: Known): AlertState {
  return alertState(alert, 'unknown' in spend ? undefined : spend, now);
}

/** The home tab shows the state only if the alert has fired this month, or may have. */
function firedLines({ alert, ...view }: SpendView): Mrkdwn[] {
  if (alert === undefined) return [];
  const state = stateOf(alert, view);
  const isPlain = ['off', 'not said', 'armed'].includes(state.kind);
  return isPlain ? [] : [stateLine(state, alert, view)];
}

/** Whether the alert can fire now (spec section 3): a change or a new month arms it again. */
function stateLine(state: AlertState, { amount }: Alert, { spend, now }: Known): Mrkdwn {
  const nextMonth = dayAndMonth(resolveRange('this month', now).endMs);
  const isReached = amount !== undefined && !('unknown' in spend) && spend.total.gte(amount);
  const fires = isReached
    ? 'fires at the next check'
    : 'fires when this month’s charges reach the amount';
  switch (state.kind) {
    case 'not said':
      return mrkdwn`Whether it is on is not said`;
    case 'off':
      return mrkdwn`Off: nobody is told when the amount is reached`;
    case 'armed':
      return isReached
        ? mrkdwn`The amount is reached: an e-mail goes out at the next check`
        : mrkdwn`An e-mail goes out when this month’s charges reach the amount`;
    case 'fired':
      return mrkdwn`E-mailed this month: the next e-mail can come from ${nextMonth} on`;
    case 'armed again':
      return mrkdwn`E-mailed this month, but changed after that: it ${fires}`;
    case 'fired or armed again':
      return state.savedAt === undefined
        ? mrkdwn`Fired ${moment(state.firedAt)}. It fires again this month only if it was changed since; otherwise from ${nextMonth} on`
        : mrkdwn`Fired ${moment(state.firedAt)}, saved ${moment(state.savedAt)}. It fires again this month only if that was a change; otherwise from ${nextMonth} on`;
    case 'fired at some time':
      return mrkdwn`It has fired, but when is not said: if it was this month, it fires again from ${nextMonth} on; if not, it ${fires}`;
    case 'fired later':
      return mrkdwn`Its record says that it fired at a time that is still to come (${moment(state.firedAt)}), so whether it is quiet does not show`;
  }
}

function firedLine(alert: Alert): Mrkdwn {
  const { lastTriggered, alertedTimes, hasFired } = alert;
  if (lastTriggered === undefined) {
    const otherwise = hasFired
      ? mrkdwn`Has fired, but when is not said`
      : mrkdwn`Has not fired so far`;
    return timesLine(alert)[0] ?? otherwise;
  }
  const times = alertedTimes ? `, ${timesOf(alertedTimes)} in all` : '';
  return mrkdwn`Last fired ${moment(lastTriggered)}${times}`;
}

function timesLine({ alertedTimes }: Alert): Mrkdwn[] {
  return alertedTimes ? [mrkdwn`Fired ${timesOf(alertedTimes)} in all`] : [];
}

function timesOf(count: number): string {
  return count === 1 ? 'once' : plural(count, 'time');
}

function spendLines({ alert, spend, currency, money, now }: SpendView): Mrkdwn[] {
  if ('unknown' in spend) return [mrkdwn`This month’s charges are not known: ${spend.unknown}`];
  const { total, driver } = spend;
  const amount = alert?.amount;
  return [
    ...(amount === undefined ? [] : [mrkdwn`${barOf(total, amount, 20)}`]),
    amount === undefined
      ? mrkdwn`*${money(total)}* so far this month`
      : mrkdwn`*${money(total)} of ${money(amount)}*${shareOf(total, amount)} so far this month`,
    mrkdwn`${formatProjection(spend, currency, now)}`,
    ...(driver === undefined
      ? []
      : [
          mrkdwn`Main driver: org ${code(driver.org)}, ${money(driver.total)} (${formatShare(driver.total, total)})`,
        ]),
  ];
}

/** "▰▰▰▱▱▱", full once the amount is reached. An alert at 0 is always reached. Pure. */
export function barOf(total: BigNumber, amount: BigNumber, width: number): string {
  const part = amount.isZero() ? new BigNumber(1) : total.div(amount);
  const cells = BigNumber.max(0, BigNumber.min(1, part)).times(width);
  const filled = cells.integerValue(BigNumber.ROUND_FLOOR).toNumber();
  return '▰'.repeat(filled) + '▱'.repeat(width - filled);
}

function shareOf(total: BigNumber, amount: BigNumber): string {
  const used = formatUsed(total, amount);
  return used === '' ? '' : ` (${used})`;
}

export function flaws({ spend }: Pick<AlertView, 'spend'>): Mrkdwn[] {
  if ('unknown' in spend) return [];
  const { others, skipped, mayBeTooLow } = spend;
  return [
    ...(mayBeTooLow ? [TOO_LOW] : []),
    ...(others.length === 0
      ? []
      : [
          mrkdwn`⚠ Charges in ${joinMrkdwn(
            others.map((one) => code(one, 20)),
            ', ',
          )} are not counted`,
        ]),
    ...(skipped === 0
      ? []
      : [
          mrkdwn`⚠ ${plural(skipped, 'row')} of the charges could not be read and ${skipped === 1 ? 'is' : 'are'} left out`,
        ]),
  ];
}

const TOO_LOW = mrkdwn`⚠ The chargeable items could not be read, so the charges may be too low, and with them the projection and the pace`;

/** This month's spend against the alert, on the home tab of members with a billing role (design section 3). */
export function createAlertPart(
  services: Pick<Services, 'billing' | 'clock' | 'config'>,
): HomePart<Principal> {
  return {
    title: 'This month’s spend',
    rank: 30,
    async fill(_, who) {
      const principal = await who();
      if (!hasOne(READERS, principal)) return [];
      const isAdmin = hasOne(ADMINS, principal);
      const { clock, config } = services;
      const { currency } = config;
      const client = services.billing();
      const [{ alert }, spend] = await Promise.all([
        readAlert(client, isAdmin),
        spendOrWhy(client, currency, clock.now()),
      ]);
      return spendBlocks({ alert, spend, currency, now: clock.now(), mayAsk: isAdmin });
    },
  };
}

function hasOne(roles: readonly BillingRole[], who: Principal): boolean {
  return needRefusal({ roles }, who) === undefined;
}

/** Often opened right after a change. */
const FRESH = { fresh: true } as const;

/** Viewers may read the account, and the alert in it (spec 2.2). @throws PlatformError */
export async function readAlert(
  billing: BillingClient,
  isAdmin: boolean,
): Promise<Pick<AlertView, 'alert' | 'readAt'>> {
  if (!isAdmin) {
    const { value, readAt } = await billing.getAccount(FRESH);
    return { alert: value.alert, readAt };
  }
  const { value: alert, readAt } = await billing.getAlert(FRESH);
  return { alert, readAt };
}

/** The alert is shown even without this month's charges. @param now ms since the epoch */
export async function spendOrWhy(
  { charges }: BillingClient,
  currency: string,
  now: number,
): Promise<AlertView['spend']> {
  try {
    return await readSpend(charges, currency, now);
  } catch (error) {
    const sentence = explainPlatformError(error);
    if (sentence === undefined) throw error;
    return { unknown: sentence };
  }
}

function spendBlocks({
  mayAsk,
  ...known
}: Omit<SpendView, 'money'> & Pick<AlertView, 'currency'>): KnownBlock[] {
  const view = { ...known, spend: ofThisMonth(known) };
  return [
    section(spendLine(view)),
    ...smallPrint([
      ...flaws(view),
      ...firedLines({ ...view, mayAsk, money: (units) => formatMoney(units, known.currency) }),
      ...(view.alert === undefined ? [noAlert(mayAsk)] : []),
      ...driverLine(view),
      mrkdwn`${code('/alert')} and ${code('/charges')} say more`,
    ]),
  ];
}

type MonthView = Pick<AlertView, 'alert' | 'spend' | 'currency' | 'now'>;

/** "▰▰▰▰▰▰▰▰▰▱ *$4,603.96* of $5,000.00 · about $6,430 by 30 November · over the alert on 25 November" */
function spendLine({ alert, spend, currency, now }: MonthView): Mrkdwn {
  const amount = alert?.amount;
  const limit = amount === undefined ? undefined : formatExactMoney(amount, currency);
  if ('unknown' in spend) {
    const against = limit === undefined ? '' : `, the alert is at ${limit}`;
    return mrkdwn`This month’s charges are not known${against}: ${spend.unknown}`;
  }
  const { total } = spend;
  const sum = mrkdwn`*${formatMoney(total, currency)}*`;
  const so = limit === undefined ? mrkdwn`${sum} so far` : mrkdwn`${sum} of ${limit}`;
  const bar = amount === undefined ? [] : [mrkdwn`${barOf(total, amount, 10)}`];
  const parts = [
    joinMrkdwn([...bar, so], ' '),
    mrkdwn`${formatProjection(spend, currency, now)}`,
    ...(amount === undefined ? [] : paceWords(spend, amount, now)),
    ...(alert?.enabled === false ? [mrkdwn`the alert is *off*`] : []),
    ...(alert !== undefined && amount === undefined
      ? [mrkdwn`the alert does not say its amount`]
      : []),
  ];
  return joinMrkdwn(parts, ' · ');
}

function paceWords(spend: Spend, amount: BigNumber, now: number): Mrkdwn[] {
  const pace = paceOf(spend, amount, now);
  switch (pace.kind) {
    case 'reached':
      return [mrkdwn`⚠ *the alert is reached*`];
    case 'reached at':
      return [mrkdwn`⚠ over the alert on *${dayAndMonth(pace.ms)}*`];
    case 'not this month':
      return [mrkdwn`stays below the alert`];
    case 'unknown':
      return [];
  }
}

function noAlert(mayAsk: boolean): Mrkdwn {
  return mayAsk
    ? mrkdwn`No spend alert: ${code('/alert set')} asks for one`
    : mrkdwn`No spend alert: a billing_admin can ask for one`;
}

function driverLine({ spend, currency }: MonthView): Mrkdwn[] {
  if ('unknown' in spend || spend.driver === undefined) return [];
  const { org, total } = spend.driver;
  return [
    mrkdwn`Most of it: org ${code(org)}, ${formatMoney(total, currency)} (${formatShare(total, spend.total)})`,
  ];
}
