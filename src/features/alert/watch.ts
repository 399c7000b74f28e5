import type { ChangeStore } from '../../changes/store.ts';
import type { Change } from '../../changes/change.ts';
import type { JobKind } from '../../jobs/jobs.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Message } from '../../notify/message.ts';
import type { Alert } from '../../platform/billing/alert.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import { PlatformError } from '../../platform/errors.ts';
import type { Line } from '../../reporting/amounts.ts';
import { moveOf, moversOf, readCompared, readSpend, type Spend } from '../../reporting/spend.ts';
import { describeBefore, resolveRange, spanBefore, stepStart } from '../../reporting/range.ts';
import type { Services } from '../../services.ts';
import { lookAtTopic } from '../notices.ts';
import { alertNoticeContent, AlertMemory, alertNotices } from './pace.ts';

export type AlertWatchServices = Pick<
  Services,
  'billing' | 'clock' | 'config' | 'keys' | 'outbox' | 'redis' | 'wake'
> & { readonly changes: Pick<ChangeStore, 'list'> };

/** Looks at the spend alert every BILLING_POLL_SECONDS and tells BILLING_CHANNEL of it; nothing without one. */
export function createAlertJobs(services: AlertWatchServices): JobKind[] {
  const { billing, channels, billingPollMs } = services.config;
  const channel = channels.billing;
  if (billing === undefined || channel === undefined) return [];
  return [
    {
      queue: 'billing',
      name: 'alert',
      every: billingPollMs,
      run: () => look(services, channel),
    },
  ];
}

async function look(services: AlertWatchServices, channel: string): Promise<void> {
  const { clock, config } = services;
  const { currency, paceSteps } = config;
  await lookAtTopic(services, 'alert', AlertMemory, async (before) => {
    const client = services.billing();
    const now = clock.now();
    const [{ value: alert }, spend] = await Promise.all([
      client.getAlert({ fresh: true }),
      spendIfSaid(client, currency, now),
    ]);
    // A record that says neither is none that anything can be told of.
    if (alert !== undefined && alert.amount === undefined && alert.enabled === undefined) {
      return undefined;
    }
    // After the alert: what made it so was written down before it was sent.
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

/** Firing and changes are told without the charges, too. */
async function spendIfSaid(
  { charges }: BillingClient,
  currency: string,
  now: number,
): Promise<Spend | undefined> {
  try {
    return await readSpend(charges, currency, now, { fresh: true });
  } catch (error) {
    if (error instanceof PlatformError) return undefined;
    throw error;
  }
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
    // What no workload used has none to name.
    const ofWorkloads = lines.filter((line) => line.labels[2] !== '' && moveOf(line).gt(0));
    return { driver: moversOf(ofWorkloads, 1)[0], versus: describeBefore(before, month) };
  } catch (error) {
    if (error instanceof PlatformError) return NO_DRIVER;
    throw error;
  }
}

/** Changes that may have been carried out since the last look, and for so long. */
const LATEST = 20;
const RECENT_MS = DAY_MS;
/** By so much the clock of the platform may be ahead, and its answer late. */
const CLOCKS_MS = 5 * 60_000;

/** Whether an alert is what a change through Purser has made of it, or is just making. */
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

/** Somebody else may make it so once more, later: the platform says when it was saved. */
function isSavedBy({ sentAt = 0, resentAt = sentAt }: Change, alert: Alert | undefined): boolean {
  return (alert?.lastModified ?? 0) <= resentAt + CLOCKS_MS;
}

function isResultOf({ order }: Change, alert: Alert | undefined): boolean {
  if (order.kind === 'alert.delete') return alert === undefined;
  if (order.kind !== 'alert.create' && order.kind !== 'alert.replace') return false;
  return alert?.amount?.eq(order.amount) === true && alert.enabled === order.enabled;
}
