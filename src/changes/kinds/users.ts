import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Listing } from '../../platform/billing/calls.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import { allRolesOf, BILLING_ROLES, isSameEmail } from '../../platform/billing/roles.ts';
import type { BillingUser } from '../../platform/billing/users.ts';
import {
  choiceField,
  choiceOf,
  emailField,
  inputOf,
  rolesField,
  rolesIn,
  type FormsOf,
  type RequestForm,
  type Submitted,
} from '../forms/fields.ts';
import {
  type Baseline,
  type Conflict,
  type Fact,
  type Kind,
  BY_ADMINS,
  conflict,
  fact,
  FRESH,
  gone,
  isSameRoles,
  kindGroup,
  listOf,
  outsideWarning,
  refusedSentence,
  rolesNamed,
  rolesText,
  sent,
  short,
  theRoles,
  withEmail,
} from './kind.ts';
import { rightsOfUser } from './role-rights.ts';

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
export type UserInput = Add | SetRoles | Remove;
type Users = Listing<BillingUser>;

interface Named {
  readonly email: string;
}

/** Changes of billing users (spec 2.9, 4.3). */
export const userKinds = kindGroup({
  inputs: INPUTS,
  look: '/billing users',
  commands: {
    'user.add': { ask: '/billing users add', button: 'Add a user' },
    'user.roles': { ask: '/billing users roles', button: 'Change roles' },
    'user.remove': { ask: '/billing users remove', button: 'Remove a user' },
  },
  create: () => ({ 'user.add': userAdd, 'user.roles': userRoles, 'user.remove': userRemove }),
});

async function readAll(platform: BillingClient): Promise<Users> {
  return (await platform.listUsers(FRESH)).value;
}

/** The list shows the other billing_admins. A user in an unreadable row is added to it. */
async function read(platform: BillingClient, { email }: Named): Promise<Users> {
  const { items, skipped } = await readAll(platform);
  const isHidden = skipped > 0 && withEmail(items, email) === undefined;
  const hidden = isHidden ? (await platform.getUser(email, FRESH)).value : undefined;
  return { items: hidden ? [...items, hidden] : items, skipped };
}

/** Spec section 5. */
const ROLES_DELAY = 'New roles can take 5 minutes to take effect.';
const COMMON = {
  ...BY_ADMINS,
  subjects: ({ email }: Named) => [email.toLowerCase()],
  read,
  /** The address as the platform spells it, which may find it by no other spelling. */
  resolve: <Input extends Named>({ items }: Users, input: Input): Input => ({
    ...input,
    email: withEmail(items, input.email)?.email ?? input.email,
  }),
};

const userAdd: Kind<Add, Users> = {
  ...COMMON,
  title: ({ email, roles }) => `Add the billing user ${short(email)} with ${rolesNamed(roles)}`,
  plan(users, input) {
    const { email, roles, own } = input;
    const user = withEmail(users.items, email);
    const emails = users.items.map((one) => one.email);
    return {
      conflict: user && existing(input),
      before: user ? factsOf(user) : [],
      after: factsOf({ email, roles }),
      consequences: [
        ...rightsOfUser(email, [], roles),
        ...ownWarning(email, own),
        ...outsideWarning(email, emails),
        `An invitation is e-mailed to ${short(email)}.`,
        ROLES_DELAY,
      ],
    };
  },
  send: (platform, { email, roles }) => sent(platform.addUser({ email, roles })),
  settle(users, { email, roles }) {
    const user = withEmail(users.items, email);
    if (user === undefined) return { kind: 'not done' };
    // With other roles it may be ours, changed since, or another person's.
    return { kind: isSameRoles(allRolesOf(user), roles) ? 'done' : 'unclear' };
  },
  refusals: (input, words) => ({
    conflict: existing(input),
    refused: refusedSentence(`add ${short(input.email)}`, words),
  }),
};

