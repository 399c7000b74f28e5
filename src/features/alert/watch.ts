import type { ChangeStore } from '../../changes/store.ts';
import type { Change } from '../../changes/change.ts';
import type { JobKind } from '../../jobs/jobs.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Message } from '../../notify/message.ts';
import type { Alert } from '../../platform/billing/alert.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import { PlatformError, undefinedIfUnavailable } from '../../platform/errors.ts';
import type { Line } from '../../reporting/amounts.ts';
import { moveOf, moversOf, readCompared, readSpend } from '../../reporting/spend.ts';
import { describeBefore, resolveRange, spanBefore, stepStart } from '../../reporting/range.ts';
import type { Services } from '../../services.ts';
import { runTopicMonitor } from '../notices.ts';
import { alertNoticeContent, AlertMemory, alertNotices } from './pace.ts';

export type AlertWatchServices = Pick<
  Services,
  'billing' | 'clock' | 'config' | 'keys' | 'outbox' | 'redis' | 'wake'
> & { readonly changes: Pick<ChangeStore, 'list'> };

/** Monitors the spend alert every BILLING_POLL_SECONDS for BILLING_CHANNEL; off without that channel. */
export function createAlertJobs(services: AlertWatchServices): JobKind[] {
  const { billing, channels, billingPollMs } = services.config;
  const channel = channels.billing;
  if (billing === undefined || channel === undefined) return [];
  return [
    {
      queue: 'billing',
      name: 'alert',
      every: billingPollMs,
      run: () => check(services, channel),
    },
  ];
}

async function check(services: AlertWatchServices, channel: string): Promise<void> {
  const { clock, config } = services;
  const { currency, paceSteps } = config;
  await runTopicMonitor(services, 'alert', AlertMemory, async (before) => {
    const client = services.billing();
    const now = clock.now();
    const [{ value: alert }, spend] = await Promise.all([
      client.getAlert({ fresh: true }),
      // Firing and changes are posted even without the charges.
      readSpend(client.charges, currency, now, { fresh: true }).catch(undefinedIfUnavailable),
    ]);
    // Nothing can be said about a record with neither field.
    if (alert !== undefined && alert.amount === undefined && alert.enabled === undefined) {
      return undefined;
    }
    // Read after the alert: a change is stored before it is sent, so its result cannot be missed.
    const isOwn = await isOfPurser(services.changes, now);
    const month = new Date(spend?.month.startMs ?? now).toISOString().slice(0, 7);
    const { memory, notices } = alertNotices(before, {
      alert,
      spend,
      month,
      steps: paceSteps,
      isOwn: isOwn(alert),
    });
    const compared = notices.length > 0 ? await driverOf(client, currency, now) : NO_DRIVER;
    const view = { alert, spend, currency, now, ...compared };
    const messages = notices.map((notice): Message => ({
      channel,
      key: keyOf(notice.key),
      ...(notice.covers.length > 0 && { covers: notice.covers.map(keyOf) }),
      ...alertNoticeContent({ ...view, notice }),
    }));
    return { memory, messages };
  });
}

function keyOf(key: string): string {
  return `@billing/alert/${key}`;
}

const NO_DRIVER = { driver: undefined, versus: '' };

/** The workload that grew most against the same days of last month. */
async function driverOf(
  { charges }: BillingClient,
  currency: string,
  now: number,
): Promise<{ driver: Line | undefined; versus: string }> {
  const month = resolveRange('this month', now);
  const range = { startMs: month.startMs, endMs: stepStart(now, 'hour') };
  const before = spanBefore(month, 'this month', now);
  if (before === undefined) return NO_DRIVER;
  try {
    const by = ['org', 'gvc', 'workload'];
    const { lines } = await readCompared(charges, by, { range, before }, currency);
    // Charges without a workload have no name to show.
    const ofWorkloads = lines.filter((line) => line.labels[2] !== '' && moveOf(line).gt(0));
    return { driver: moversOf(ofWorkloads, 1)[0], versus: describeBefore(before, month) };
  } catch (error) {
    if (error instanceof PlatformError) return NO_DRIVER;
    throw error;
  }
}

/** Changes that may have been carried out since the last run, and their maximum age. */
const LATEST = 20;
const RECENT_MS = DAY_MS;
/** Tolerance for the platform's clock and late answers. */
const CLOCKS_MS = 5 * 60_000;

/** Whether a change through Purser made the alert what it is now, or is doing so. */
async function isOfPurser(
  changes: Pick<ChangeStore, 'list'>,
  now: number,
): Promise<(alert: Alert | undefined) => boolean> {
  const latest = await changes.list(0, LATEST);
  const made = latest.filter(
    ({ sentAt, resentAt }) => sentAt !== undefined && (resentAt ?? sentAt) > now - RECENT_MS,
  );
  return (alert) => made.some((change) => isResultOf(change, alert) && isSavedBy(change, alert));
}

/** A later save with the same settings is not Purser's. */
function isSavedBy({ sentAt = 0, resentAt = sentAt }: Change, alert: Alert | undefined): boolean {
  return (alert?.lastModified ?? 0) <= resentAt + CLOCKS_MS;
}

function isResultOf({ order }: Change, alert: Alert | undefined): boolean {
  if (order.kind === 'alert.delete') return alert === undefined;
  if (order.kind !== 'alert.create' && order.kind !== 'alert.replace') return false;
  return alert?.amount?.eq(order.amount) === true && alert.enabled === order.enabled;
}
