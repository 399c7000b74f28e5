/** Invoices and their mails. Times are milliseconds since the epoch. */

export const INVOICE_STATUSES = [
  'paid',
  'pending-payment',
  'payment-failed',
  'partially-paid',
  'partially-failed',
] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** An invoice (spec 2.8). Amounts are integers in cents. */
export interface Invoice {
  /** UUID. */
  readonly id: string;
  /** UUID of the account. */
  readonly account: string;
  /** Counts the account's invoices from 1; 0 as long as the invoice is pending. */
  readonly number: number;
  readonly startTime: number;
  readonly endTime: number;
  /** Before credits. */
  readonly totalCharge: bigint;
  status: InvoiceStatus;
  readonly orgNames: readonly string[];
  readonly periods: readonly Period[];
  readonly credits: readonly Item[];
  /** Overrides of the reported fields, in the order of their requests. */
  readonly patches: InvoicePatch[];
}

/** A member of an invoice that is reported as another one, or is left out. */
export interface InvoicePatch {
  /** Names of members and places in lists, from the invoice on: `["periods", 0, "totalCharge"]`. */
  readonly at: readonly (string | number)[];
  /** Anything that JSON has; undefined: the member is left out. */
  readonly value: unknown;
}

export interface Period {
  /** UUID, as on the payment page links. */
  readonly id: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly totalCharge: bigint;
  status: InvoiceStatus;
  readonly items: readonly Item[];
}

/** A line: what an org used of an item in a pricing tier, a surcharge, or a credit. */
export interface Item {
  readonly description: string;
  /** A decimal in the item's raw unit; it may have more digits than a double. */
  readonly quantity: string;
  readonly charge: bigint;
  /** Empty on a line that concerns the account as a whole. */
  readonly org: string;
}

/** Cents: the total less the credits, and never below 0 (spec 2.8). */
export function amountDue({ totalCharge, credits }: Invoice): bigint {
  const due = credits.reduce((rest, { charge }) => rest + charge, totalCharge);
  return due > 0n ? due : 0n;
}

/** The mail of an invoice to one recipient (spec 2.10); how it fares follows from the time. */
export interface Delivery {
  readonly id: string;
  readonly invoiceId: string;
  readonly recipientEmail: string;
  readonly created: number;
  /** The server of the address never takes it. */
  readonly refused: boolean;
}
