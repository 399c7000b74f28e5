import type { BigNumber } from 'bignumber.js';
import { z } from 'zod';

import { numberOf } from '../members.ts';
import { idOf, timeOf } from '../tolerant.ts';

/**
 * What the records of the billing API must have to be read at all: identity, money, roles and
 * consent. These are checked here and never guessed, and but for ids, which may be numbers, taken as
 * they are. Everything else (`label`) may be anything; what has the wrong type counts as absent.
 */
const label = z.unknown().optional();
const identity = z.preprocess(idOf, z.string().min(1));
const email = z.string().regex(/^\S+@\S+$/);

/** As `numberOf` reads it. */
type Numeric = number | BigNumber | string;

/** An amount in the smallest unit of the currency (spec 2.1): a fraction there is no amount. */
const wholeUnits = z.custom<Numeric>((value) => numberOf(value)?.isInteger());
const notAboveZero = wholeUnits.refine((charge) => numberOf(charge)?.lte(0));

/** A time that decides something: it must be readable where it is given. */
const time = z.string().refine((text) => timeOf(text) !== undefined);

const lineItem = z.object({
  description: label,
  quantity: label,
  charge: wholeUnits,
  org: z.string().nullish(),
});

/** Credits have a negative charge (spec 2.8); one that raised the amount due would be none. */
const credit = lineItem.extend({ charge: notAboveZero });

const invoicePeriod = z.object({
  startTime: label,
  endTime: label,
  totalCharge: wholeUnits.nullish(),
  status: label,
  items: z.array(lineItem).nullish(),
});

/** Spec 2.8. What is not yet billed may go without an id. */
export const PendingInvoiceRecord = z.object({
  id: label,
  accountId: label,
  number: label,
  startTime: label,
  endTime: label,
  totalCharge: wholeUnits,
  status: label,
  orgNames: label,
  periods: z.array(invoicePeriod).nullish(),
  credits: z.array(credit).nullish(),
});
export type PendingInvoiceRecord = z.infer<typeof PendingInvoiceRecord>;

export const InvoiceRecord = PendingInvoiceRecord.extend({ id: identity });
export type LineItemRecord = z.infer<typeof lineItem>;
export type InvoicePeriodRecord = z.infer<typeof invoicePeriod>;

/** Spec 2.8. The link is pressed by people, so it must be one of the web. */
export const PaymentLinkRecord = z.object({
  id: identity,
  externalUrl: z.url({ protocol: /^https?$/ }),
});

/** Spec 2.5. An end that cannot be read is not "no end"; an empty one is. */
export const TokenRecord = z.object({
  id: identity,
  name: label,
  description: label,
  roles: z.array(z.unknown()),
  createdBy: label,
  expiresAt: time.or(z.literal('')).nullish(),
  created: label,
  lastModified: label,
  lastUsedAt: label,
});

/** Spec 2.2. */
export const AccountRecord = z.object({
  id: identity,
  accountId: label,
  fullName: label,
  email: label,
  address: label,
  orgQuota: label,
  enabled: label,
  tou: label,
  paymentMethods: label,
  alert: label,
});

/** Spec 2.3. */
export const OrgRecord = z.object({ name: z.string().min(1), accountId: label, created: label });

/** Spec 2.9. */
export const UserRecord = z.object({ email, roles: z.array(z.unknown()) });

/** Spec 2.10. */
export const RecipientRecord = z.object({ id: identity, email, enabled: label });
export const DeliveryRecord = z.object({
  recipientEmail: email,
  status: z.string(),
  attemptCount: label,
  errorMessages: label,
  invoiceId: label,
});
