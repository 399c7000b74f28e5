import { createHash } from 'node:crypto';
import { Refusal } from '../../../lib/errors.ts';
import { allRolesOf, type BillingRole } from '../../../platform/billing/roles.ts';
import type { BillingUser } from '../../../platform/billing/users.ts';
import type { FormValues } from '../../../slack/routing/routes.ts';
import type { BillingClient } from '../../../platform/billing/client.ts';
import {
  choiceIn,
  emailIn,
  FRESH,
  inOrder,
  inputOf,
  missedNote,
  rolesField,
  rolesIn,
  unreadNote,
  withEmail,
  type FieldRead,
} from '../../forms/fields.ts';
import type { FormField, Forms, FormView, RequestForm } from '../../forms/form.ts';

/** The forms of billing users (spec 2.9, 4.3). */
export function userForms(): Forms<'user.add' | 'user.roles' | 'user.remove'> {
  return { 'user.add': addForm, 'user.roles': rolesForm, 'user.remove': removeForm };
}

const addForm: RequestForm = {
  title: 'Add a billing user',
  conflictField: 'user.add.email',
  fill: async (_, given) => ({
    notes: [],
    consequences: ['The platform sends an invitation to this address.'],
    fields: [
      {
        id: 'user.add.email',
        type: 'email',
        label: 'E-mail',
        ...(given['email'] !== undefined && { initial: given['email'] }),
      },
      rolesField('user.add.roles'),
    ],
    memory: {},
  }),
  read: (values) =>
    inputOf(
      { email: emailIn(values, 'user.add.email'), roles: rolesIn(values, 'user.add.roles') },
      ({ email, roles }) => ({ kind: 'user.add', email, roles }),
    ),
};

const ROLES_EMAIL = 'user.roles.email';
/** The rest of the id is the user whose roles are ticked initially: only a field with a new id takes new ticks. */
const ROLES_FIELD = 'user.roles.roles:';
/** The field before a user is chosen: no box is ticked, so any tick is meant for the chosen user. */
const NO_USERS_ROLES = `${ROLES_FIELD}nobody`;

const rolesForm: RequestForm = {
  title: 'Change a user’s roles',
  conflictField: ROLES_EMAIL,
  tells: { field: ROLES_EMAIL, given: 'email' },
  async fill(platform, given) {
    const { users, notes } = await usersOf(platform);
    const [chosen] = withEmail(users, given['email']);
    const roles = rolesField(
      rolesFieldOf(chosen?.email),
      chosen?.roles,
      chosen ? undefined : CHOOSE_FIRST,
    );
    return {
      notes: [
        ...(chosen ? [heldBy(chosen)] : missedNote(given['email'], chosen, 'billing user')),
        ...notes,
      ],
      consequences: [
        'The roles that are ticked replace the present ones: an unticked role is lost.',
      ],
      fields: [{ ...emailField(ROLES_EMAIL, users, chosen), tells: true }, roles],
      memory: { roles: roles.id },
    };
  },
  read: (values, memory) => {
    const email = choiceIn(values, ROLES_EMAIL);
    return inputOf({ email, roles: ticksIn(values, memory, email) }, ({ email, roles }) => ({
      kind: 'user.roles',
      email,
      roles,
    }));
  },
};

const CHOOSE_FIRST = 'Choose the user first: then the present roles are ticked here.';

const removeForm: RequestForm = {
  title: 'Remove a billing user',
  conflictField: 'user.remove.email',
  async fill(platform, given) {
    const { users, notes } = await usersOf(platform);
    const [chosen] = withEmail(users, given['email']);
    return {
      notes: [...missedNote(given['email'], chosen, 'billing user'), ...notes],
      consequences: ['The user loses every role on the account.'],
      fields: [emailField('user.remove.email', users, chosen)],
      memory: {},
    };
  },
  read: (values) =>
    inputOf({ email: choiceIn(values, 'user.remove.email') }, ({ email }) => ({
      kind: 'user.remove',
      email,
    })),
};

/** @throws Refusal without any users, PlatformError */
async function usersOf(
  platform: BillingClient,
): Promise<{ users: readonly BillingUser[]; notes: string[] }> {
  const { items, skipped } = (await platform.listUsers(FRESH)).value;
  const notes = unreadNote(skipped, 'billing user');
  if (items.length > 0) return { users: items, notes };
  throw new Refusal(
    ['There is no billing user to choose: /billing users add asks for one.', ...notes].join(' '),
  );
}

function emailField(id: string, users: readonly BillingUser[], chosen: BillingUser | undefined) {
  return {
    id,
    type: 'choice',
    label: 'E-mail',
    options: inOrder(
      users.map((user) => ({
        text: user.email,
        value: user.email,
        about: allRolesOf(user).join(', ') || 'no role',
      })),
    ),
    ...(chosen && { initial: chosen.email }),
  } as const satisfies FormField;
}

function heldBy(user: BillingUser): string {
  return `${user.email} has ${allRolesOf(user).join(' and ') || 'no role'} now.`;
}

function rolesFieldOf(email: string | undefined): string {
  if (email === undefined) return NO_USERS_ROLES;
  const hash = createHash('sha256').update(email.toLowerCase()).digest('hex');
  return ROLES_FIELD + hash.slice(0, 12);
}

/** One person's ticks never become another's roles: the form may be sent before it was filled again. */
function ticksIn(
  values: FormValues,
  memory: FormView['memory'],
  email: FieldRead<string>,
): FieldRead<BillingRole[]> {
  const own = 'value' in email ? rolesFieldOf(email.value) : undefined;
  const id = rolesIdIn(values, memory, own);
  const isOthers = own !== undefined && id !== own && id !== NO_USERS_ROLES;
  return isOthers ? { id, error: OTHERS_TICKS } : rolesIn(values, id);
}

const OTHERS_TICKS = 'The ticks are still those of somebody else: look at them again, and submit.';

/** The valid field: that of the chosen user, else the latest of the form, else any that was sent. */
function rolesIdIn(
  values: FormValues,
  memory: FormView['memory'],
  own: string | undefined,
): string {
  const latest = memory['roles'] ?? NO_USERS_ROLES;
  const known = [own, latest].find((id) => id !== undefined && Object.hasOwn(values, id));
  return known ?? Object.keys(values).find((id) => id.startsWith(ROLES_FIELD)) ?? latest;
}
