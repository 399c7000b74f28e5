import { BigNumber } from 'bignumber.js';
import { z } from 'zod';
import type { Change } from '../../changes/change.ts';
import type { ChangeStore } from '../../changes/store.ts';
import type { JobKind } from '../../jobs/jobs.ts';
import { formatDuration, shorten } from '../../lib/text.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Message, MessageContent } from '../../notify/message.ts';
import type { Alert } from '../../platform/billing/alert.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import { PlatformError } from '../../platform/errors.ts';
import {
  formatChange,
  formatExactMoney,
  formatMoney,
  type Line,
  type Sum,
} from '../../reporting/amounts.ts';
import { sparkline } from '../../reporting/chart.ts';
import {
  type ComparedCharges,
  moveOf,
  moversOf,
  readCompared,
  readDays,
  formatProjection,
  paceOf,
  readSpend,
  type Spend,
} from '../../reporting/spend.ts';
import {
  dayAndMonth,
  describeBefore,
  describeRange,
  isEarly,
  type Range,
  rangeWords,
  resolveRange,
  spanBefore,
} from '../../reporting/range.ts';
import { lastSlot, type Schedule } from '../../reporting/schedule.ts';
import type { Services } from '../../services.ts';
import { lines, section, SIGN, topText } from '../../slack/kit/blocks.ts';
import { code, joinMrkdwn, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import { inRoom, runTopicMonitor, noticeEnd, runButton } from '../notices.ts';
import { unpricedCaveats } from './words.ts';

type DigestServices = Pick<
  Services,
  'billing' | 'clock' | 'config' | 'keys' | 'outbox' | 'redis' | 'wake'
> & { readonly changes: Pick<ChangeStore, 'open'> };

/** Maximum delay of a digest, in ms. */
const TICK_MS = 30_000;

/** Posts the digest to BILLING_CHANNEL at DIGEST_TIME (UTC), and corrects it once; off without that channel. */
export function createDigestJobs(services: DigestServices): JobKind[] {
  const { billing, billingPollMs, channels, digest } = services.config;
  const channel = channels.billing;
  if (billing === undefined || channel === undefined || digest.every === 'off') return [];
  const schedule: Schedule = { every: digest.every, time: digest.time, zone: 'UTC' };
  return [
    {
      queue: 'billing',
      name: 'digest',
      every: Math.min(TICK_MS, billingPollMs),
      run: () => check(services, channel, schedule),
    },
  ];
}

/** A digest whose figures can still be revised. Times in ms since the epoch. */
const Open = z.object({
  /** As in its key. */
  day: z.string(),
  startMs: z.number(),
  endMs: z.number(),
  /** The posted total of the span; a decimal number of whole units. */
  total: z.string(),
  /** Lines about the time of posting, as mrkdwn; a correction leaves them unchanged. */
  lasting: z.array(z.string()),
});
type Open = z.infer<typeof Open>;

const DigestMemory = z.object({
  /** The day of the last digest; empty: none yet. */
  last: z.string(),
  /** The first run, ms since the epoch: earlier digests are not posted. */
  from: z.number(),
  open: z.array(Open),
});
type DigestMemory = z.infer<typeof DigestMemory>;

/** How long usage can be revised after its end (spec section 8). */
const REVISION_MS = 2 * DAY_MS;
/** A correction that fails for this long is abandoned: the figures may no longer be available. */
const PATIENCE_MS = 7 * DAY_MS;
/** A larger change of the figure is posted in addition to the correction. */
const LARGE_SHARE = 0.01;

async function check(services: DigestServices, channel: string, schedule: Schedule): Promise<void> {
  await runTopicMonitor(services, 'digest', DigestMemory, async (before) => {
    const now = services.clock.now();
    const slot = lastSlot(schedule, now);
    // The first run only waits for the next digest.
    if (before === undefined) return { memory: { last: '', from: now, open: [] }, messages: [] };
    const isDue = slot.day > before.last && slot.at > before.from;
    const open = before.open.filter(({ endMs }) => now < endMs + REVISION_MS + PATIENCE_MS);
    const settled = open.find(({ endMs }) => now >= endMs + REVISION_MS);
    const memory = { ...before, open };
    try {
      if (settled !== undefined) return await correct(services, channel, memory, settled);
    } catch (error) {
      // A failing correction must not hold back the next digest.
      if (!isDue) throw error;
    }
    if (!isDue) return { memory, messages: [] };
    const range = reportedSpan(slot.at, schedule.every);
    return digest(services, channel, memory, { day: slot.day, range });
  });
}

function reportedSpan(at: number, every: Schedule['every']): Range {
  return resolveRange(every === 'weekly' ? 'last week' : 'yesterday', at);
}

async function digest(
  services: DigestServices,
  channel: string,
  before: DigestMemory,
  { day, range }: { day: string; range: Range },
) {
  const { clock, config, changes } = services;
  const { currency } = config;
  const client = services.billing();
  const now = clock.now();
  const [figures, spend, alert, open] = await Promise.all([
    readFigures(client, range, currency),
    readSpend(client.charges, currency, now, { fresh: true }),
    alertIfReadable(client),
    changes.open(),
  ]);
  const waiting = open.filter((change) => isWaiting(change, now));
  const content = digestContent(figures, {
    currency,
    now,
    corrected: undefined,
    lasting: { spend, alert, waiting },
  });
  const entry: Open = {
    day,
    ...range,
    total: figures.span.total.value.toFixed(),
    lasting: content.lasting,
  };
  const message: Message = {
    channel,
    key: keyOf(day),
    text: content.text,
    blocks: content.blocks,
  };
  return { memory: { ...before, last: day, open: [...before.open, entry] }, messages: [message] };
}

/** Corrects a digest once its figures are final, and replies in its thread if the change is large. */
async function correct(
  services: DigestServices,
  channel: string,
  before: DigestMemory,
  settled: Open,
) {
  const { currency } = services.config;
  const { day, startMs, endMs, lasting } = settled;
  const figures = await readFigures(services.billing(), { startMs, endMs }, currency);
  const was = new BigNumber(settled.total);
  const { value } = figures.span.total;
  const isLarge = value.minus(was).abs().gt(was.abs().times(LARGE_SHARE));
  const now = services.clock.now();
  const { text, blocks } = digestContent(figures, { currency, now, corrected: was, lasting });
  const key = keyOf(day);
  const messages: Message[] = [
    // A digest that was never posted, because it was stopped, stays unposted.
    { channel, key, editOnly: true, text, blocks },
    ...(isLarge
      ? [
          {
            channel,
            key: `${key}/corrected`,
            threadKey: key,
            orphan: 'drop' as const,
            ...correctionContent(figures, was, currency),
          },
        ]
      : []),
  ];
  const open = before.open.filter((one) => one !== settled);
  return { memory: { ...before, open }, messages };
}

function keyOf(day: string): string {
  return `@billing/digest/${day}`;
}

/**
 * Charges of a span, and of its month until the end of the span, each compared with the span before.
 * @throws PlatformError
 */
async function readFigures(
  { charges }: BillingClient,
  range: Range,
  currency: string,
): Promise<DigestFigures> {
  const month = resolveRange('this month', range.endMs - 1);
  const toDate = { startMs: month.startMs, endMs: range.endMs };
  const ask = (by: readonly string[], spans: Pick<ComparedCharges, 'range' | 'before'>) =>
    readCompared(charges, by, spans, currency);
  const [span, monthToDate, days] = await Promise.all([
    ask(['org', 'gvc', 'workload', 'metric'], {
      range,
      before: spanBefore(range, '', range.endMs),
    }),
    ask(['org'], { range: toDate, before: spanBefore(month, 'this month', range.endMs) }),
    readDays(charges, toDate, currency),
  ]);
  return { span, monthToDate, days };
}

/** If the alert cannot be read, the digest omits it: that differs from having no alert. */
async function alertIfReadable(client: BillingClient) {
  try {
    return (await client.getAlert({ fresh: true })).value;
  } catch (error) {
    if (error instanceof PlatformError) return 'not said';
    throw error;
  }
}

function isWaiting({ state, expiresAt }: Change, now: number): boolean {
  return state === 'pending' && now < expiresAt;
}

/** Charges by span; asked again later, they include revisions. */
export interface DigestFigures {
  /** The reported day or week, by org, GVC, workload and metric. */
  readonly span: ComparedCharges;
  /** Its month, until its end. */
  readonly monthToDate: ComparedCharges;
  /** Per day of the month, in whole units; undefined: nothing. */
  readonly days: readonly (BigNumber | undefined)[];
}

export interface Standing {
  readonly spend: Spend;
  /** Undefined: there is no alert. */
  readonly alert: Alert | 'not said' | undefined;
  /** Requests that wait for a decision, the oldest first. */
  readonly waiting: readonly Change[];
}

interface DigestContext {
  readonly currency: string;
  /** Ms since the epoch. */
  readonly now: number;
  /** The posted total before the correction, in whole units; undefined: not a correction. */
  readonly corrected: BigNumber | undefined;
  /** The state now; or the lines about it from the first posting. */
  readonly lasting: Standing | readonly string[];
}

/** Number of movers, characters of each of their labels, and number of kinds of unpriced usage. */
interface Size {
  readonly movers: number;
  readonly label: number;
  readonly kinds: number;
}
const SIZES: readonly Size[] = [
  { movers: 5, label: 24, kinds: 5 },
  { movers: 5, label: 24, kinds: 2 },
  { movers: 5, label: 14, kinds: 1 },
  { movers: 5, label: 10, kinds: 1 },
  { movers: 5, label: 6, kinds: 1 },
  { movers: 3, label: 6, kinds: 1 },
  { movers: 2, label: 5, kinds: 1 },
];

/** The digest (design section 3). Pure. @returns the message, and its lines that a correction keeps */
export function digestContent(
  figures: DigestFigures,
  context: DigestContext,
): MessageContent & { readonly lasting: string[] } {
  const { currency, lasting: standing } = context;
  const lasting = isLines(standing)
    ? standing.map((text) => new Mrkdwn(text))
    : standingLines(standing, context);
  const head = [headline(figures, context), monthLine(figures, currency), ...lasting];
  const texts = inRoom(SIZES, WHY, (size) => [
    ...head,
    ...moverLines(figures, currency, size),
    ...unpriced(figures, size),
  ]);
  const asked = rangeWords(figures.span.range);
  return {
    text: topText(joinMrkdwn(texts, '\n')),
    blocks: [
      lines(texts),
      ...noticeEnd('digest', WHY, [
        runButton('By workload', `/charges ${asked} by org,gvc,workload`),
        runButton('This month', '/charges this month step day'),
      ]),
    ],
    lasting: lasting.map(({ text }) => text),
  };
}

const WHY = mrkdwn`Sent regularly: the settings DIGEST and DIGEST_TIME say when. All days are UTC.`;

function isLines(standing: DigestContext['lasting']): standing is readonly string[] {
  return Array.isArray(standing);
}

/** "*$123.45 on 13 October*, +12.3 % vs 12 October · provisional until 16 October". */
function headline({ span }: DigestFigures, { currency, corrected }: DigestContext): Mrkdwn {
  const { range, before, total } = span;
  const of = describeRange(range);
  const isDay = range.endMs - range.startMs <= DAY_MS;
  const sum = mrkdwn`*${formatMoney(total.value, currency)} ${isDay ? 'on' : 'in'} ${isDay ? of : `the week of ${of}`}*`;
  const versus = before === undefined ? '' : ` vs ${describeBefore(before, range)}`;
  const change = mrkdwn`${sum}, ${changeOf(total)}${versus}`;
  if (corrected === undefined) {
    return mrkdwn`${change} · _provisional until ${dayAndMonth(range.endMs + REVISION_MS)}_`;
  }
  const was = corrected.eq(total.value)
    ? mrkdwn``
    : mrkdwn` · corrected from ${formatMoney(corrected, currency)}`;
  return mrkdwn`${change}${was}`;
}

function changeOf({ value, before }: Sum): string {
  return formatChange(value, before);
}

/** "1-13 October 2026: *$1,603.96*, -3.0 % vs 1-13 September ▅▅▆█". */
function monthLine({ monthToDate, days }: DigestFigures, currency: string): Mrkdwn {
  const { range, before, total } = monthToDate;
  const versus = before === undefined ? '' : ` vs ${describeBefore(before, range)}`;
  return mrkdwn`${describeRange(range)}: *${formatMoney(total.value, currency)}*, ${changeOf(total)}${versus}${course(days)}`;
}

/** A mark for each day; omitted for a single day. */
function course(days: DigestFigures['days']): string {
  return days.length < 2 ? '' : ` ${sparkline(days)}`;
}

function standingLines(standing: Standing, { currency, now }: DigestContext): Mrkdwn[] {
  return [paceLine(standing, currency, now), ...waitingLine(standing, now)];
}

/** "Projection: about $6,430 by 31 October · spend alert at 61 % of $5,000.00, reached on 22 October". */
function paceLine({ spend, alert }: Standing, currency: string, now: number): Mrkdwn {
  const { month } = spend;
  // On the 1st, the lines above are about the month before.
  const of = isEarly(month, now) ? ` for ${describeRange(month)}` : '';
  const ahead = mrkdwn`Projection${of}: ${formatProjection(spend, currency, now)}`;
  if (alert === 'not said') return ahead;
  if (alert === undefined || alert.enabled === false) {
    return mrkdwn`${ahead} · no spend alert is on: ${code('/alert set')} asks for one`;
  }
  const { amount, enabled } = alert;
  if (amount === undefined || enabled === undefined || !amount.gt(0)) return ahead;
  const percent = spend.total.times(100).div(amount).integerValue(BigNumber.ROUND_FLOOR);
  const at = `${percent.toFormat(0)} % of ${formatExactMoney(amount, currency)}`;
  const text = mrkdwn`${ahead} · spend alert at *${at}*${paceWords(spend, amount, now)}`;
  const isOver = paceOf(spend, amount, now).kind.startsWith('reached');
  return isOver ? mrkdwn`${new Mrkdwn(SIGN.wrong)} ${text}` : text;
}

function paceWords(spend: Spend, amount: BigNumber, now: number): string {
  const pace = paceOf(spend, amount, now);
  switch (pace.kind) {
    case 'reached':
      return ', reached';
    case 'reached at':
      return `, reached on ${dayAndMonth(pace.ms)} at this pace`;
    case 'not this month':
      return ', not reached this month at this pace';
    case 'unknown':
      return '';
  }
}

function waitingLine({ waiting }: Standing, now: number): Mrkdwn[] {
  const [oldest] = waiting;
  if (oldest === undefined) return [];
  const since = formatDuration(now - oldest.requestedAt);
  const who =
    waiting.length === 1
      ? `A request has waited ${since} for a decision`
      : `${waiting.length} requests wait for a decision, the oldest for ${since}`;
  return [mrkdwn`${who}: ${code('/changes')}`];
}

function moverLines({ span }: DigestFigures, currency: string, { movers: count, label }: Size) {
  const movers = moversOf(span.lines, count);
  if (movers.length === 0) return [];
  const { range } = span;
  const isDay = range.endMs - range.startMs <= DAY_MS;
  return [
    mrkdwn`Largest changes against the ${isDay ? 'day' : 'week'} before:`,
    ...movers.map((line) => moverLine(line, currency, label)),
  ];
}

/** "• acme / shop / api · cpu: +$4.10 (+38.0 %)". */
function moverLine(line: Line, currency: string, length: number): Mrkdwn {
  const move = moveOf(line);
  const labels = line.labels.map((label) => shorten(label, length));
  const metric = labels.at(-1) ?? '';
  const place = labels.slice(0, -1).filter(Boolean).join(' / ');
  const amount = `${move.gt(0) ? '+' : ''}${formatMoney(move, currency)}`;
  return mrkdwn`• ${place || 'the account'} · ${metric || 'no metric'}: ${amount} (${formatChange(line.value, line.before)})`;
}

/** Unpriced usage and unreadable charges: the sum is too low. */
function unpriced({ span: { charges, others = [] } }: DigestFigures, { kinds }: Size): Mrkdwn[] {
  const { skipped, mayBeTooLow, catalogue } = charges;
  const texts = [
    ...(others.length === 0 ? [] : [mrkdwn`⚠ Charges in ${others.join(', ')} are not counted`]),
    ...(skipped > 0 || mayBeTooLow
      ? [mrkdwn`⚠ A part of the charges could not be read, so the sums may be too low`]
      : []),
    ...unpricedCaveats([charges], catalogue, kinds),
  ];
  return texts.length === 0 ? [] : [joinMrkdwn(texts, ' · ')];
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
  const text = mrkdwn`*Corrected*: ${describeRange(range)} cost *${formatMoney(value, currency)}*, and not ${formatMoney(was, currency)} (${signed}, ${formatChange(value, was)}). The platform revises some usage for up to 48 h; this figure is final`;
  return { text: topText(text), blocks: [section(text), ...noticeEnd('digest', WHY_CORRECTED)] };
}

const WHY_CORRECTED = mrkdwn`Sent once, when a figure of a digest moved by more than 1 %.`;
