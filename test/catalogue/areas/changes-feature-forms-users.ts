import type { Area } from '../entry.ts';
import { user } from '../../unit/changes/forms/harness.ts';
import { GROUND } from './changes-feature-data.ts';
import { faulty, notOpened, opened, reading } from './changes-feature-modals.ts';

const [add, roles, remove] = [
  { name: 'user.add' } as const,
  { name: 'user.roles' } as const,
  { name: 'user.remove' } as const,
];
const noOne = { ...GROUND, users: [] };
const unread = (skipped: number) => ({ ...GROUND, skipped });
const cleo = { email: 'cleo@acme.example' };
const zoe = { email: 'zoe@acme.example' };
const others = {
  ...GROUND,
  users: [{ ...user('cleo@acme.example', 'billing_viewer'), otherRoles: ['support_reader'] }],
};
const lookalikes = {
  ...GROUND,
  users: [
    user('cleo@acme.example', 'billing_viewer'),
    user('cleo\u200B@acme.example', 'billing_viewer'),
    user('cl\u0435o@acme.example', 'billing_admin'),
  ],
};

export const userForms: Area = {
  id: 'user-forms',
  title: 'Forms: billing users',
  entries: [
    reading(
      'user-form-reading',
      'A form about billing users was opened, and the platform is still being asked.',
      'Change a user’s roles',
    ),
    opened('user-add-form', 'A person asks for a new billing user.', add),
    opened('user-add-form-named', 'The address was typed with the command.', {
      ...add,
      given: { email: 'finn@acme.example' },
    }),
    faulty('user-add-form-empty', 'The form was sent without an address and without a role.', {
      ...add,
      filled: {},
    }),
    faulty('user-add-form-no-address', 'The typed text is not an e-mail address.', {
      ...add,
      filled: { 'E-mail': 'finn at acme', Roles: ['billing_viewer'] },
    }),
    faulty('user-add-form-there-already', 'The person to be added is a billing user already.', {
      ...add,
      filled: { 'E-mail': 'cleo@acme.example', Roles: ['billing_viewer'] },
    }),
    faulty('user-add-form-oneself', 'A person asks for a billing user with the own address.', {
      ...add,
      filled: { 'E-mail': 'ada@acme.example', Roles: ['billing_admin'] },
    }),
    faulty('user-add-form-unseen', 'The address has a letter of no width.', {
      ...add,
      filled: { 'E-mail': 'fi\u200Bnn@acme.example', Roles: ['billing_viewer'] },
    }),
    faulty('user-add-form-mixed', 'The address has a Cyrillic letter among Latin ones.', {
      ...add,
      filled: { 'E-mail': 'f\u0456nn@acme.example', Roles: ['billing_viewer'] },
    }),
    opened('user-roles-form', 'A person asks for other roles, and has named no one yet.', roles),
    opened('user-roles-form-chosen', 'A user was named or chosen: the roles of now are ticked.', {
      ...roles,
      given: cleo,
    }),
    opened('user-roles-form-no-role', 'The user who was chosen has no role.', {
      ...roles,
      given: { email: 'eve@acme.example' },
    }),
    opened('user-roles-form-other-roles', 'The user has a role that Purser does not know.', {
      ...roles,
      platformData: others,
      given: cleo,
    }),
    opened('user-roles-form-not-there', 'A person was named who is no billing user.', {
      ...roles,
      given: zoe,
    }),
    opened('user-roles-form-one-unread', 'One user of the platform’s answer could not be read.', {
      ...roles,
      platformData: unread(1),
    }),
    opened(
      'user-roles-form-several-unread',
      'Several users could not be read, and one is named who is not among the others.',
      { ...roles, platformData: unread(2), given: zoe },
    ),
    opened(
      'user-roles-form-lookalikes',
      'Among the users are two whose addresses look like that of another.',
      { ...roles, platformData: lookalikes },
    ),
    opened('user-roles-form-lookalike-chosen', 'One of them is chosen.', {
      ...roles,
      platformData: lookalikes,
      given: { email: 'cleo\u200B@acme.example' },
    }),
    faulty('user-roles-form-oneself', 'A person chose themselves in the open form.', {
      ...roles,
      filled: { 'E-mail': 'ada@acme.example', Roles: ['billing_viewer'] },
    }),
    faulty(
      'user-roles-form-nothing-chosen',
      'The form was sent without a user and without a role.',
      { ...roles, filled: {} },
    ),
    faulty('user-roles-form-same-roles', 'The roles that are ticked are those of now.', {
      ...roles,
      given: cleo,
      filled: { 'E-mail': 'cleo@acme.example', Roles: ['billing_viewer'] },
    }),
    faulty(
      'user-roles-form-ticks-of-another',
      'Another user was chosen, and the form was sent before the ticks had changed.',
      {
        ...roles,
        given: cleo,
        filled: { 'E-mail': 'ben@acme.example' },
      },
    ),
    notOpened('user-roles-form-of-oneself', 'A person asks for other roles for themselves.', {
      ...roles,
      given: { email: 'ada@acme.example' },
    }),
    notOpened('user-roles-form-no-user', 'There is no billing user at all.', {
      ...roles,
      platformData: noOne,
    }),
    notOpened('user-roles-form-none-readable', 'There are billing users, and none could be read.', {
      ...roles,
      platformData: { ...noOne, skipped: 3 },
    }),
    opened('user-remove-form', 'A person asks to remove a billing user.', remove),
    opened('user-remove-form-chosen', 'The user to be removed was named with the command.', {
      ...remove,
      given: cleo,
    }),
    opened('user-remove-form-not-there', 'The one to be removed is no billing user.', {
      ...remove,
      given: zoe,
    }),
    faulty('user-remove-form-nothing-chosen', 'The form was sent without a user.', {
      ...remove,
      filled: {},
    }),
    faulty('user-remove-form-oneself', 'A person chose themselves to be removed.', {
      ...remove,
      filled: { 'E-mail': 'ada@acme.example' },
    }),
    notOpened('user-remove-form-no-user', 'There is no billing user to remove.', {
      ...remove,
      platformData: noOne,
    }),
  ],
};
