import { z } from 'zod';
import { allRolesOf, BILLING_ROLES, isSameEmail } from '../../../platform/billing/roles.ts';
import type { BillingUser } from '../../../platform/billing/users.ts';
import type { PlatformError } from '../../../platform/errors.ts';
import type { BillingClient } from '../../../platform/billing/client.ts';
import {
  type Baseline,
  type Fact,
  type Kind,
  type Reconciled,
  BY_ADMINS,
  fact,
  isSameRoles,
  kindGroup,
  meaningOf,
  outsideWarning,
  quoted,
  rolesNamed,
  rolesText,
  short,
  theRoles,
} from '../kind.ts';

const user = {
  email: z.string().min(1),
  roles: z.array(z.enum(BILLING_ROLES)).min(1),
  /** Asked for by the person whose roles these are, with Ask for access. */
  own: z.literal(true).optional(),
};
const INPUTS = [
  z.object({ kind: z.literal('user.add'), ...user }),
  z.object({ kind: z.literal('user.roles'), ...user }),
  z.object({ kind: z.literal('user.remove'), email: user.email }),
] as const;
type Add = z.infer<(typeof INPUTS)[0]>;
type SetRoles = z.infer<(typeof INPUTS)[1]>;
type Remove = z.infer<(typeof INPUTS)[2]>;

interface Named {
  readonly email: string;
}

/** Spec section 5. */
const ROLES_DELAY = 'New roles can take 5 minutes to take effect.';
const COMMON = {
  needs: BY_ADMINS,
  hasSecret: () => false,
  subjects: ({ email }: Named) => [email.toLowerCase()],
  repeatable: true,
};

const userAdd: Kind<Add> = {
  ...COMMON,
  kind: 'user.add',
  title: ({ email, roles }) => `Add the billing user ${short(email)} with ${rolesNamed(roles)}`,
  async plan(platform, { email, roles, own }) {
    const { user, now, baseline, emails } = await see(platform, email);
    const consequences = [
      ...ownWarning(email, own),
      ...outsideWarning(email, emails),
      `An invitation is e-mailed to ${short(email)}.`,
      ROLES_DELAY,
    ];
    return {
      plan: { before: [...now], after: factsOf({ email, roles }), consequences },
      now,
      baseline,
      ...(user && { conflict: existing(email) }),
    };
  },
  async send(platform, { email, roles }) {
    await platform.addUser({ email, roles });
    return {};
  },
  async reconcile(platform, { email, roles }) {
    const { user } = await see(platform, email);
    if (user === undefined) return { kind: 'not done' };
    // With other roles it may be ours, changed since, or another person's.
    return { kind: isSameRoles(allRolesOf(user), roles) ? 'done' : 'unclear' };
  },
  explain: ({ email }, error) =>
    meaningOf(error, {
      conflict: existing(email),
      refused: `The platform does not add ${short(email)} (${quoted(error)}): check the address, and ask again.`,
    }),
};

const userRoles: Kind<SetRoles> = {
  ...COMMON,
  kind: 'user.roles',
  title: ({ email, roles }) => `Give ${short(email)} ${theRoles(roles)}`,
  async plan(platform, { email, roles, own }) {
    const { user, isLastAdmin, now, baseline } = await see(platform, email);
    const isDemoted = isLastAdmin && !roles.includes('billing_admin');
    return {
      plan: {
        before: [...now],
        after: factsOf({ email: user?.email ?? email, roles }),
        consequences: [
          ...ownWarning(email, own),
          ...(isDemoted ? [lastAdmin(email)] : []),
          ROLES_DELAY,
        ],
      },
      now,
      baseline,
      ...conflictOfRoles(user, email, roles),
    };
  },
  async send(platform, { email, roles }) {
    await platform.setUserRoles({ email, roles });
    return {};
  },
  async reconcile(platform, { email, roles }, { baseline }): Promise<Reconciled> {
    const { user } = await see(platform, email);
    // The specification leaves open whether replacing the roles of a removed user restores the user.
    if (user === undefined) return { kind: 'unclear' };
    const held = allRolesOf(user);
    if (isSameRoles(held, roles)) return { kind: 'done' };
    return { kind: isSameRoles(held, baseline['roles'] ?? []) ? 'not done' : 'unclear' };
  },
  explain: explainOfUser,
};

