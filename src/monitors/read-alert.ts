import type { Alert } from '../platform/billing/alert.ts';
import type { BillingClient } from '../platform/billing/client.ts';
import { undefinedIfUnavailable } from '../platform/errors.ts';

/**
 * The spend alert; where its endpoint refuses or fails, as the account has it: a billing_viewer may read it there
 * (spec 2.2, 4.3). Undefined: there is none.
 * @throws PlatformError of the alert, if neither can be read
 */
export async function readAlert(
  client: Pick<BillingClient, 'getAlert' | 'getAccount'>,
): Promise<Alert | undefined> {
  const fresh = { fresh: true } as const;
  try {
    return (await client.getAlert(fresh)).value;
  } catch (error) {
    undefinedIfUnavailable(error);
    const account = await client.getAccount(fresh).catch(undefinedIfUnavailable);
    if (account === undefined) throw error;
    return account.value.alert;
  }
}
