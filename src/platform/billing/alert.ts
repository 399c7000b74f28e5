import { BigNumber } from 'bignumber.js';

import { refusal } from '../checks.ts';
import { countOf, timeOf } from '../tolerant.ts';
import { PlatformError } from '../errors.ts';
import type { ReadOptions, Reading } from '../read-cache.ts';
import { createCalls } from './calls.ts';
import type { BillingContext } from './context.ts';
import { malformed, unwrap } from './listing.ts';
import { AlertRecord } from './schema.ts';

/** The monthly spend alert of the account (spec 2.4). Times in ms since the epoch. */
export interface Alert {
  /** Threshold in whole units of the account's currency. */
  readonly amount: BigNumber;
  readonly enabled: boolean;
  readonly created: number | undefined;
  readonly lastModified: number | undefined;
  /** Absent until the alert has fired. */
  readonly lastTriggered: number | undefined;
  /** How often it has fired. */
  readonly alertedTimes: number | undefined;
}

export interface AlertSettings {
  /** Whole units of the account's currency, 0 or more. */
  readonly amount: number;
  readonly enabled: boolean;
}

export interface Alerts {
  /** The alert, undefined when there is none (spec 4.3). @throws PlatformError */
  getAlert(options?: ReadOptions): Promise<Reading<Alert | undefined>>;
  /** Sets the alert of an account that has none; never repeated. @throws PlatformError `conflict` when there is one */
  createAlert(settings: AlertSettings): Promise<Alert>;
  /** Replaces both settings, and arms an alert again that has fired (spec section 3). @throws PlatformError */
  replaceAlert(settings: AlertSettings): Promise<Alert>;
  /** Takes the alert away; `removed` is false when there was none. @throws PlatformError */
  removeAlert(): Promise<{ removed: boolean }>;
}

/** The calls about the spend alert (spec 2.4, 4.3). */
export function createAlerts(context: BillingContext): Alerts {
  const http = context.accountFor('billing_admin');
  const calls = createCalls(context, http);
  const pathTo = () => context.accountPath('alert');
  const getAlert: Alerts['getAlert'] = async (options) =>
    calls.readIfAny({ path: pathTo() }, (body) => alertOf(body), options);
  const isSet = async () => (await getAlert({ fresh: true })).value !== undefined;

  async function send(method: 'POST' | 'PUT', { amount, enabled }: AlertSettings) {
    checkAmount(amount);
    // Always both: what PUT is not told becomes 0 or off.
    const asked = { alert: { amount, enabled } };
    const { status, body } = await calls.write({ method, path: pathTo(), body: asked });
    return alertOf(body ?? asked, status);
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
        if (!isSettled || (await isSet())) throw error;
      }
      return { removed: true };
    },
  };
}

/** The alert of an account (spec 2.2): one that is there and cannot be read is not "none". */
export function alertIn(said: unknown): Alert | 'unreadable' | undefined {
  if (said === undefined || said === null) return undefined;
  return toAlert(unwrap(said, 'alert')) ?? 'unreadable';
}

function alertOf(body: unknown, status?: number): Alert {
  const alert = toAlert(unwrap(body, 'alert'));
  if (alert) return alert;
  throw malformed('a spend alert', status);
}

function toAlert(said: unknown): Alert | undefined {
  const record = AlertRecord.safeParse(said).data;
  return (
    record && {
      amount: new BigNumber(record.amount),
      enabled: record.enabled ?? false,
      created: timeOf(record.created),
      lastModified: timeOf(record.lastModified),
      lastTriggered: timeOf(record.lastTriggered),
      alertedTimes: timesOf(record.alertedTimes),
    }
  );
}

/** The specification does not say whether it is a count or a list of times. */
function timesOf(value: unknown): number | undefined {
  const count = Array.isArray(value) ? value.length : countOf(value);
  return Number.isSafeInteger(count) ? count : undefined;
}

function checkAmount(amount: number): void {
  if (!Number.isFinite(amount) || amount < 0) throw refusal('amount must be a number of 0 or more');
}
