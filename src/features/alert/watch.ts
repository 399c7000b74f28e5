import type { ChangeStore } from '../../changes/store.ts';
import type { JobKind } from '../../jobs/jobs.ts';
import { messageTo } from '../../monitors/admins.ts';
import { type Fact, factOf, known, type Monitor } from '../../monitors/monitor.ts';
import { monitorJob, type MonitorServices } from '../../monitors/run.ts';
import { readAlert } from '../../monitors/read-alert.ts';
import { channelOf } from '../../monitors/topics.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import { describeBefore, resolveRange, spanBefore, stepStart } from '../../reporting/range.ts';
import { moveOf, moversOf, readCompared, readMonth } from '../../reporting/spend.ts';
import { type AlertFacts, AlertMemory, alertNotices, endedMonth } from './compare.ts';
import { alertNoticeContent, type Driver } from './notice-view.ts';

export type AlertWatchServices = MonitorServices & {
  readonly changes: Pick<ChangeStore, 'lastSent'>;
};

/** Monitors the spend alert every BILLING_POLL_SECONDS for BILLING_CHANNEL; off without that channel. */
export function createAlertJobs(services: AlertWatchServices): JobKind[] {
  const { billing, billingPollMs } = services.config;
  const channel = channelOf('alert', services.config);
  if (billing === undefined || channel === undefined) return [];
  return [monitorJob(services, 'alert', billingPollMs, alertMonitor(services, channel))];
}

interface Facts extends AlertFacts {
  /** Only read for a message; without it, a message names none. */
  readonly driver: Fact<Driver | undefined>;
}

/** Firing and changes are posted even if the charges cannot be read. */
function alertMonitor(services: AlertWatchServices, channel: string): Monitor<Facts, AlertMemory> {
  const { currency } = services.config;
  return {
    memory: AlertMemory,
    read: (before) => readFacts(services, before),
    compare(before, facts) {
      const { memory, notices } = alertNotices(before, facts);
      const view = {
        ...facts,
        spend: known(facts.spend),
        ended: facts.ended && known(facts.ended),
        driver: known(facts.driver),
        currency,
      };
      const messages = notices.flatMap((notice) => {
        const keys = [notice.key, ...notice.covers].map((key) => `@billing/alert/${key}`);
        return messageTo({ channel }, keys, alertNoticeContent({ ...view, notice }));
      });
      return { memory, messages, unread: errorIn(facts.spend) ?? errorIn(facts.ended) };
    },
  };
}

function errorIn(fact: Fact<unknown> | undefined) {
  return fact !== undefined && 'unread' in fact ? fact.unread : undefined;
}

const KINDS = ['alert.create', 'alert.replace', 'alert.delete'] as const;

/** @returns undefined: the record omits both amount and switch, so nothing is posted */
async function readFacts(
  { billing, changes, clock, config }: AlertWatchServices,
  before: AlertMemory | undefined,
): Promise<Facts | undefined> {
  const client = billing();
  const now = clock.now();
  const { currency, paceSteps: steps } = config;
  const spendOf = (month: ReturnType<typeof resolveRange>) =>
    factOf(readMonth(client.charges, currency, month, { fresh: true }));
  const ended = endedMonth(before, { now, steps });
  const [{ alert }, spend, endedSpend] = await Promise.all([
    readAlert(client),
    spendOf(resolveRange('this month', now)),
    ended && spendOf(ended),
  ]);
  if (alert !== undefined && alert.amount === undefined && alert.enabled === undefined) {
    return undefined;
  }
  // Read after the alert: a change is stored before it is sent, so its result cannot be missed.
  const sent = await changes.lastSent(KINDS);
  const facts = { now, alert, spend, ended: endedSpend, steps, sent };
  const isDue = alertNotices(before, facts).notices.length > 0;
  const driver = isDue ? await factOf(driverOf(client, currency, now)) : { value: undefined };
  return { ...facts, driver };
}

/** The workload that grew most against the same days of last month. @throws PlatformError */
async function driverOf(
  { charges }: BillingClient,
  currency: string,
  now: number,
): Promise<Driver | undefined> {
  const month = resolveRange('this month', now);
  const before = spanBefore(month, 'this month', now);
  if (before === undefined) return undefined;
  const range = { startMs: month.startMs, endMs: stepStart(now, 'hour') };
  const by = ['org', 'gvc', 'workload'];
  const { lines } = await readCompared(charges, by, { range, before }, currency);
  return mainDriver(lines, describeBefore(before, month));
}

/** @param lines by org, GVC and workload. Pure. */
export function mainDriver(lines: readonly Driver['line'][], versus: string): Driver | undefined {
  // Charges without a workload have no name to show.
  const ofWorkloads = lines.filter((line) => line.labels[2] !== '' && moveOf(line).gt(0));
  const [line] = moversOf(ofWorkloads, 1);
  const isOneOfSeveral = new Set(lines.map(({ labels }) => labels[0])).size > 1;
  return line && { line, versus, isOneOfSeveral };
}
