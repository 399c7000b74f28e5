import { LosslessNumber } from 'lossless-json';

import { iso } from '../metering/time.ts';
import { stateOf } from './deliveries.ts';
import type { Delivery, Invoice, Item, Period } from './model.ts';

/** An invoice as the API tells it; `credits` only if there are any (spec 2.8). */
export function renderInvoice(invoice: Invoice): object {
  const { id, account, number, totalCharge, status, orgNames, periods, credits } = invoice;
  return {
    id,
    accountId: account,
    number,
    ...rangeOf(invoice),
    totalCharge,
    status,
    orgNames,
    periods: periods.map(renderPeriod),
    ...(credits.length > 0 ? { credits: credits.map(renderItem) } : {}),
  };
}

function renderPeriod(period: Period): object {
  const { totalCharge, status, items } = period;
  return { ...rangeOf(period), totalCharge, status, items: items.map(renderItem) };
}

function renderItem({ description, quantity, charge, org }: Item): object {
  return { description, quantity: new LosslessNumber(quantity), charge, org };
}

/** Links to the page where each period is paid. */
export function renderLinks({ periods }: Invoice): object[] {
  return periods.map(({ id }) => ({ id, externalUrl: `https://pay.example/invoice/${id}` }));
}

export function renderDelivery(delivery: Delivery, now: number): object {
  const { id, invoiceId, recipientEmail, created } = delivery;
  const { status, attemptCount, errorMessages, lastModified } = stateOf(delivery, now);
  return {
    id,
    invoiceId,
    recipientEmail,
    status,
    attemptCount,
    errorMessages,
    created: iso(created),
    lastModified: iso(lastModified),
  };
}

function rangeOf({ startTime, endTime }: { startTime: number; endTime: number }) {
  return { startTime: iso(startTime), endTime: iso(endTime) };
}