const userRoles: Kind<SetRoles, Users> = {
  ...COMMON,
  title: ({ email, roles }) => `Give ${short(email)} ${theRoles(roles)}`,
  plan(users, input) {
    const { email, roles, own } = input;
    const user = withEmail(users.items, email);
    const isDemoted = !roles.includes('billing_admin');
    return {
      conflict: conflictOfRoles(user, input),
      before: user ? factsOf(user) : [],
      after: factsOf({ email, roles }),
      consequences: [
        ...rightsOfUser(email, user?.roles ?? [], roles),
        ...ownWarning(email, own),
        ...(isDemoted ? lastAdmin(users, email) : []),
        ROLES_DELAY,
      ],
      baseline: baselineOf(user),
    };
  },
  send: (platform, { email, roles }) => sent(platform.setUserRoles({ email, roles })),
  settle(users, { email, roles }, baseline) {
    const user = withEmail(users.items, email);
    // The specification leaves open whether replacing the roles of a removed user restores the user.
    if (user === undefined) return { kind: 'unclear' };
    const held = allRolesOf(user);
    if (isSameRoles(held, roles)) return { kind: 'done' };
    return { kind: isSameRoles(held, baseline['roles'] ?? []) ? 'not done' : 'unclear' };
  },
  refusals: refusalsOfUser('change the roles of'),
};

const userRemove: Kind<Remove, Users> = {
  ...COMMON,
  title: ({ email }) => `Remove the billing user ${short(email)}`,
  plan(users, { email }) {
    const user = withEmail(users.items, email);
    return {
      conflict: user ? undefined : unknown({ email }),
      before: user ? factsOf(user) : [],
      after: [],
      consequences: [
        `${short(email)} can no longer see or change anything on the billing account.`,
        ...lastAdmin(users, email),
        `${short(email)} may still have access for up to 5 minutes.`,
      ],
    };
  },
  send: (platform, { email }) => sent(platform.removeUser(email)),
  settle: (users, { email }) => ({ kind: withEmail(users.items, email) ? 'not done' : 'done' }),
  refusals: refusalsOfUser('remove'),
};

function baselineOf(user: BillingUser | undefined): Baseline {
  return user ? { roles: [...allRolesOf(user)] } : {};
}

function isAdmin(user: BillingUser): boolean {
  return user.roles.includes('billing_admin');
}

function factsOf(user: BillingUser): Fact[] {
  return [fact('E-mail', user.email), fact('Roles', rolesText(allRolesOf(user)))];
}

function ownWarning(email: string, own: true | undefined): string[] {
  return own ? [`⚠ ${short(email)} asks for these roles for themselves.`] : [];
}

/** A warning when an admin goes and at most one other stays. */
function lastAdmin({ items }: Users, email: string): string[] {
  const admins = items.filter(isAdmin);
  const [other, ...more] = admins.filter((one) => !isSameEmail(one.email, email));
  const isAmongThem = withEmail(admins, email) !== undefined;
  if (!isAmongThem || more.length > 0) return [];
  return other === undefined
    ? [
        `⚠ ${short(email)} is the last billing_admin in the list: after this no one can approve changes, or manage the alert, users, tokens and recipients.`,
      ]
    : [
        `⚠ ${short(other.email)} is the only billing_admin after this: no second one can approve what they request.`,
      ];
}

function conflictOfRoles(user: BillingUser | undefined, input: SetRoles): Conflict | undefined {
  const { email, roles } = input;
  if (user === undefined) return unknown(input);
  return isSameRoles(allRolesOf(user), roles)
    ? conflict(`${short(email)} has exactly ${theRoles(roles)} already`, 'choose other roles.')
    : undefined;
}

interface Asked extends Named {
  readonly own?: true | undefined;
}

function existing({ email, own }: Asked): Conflict {
  const what = `${short(email)} is a billing user already`;
  return own
    ? conflict(what, ANEW, true)
    : conflict(what, 'change the roles with /billing users roles.');
}

function unknown({ email, own }: Asked): Conflict {
  const what = `${short(email)} is not a billing user`;
  return own
    ? { ...conflict(what, ANEW, true), code: 'gone' }
    : gone(what, '/billing users shows who is.');
}

/** Without a role, none of the other commands is open. */
const ANEW = 'ask again with /purser whoami.';

/** @param what "remove" */
function refusalsOfUser(what: string) {
  return (input: Asked, words: string) => ({
    gone: unknown(input),
    refused: refusedSentence(`${what} ${short(input.email)}`, words),
  });
}

/** The forms of billing users (spec 2.9, 4.3). */
export function userForms(): FormsOf<'user.add' | 'user.roles' | 'user.remove', UserInput> {
  return { 'user.add': addForm, 'user.roles': rolesForm, 'user.remove': removeForm };
}

const ADD = { email: emailField('user.add.email'), roles: rolesField('user.add.roles') };

