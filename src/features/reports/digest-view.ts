import type { KnownBlock } from '@slack/types';
import { BigNumber } from 'bignumber.js';
import type { Change } from '../../changes/change.ts';
import { formatDuration, plural, shorten } from '../../lib/text.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Fact } from '../../monitors/monitor.ts';
import type { MessageContent } from '../../notify/message.ts';
import type { Alert } from '../../platform/billing/alert.ts';
import { type Bar, formatChange, formatMoney, type Line } from '../../reporting/amounts.ts';
import { dayName } from '../../reporting/chart.ts';
import {
  dayAndMonth,
  describeBefore,
  describeRange,
  isAligned,
  isEarly,
  rangeWords,
  finalFrom,
} from '../../reporting/range.ts';
import { formatTime, type Schedule } from '../../reporting/schedule.ts';
import {
  formatAlertUse,
  formatProjection,
  isWhole,
  moveOf,
  moversOf,
  paceOf,
  type ComparedCharges,
  type Spend,
} from '../../reporting/spend.ts';
import { lines, section, SIGN } from '../../slack/kit/blocks.ts';
import { chart } from '../../slack/kit/charts.ts';
import { messageText } from '../../slack/kit/message-text.ts';
import { code, joinMrkdwn, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import { inRoom, noticeEnd, replyEnd, runButton } from '../notices.ts';
import { unpricedCaveats } from './words.ts';

/** Charges by span; asked again later, they include revisions. */
export interface DigestFigures {
  /** The reported day or week, by org. */
  readonly span: ComparedCharges;
  /** The same by org, GVC and workload, or by org and GVC; undefined: it could not be read. */
  readonly movers: readonly Line[] | undefined;
  /** Its month, until its end. */
  readonly monthToDate: ComparedCharges;
  /** Charges of the last days, in whole units. */
  readonly days: readonly Bar[];
}

export interface Standing {
  readonly spend: Fact<Spend>;
  /** Its value is undefined if there is no alert. */
  readonly alert: Fact<Alert | undefined>;
  /** Requests that wait for a decision, the oldest first. */
  readonly waiting: readonly Change[];
}

interface DigestContext {
  readonly currency: string;
  /** Ms since the epoch. */
  readonly now: number;
  readonly schedule: Schedule;
  /** The posted total before the correction, in whole units; undefined: not a correction. */
  readonly corrected?: BigNumber | undefined;
  /** The state now; or the lines about it from the first posting. */
  readonly lasting: Standing | readonly string[];
}

/** Number of movers, and characters of each of their names. */
interface Size {
  readonly movers: number;
  readonly name: number;
}
const SIZES: readonly Size[] = [
  { movers: 5, name: 48 },
  { movers: 5, name: 24 },
  { movers: 5, name: 12 },
  { movers: 3, name: 12 },
  { movers: 2, name: 8 },
];

/** The digest (design section 3). Pure. @returns the message, and its lines that a correction keeps */
export function digestContent(
  figures: DigestFigures,
  view: DigestContext,
): MessageContent & { readonly lasting: string[] } {
  const { currency, lasting: standing, schedule } = view;
  const lasting = isLines(standing)
    ? standing.map((text) => new Mrkdwn(text))
    : standingLines(standing, view);
  const why = mrkdwn`Posted ${schedule.every === 'weekly' ? 'on Mondays' : 'every day'} at ${formatTime(schedule.time)} (UTC). Days are UTC days.`;
  const wrong = flawLines(figures);
  const texts = inRoom(SIZES, why, (size) => [
    headline(figures, view),
    monthLine(figures, currency),
    ...lasting,
    ...moverLines(figures, currency, size),
    ...wrong,
  ]);
  const asked = rangeWords(figures.span.range);
  const said = [lines(texts), ...courseBlocks(figures.days, currency)];
  return {
    text: messageText(said),
    blocks: [
      ...said,
      ...noticeEnd('digest', why, [
        runButton('By workload', `/charges ${asked} by org,gvc,workload`),
        runButton('This month', '/charges this month step day'),
        ...(hasUnpriced(figures) ? [runButton('Details', `/charges ${asked} by metric`)] : []),
      ]),
    ],
    lasting: lasting.map(({ text }) => text),
  };
}

function isLines(standing: DigestContext['lasting']): standing is readonly string[] {
  return Array.isArray(standing);
}

/** "*Spend yesterday (13 October): $123.45*, up 12% · provisional until 16 October". */
function headline({ span }: DigestFigures, { currency, corrected }: DigestContext): Mrkdwn {
  const { range, total } = span;
  const isDay = range.endMs - range.startMs <= DAY_MS;
  const when = isDay
    ? `yesterday (${dayAndMonth(range.startMs)})`
    : `last week (${describeRange(range)})`;
  const change = mrkdwn`*Spend ${when}: ${sumIn(span, currency)}*${after(moved(total))}`;
  if (corrected === undefined) {
    return mrkdwn`${change} · _provisional until ${dayAndMonth(finalFrom(range))}_`;
  }
  const was = formatMoney(corrected, currency);
  // Less than the smallest unit would read "¥182 · corrected from ¥182".
  return was === formatMoney(total.value, currency)
    ? change
    : mrkdwn`${change} · corrected from ${was}`;
}

/** "at least $123.45" if rows could not be read. */
function sumIn({ total, charges: { skipped } }: ComparedCharges, currency: string): string {
  return `${skipped > 0 ? 'at least ' : ''}${formatMoney(total.value, currency)}`;
}

function after(change: string): string {
  return change === '' ? '' : `, ${change}`;
}

/** "up 12%", "down 5.0%"; "new" and other words as they are; empty if it is not known. */
function moved({ value, before }: Pick<Line, 'value' | 'before'>): string {
  if (before === undefined) return '';
  const change = formatChange(value, before);
  const [, sign, figure] = /^([+−])(\d.*%)$/.exec(change) ?? [];
  return figure === undefined ? change : `${sign === '+' ? 'up' : 'down'} ${figure}`;
}

/** "*October so far: $1,603.96*, down 3.0% vs 1-13 September": until the day of the first line, and not until now. */
function monthLine({ monthToDate }: DigestFigures, currency: string): Mrkdwn {
  const { range, before, total } = monthToDate;
  const change =
    before === undefined || total.before === undefined
      ? moved(total)
      : sinceBefore(total, describeBefore(before, range), currency);
  const month = dayAndMonth(range.startMs).replace(/^\d+ /, '');
  const soFar = isAligned(range, 'month') ? '' : ' so far';
  return mrkdwn`*${month}${soFar}: ${sumIn(monthToDate, currency)}*${after(change)}`;
}

/** "down 3.0% vs 1-13 September"; from and to zero the amount before: "nothing in 1-13 September". */
function sinceBefore(
  { value, before }: Pick<Line, 'value' | 'before'>,
  span: string,
  currency: string,
): string {
  if (before === undefined || value.isZero() === before.isZero()) {
    return `${moved({ value, before })} vs ${span}`;
  }
  return `${before.isZero() ? 'nothing' : formatMoney(before, currency)} in ${span}`;
}

function courseBlocks(days: DigestFigures['days'], currency: string): KnownBlock[] {
  if (days.every(({ value = ZERO }) => value.isZero())) return [];
  const values = days.map(({ value = ZERO }) => value.toNumber());
  return [
    chart({
      title: 'Spend per day',
      type: 'bar',
      points: days.map(({ startMs }) => dayName(startMs)),
      series: [{ name: 'Spend', values }],
      unit: currency,
    }),
  ];
}

const ZERO = new BigNumber(0);

function standingLines({ spend, alert, waiting }: Standing, view: DigestContext): Mrkdwn[] {
  const { currency, now } = view;
  const pace =
    'unread' in spend
      ? mrkdwn`⚠ This month’s charges cannot be read just now, so there is no projection`
      : 'unread' in alert
        ? mrkdwn`${aheadOf(spend.value, currency, now)} · ⚠ the spend alert cannot be read just now`
        : paceLine(spend.value, alert.value, currency, now);
  const isFlawed = !('unread' in spend) && !isWhole(spend.value);
  const doubt = isFlawed ? ' · ⚠ some of this month’s charges could not be counted' : '';
  return [mrkdwn`${pace}${doubt}`, ...waitingLine(waiting, now)];
}

/** "Heading for about $6,430 by 31 October". */
function aheadOf(spend: Spend, currency: string, now: number): Mrkdwn {
  const { month } = spend;
  const ahead = formatProjection(spend, currency, now);
  return isEarly(month, now)
    ? mrkdwn`${dayAndMonth(month.startMs).replace(/^\d+ /, '')}: ${ahead}`
    : mrkdwn`Heading for ${ahead}`;
}

/** "✅ Heading for about $1,930 by 30 November · by now 56% of the $2,500 alert used; on course for 77%". */
function paceLine(spend: Spend, alert: Alert | undefined, currency: string, now: number): Mrkdwn {
  const ahead = aheadOf(spend, currency, now);
  if (alert === undefined || alert.enabled === false) {
    return mrkdwn`${ahead} · no spend alert is on: ${code('/alert set')} opens the form for one`;
  }
  const { amount, enabled } = alert;
  if (amount === undefined || enabled === undefined || !amount.gt(0)) return ahead;
  const use = formatAlertUse(spend, amount, currency, now);
  // The sums above end with a day.
  const text = mrkdwn`${ahead} · by now ${use}`;
  const pace = paceOf(spend, amount, now);
  switch (pace.kind) {
    case 'reached':
      return mrkdwn`${new Mrkdwn(SIGN.wrong)} *Spend alert reached*: by now ${use} · ${ahead}`;
    case 'reached at':
      return mrkdwn`${new Mrkdwn(SIGN.wrong)} ${text}, over it on *${dayAndMonth(pace.ms)}*`;
    case 'not this month':
      return isWhole(spend) ? mrkdwn`${new Mrkdwn(SIGN.good)} ${text}` : text;
    case 'unknown':
      return text;
  }
}

function waitingLine(waiting: Standing['waiting'], now: number): Mrkdwn[] {
  const [oldest] = waiting;
  if (oldest === undefined) return [];
  const since = formatDuration(now - oldest.requestedAt);
  const who =
    waiting.length === 1
      ? `A request has waited ${since} for a decision`
      : `${waiting.length} requests wait for a decision, the oldest for ${since}`;
  return [mrkdwn`${who}: ${code('/changes')}`];
}

/** A smaller part of the span's charges is no news. */
const NOTABLE_SHARE = 0.01;

function moverLines(
  { span, movers }: DigestFigures,
  currency: string,
  { movers: count, name }: Size,
): Mrkdwn[] {
  if (movers === undefined || span.total.before === undefined) {
    return [
      mrkdwn`⚠ What changed most cannot be shown: there are too many rows, or some could not be read`,
    ];
  }
  const { range, total } = span;
  const least = total.value.abs().times(NOTABLE_SHARE);
  const shown = moversOf(movers, count).filter((line) => moveOf(line).abs().gte(least));
  const before = range.endMs - range.startMs <= DAY_MS ? 'day' : 'week';
  if (shown.length === 0) return [mrkdwn`No notable changes against the ${before} before`];
  const orgs = new Set(movers.map(({ labels }) => labels[0]));
  return [
    mrkdwn`Largest changes against the ${before} before:`,
    ...shown.map((line) => moverLine(line, currency, name, orgs.size > 1)),
  ];
}

/** "• shop/api: +$4.10 (+38%)"; with the org if there are several. */
function moverLine(line: Line, currency: string, length: number, withOrg: boolean): Mrkdwn {
  const move = moveOf(line);
  const [org = '', ...path] = line.labels.map((label) => shorten(label, length));
  const place = path.filter(Boolean).join('/') || 'without a workload';
  const of = withOrg && org !== '' ? ` (${org})` : '';
  const amount = `${move.gt(0) ? '+' : ''}${formatMoney(move, currency)}`;
  return mrkdwn`• ${place}${of}: ${amount} (${formatChange(line.value, line.before)})`;
}

/** Flaws of the figures, in short: the warnings of the answer to `/charges`. */
function flawLines(figures: DigestFigures): Mrkdwn[] {
  const { span, monthToDate } = figures;
  const { others = [] } = span;
  const skipped = Math.max(span.charges.skipped, monthToDate.charges.skipped);
  const mayBeTooLow = span.charges.mayBeTooLow || monthToDate.charges.mayBeTooLow;
  const isCompared = [span, monthToDate].every(({ total }) => total.before !== undefined);
  const flaws = [
    ...(skipped > 0
      ? [mrkdwn`⚠ ${plural(skipped, 'row')} could not be read: the sums are too low`]
      : isCompared
        ? []
        : [mrkdwn`⚠ Not every change is shown: some earlier charges could not be read`]),
    ...(mayBeTooLow
      ? [mrkdwn`⚠ The list of prices could not be read: the sums may be too low`]
      : []),
    ...(others.length === 0 ? [] : [mrkdwn`⚠ Charges in ${others.join(', ')} are not counted`]),
    ...(hasUnpriced(figures) ? [mrkdwn`ℹ Some usage has no price yet, so it counts as 0`] : []),
  ];
  return flaws.length === 0 ? [] : [joinMrkdwn(flaws, ' · ')];
}

function hasUnpriced({ span: { charges } }: DigestFigures): boolean {
  return unpricedCaveats([charges], charges.catalogue).length > 0;
}

/** A changed figure of a digest, as a reply in its thread. Pure. @param was the posted figure, in whole units */
export function correctionContent(
  { span }: DigestFigures,
  was: BigNumber,
  currency: string,
): MessageContent {
  const { range, total } = span;
  const { value } = total;
  const by = value.minus(was);
  const signed = `${by.gt(0) ? '+' : ''}${formatMoney(by, currency)}`;
  const text = mrkdwn`*Corrected*: ${describeRange(range)} cost *${formatMoney(value, currency)}*, and not ${formatMoney(was, currency)} (${signed}, ${formatChange(value, was)})\nThe platform revises some usage for about two days; this figure is final`;
  const said = section(text);
  return { text: messageText([said]), blocks: [said, ...replyEnd(WHY_CORRECTED)] };
}

const WHY_CORRECTED = mrkdwn`Sent once, when a figure of a digest moved by more than 1%.`;
