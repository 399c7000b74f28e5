import { uuidOf } from './ids.ts';
import type { Delivery, Invoice } from './model.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
/** How long a mail waits in the queue, and how long the try to hand it over takes. */
const QUEUED_MS = 5 * SECOND_MS;
const TRY_MS = 25 * SECOND_MS;
/** When the tries begin, counted from the first one; the last of them is final. */
const TRIES_MS = [0, 1, 5, 30, 120].map((minutes) => minutes * MINUTE_MS);
const FIRST_TRY = [0];
/** The specification's limit on returned deliveries (section 8). */
const RETURNED = 500;

type DeliveryStatus = 'pending' | 'in_progress' | 'delivered' | 'failed' | 'permanently_failed';

/** The status of a delivery (spec 2.10). */
export interface DeliveryState {
  readonly status: DeliveryStatus;
  readonly attemptCount: number;
  readonly errorMessages: readonly string[];
  /** ms since the epoch */
  readonly lastModified: number;
}

/** The mails of one account's invoices, in the order in which they were sent. */
export interface Deliveries {
  /** Sends `invoice` to `recipientEmail` at `created` (ms since the epoch). */
  add(invoice: Invoice, recipientEmail: string, created: number): void;
  /** The latest 500, newest first; of one invoice, if its id is given. */
  latest(invoiceId?: string): readonly Delivery[];
}

/** @param isRefused whether the server of an address takes no mail for it now */
export function createDeliveries(isRefused: (email: string) => boolean): Deliveries {
  const deliveries: Delivery[] = [];

  return {
    add(invoice, recipientEmail, created) {
      const id = uuidOf(invoice.id, 'delivery', deliveries.length);
      const refused = isRefused(recipientEmail);
      deliveries.push({ id, invoiceId: invoice.id, recipientEmail, created, refused });
    },
    latest: (invoiceId) =>
      deliveries
        .filter((delivery) => invoiceId === undefined || delivery.invoiceId === invoiceId)
        .slice(-RETURNED)
        .toReversed(),
  };
}

/**
 * The state of a delivery at `now`: handed over at the first try, within a minute; one that is
 * refused, or goes to an address with "bounce" in it, is tried five times in two hours and given up.
 */
export function stateOf(delivery: Delivery, now: number): DeliveryState {
  const { created, recipientEmail, refused } = delivery;
  const bounces = refused || recipientEmail.includes('bounce');
  const tries = (bounces ? TRIES_MS : FIRST_TRY).map((after) => created + QUEUED_MS + after);
  const begun = tries.filter((at) => at <= now);
  const attemptCount = begun.length;
  const ended = (begun.at(-1) ?? now) + TRY_MS;
  const isTrying = now < ended;
  const refusals = bounces ? attemptCount - (isTrying ? 1 : 0) : 0;
  const errorMessages = Array.from(
    { length: Math.max(0, refusals) },
    () => `550 5.1.1 <${recipientEmail}>: recipient address rejected`,
  );

  const state = (status: DeliveryStatus, lastModified: number) => {
    return { status, attemptCount, errorMessages, lastModified };
  };
  if (attemptCount === 0) return state('pending', created);
  if (isTrying) return state('in_progress', ended - TRY_MS);
  if (!bounces) return state('delivered', ended);
  return state(attemptCount < tries.length ? 'failed' : 'permanently_failed', ended);
}
