import { BigNumber } from 'bignumber.js';
import { z } from 'zod';
import type { ChangeStore } from '../../changes/store.ts';
import type { JobKind } from '../../jobs/jobs.ts';
import { DAY_MS } from '../../lib/time.ts';
import { factOf, known, type Fact, type Found, type Monitor } from '../../monitors/monitor.ts';
import { monitorJob, type MonitorServices } from '../../monitors/run.ts';
import { channelOf } from '../../monitors/topics.ts';
import type { Message } from '../../notify/message.ts';
import { readAlert } from '../../monitors/read-alert.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import { PlatformError } from '../../platform/errors.ts';
import {
  finalFrom,
  isProvisional,
  resolveRange,
  spanBefore,
  type Range,
} from '../../reporting/range.ts';
import { readCompared, readDays, readSpend, type ComparedCharges } from '../../reporting/spend.ts';
import { lastSlot, type Schedule } from '../../reporting/schedule.ts';
import {
  correctionContent,
  digestContent,
  type DigestFigures,
  type Standing,
} from './digest-view.ts';

type DigestServices = MonitorServices & { readonly changes: Pick<ChangeStore, 'open'> };

/** Maximum delay of a digest, in ms. */
const TICK_MS = 30_000;

/** Posts the digest to BILLING_CHANNEL at DIGEST_TIME (UTC), and corrects it once; off without that channel. */
export function createDigestJobs(services: DigestServices): JobKind[] {
  const { billing, billingPollMs, digest } = services.config;
  const channel = channelOf('digest', services.config);
  if (billing === undefined || channel === undefined || digest.every === 'off') return [];
  const schedule: Schedule = { every: digest.every, time: digest.time, zone: 'UTC' };
  const every = Math.min(TICK_MS, billingPollMs);
  return [monitorJob(services, 'digest', every, createDigest(services, channel, schedule))];
}

