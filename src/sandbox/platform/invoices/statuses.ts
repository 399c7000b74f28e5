import type { Invoice, InvoiceStatus } from './model.ts';

/** How the newest seeded invoices stand, newest first; older ones are paid. */
const NEWEST: readonly InvoiceStatus[] = ['pending-payment', 'payment-failed', 'partially-paid'];

/**
 * Every status occurs among the seeded invoices; the oldest, with its two periods, failed in part.
 * @param invoices oldest first
 */
export function seedStatuses(invoices: readonly Invoice[]): void {
  const [oldest, ...others] = invoices;
  for (const [age, invoice] of others.toReversed().entries())
    moveTo(invoice, NEWEST[age] ?? 'paid');
  if (oldest === undefined) return;
  oldest.status = 'partially-failed';
  for (const [index, period] of oldest.periods.entries())
    period.status = index === 0 ? 'paid' : 'payment-failed';
}

/** Moves an invoice with all its periods. */
export function moveTo(invoice: Invoice, status: InvoiceStatus): void {
  invoice.status = status;
  for (const period of invoice.periods) period.status = status;
}
