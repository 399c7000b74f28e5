import type { Role } from '../../access/roles.ts';
import { Refusal } from '../../lib/refusal.ts';
import type { Person } from '../../slack/routes.ts';

/** Lets a person with one of the roles on. @throws Refusal */
export type RequireBillingRole = (person: Person, roles: readonly Role[]) => Promise<void>;

/** Whether a person has one of the roles, for what is shown to those who have; what is not known is a no. */
export async function hasRole(
  requireBillingRole: RequireBillingRole,
  person: Person,
  roles: readonly Role[],
): Promise<boolean> {
  try {
    await requireBillingRole(person, roles);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