/** A digest whose figures can still be revised. Times in ms since the epoch. */
const Open = z.object({
  /** As in its key. */
  day: z.string(),
  startMs: z.number(),
  endMs: z.number(),
  /** The posted total of the span; a decimal number of whole units. */
  total: z.string(),
  /** Nothing of it was left out, as far as could be seen. */
  isWhole: z.boolean().optional(),
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

/** A correction that fails for this long is abandoned: the figures may no longer be available. */
const PATIENCE_MS = 7 * DAY_MS;
/** A larger change of the figure is posted in addition to the correction. */
const LARGE_SHARE = 0.01;

interface DigestFacts {
  /** Ms since the epoch. */
  readonly now: number;
  /** A digest whose figures are final by now. */
  readonly settled?: { readonly entry: Open; readonly figures: Fact<DigestFigures> } | undefined;
  readonly due?: { day: string; figures: DigestFigures; standing: Standing } | undefined;
}

function createDigest(
  services: DigestServices,
  channel: string,
  schedule: Schedule,
): Monitor<DigestFacts, DigestMemory> {
  const { clock, config } = services;
  const { currency } = config;

  return {
    memory: DigestMemory,
    async read(before) {
      const now = clock.now();
      // The first run only waits for the next digest.
      if (before === undefined) return { now };
      const slot = lastSlot(schedule, now);
      const isDue = slot.day > before.last && slot.at > before.from;
      const entry = openNow(before, now).find((one) => !isProvisional(one, now));
      if (!isDue && entry === undefined) return undefined;
      const range = resolveRange(schedule.every === 'weekly' ? 'last week' : 'yesterday', slot.at);
      const [figures, due] = await Promise.all([
        entry && factOf(readFigures(services.billing(), entry, currency)),
        isDue ? readDue(services, slot.day, range, now) : undefined,
      ]);
      return { now, settled: entry && figures && { entry, figures }, due };
    },
    compare(before, { now, settled, due }) {
      if (before === undefined) return { memory: { last: '', from: now, open: [] }, messages: [] };
      const view = { currency, now, schedule };
      let memory: DigestMemory = { ...before, open: openNow(before, now) };
      const messages: Message[] = [];
      let unread: PlatformError | undefined;
      if (settled !== undefined) {
        const { entry, figures } = settled;
        if ('unread' in figures) unread = figures.unread;
        else if (entry.isWhole === true && !isWholeSpan(figures.value)) unread = inPart();
        else {
          messages.push(...correctionsOf(entry, figures.value, view, channel));
          memory = { ...memory, open: memory.open.filter(({ day }) => day !== entry.day) };
        }
      }
      if (due === undefined) return { memory, messages, unread };
      const { day, figures, standing } = due;
      const { text, blocks, lasting } = digestContent(figures, { ...view, lasting: standing });
      messages.push({ channel, key: keyOf(day), text, blocks });
      const total = figures.span.total.value.toFixed();
      const { startMs, endMs } = figures.span.range;
      const isWhole = isWholeSpan(figures);
      const open = [...memory.open, { day, startMs, endMs, total, isWhole, lasting }];
      return {
        memory: { ...memory, last: day, open },
        messages,
        unread: unread ?? unreadOf(standing),
      } satisfies Found<DigestMemory>;
    },
  };
}

async function readDue(
  { billing, changes, config }: DigestServices,
  day: string,
  range: Range,
  now: number,
) {
  const client = billing();
  const { currency } = config;
  const [figures, spend, alert, open] = await Promise.all([
    readFigures(client, range, currency),
    factOf(readSpend(client.charges, currency, now, { fresh: true })),
    factOf(readAlert(client).then((read) => read.alert)),
    changes.open(),
  ]);
  const waiting = open.filter(({ state, expiresAt }) => state === 'pending' && now < expiresAt);
  return { day, figures, standing: { spend, alert, waiting } };
}

function openNow({ open }: DigestMemory, now: number): Open[] {
  return open.filter((one) => now < finalFrom(one) + PATIENCE_MS);
}

/** A part of the figures would look like a revision of the whole. */
function inPart(): PlatformError {
  return new PlatformError('malformed', 'some charges could not be read');
}

function isWholeSpan({ span: { charges } }: DigestFigures): boolean {
  return charges.skipped === 0 && !charges.mayBeTooLow;
}

function unreadOf({ spend, alert }: Standing): PlatformError | undefined {
  return 'unread' in spend ? spend.unread : 'unread' in alert ? alert.unread : undefined;
}

/** Corrects a digest once its figures are final, and replies in its thread if the change is large. */
function correctionsOf(
  { day, total, lasting }: Open,
  figures: DigestFigures,
  view: { readonly currency: string; readonly now: number; readonly schedule: Schedule },
  channel: string,
): Message[] {
  const was = new BigNumber(total);
  const { value } = figures.span.total;
  const isLarge = value.minus(was).abs().gt(was.abs().times(LARGE_SHARE));
  const { text, blocks } = digestContent(figures, { ...view, corrected: was, lasting });
  const key = keyOf(day);
  const reply = (): Message => ({
    channel,
    key: `${key}/corrected`,
    threadKey: key,
    orphan: 'drop',
    ...correctionContent(figures, was, view.currency),
  });
  // A digest that was never posted, because it was stopped, stays unposted.
  return [{ channel, key, editOnly: true, text, blocks }, ...(isLarge ? [reply()] : [])];
}

function keyOf(day: string): string {
  return `@billing/digest/${day}`;
}

/** By few tags first comes what fits: an account has thousands of workloads, and each row the tags that prices need. */
const MOVERS_BY = [
  ['org', 'gvc', 'workload'],
  ['org', 'gvc'],
] as const;

const CHART_MS = 14 * DAY_MS;

/**
 * Charges of a span, and of its month until the end of the span, each compared with the span before.
 * @throws PlatformError where the sums cannot be read; what moved is a fact of its own
 */
async function readFigures(
  { charges }: BillingClient,
  { startMs, endMs }: Range,
  currency: string,
): Promise<DigestFigures> {
  const range = { startMs, endMs };
  const month = resolveRange('this month', endMs - 1);
  const toDate = { startMs: month.startMs, endMs };
  const lastDays = { startMs: endMs - CHART_MS, endMs };
  const ask = (by: readonly string[], spans: Pick<ComparedCharges, 'range' | 'before'>) =>
    readCompared(charges, by, spans, currency);
  const span = { range, before: spanBefore(range, '', endMs) };
  const readMovers = async () => {
    let found: Fact<ComparedCharges> | undefined;
    for (const by of MOVERS_BY) {
      found = await factOf(ask(by, span));
      if (!('unread' in found) || found.unread.reason !== 'too-large') break;
    }
    const movers = found && known(found);
    return movers?.total.before === undefined ? undefined : movers.lines;
  };
  const [total, movers, monthToDate, days] = await Promise.all([
    ask(['org'], span),
    readMovers(),
    ask(['org'], { range: toDate, before: spanBefore(month, 'this month', endMs) }),
    readDays(charges, lastDays, currency, { fresh: true }),
  ]);
  return { span: total, movers, monthToDate, days };
}
