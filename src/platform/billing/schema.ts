import { z } from 'zod';

import { idOf, timeOf } from '../tolerant.ts';

/**
 * What the records of the billing API must have to be read at all: identity, roles and consent. These
 * are checked here and never guessed, and but for ids, which may be numbers, taken as they are.
 * Everything else (`label`) may be anything; what has the wrong type counts as absent.
 */
const label = z.unknown().optional();
const identity = z.preprocess(idOf, z.string().min(1));
const email = z.string().refine((text) => !/\s/.test(text) && text.slice(1, -1).includes('@'));

/** A time that decides something: it must be readable where it is given. */
const time = z.string().refine((text) => timeOf(text) !== undefined);

/** Spec 2.8. What is not yet billed may go without an id. Each amount is read for itself (`invoices.ts`). */
export const PendingInvoiceRecord = z.object({
  id: label,
  accountId: label,
  number: label,
  startTime: label,
  endTime: label,
  totalCharge: label,
  status: label,
  orgNames: label,
  periods: label,
  credits: label,
});
export type PendingInvoiceRecord = z.infer<typeof PendingInvoiceRecord>;

export const InvoiceRecord = PendingInvoiceRecord.extend({ id: identity });

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
