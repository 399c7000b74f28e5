import { PlatformError, refusal } from '../errors.ts';
import {
  countOf,
  isNothing,
  membersOf,
  numberOf,
  objectOf,
  quantityOf,
  timeOf,
  type Members,
} from '../json.ts';
import type { ReadOptions } from '../concurrency.ts';
import { createCalls, flagOf, malformed } from './calls.ts';
import type { BillingContext } from './context.ts';

interface AlertSettings {
  /** Whole units of the account's currency, 0 or more. */
  readonly amount: number;
  readonly enabled: boolean;
}

/** Spec 2.4, 4.3. The bodies of write answers are not read: their status is enough. */
export function createAlerts(context: BillingContext) {
  const http = context.accountFor('billing_admin');
  const calls = createCalls(context, http);
  const pathTo = () => context.accountPath('alert');
  const getAlert = async (options?: ReadOptions) =>
    calls.readIfAny({ path: pathTo() }, alertOf, options);
  const isSet = async () => (await getAlert({ fresh: true })).value !== undefined;

  async function send(method: 'POST' | 'PUT', { amount, enabled }: AlertSettings) {
    checkAmount(amount);
    // Always both: an omitted member becomes 0 or off with PUT.
    const body = { alert: { amount, enabled } };
    await calls.write({ method, path: pathTo(), body, answer: 'ignored' });
  }

  return {
    getAlert,
    /** For an account without an alert. @throws PlatformError `conflict` if one exists */
    createAlert: (settings: AlertSettings) => send('POST', settings),
    /** Replaces both settings, and rearms an alert that has fired (spec section 3). */
    replaceAlert: (settings: AlertSettings) => send('PUT', settings),
    async removeAlert() {
      // Absence is a 500 (spec section 7), so it is read before and after.
      if (!(await isSet())) return { removed: false };
      try {
        await calls.write({ method: 'DELETE', path: pathTo(), answer: 'ignored' });
      } catch (error) {
        const isSettled = error instanceof PlatformError && [404, 500].includes(error.status ?? 0);
        // The error of the read must not replace that of the call, which was sent.
        if (!isSettled || (await isSet().catch(() => true))) throw error;
      }
      return { removed: true };
    },
  };
}

/** Spec 2.2. An unreadable alert still counts as one. */
export function alertIn(said: unknown): Alert | undefined {
  const record = unwrapped(said);
  const isNone = isNothing(record) || (Array.isArray(record) && record.length === 0);
  return isNone ? undefined : toAlert(membersOf(record));
}

function alertOf(body: unknown): Alert | undefined {
  if (typeof body === 'object') return alertIn(body);
  throw malformed('a spend alert');
}

/** The content of `alert`, or else of the only member or element, up to `levels` deep. */
function unwrapped(said: unknown, levels = 3): unknown {
  const members = membersOf(said);
  if (levels === 0 || Object.hasOwn(members, 'amount')) return said;
  if (Object.hasOwn(members, 'alert')) return unwrapped(members['alert'], levels - 1);
  const [only, ...others] = Array.isArray(said) ? (said as unknown[]) : Object.values(members);
  const isWrapper = others.length === 0 && (objectOf(only) !== undefined || Array.isArray(only));
  return isWrapper ? unwrapped(only, levels - 1) : said;
}

/**
 * The monthly spend alert of the account (spec 2.4). An existing alert can be replaced and removed even if it
 * is unreadable. Times in ms since the epoch.
 */
export type Alert = ReturnType<typeof toAlert>;

function toAlert(record: Members) {
  const { enabled, created, lastModified, lastTriggered, alertedTimes } = record;
  const amount = quantityOf(record['amount']);
  return {
    /** Threshold in whole units of the account's currency. */
    amount,
    // Off by default (spec 2.4), if anything is readable.
    enabled: amount && isNothing(enabled) ? false : flagOf(enabled),
    created: timeOf(created),
    lastModified: timeOf(lastModified),
    ...firingsOf(lastTriggered, alertedTimes),
  };
}

/**
 * The specification states that both exist after a firing, but not their types: times, lists of times, or a
 * count.
 */
function firingsOf(last: unknown, times: unknown) {
  const lastTriggered = latestOf(last) ?? latestOf(times);
  const alertedTimes = timesOf(times);
  const isUnread = lastTriggered === undefined && !alertedTimes && [last, times].some(isPresent);
  return {
    /** Absent until the alert has fired. */
    lastTriggered,
    alertedTimes,
    /** It has fired, at unknown times. */
    ...(isUnread && { hasFired: true as const }),
  };
}

/** The number of firings: a count, or the length of a list. A single time is no count. */
function timesOf(value: unknown): number | undefined {
  if (Array.isArray(value)) return value.length;
  const count = countOf(value);
  return Number.isSafeInteger(count) && momentOf(value) === undefined ? count : undefined;
}

/** A time, or the latest of a list; ms since the epoch. */
function latestOf(value: unknown): number | undefined {
  const moments = (Array.isArray(value) ? value : [value]).flatMap((one) => momentOf(one) ?? []);
  return moments.length === 0 ? undefined : moments.reduce((a, b) => Math.max(a, b));
}

/** Above any count of firings or time in seconds, and below any time in microseconds. */
const MOMENTS = { min: Date.UTC(2000, 0), max: Date.UTC(2200, 0) };

function momentOf(value: unknown): number | undefined {
  const ms = numberOf(value)?.toNumber() ?? Number.NaN;
  const isMoment = Number.isSafeInteger(ms) && ms >= MOMENTS.min && ms < MOMENTS.max;
  return isMoment ? ms : timeOf(value);
}

/** Anything but null, 0 and empty values. */
function isPresent(value: unknown): boolean {
  const isEmpty = isNothing(value) || value === '' || value === false;
  return (
    !isEmpty && numberOf(value)?.isZero() !== true && !(Array.isArray(value) && value.length === 0)
  );
}

function checkAmount(amount: number): void {
  if (!Number.isFinite(amount) || amount < 0) throw refusal('amount must be a number of 0 or more');
}
