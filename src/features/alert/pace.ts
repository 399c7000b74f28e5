import { BigNumber } from 'bignumber.js';
import { z } from 'zod';
import { shorten } from '../../lib/text.ts';
import type { MessageContent } from '../../notify/message.ts';
import type { Alert } from '../../platform/billing/alert.ts';
import {
  formatChange,
  formatExactMoney,
  formatMoney,
  formatUsed,
  type Line,
} from '../../reporting/amounts.ts';
import { moveOf, alertState, formatProjection, paceOf, type Spend } from '../../reporting/spend.ts';
import { dayAndMonth, isEarly } from '../../reporting/range.ts';
import { lines, SIGN, topText } from '../../slack/kit/blocks.ts';
import { code, joinMrkdwn, moment, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import { noticeEnd, runButton } from '../notices.ts';
import { barOf, flaws } from './view.ts';

/** The alert as the last run read it; fields the platform omits are absent. Times in ms since the epoch. */
const Seen = z.object({
  /** A decimal number of whole units. */
  amount: z.string().optional(),
  enabled: z.boolean().optional(),
  firedAt: z.number().optional(),
  firings: z.number().optional(),
  savedAt: z.number().optional(),
});
type Seen = z.infer<typeof Seen>;

export const AlertMemory = z.object({
  /** UTC: "2026-10". */
  month: z.string(),
  /** Absent: there was no alert. */
  alert: Seen.optional(),
  /** The latest known firing; 0: none. Kept when the platform no longer reports it. */
  firedAt: z.number(),
  /** The highest step reached this month with this amount; 0: none. */
  step: z.number(),
  /** Notices posted this month, counted by the last part of their key. */
  told: z.record(z.string(), z.number()),
});
export type AlertMemory = z.infer<typeof AlertMemory>;

export type AlertNotice = {
  /** After `alert/`: "2026-10/75", "2026-10/changed/2". */
  readonly key: string;
  /** Keys of the notices that this one includes. */
  readonly covers: readonly string[];
} & (
  | { readonly kind: 'step' | 'fired' | 'armed' }
  | { readonly kind: 'changed'; readonly was: Settings | undefined }
);

export interface Settings {
  readonly amount: BigNumber | undefined;
  readonly enabled: boolean | undefined;
}

export interface AlertReading {
  readonly alert: Alert | undefined;
  /** Undefined: the charges could not be read; no steps are posted then. */
  readonly spend: Spend | undefined;
  /** UTC: "2026-10". */
  readonly month: string;
  /** Per cent of the amount, ascending (PACE_STEPS). */
  readonly steps: readonly number[];
  /** The alert is the result of a recent change through Purser, which was already announced. */
  readonly isOwn: boolean;
}

/**
 * Due notices about the alert, each once a month (design section 4). The first run posts the current step and adopts
 * all else silently. Of several steps crossed at once, only the highest is posted; a revision that lowers the sum
 * retracts none. After the amount changes, a step is posted at once only if it is higher than those already posted this
 * month. Pure.
 */
export function alertNotices(
  before: AlertMemory | undefined,
  reading: AlertReading,
): { memory: AlertMemory; notices: AlertNotice[] } {
  const now = reading.alert && seenOf(reading.alert);
  const isSameMonth = before?.month === reading.month;
  const isSameAmount = before?.alert?.amount === now?.amount;
  const reached = stepOf(reading);
  const known = isSameMonth && isSameAmount ? before.step : 0;
  const posted = { ...(isSameMonth ? before.told : {}) };
  const memory = {
    month: reading.month,
    alert: now,
    firedAt: Math.max(before?.firedAt ?? 0, now?.firedAt ?? 0),
    step: Math.max(known, reached),
    told: posted,
  };

  const events = [
    ...(before === undefined ? [] : eventsOf(before, now, reading)),
    // With another amount, only a step higher than those already posted this month is news.
    ...(reached > known && (isSameAmount || reached > highestOf(posted)) ? [String(reached)] : []),
  ];
  return { memory, notices: noticesOf(events, before?.alert, countsOf(before, memory)) };
}

/** Most important first. */
function eventsOf(before: AlertMemory, now: Seen | undefined, reading: AlertReading): string[] {
  const { alert: was } = before;
  const isChanged = JSON.stringify(settings(was)) !== JSON.stringify(settings(now));
  const isFired = hasFiredSince(before, now);
  // Firing also saves the record, so only a save after it arms the alert again.
  const isSaved =
    now?.enabled === true &&
    !isFired &&
    was?.firedAt !== undefined &&
    monthOf(was.firedAt) === reading.month &&
    (now.savedAt ?? 0) > Math.max(was.savedAt ?? 0, was.firedAt);
  return [
    ...(isFired ? ['fired'] : []),
    ...(isChanged && !reading.isOwn ? ['changed'] : []),
    ...(isSaved ? ['armed'] : []),
  ];
}

type Counts = Pick<AlertMemory, 'month' | 'told'>;

/** A firing belongs to the month in which it happened, even if the next month has begun. */
function countsOf(
  before: AlertMemory | undefined,
  now: AlertMemory,
): { own: Counts; fired: Counts } {
  const at = now.alert?.firedAt;
  const month = at === undefined ? now.month : monthOf(at);
  if (month >= now.month) return { own: now, fired: now };
  return { own: now, fired: { month, told: before?.month === month ? { ...before.told } : {} } };
}

/** Merges simultaneous events: a change includes the re-arming that it causes, and a firing includes its step. */
function noticesOf(
  events: readonly string[],
  was: Seen | undefined,
  { own, fired }: ReturnType<typeof countsOf>,
): AlertNotice[] {
  const keys = new Map(
    events.map((event) => [event, keyOf(event, event === 'fired' ? fired : own)]),
  );
  // A step of this month is not the reason for a firing of last month.
  const firedFor = fired === own ? events.filter(isStep) : [];
  const take = (event: string): string[] => {
    const key = keys.get(event);
    keys.delete(event);
    return key === undefined ? [] : [key];
  };
  const notices: AlertNotice[] = [];
  for (const event of events) {
    const [key] = take(event);
    if (key === undefined) continue;
    const covers =
      event === 'changed' ? take('armed') : event === 'fired' ? firedFor.flatMap(take) : [];
    if (event === 'changed')
      notices.push({ kind: event, key, covers, was: was && toSettings(was) });
    else
      notices.push({
        kind: isStep(event) ? 'step' : event === 'fired' ? event : 'armed',
        key,
        covers,
      });
  }
  return notices;
}

/** The highest step posted in a month; 0: none. */
function highestOf(posted: AlertMemory['told']): number {
  return Math.max(0, ...Object.keys(posted).filter(isStep).map(Number));
}

function isStep(one: string): boolean {
  return /^\d+$/.test(one);
}

/** "2026-10/75"; "2026-10/75/2" the second time in a month, after the amount changed. */
function keyOf(one: string, { month, told }: Counts): string {
  const count = (told[one] ?? 0) + 1;
  told[one] = count;
  return `${month}/${count === 1 ? one : `${one}/${count}`}`;
}

/** The highest step reached; 0: none, or not known. */
function stepOf({ alert, spend, steps }: AlertReading): number {
  const { amount, enabled } = alert ?? {};
  if (spend === undefined || amount?.gt(0) !== true || enabled !== true) return 0;
  const percent = spend.total.times(100).div(amount);
  return steps.filter((step) => percent.gte(step)).at(-1) ?? 0;
}

function hasFiredSince(before: AlertMemory, now: Seen | undefined): boolean {
  if (now === undefined) return false;
  if (now.firedAt !== undefined) return now.firedAt > before.firedAt;
  return (now.firings ?? 0) > (before.alert?.firings ?? 0);
}

/** "2026-10", in UTC. */
function monthOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7);
}

