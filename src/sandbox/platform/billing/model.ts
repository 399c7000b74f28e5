/** The records of the billing side of the stand-in. Times are milliseconds since the epoch. */

export const BILLING_ROLES = ['billing_admin', 'billing_viewer', 'org_creator'] as const;
export type BillingRole = (typeof BILLING_ROLES)[number];

/** A billing account (spec 2.2), with everything that hangs on it. */
export interface Account {
  /** UUID, the `<accountId>` of paths. */
  readonly id: string;
  /** The payment processor's customer id; 401 in a path. */
  readonly accountId: string;
  fullName: string;
  email: string;
  address: Readonly<Record<string, string>>;
  orgQuota: number;
  enabled: boolean;
  /** Terms of Use accepted. */
  tou: boolean;
  paymentMethods: { last4: string; brand: string }[];
  /** Orgs by name. */
  readonly orgs: Map<string, AccountOrg>;
  /** Billing users by their address in lower case. */
  readonly users: Map<string, BillingUser>;
  readonly tokens: BillingToken[];
  readonly recipients: Recipient[];
  alert: Alert | undefined;
}

export interface AccountOrg {
  readonly name: string;
  readonly created: number;
  readonly description?: string;
  readonly tags: Readonly<Record<string, string>>;
  /** A deactivated org no longer answers (spec 7). */
  active: boolean;
  readonly quotas: Quota[];
}

export interface BillingUser {
  readonly email: string;
  roles: readonly BillingRole[];
  readonly created: number;
}

export interface BillingToken {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly roles: readonly BillingRole[];
  readonly createdBy: string;
  readonly created: number;
  readonly expiresAt?: number;
  /** `svc-bsat-…` */
  readonly secret: string;
  lastUsedAt?: number;
  deleted: boolean;
}

export interface Recipient {
  readonly id: string;
  readonly email: string;
  enabled: boolean;
}

export interface Alert {
  /** Whole units of the currency. */
  amount: number;
  enabled: boolean;
  readonly created: number;
  lastModified: number;
  lastTriggered?: number;
  alertedTimes?: number;
  /** Start of the month in which it fired and stays quiet; undefined = armed (spec section 3). */
  quietIn?: number | undefined;
}

export interface Quota {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly unit: string;
  max: number;
  current: number;
  origin: string;
}

/** A mail that would have been sent (spec section 6). */
export interface Email {
  readonly at: number;
  readonly kind: 'spend-alert' | 'new-invoice' | 'invitation';
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}
