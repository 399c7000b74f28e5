import type { SlackProfile } from '../../src/access/policy.ts';
import { createAuthorizer, type Authorizer } from '../../src/access/authorizer.ts';
import type { BillingUser } from '../../src/platform/billing/users.ts';

import { memoryIdentities } from './identities.ts';

type Sources = Parameters<typeof createAuthorizer>[0];

/** The facts of people in a test; a member of Sources that is left out lets everybody in. */
export interface Facts
  extends Partial<Pick<Sources, 'stopwatch' | 'identities'>>, Partial<Sources['people']> {
  /** The billing users; undefined: billing is off. */
  readonly users?: ReturnType<Sources['billing']> | undefined;
  readonly orgAccess?: Sources['config']['orgAccess'];
  /** All orgs. */
  readonly orgs?: readonly string[];
  readonly orgCharges?: boolean;
}

/** A full member of the workspace T0ACME, without an address. */
export const MEMBER: SlackProfile = {
  teamId: 'T0ACME',
  deleted: false,
  bot: false,
  guest: false,
  stranger: false,
};

/** The bot's own rules, in the workspace T0ACME. */
export function authorizerFor(facts: Facts): Authorizer {
  const { users, orgAccess = { kind: 'members' }, orgCharges = false } = facts;
  return createAuthorizer({
    people: {
      member: facts.member ?? (() => Promise.reject(new Error('No one is known'))),
      groupMembers: facts.groupMembers ?? (() => Promise.resolve(new Set())),
    },
    identities: facts.identities ?? memoryIdentities(),
    identity: { get: () => Promise.resolve({ teamId: 'T0ACME' }) },
    billing: () => {
      if (users === undefined) throw new Error('Billing is off');
      return users;
    },
    config: {
      ...(users && { billing: users }),
      orgAccess,
      api: { credentials: new Map((facts.orgs ?? ['acme']).map((org) => [org, undefined])) },
      ...(orgCharges && { orgChargesUrl: 'https://billing.example.com' }),
    },
    stopwatch: facts.stopwatch ?? { elapsed: () => 0 },
  });
}

/** Billing users with these roles; undefined: there is no such user. */
export function usersWith(
  rolesOf: (email: string) => Promise<readonly string[] | undefined>,
): NonNullable<Facts['users']> {
  return {
    async getUser(email) {
      const roles = (await rolesOf(email)) as BillingUser['roles'] | undefined;
      return { value: roles && { email, roles }, readAt: 0 };
    },
    listUsers: () => Promise.resolve({ value: { items: [], skipped: 0 }, readAt: 0 }),
  };
}
