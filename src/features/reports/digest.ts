import { z } from 'zod';
import type { Change } from '../../changes/change.ts';
import type { ChangeStore } from '../../changes/store.ts';
import type { JobKind } from '../../jobs/jobs.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Message } from '../../notify/message.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import { PlatformError } from '../../platform/errors.ts';
import { BigNumber } from 'bignumber.js';
import { readCompared, readDays, type ComparedCharges } from '../../reporting/movers.ts';
import { resolveRange, spanBefore, type Range } from '../../reporting/range.ts';
import { lastSlot, type Schedule } from '../../reporting/schedule.ts';
import { readSpend } from '../../reporting/spend.ts';
import type { Services } from '../../services.ts';
import { lookAtTopic } from '../notices.ts';
import { correctionContent, digestContent, type DigestFigures } from './digest-view.ts';

type DigestServices = Pick<
  Services,
  'billing' | 'clock' | 'config' | 'keys' | 'outbox' | 'redis' | 'wake'
> & { readonly changes: Pick<ChangeStore, 'open'> };

/** A digest is late by at most this. Milliseconds. */
const TICK_MS = 30_000;

/** Posts the digest to BILLING_CHANNEL at DIGEST_TIME (UTC), and corrects it once; nothing without a channel. */
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
      run: () => look(services, channel, schedule),
    },
  ];
}

/** A digest whose figures the platform may still revise. Times in ms since the epoch. */
const Open = z.object({
  /** The day of the digest, as in its key. */
  day: z.string(),
  startMs: z.number(),
  endMs: z.number(),
  /** What it told was charged in this span; a decimal number of whole units. */
  total: z.string(),
  /** Its lines about what is so at the time of the digest, as mrkdwn: they stay as they were. */
  lasting: z.array(z.string()),
});
type Open = z.infer<typeof Open>;

const DigestMemory = z.object({
  /** The day of the last digest; empty: none yet. */
  last: z.string(),
  /** When the first look was, ms since the epoch: what was due before is nobody's. */
  from: z.number().default(0),
  open: z.array(Open),
});
type DigestMemory = z.infer<typeof DigestMemory>;

/** For so long after its end usage may be revised (spec section 8). */
const REVISION_MS = 2 * DAY_MS;
/** A correction that cannot be made in this time is given up: the figures may be kept no longer. */
const PATIENCE_MS = 7 * DAY_MS;
/** A figure that moved by more is told, and not only corrected. */
const TOLD_SHARE = 0.01;

async function look(services: DigestServices, channel: string, schedule: Schedule): Promise<void> {
  await lookAtTopic(services, 'digest', DigestMemory, async (before) => {
    const now = services.clock.now();
    const slot = lastSlot(schedule, now);
    // The first look begins with the next digest.
    if (before === undefined) return { memory: { last: '', from: now, open: [] }, messages: [] };
    const isDue = slot.day > before.last && slot.at > before.from;
    const open = before.open.filter(({ endMs }) => now < endMs + REVISION_MS + PATIENCE_MS);
    const settled = open.find(({ endMs }) => now >= endMs + REVISION_MS);
    const memory = { ...before, open };
    try {
      if (settled !== undefined) return await correct(services, channel, memory, settled);
    } catch (error) {
      // A correction that cannot be made must not hold back the next digest.
      if (!isDue) throw error;
    }
    if (!isDue) return { memory, messages: [] };
    const range = reportedSpan(slot.at, schedule.every);
    return digest(services, channel, memory, { day: slot.day, range });
  });
}

/** The day, or the week, that was over when a digest is due. */
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
    alertIfSaid(client),
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

/** The one correction of a digest: its figures are final now, and a large move is told in its thread. */
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
  const isTold = value.minus(was).abs().gt(was.abs().times(TOLD_SHARE));
  const now = services.clock.now();
  const { text, blocks } = digestContent(figures, { currency, now, corrected: was, lasting });
  const key = keyOf(day);
  const messages: Message[] = [
    // One that was never posted, because it was stopped, is not posted now.
    { channel, key, requires: key, text, blocks },
    ...(isTold
      ? [
          {
            channel,
            key: `${key}/corrected`,
            threadKey: key,
            requires: key,
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

/** What was charged in a span, and in its month until its end, each beside the span before. @throws PlatformError */
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

/** Where the platform does not say it, the digest says nothing of it: that is not the same as none. */
async function alertIfSaid(client: BillingClient) {
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