const addForm: RequestForm<UserInput> = {
  title: 'Add a billing user',
  conflictField: ADD.email.id,
  open: async ({ given }) => ({
    consequences: ['The platform sends an invitation to this address.'],
    fields: [ADD.email.block(given['email']), ADD.roles.block(rolesIn(given))],
  }),
  read: (submitted) => inputOf(ADD, submitted, (user) => ({ kind: 'user.add', ...user })),
};

const WHOSE = choiceField({ id: 'user.roles.email', label: 'E-mail', refills: true });
/** The rest of the id is the user whose roles are ticked initially: only a field with a new id takes new ticks. */
const ROLES_FIELD = 'user.roles.roles:';
/** The field before a user is chosen: no box is ticked, so any tick is meant for the chosen user. */
const NO_USERS_ROLES = `${ROLES_FIELD}nobody`;

const rolesForm: RequestForm<UserInput> = {
  title: 'Change a user’s roles',
  conflictField: WHOSE.id,
  refills: { field: WHOSE.id, given: 'email' },
  async open({ platform, given }) {
    const { chosen, options, notes } = await choiceIn(platform, given['email']);
    const wanted = rolesIn(given);
    const roles = rolesField(rolesFieldOf(chosen?.email));
    return {
      notes: [...(chosen ? [heldBy(chosen), ...lostRoles(chosen)] : []), ...notes],
      consequences: [
        'The roles that are ticked replace the present ones: an unticked role is lost.',
      ],
      fields: [
        WHOSE.block(options, chosen?.email),
        roles.block(
          chosen && wanted.length > 0 ? wanted : chosen?.roles,
          chosen ? undefined : CHOOSE_FIRST,
        ),
      ],
    };
  },
  read: (submitted) =>
    inputOf({ email: WHOSE, roles: ticksOf(submitted) }, submitted, (user) => ({
      kind: 'user.roles',
      ...user,
    })),
};

const CHOOSE_FIRST = 'Choose the user first: then the present roles are ticked here.';

const REMOVED = choiceField({ id: 'user.remove.email', label: 'E-mail' });

const removeForm: RequestForm<UserInput> = {
  title: 'Remove a billing user',
  conflictField: REMOVED.id,
  async open({ platform, given: { email } }) {
    const { chosen, options, notes } = await choiceIn(platform, email);
    return {
      notes,
      consequences: ['The user loses every role on the account.'],
      fields: [REMOVED.block(options, chosen?.email)],
    };
  },
  read: (submitted) =>
    inputOf({ email: REMOVED }, submitted, ({ email }) => ({ kind: 'user.remove', email })),
};

/** @param name of the user to be chosen initially @throws Refusal without any users, PlatformError */
async function choiceIn(platform: BillingClient, name: string | undefined) {
  return choiceOf(await readAll(platform), USERS, { name });
}

const USERS = {
  what: 'billing user',
  by: 'address',
  optionOf: ({ email, ...user }: BillingUser) => ({
    text: email,
    value: email,
    about: allRolesOf(user).join(', ') || 'no role',
  }),
  none: 'There is no billing user to choose: /billing users add asks for one.',
  look: '/billing users',
} as const;

function heldBy(user: BillingUser): string {
  return `${user.email} has ${allRolesOf(user).join(' and ') || 'no role'} now.`;
}

/** A role without a box cannot be ticked. */
function lostRoles({ otherRoles = [] }: BillingUser): string[] {
  if (otherRoles.length === 0) return [];
  const them = otherRoles.length === 1 ? 'it' : 'them';
  return [`${listOf(otherRoles)} cannot be kept: this request removes ${them}.`];
}

function rolesFieldOf(email: string | undefined): string {
  if (email === undefined) return NO_USERS_ROLES;
  const hash = createHash('sha256').update(email.toLowerCase()).digest('hex');
  return ROLES_FIELD + hash.slice(0, 12);
}

/** One person's ticks never become another's roles: the form may be sent before it was filled again. */
function ticksOf({ values }: Submitted) {
  const email = WHOSE.read({ values });
  const own = rolesFieldOf('value' in email ? email.value : undefined);
  const mine = [own, NO_USERS_ROLES].find((id) => Object.hasOwn(values, id));
  const others = Object.keys(values).find((id) => id.startsWith(ROLES_FIELD));
  return mine === undefined && others !== undefined && 'value' in email
    ? { id: others, read: () => ({ error: OTHERS_TICKS }) }
    : rolesField(mine ?? others ?? NO_USERS_ROLES);
}

const OTHERS_TICKS = 'The ticks are still those of another person: check them, and submit.';
