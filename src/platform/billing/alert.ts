import type { BigNumber } from 'bignumber.js';
import { PlatformError, refusal } from '../errors.ts';
import {
  countOf,
  isNothing,
  numberOf,
  objectOf,
  own,
  quantityOf,
  timeOf,
  type Members,
} from '../json.ts';
import type { Reading, ReadOptions } from '../concurrency.ts';
import { createCalls, flagOf, malformed } from './calls.ts';
import type { BillingContext } from './context.ts';

/**
 * The monthly spend alert of the account (spec 2.4). One that is there can be replaced and removed, be
 * it readable or not. Times in ms since the epoch.
 */
export interface Alert {
  /** Threshold in whole units of the account's currency; undefined when the platform does not say it. */
  readonly amount: BigNumber | undefined;
  /** Undefined when the platform does not say it. */
  readonly enabled: boolean | undefined;
  readonly created: number | undefined;
  readonly lastModified: number | undefined;
  /** Absent until the alert has fired. */
  readonly lastTriggered: number | undefined;
  /** How often it has fired. */
  readonly alertedTimes: number | undefined;
  /** The platform says that it has fired, though neither when nor how often. */
  readonly hasFired?: true;
}

interface AlertSettings {
  /** Whole units of the account's currency, 0 or more. */
  readonly amount: number;
  readonly enabled: boolean;
}

interface Alerts {
  /** The alert, undefined when there is none (spec 4.3). @throws PlatformError */
  getAlert(options?: ReadOptions): Promise<Reading<Alert | undefined>>;
  /** Sets the alert of an account that has none; never repeated. @throws PlatformError `conflict` when there is one */
  createAlert(settings: AlertSettings): Promise<void>;
  /** Replaces both settings, and arms an alert again that has fired (spec section 3). @throws PlatformError */
  replaceAlert(settings: AlertSettings): Promise<void>;
  /** Takes the alert away; `removed` is false when there was none. @throws PlatformError */
  removeAlert(): Promise<{ removed: boolean }>;
}

/** The calls about the spend alert (spec 2.4, 4.3). What writes answer is not read: their status says all. */
export function createAlerts(context: BillingContext): Alerts {
  const http = context.accountFor('billing_admin');
  const calls = createCalls(context, http);
  const pathTo = () => context.accountPath('alert');
  const getAlert: Alerts['getAlert'] = async (options) =>
    calls.readIfAny({ path: pathTo() }, alertOf, options);
  const isSet = async () => (await getAlert({ fresh: true })).value !== undefined;

  async function send(method: 'POST' | 'PUT', { amount, enabled }: AlertSettings) {
    checkAmount(amount);
    // Always both: what PUT is not told becomes 0 or off.
    const body = { alert: { amount, enabled } };
    await calls.write({ method, path: pathTo(), body, answer: 'ignored' });
  }

  return {
    getAlert,
    createAlert: (settings) => send('POST', settings),
    replaceAlert: (settings) => send('PUT', settings),
    async removeAlert() {
      // Absence is a 500 (spec section 7), so it is asked for, before and after.
      if (!(await isSet())) return { removed: false };
      try {
        await calls.write({ method: 'DELETE', path: pathTo(), answer: 'ignored' });
      } catch (error) {
        const isSettled = error instanceof PlatformError && [404, 500].includes(error.status ?? 0);
        // What is said of the read is not said of this call, which was sent.
        if (!isSettled || (await isSet().catch(() => true))) throw error;
      }
      return { removed: true };
    },
  };
}

/** The alert of an account (spec 2.2): one that is there and cannot be read is not "none". */
export function alertIn(said: unknown): Alert | undefined {
  const record = unwrapped(said);
  const isNone = isNothing(record) || (Array.isArray(record) && record.length === 0);
  return isNone ? undefined : toAlert(objectOf(record) ?? {});
}

function alertOf(body: unknown): Alert | undefined {
  if (typeof body === 'object') return alertIn(body);
  throw malformed('a spend alert');
}

/** What lies in `alert`, or else in the one member or element that there is, some levels down. */
function unwrapped(said: unknown, levels = 3): unknown {
  const members = objectOf(said) ?? {};
  if (levels === 0 || Object.hasOwn(members, 'amount')) return said;
  if (Object.hasOwn(members, 'alert')) return unwrapped(members['alert'], levels - 1);
  const [only, ...others] = Array.isArray(said) ? (said as unknown[]) : Object.values(members);
  const isWrapper = others.length === 0 && (objectOf(only) !== undefined || Array.isArray(only));
  return isWrapper ? unwrapped(only, levels - 1) : said;
}

function toAlert(record: Members): Alert {
  const amount = quantityOf(own(record, 'amount'));
  const enabled = own(record, 'enabled');
  return {
    amount,
    // Off where it does not say so (spec 2.4), if it says anything.
    enabled: amount && isNothing(enabled) ? false : flagOf(enabled),
    created: timeOf(own(record, 'created')),
    lastModified: timeOf(own(record, 'lastModified')),
    ...firingsOf(own(record, 'lastTriggered'), own(record, 'alertedTimes')),
  };
}

/** The specification says that both are there once it has fired, and not what they are: times, lists of them, or a count. */
function firingsOf(
  last: unknown,
  times: unknown,
): Pick<Alert, 'lastTriggered' | 'alertedTimes' | 'hasFired'> {
  const lastTriggered = latestOf(last) ?? latestOf(times);
  const alertedTimes = timesOf(times);
  const isUnread = lastTriggered === undefined && !alertedTimes && [last, times].some(isSaid);
  return { lastTriggered, alertedTimes, ...(isUnread && { hasFired: true }) };
}

/** How often: a count, or so many as a list has. One time says when and not how often. */
function timesOf(value: unknown): number | undefined {
  if (Array.isArray(value)) return value.length;
  const count = countOf(value);
  return Number.isSafeInteger(count) && momentOf(value) === undefined ? count : undefined;
}

/** A time, or the latest of a list of times; ms since the epoch. */
function latestOf(value: unknown): number | undefined {
  const moments = (Array.isArray(value) ? value : [value]).flatMap((one) => momentOf(one) ?? []);
  return moments.length === 0 ? undefined : moments.reduce((a, b) => Math.max(a, b));
}

/** No count of firings and no time in seconds comes to this, and no time in microseconds stays below that. */
const MOMENTS = { min: Date.UTC(2000, 0), max: Date.UTC(2200, 0) };

/** A time, as text or in ms since the epoch. */
function momentOf(value: unknown): number | undefined {
  const ms = numberOf(value)?.toNumber() ?? Number.NaN;
  const isMoment = Number.isSafeInteger(ms) && ms >= MOMENTS.min && ms < MOMENTS.max;
  return isMoment ? ms : timeOf(value);
}

/** Anything but nothing, 0, and what is empty. */
function isSaid(value: unknown): boolean {
  const isEmpty = isNothing(value) || value === '' || value === false;
  return (
    !isEmpty && numberOf(value)?.isZero() !== true && !(Array.isArray(value) && value.length === 0)
  );
}

function checkAmount(amount: number): void {
  if (!Number.isFinite(amount) || amount < 0) throw refusal('amount must be a number of 0 or more');
}