function seenOf({ amount, enabled, lastTriggered, alertedTimes, lastModified }: Alert): Seen {
  return {
    amount: amount?.toFixed(),
    enabled,
    firedAt: lastTriggered,
    firings: alertedTimes,
    savedAt: lastModified,
  };
}

/** In a fixed order, for comparison as JSON. */
function settings(seen: Seen | undefined): unknown {
  return seen === undefined ? null : [seen.amount ?? null, seen.enabled ?? null];
}

function toSettings({ amount, enabled }: Seen): Settings {
  return { amount: amount === undefined ? undefined : new BigNumber(amount), enabled };
}

export interface AlertNoticeView {
  readonly notice: AlertNotice;
  readonly alert: Alert | undefined;
  /** Undefined: the charges could not be read. */
  readonly spend: Spend | undefined;
  /** The workload with the largest increase, labelled by org, GVC and workload. */
  readonly driver: Line | undefined;
  /** The span it is compared with: "1-14 September". */
  readonly versus: string;
  readonly currency: string;
  /** Ms since the epoch. */
  readonly now: number;
}

/** A notice about the spend alert (spec 2.4, section 3). Pure. */
export function alertNoticeContent(view: AlertNoticeView): MessageContent {
  const texts = linesOf(view);
  return {
    text: topText(joinMrkdwn(texts, '\n')),
    blocks: [
      lines([...bar(view, texts[0]), ...texts.slice(1)]),
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

/** The bar follows the headline in the blocks only, not in the screen-reader text. */
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
    : `${formatUsed(spend.total, amount)} of the spend alert`;
  const share = isReached ? mrkdwn` (${formatUsed(spend.total, amount)})` : mrkdwn``;
  const runsOver = paceOf(spend, amount, now).kind === 'not this month' ? 'good' : 'wrong';
  return mrkdwn`${sign(runsOver)} *${head}* on ${dayAndMonth(now)}: *${of}*${share}`;
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
  const of =
    amount?.gt(0) && notice.kind !== 'fired' ? ` (${formatUsed(spend.total, amount)})` : '';
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

/** Announces the platform's e-mail if it is certain: the alert does not fire twice. */
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

/** "Spend alert changed outside of Purser: $5,000.00 → $6,000.00, off → on"; the action comes first. */
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
