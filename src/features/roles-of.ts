import { Refusal } from '../lib/refusal.ts';
import type { BillingClient } from '../platform/billing/client.ts';
import { isSameEmail } from '../platform/billing/users.ts';
import { PlatformError } from '../platform/errors.ts';
import type { PlatformReason } from '../platform/errors.ts';
import { explainPlatformError } from './platform-sentences.ts';

type Users = Pick<BillingClient, 'getUser' | 'listUsers'>;

const FRESH = { fresh: true } as const;

/** Failures of the look-up by e-mail that say nothing of the list of all users. */
const ONLY_OF_LOOK_UP: ReadonlySet<PlatformReason> = new Set<PlatformReason>([
  'malformed',
  'server-error',
  'unavailable',
]);

/**
 * The billing roles behind an e-mail address; undefined when the account has no such user. Addresses
 * are compared in lower case, which the platform's own look-up need not do (design section 6), so who
 * is not found by it is looked for in the list. Always asked of the platform: whoever remembers the
 * answer counts from the question.
 * @throws Refusal when the platform does not say
 */
export async function rolesOf(
  billing: Users,
  email: string,
): Promise<readonly string[] | undefined> {
  try {
    const user = await lookUp(billing, email);
    if (user !== undefined) return user.roles;
    const { value: users } = await billing.listUsers(FRESH);
    return users.items.find((one) => isSameEmail(one.email, email))?.roles;
  } catch (error) {
    const sentence = explainPlatformError(error);
    throw sentence === undefined ? error : new Refusal(sentence, error);
  }
}

async function lookUp(billing: Users, email: string) {
  try {
    return (await billing.getUser(email, FRESH)).value;
  } catch (error) {
    if (error instanceof PlatformError && ONLY_OF_LOOK_UP.has(error.reason)) return undefined;
    throw error;
  }
}
