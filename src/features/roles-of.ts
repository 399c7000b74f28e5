import { Refusal } from '../lib/refusal.ts';
import type { BillingClient } from '../platform/billing/client.ts';
import { isSameEmail } from '../platform/billing/users.ts';
import { explainPlatformError } from './platform-sentences.ts';

/**
 * The billing roles behind an e-mail address; undefined when the account has no such user. Addresses
 * are compared in lower case, which the platform's own look-up need not do (design section 6).
 * @throws Refusal when the platform does not say
 */
export async function rolesOf(
  billing: Pick<BillingClient, 'getUser' | 'listUsers'>,
  email: string,
): Promise<readonly string[] | undefined> {
  try {
    const { value: user } = await billing.getUser(email);
    if (user !== undefined) return user.roles;
    const { value: users } = await billing.listUsers();
    return users.items.find((one) => isSameEmail(one.email, email))?.roles;
  } catch (error) {
    const sentence = explainPlatformError(error);
    throw sentence === undefined ? error : new Refusal(sentence, error);
  }
}
