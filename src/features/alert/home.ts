import { ADMINS, READERS } from '../../access/roles.ts';
import type { Clock } from '../../lib/clock.ts';
import { Refusal } from '../../lib/refusal.ts';
import type { HomePart, Person } from '../../slack/routes.ts';
import { hasRole } from '../billing/has-role.ts';
import type { RequireBillingRole } from '../billing/has-role.ts';
import { readAlert, spendOrWhy } from './read.ts';
import type { AlertBilling } from './read.ts';
import { spendBlocks } from './view.ts';

export interface AlertHomeDeps {
  /** @throws Refusal when billing is off */
  readonly billing: () => AlertBilling;
  readonly requireBillingRole: RequireBillingRole;
  readonly currency: string;
  readonly clock: Clock;
}

/** This month's spend against the alert, on the home tab of those who may see what costs money (design section 3). */
export function createAlertPart(deps: AlertHomeDeps): HomePart {
  const { requireBillingRole, currency, clock } = deps;
  return {
    title: 'This month’s spend',
    rank: 40,
    async fill(person) {
      if (!(await mayRead(requireBillingRole, person))) return [];
      const isAdmin = await hasRole(requireBillingRole, person, ADMINS);
      const billing = deps.billing();
      const [{ alert }, spend] = await Promise.all([
        readAlert(billing, isAdmin),
        spendOrWhy(billing, currency, clock.now()),
      ]);
      return spendBlocks({ alert, spend, currency, now: clock.now() });
    },
  };
}

/** @throws Refusal when nobody says which roles the person has */
async function mayRead(requireBillingRole: RequireBillingRole, person: Person): Promise<boolean> {
  try {
    await requireBillingRole(person, READERS);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.cause === undefined) return false;
    throw error;
  }
}
