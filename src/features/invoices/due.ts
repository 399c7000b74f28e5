import { amountDue } from '../../platform/billing/invoices.ts';
import type { AmountDue, PendingInvoice } from '../../platform/billing/invoices.ts';
import { code, mrkdwn } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Money } from './words.ts';

/** What there is to pay of an invoice, by its status and its amounts (spec 2.8). */
export type Due =
  | ({ readonly kind: 'open' } & AmountDue)
  /** It is not said to be paid, and credits cover it, or it costs nothing. */
  | { readonly kind: 'nothing' }
  /** It is not paid, and its total cannot be read. */
  | { readonly kind: 'unreadable' }
  /** Its status is none of the specification, so nobody can say whether what is left of it is due. */
  | { readonly kind: 'unknown-status' }
  | { readonly kind: 'paid' };

/** Of what is paid in part, or failed in part, all is due: the platform does not say how much is paid. */
const UNPAID = ['pending-payment', 'payment-failed', 'partially-paid', 'partially-failed'];

export type Billed = Pick<PendingInvoice, 'status' | 'totalCharge' | 'credits'>;

/** What is due of an invoice now. */
export function dueOf(invoice: Billed): Due {
  if (invoice.status === 'paid') return { kind: 'paid' };
  const due = amountDue(invoice);
  if (due?.amount.isZero() === true) return { kind: 'nothing' };
  if (!UNPAID.includes(invoice.status)) return { kind: 'unknown-status' };
  return due === undefined ? { kind: 'unreadable' } : { kind: 'open', ...due };
}

/** Why nobody can say whether it is due. */
export function statusDoubt({ status }: Pick<Billed, 'status'>): Mrkdwn {
  const why =
    status === ''
      ? 'the platform says no status'
      : mrkdwn`Purser does not know its status ${code(status, 60)}`;
  return mrkdwn`whether it is due is not known, because ${why}`;
}

/** Whether some of it is paid; the platform does not say how much (spec 2.8). */
export function isPartial(status: string): boolean {
  return status.startsWith('partially-');
}

/** Why an amount is not smaller. `which`: of what is paid in part. */
export function wholeCounted(which: 'it' | 'each' = 'it'): string {
  return ` (all of ${which} is counted, because how much is paid is not said)`;
}

/** "$5.00", or "at most $5.00" where a credit cannot be read. */
export function dueInWords({ amount, isExact }: AmountDue, money: Money): string {
  return isExact ? money(amount) : `at most ${money(amount)}`;
}
