import { Refusal } from '../../../lib/errors.ts';
import { allRolesOf } from '../../../platform/billing/roles.ts';
import type { BillingToken } from '../../../platform/billing/tokens.ts';
import {
  choiceIn,
  dayOf,
  expiryIn,
  FRESH,
  idNote,
  inOrder,
  inputOf,
  missedNote,
  nameIn,
  onlyOf,
  rolesField,
  rolesIn,
  severalNote,
  textIn,
  unreadNote,
} from '../../forms/fields.ts';
import type { Forms, RequestForm } from '../../forms/form.ts';

/** The forms of billing service account tokens (spec 2.5, 4.3). @param secretsOff without SECRET_KEY */
export function tokenForms(secretsOff: boolean): Forms<'token.create' | 'token.delete'> {
  return { 'token.create': createForm(secretsOff), 'token.delete': deleteForm };
}

const CREATE = {
  name: 'token.create.name',
  description: 'token.create.description',
  roles: 'token.create.roles',
  expires: 'token.create.expires',
} as const;
const MAX_NAME = 100;
const MAX_DESCRIPTION = 500;

function createForm(secretsOff: boolean): RequestForm {
  return {
    title: 'Create a token',
    conflictField: CREATE.name,
    async fill(_, given) {
      if (secretsOff) throw new Refusal(NO_SECRETS);
      return {
        notes: [],
        consequences: [
          'The token is shown once, to you alone, behind Reveal, within 15 minutes of its creation; one that is never revealed is deleted.',
        ],
        fields: [
          {
            id: CREATE.name,
            type: 'text',
            label: 'Name',
            maxLength: MAX_NAME,
            ...(given['name'] !== undefined && { initial: given['name'] }),
          },
          {
            id: CREATE.description,
            type: 'text',
            label: 'Description',
            optional: true,
            maxLength: MAX_DESCRIPTION,
          },
          rolesField(CREATE.roles),
          {
            id: CREATE.expires,
            type: 'date',
            label: 'Expires',
            hint: 'At the end of that day in UTC; without a day it does not expire.',
            optional: true,
          },
        ],
        memory: {},
      };
    },
    read: (values, _, now) =>
      inputOf(
        {
          name: nameIn(values, CREATE.name, { missing: 'Give the token a name.', max: MAX_NAME }),
          description: textIn(values, CREATE.description, { max: MAX_DESCRIPTION }),
          roles: rolesIn(values, CREATE.roles),
          expiresAt: expiryIn(values, CREATE.expires, now),
        },
        ({ expiresAt, ...token }) => ({
          kind: 'token.create',
          ...token,
          ...(expiresAt !== undefined && { expiresAt }),
        }),
      ),
  };
}

const NO_SECRETS =
  'Creating tokens is off here because SECRET_KEY is not set, so a secret could not rest encrypted: your Purser administrator has to set it.';

const DELETED = 'token.delete.name';

const deleteForm: RequestForm = {
  title: 'Delete a token',
  conflictField: DELETED,
  async fill(platform, given) {
    const { items: tokens, skipped } = (await platform.listTokens(FRESH)).value;
    const notes = unreadNote(skipped, 'token');
    if (tokens.length === 0) throw new Refusal([NO_TOKENS, ...notes].join(' '));
    const { id, name } = given;
    const named = tokens.filter((one) => one.name === name);
    const chosen = onlyOf(tokens, id, named);
    const note = chosen === undefined ? severalNote(named, 'token', `name ${name}`) : [];
    return {
      notes: [...(note.length > 0 ? note : missedNote(name ?? id, chosen, 'token')), ...notes],
      consequences: ['A deleted token may work for 5 more minutes, and cannot be brought back.'],
      fields: [
        {
          id: DELETED,
          type: 'choice',
          label: 'Name',
          options: inOrder(
            tokens.map((token) => ({
              text: token.name,
              value: token.id,
              about: aboutOf(
                token,
                tokens.filter(({ name }) => name === token.name),
              ),
            })),
          ),
          ...(chosen && { initial: chosen.id }),
        },
      ],
      memory: {},
    };
  },
  read: (values) =>
    inputOf({ tokenId: choiceIn(values, DELETED) }, ({ tokenId }) => ({
      kind: 'token.delete',
      tokenId,
      name: tokenId,
    })),
  async complete(platform, input) {
    if (input.kind !== 'token.delete') return input;
    const { items } = (await platform.listTokens(FRESH)).value;
    const token = items.find(({ id }) => id === input.tokenId);
    if (token === undefined) {
      throw new Refusal('That token is not there any more: /billing tokens shows those that are.');
    }
    return { ...input, name: token.name };
  },
};

const NO_TOKENS = 'There is no token to delete: /billing tokens create asks for one.';

/** The distinguishing part comes first: a line has 75 characters. */
function aboutOf(token: BillingToken, namesakes: readonly BillingToken[]): string {
  const { created } = token;
  const held = allRolesOf(token).join(', ') || 'no role';
  const id = idNote(token, namesakes);
  if (id.length === 0) {
    return created === undefined ? held : `${held} · created ${dayOf(created)}`;
  }
  const when = created === undefined ? [] : [`created ${secondOf(created)}`];
  return [...id, ...when, held].join(' · ');
}

/** "2026-01-05 09:00:00 UTC". */
function secondOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
