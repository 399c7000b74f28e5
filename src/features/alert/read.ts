import { readSpend } from '../../figures/spend.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import { explainPlatformError } from '../platform-sentences.ts';
import type { AlertView } from './view.ts';

export type AlertBilling = Pick<BillingClient, 'getAlert' | 'getAccount' | 'charges'>;

/** Who comes here after a change wants to see it. */
const FRESH = { fresh: true } as const;

/** Viewers may read the account, and the alert in it (spec 2.2). @throws PlatformError */
export async function readAlert(
  billing: AlertBilling,
  isAdmin: boolean,
): Promise<Pick<AlertView, 'alert' | 'readAt'>> {
  if (!isAdmin) {
    const { value, readAt } = await billing.getAccount(FRESH);
    return { alert: value.alert, readAt };
  }
  const { value: alert, readAt } = await billing.getAlert(FRESH);
  return { alert, readAt };
}

/** The alert is worth knowing without this month's charges. @param now ms since the epoch */
export async function spendOrWhy(
  { charges }: AlertBilling,
  currency: string,
  now: number,
): Promise<AlertView['spend']> {
  try {
    return await readSpend(charges, currency, now);
  } catch (error) {
    const sentence = explainPlatformError(error);
    if (sentence === undefined) throw error;
    return { unknown: sentence };
  }
}
