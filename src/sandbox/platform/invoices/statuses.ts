import type { Invoice, InvoiceStatus } from './model.ts';

/** The statuses of the newest seeded invoices, newest first; older ones are paid. */
const NEWEST: readonly InvoiceStatus[] = ['pending-payment', 'payment-failed', 'partially-paid'];

/**
 * Every status occurs among the seeded invoices; the oldest, with its two periods, failed in part.
 * @param invoices oldest first
 */
export function seedStatuses(invoices: readonly Invoice[]): void {
  const [oldest, ...others] = invoices;
  for (const [age, invoice] of others.toReversed().entries())
    moveTo(invoice, NEWEST[age] ?? 'paid');
  if (oldest !== undefined) moveTo(oldest, 'partially-failed');
}

/** The statuses of the later periods when only the first is paid. */
const UNPAID: Partial<Readonly<Record<InvoiceStatus, InvoiceStatus>>> = {
  'partially-paid': 'pending-payment',
  'partially-failed': 'payment-failed',
};

/** Moves an invoice with all its periods; in part means of several that the first one is paid. */
export function moveTo(invoice: Invoice, status: InvoiceStatus): void {
  const unpaid = invoice.periods.length > 1 ? UNPAID[status] : undefined;
  invoice.status = status;
  for (const [index, period] of invoice.periods.entries()) {
    if (unpaid === undefined) period.status = status;
    else period.status = index === 0 ? 'paid' : unpaid;
  }
}
