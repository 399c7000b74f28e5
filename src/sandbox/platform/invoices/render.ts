import { LosslessNumber } from 'lossless-json';

import { iso } from '../metering/time.ts';
import { stateOf } from './deliveries.ts';
import type { Delivery, Invoice, InvoicePatch, Item, Period } from './model.ts';

/**
 * An invoice as the API shows it; `credits` only if there are any (spec 2.8). Patches have the last
 * word.
 */
export function renderInvoice(invoice: Invoice): object {
  const { id, account, number, totalCharge, status, orgNames, periods, credits } = invoice;
  const rendered: object = {
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
  for (const patch of invoice.patches) apply(rendered, patch);
  return rendered;
}

/** Replaces a member, or leaves it out; a member of an absent object is ignored. */
function apply(rendered: object, { at, value }: InvoicePatch): void {
  const parent = at.slice(0, -1).reduce<unknown>(memberOf, rendered);
  const name = at.at(-1);
  if (typeof parent !== 'object' || parent === null || name === undefined) return;
  if (value !== undefined) Reflect.set(parent, name, structuredClone(value));
  else if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else Reflect.deleteProperty(parent, name);
}

function memberOf(value: unknown, name: string | number): unknown {
  const isOwn = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isOwn ? Reflect.get(value, name) : undefined;
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
