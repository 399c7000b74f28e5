import { createHash } from 'node:crypto';
import type { Platform } from '../../../changes/kinds/kind.ts';
import { Refusal } from '../../../lib/refusal.ts';
import type { BillingUser } from '../../../platform/billing/users.ts';
import type { FormValues } from '../../../slack/routes.ts';
import type { FormField, FormView, Forms, RequestForm } from './form.ts';
import { FRESH, inOrder, missedNote, rolesField, unreadNote, withEmail } from './pieces.ts';
import { choiceIn, emailIn, orderOf, rolesIn } from './values.ts';

/** The forms about billing users (spec 2.9, 4.3). */
export function userForms(): Forms<'user.add' | 'user.roles' | 'user.remove'> {
  return { 'user.add': addForm, 'user.roles': rolesForm, 'user.remove': removeForm };
}

const addForm: RequestForm = {
  title: 'Add a billing user',
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
    orderOf(
      { email: emailIn(values, 'user.add.email'), roles: rolesIn(values, 'user.add.roles') },
      ({ email, roles }) => ({ kind: 'user.add', email, roles }),
    ),
};

const ROLES_EMAIL = 'user.roles.email';
/** The rest of the id is of the user whose roles are ticked at first: only a new field takes new ticks. */
const ROLES_FIELD = 'user.roles.roles:';

const rolesForm: RequestForm = {
  title: 'Change a user’s roles',
  tells: { field: ROLES_EMAIL, given: 'email' },
  async fill(platform, given) {
    const { users, notes } = await usersOf(platform);
    const chosen = withEmail(users, given['email']);
    const roles = rolesField(rolesFieldOf(chosen), chosen?.roles);
    return {
      notes: [
        ...(chosen ? [heldBy(chosen)] : missedNote(given['email'], chosen, 'billing user')),
        ...notes,
      ],
      consequences: [
        'The roles that are ticked replace all others: one that is not is taken away.',
      ],
      fields: [{ ...emailField(ROLES_EMAIL, users, chosen), tells: true }, roles],
      memory: { roles: roles.id },
    };
  },
  read: (values, memory) =>
    orderOf(
      { email: choiceIn(values, ROLES_EMAIL), roles: rolesIn(values, rolesIdIn(values, memory)) },
      ({ email, roles }) => ({ kind: 'user.roles', email, roles }),
    ),
};

const removeForm: RequestForm = {
  title: 'Remove a billing user',
  async fill(platform, given) {
    const { users, notes } = await usersOf(platform);
    const chosen = withEmail(users, given['email']);
    return {
      notes: [...missedNote(given['email'], chosen, 'billing user'), ...notes],
      consequences: ['The user loses every role on the account.'],
      fields: [emailField('user.remove.email', users, chosen)],
      memory: {},
    };
  },
  read: (values) =>
    orderOf({ email: choiceIn(values, 'user.remove.email') }, ({ email }) => ({
      kind: 'user.remove',
      email,
    })),
};

/** @throws Refusal when there are none, PlatformError */
async function usersOf(
  platform: Platform,
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
      users.map(({ email, roles }) => ({
        text: email,
        value: email,
        about: roles.length === 0 ? 'no role' : roles.join(', '),
      })),
    ),
    ...(chosen && { initial: chosen.email }),
  } as const satisfies FormField;
}

function heldBy({ email, roles }: BillingUser): string {
  return `${email} has ${roles.length === 0 ? 'no role' : roles.join(' and ')} now.`;
}

function rolesFieldOf(user: BillingUser | undefined): string {
  if (user === undefined) return `${ROLES_FIELD}nobody`;
  return ROLES_FIELD + createHash('sha256').update(user.email).digest('hex').slice(0, 12);
}

/** The field as the form had it; a client that has not seen the newest form sends an earlier one. */
function rolesIdIn(values: FormValues, memory: FormView['memory']): string {
  const latest = memory['roles'] ?? rolesFieldOf(undefined);
  if (Object.hasOwn(values, latest)) return latest;
  return Object.keys(values).find((id) => id.startsWith(ROLES_FIELD)) ?? latest;
}
