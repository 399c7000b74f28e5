import { Refusal } from '../lib/refusal.ts';
import type { Gate } from './gate.ts';
import { ADMINS, READERS } from './roles.ts';

type Person = Parameters<Gate['requireRole']>[0];

/**
 * Asks the gate for a right by its name, as answers keep it: `orgs`, `org_charges` (ORG_CHARGES),
 * `billing` or `billing_admin` (design section 6). Nothing is asked for nothing; a name that nobody
 * knows is a no.
 */
export function createAllow(
  gate: Gate,
  { orgCharges = false }: { readonly orgCharges?: boolean } = {},
): (person: Person, needs: string | undefined) => Promise<void> {
  const rights = new Map<string, (person: Person) => Promise<void>>([
    ['orgs', (person) => gate.requireOrgAccess(person)],
    ...(orgCharges
      ? [['org_charges', (person: Person) => gate.requireOrgAccess(person)] as const]
      : []),
    ['billing', (person) => gate.requireRole(person, READERS)],
    ['billing_admin', (person) => gate.requireRole(person, ADMINS)],
  ]);
  return async (person, needs) => {
    if (needs === undefined) return;
    const ask = rights.get(needs);
    if (ask === undefined) throw new Refusal(UNKNOWN, new Error(`There is no right ${needs}`));
    await ask(person);
  };
}

const UNKNOWN =
  'Purser does not know any more who may see this answer: please run the command again.';
