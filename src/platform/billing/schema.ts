import { BigNumber } from 'bignumber.js';
import { z } from 'zod';

/**
 * What the records of the billing API must have to be read at all: identity, money, roles and
 * consent. These are checked here without transforms and never guessed. Everything else (`label`)
 * may be anything; what has the wrong type counts as absent.
 */
const label = z.unknown().optional();
const identity = z.string().min(1);
const email = z.string().regex(/^\S+@\S+$/);

/** A number as `parseExact` gives it, whole or not. */
const exact = z.custom<number | BigNumber>(
  (value) => isExact(value) && new BigNumber(value).isFinite(),
);
/** An amount in the smallest unit of the currency (spec 2.1): a fraction there is no amount. */
const wholeUnits = z.custom<number | BigNumber>(
  (value) => isExact(value) && new BigNumber(value).isInteger(),
);
const notAboveZero = wholeUnits.refine((charge) => !new BigNumber(charge).gt(0));

function isExact(value: unknown): value is number | BigNumber {
  return typeof value === 'number' || BigNumber.isBigNumber(value);
}

/** A time that decides something: it must be readable where it is given. */
const time = z.string().refine((text) => !Number.isNaN(Date.parse(text)));

const lineItem = z.object({
  description: label,
  quantity: exact.nullish(),
  charge: wholeUnits,
  org: z.string().nullish(),
});

/** Credits have a negative charge (spec 2.8); one that raised the amount due would be none. */
const credit = lineItem.extend({ charge: notAboveZero });

const invoicePeriod = z.object({
  startTime: label,
  endTime: label,
  totalCharge: wholeUnits,
  status: label,
  items: z.array(lineItem).nullish(),
});

/** Spec 2.8. What is not yet billed may go without an id. */
export const PendingInvoiceRecord = z.object({
  id: identity.nullish(),
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

/** Spec 2.4. */
export const AlertRecord = z.object({
  amount: exact.refine((amount) => new BigNumber(amount).gte(0)),
  enabled: z.boolean().nullish(),
  created: label,
  lastModified: label,
  lastTriggered: label,
  alertedTimes: label,
});
export type AlertRecord = z.infer<typeof AlertRecord>;

/** Spec 2.5. An end that cannot be read is not "no end". */
export const TokenRecord = z.object({
  id: identity,
  name: label,
  description: label,
  roles: z.array(z.unknown()),
  createdBy: label,
  expiresAt: time.nullish(),
  created: label,
  lastModified: label,
  lastUsedAt: label,
});
export const CreatedTokenRecord = TokenRecord.extend({ token: z.string().min(1) });

/** Spec 2.2; the alert is read on its own. */
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
  alert: AlertRecord.nullish(),
});

/** Spec 2.3. */
export const OrgRecord = z.object({ name: identity, accountId: label, created: label });

/** What creating an org says; its shape is not shown but for the key (spec 4.3). */
export const CreatedOrgRecord = z.object({
  name: z.string().nullish(),
  superuserServiceAccountToken: z.string().min(1).nullish(),
});

/** Spec 2.9. */
export const UserRecord = z.object({ email, roles: z.array(z.unknown()) });

/** Spec 2.10. */
export const RecipientRecord = z.object({ id: identity, email, enabled: z.boolean() });
export const DeliveryRecord = z.object({
  recipientEmail: email,
  status: z.string(),
  attemptCount: label,
  errorMessages: label,
  invoiceId: label,
});
