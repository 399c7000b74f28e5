import type { Alert } from '../platform/billing/alert.ts';
import type { BillingClient } from '../platform/billing/client.ts';
import { PlatformError } from '../platform/errors.ts';

export interface AlertRead {
  readonly alert: Alert | undefined;
  /** Ms since the epoch. */
  readonly readAt: number;
  /** The token may not use the endpoint of the alert, only read the account: it cannot change the alert either. */
  readonly isReadOnly: boolean;
}

/** Often opened right after a change. */
const FRESH = { fresh: true } as const;

/**
 * The alert; where its own endpoint fails, as the account shows it, which a billing_viewer's token may read (spec 2.2).
 * @throws PlatformError of the alert's endpoint, if both fail
 */
export async function readAlert(
  billing: Pick<BillingClient, 'getAlert' | 'getAccount'>,
): Promise<AlertRead> {
  try {
    const { value, readAt } = await billing.getAlert(FRESH);
    return { alert: value, readAt, isReadOnly: false };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const account = await alertOfAccount(billing).catch((failed: unknown) => {
      throw failed instanceof PlatformError ? error : failed;
    });
    return {
      ...account,
      isReadOnly: error.reason === 'unauthorized' || error.reason === 'forbidden',
    };
  }
}

/** @throws PlatformError */
export async function alertOfAccount(
  billing: Pick<BillingClient, 'getAccount'>,
): Promise<AlertRead> {
  const { value, readAt } = await billing.getAccount(FRESH);
  return { alert: value.alert, readAt, isReadOnly: false };
}