const userRemove: Kind<Remove> = {
  ...COMMON,
  kind: 'user.remove',
  title: ({ email }) => `Remove the billing user ${short(email)}`,
  async plan(platform, { email }) {
    const { user, isLastAdmin, now, baseline } = await see(platform, email);
    return {
      plan: {
        before: [...now],
        after: [],
        consequences: [
          `${short(email)} can neither see nor change anything on the billing account any more.`,
          ...(isLastAdmin ? [lastAdmin(email)] : []),
          ROLES_DELAY,
        ],
      },
      now,
      baseline,
      ...(user ? {} : { conflict: unknown(email) }),
    };
  },
  async send(platform, { email }) {
    await platform.removeUser(email);
    return {};
  },
  async reconcile(platform, { email }) {
    const { user } = await see(platform, email);
    return { kind: user === undefined ? 'done' : 'not done' };
  },
  explain: explainOfUser,
};

/** Changes of billing users (spec 2.9, 4.3). */
export const userKinds = kindGroup({
  inputs: INPUTS,
  commands: {
    'user.add': { ask: '/billing users add', look: '/billing users', button: 'Add a user' },
    'user.roles': { ask: '/billing users roles', look: '/billing users', button: 'Change roles' },
    'user.remove': {
      ask: '/billing users remove',
      look: '/billing users',
      button: 'Remove a user',
    },
  },
  create: () => ({
    'user.add': userAdd,
    'user.roles': userRoles,
    'user.remove': userRemove,
  }),
});

/** A user among all users: the list shows the other billing_admins. */
async function see(platform: BillingClient, email: string) {
  const { items, skipped } = (await platform.listUsers({ fresh: true })).value;
  const listed = items.find((user) => isSameEmail(user.email, email));
  // The user may be in an unreadable row.
  const isHidden = listed === undefined && skipped > 0;
  const user = isHidden ? (await platform.getUser(email, { fresh: true })).value : listed;
  const baseline: Baseline = user ? { roles: [...allRolesOf(user)] } : {};
  const others = items.filter((other) => !isSameEmail(other.email, email));
  return {
    user,
    isLastAdmin: isAdmin(user) && !others.some(isAdmin),
    now: user ? factsOf(user) : [],
    baseline,
    emails: items.map((one) => one.email),
  };
}

function isAdmin(user: BillingUser | undefined): boolean {
  return user?.roles.includes('billing_admin') ?? false;
}

function factsOf(user: BillingUser): Fact[] {
  return [fact('E-mail', user.email), fact('Roles', rolesText(allRolesOf(user)))];
}

function ownWarning(email: string, own: true | undefined): string[] {
  return own ? [`⚠ ${short(email)} asks for these roles for themselves.`] : [];
}

function lastAdmin(email: string): string {
  return `⚠ ${short(email)} is the last billing_admin in the list: after this nobody can approve changes, or manage the alert, users, tokens and recipients.`;
}

function conflictOfRoles(
  user: BillingUser | undefined,
  email: string,
  roles: readonly string[],
): { conflict?: string } {
  if (user === undefined) return { conflict: unknown(email) };
  if (!isSameRoles(allRolesOf(user), roles)) return {};
  return {
    conflict: `${short(email)} has exactly ${theRoles(roles)} already: choose other roles.`,
  };
}

function existing(email: string): string {
  return `${short(email)} is a billing user already: change the roles with /billing users roles.`;
}

function unknown(email: string): string {
  return `${short(email)} is not a billing user: /billing users shows who is.`;
}

/** The platform refuses changes of one's own user; for the platform, Purser is its token. */
function explainOfUser({ email }: Named, error: PlatformError): string | undefined {
  return meaningOf(error, {
    gone: unknown(email),
    refused: `The platform does not change ${short(email)} (${quoted(error)}): have another billing_admin do it on the platform itself.`,
  });
}
