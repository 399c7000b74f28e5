import { NO_KEY } from '../../unit/changes/forms/harness.ts';
import { type Area, DAY, NOW } from '../entry.ts';
import { GROUND } from './changes-feature-data.ts';
import { faulty, notOpened, opened, reading } from './changes-feature-modals.ts';

const [create, remove] = [{ name: 'token.create' } as const, { name: 'token.delete' } as const];
const none = { ...GROUND, tokens: [] };
/** Two of one name, as alike as they can be. */
const twins = {
  ...GROUND,
  tokens: [
    { id: 'f3b1c0de-1', name: 'ci', created: NOW - 90 * DAY },
    { id: 'f3b1c0de-2', name: 'ci', created: NOW - 89 * DAY },
    { id: 'a7e2d1fa-2', name: 'reports', roles: [] },
  ],
};
const named = { Name: 'nightly-report', Roles: ['billing_viewer'] };

export const tokenForms: Area = {
  id: 'token-forms',
  title: 'Forms: billing tokens',
  entries: [
    reading(
      'token-form-reading',
      'A form about tokens was opened, and the platform is still being asked.',
      'Delete a token',
    ),
    opened('token-create-form', 'A person asks for a new token.', create),
    opened('token-create-form-named', 'The name was typed with the command.', {
      ...create,
      given: { name: 'nightly-report' },
    }),
    faulty('token-create-form-name-mixed', 'The name has a Cyrillic letter among Latin ones.', {
      ...create,
      filled: { Name: 'r\u0435ports', Roles: ['billing_viewer'] },
    }),
    faulty('token-create-form-empty', 'The form was sent with nothing in it.', {
      ...create,
      filled: {},
    }),
    faulty(
      'token-create-form-too-long',
      'The name and the description are longer than the platform takes.',
      {
        ...create,
        filled: {
          ...named,
          Name: 'nightly-'.repeat(13),
          Description: 'Reads the charges. '.repeat(27),
        },
      },
    ),
    faulty('token-create-form-no-day', 'The typed day does not exist.', {
      ...create,
      filled: { ...named, Expires: '2027-02-31' },
    }),
    faulty('token-create-form-day-over', 'The day is over already.', {
      ...create,
      filled: { ...named, Expires: '2026-11-20' },
    }),
    notOpened(
      'token-create-form-no-secret-key',
      'Tokens cannot be created, because there is no key to encrypt them with.',
      {
        ...create,
        fake: { cipher: undefined },
        deps: { config: NO_KEY },
      },
    ),
    opened('token-delete-form', 'A person asks to delete a token.', remove),
    opened('token-delete-form-chosen', 'The token was named, and there is one of that name.', {
      ...remove,
      given: { name: 'reports' },
    }),
    opened('token-delete-form-several', 'The name that was given is that of several tokens.', {
      ...remove,
      platformData: twins,
      given: { name: 'ci' },
    }),
    opened(
      'token-delete-form-one-of-several',
      'A button names one of several tokens of the same name.',
      { ...remove, platformData: twins, given: { id: 'f3b1c0de-2', name: 'ci' } },
    ),
    opened('token-delete-form-not-there', 'There is no token of that name.', {
      ...remove,
      given: { name: 'nightly' },
    }),
    opened('token-delete-form-one-unread', 'One token could not be read.', {
      ...remove,
      platformData: { ...GROUND, skipped: 1 },
    }),
    faulty('token-delete-form-nothing-chosen', 'The form was sent without a token.', {
      ...remove,
      filled: {},
    }),
    faulty('token-delete-form-gone', 'The token was deleted while the form was open.', {
      ...remove,
      filled: { Name: 'f0000000-9' },
    }),
    notOpened('token-delete-form-none', 'There is no token to delete.', {
      ...remove,
      platformData: none,
    }),
    notOpened('token-delete-form-none-readable', 'There are tokens, and none could be read.', {
      ...remove,
      platformData: { ...none, skipped: 2 },
    }),
  ],
};
