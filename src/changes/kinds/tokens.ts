import { z } from 'zod';
import { Refusal } from '../../lib/errors.ts';
import type { Listing } from '../../platform/billing/calls.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import { allRolesOf, BILLING_ROLES } from '../../platform/billing/roles.ts';
import type { BillingToken } from '../../platform/billing/tokens.ts';
import {
  choiceField,
  choiceOf,
  expiryField,
  idMark,
  inputOf,
  nameField,
  rolesField,
  rolesIn,
  textField,
  type FormsOf,
  type RequestForm,
} from '../forms/fields.ts';
import {
  BY_ADMINS,
  conflict,
  fact,
  FRESH,
  gone,
  isSameRoles,
  kindGroup,
  NOT_SAID,
  refusedSentence,
  rolesNamed,
  rolesText,
  sent,
  short,
  timeText,
  type Conflict,
  type Fact,
  type Kind,
} from './kind.ts';
import { rightsOfToken } from './role-rights.ts';

const NewToken = z.object({
  kind: z.literal('token.create'),
  name: z.string().min(1),
  description: z.string(),
  roles: z.array(z.enum(BILLING_ROLES)).min(1),
  /** RFC 3339 in UTC; absent: no expiry. */
  expiresAt: z.string().optional(),
});
const OldToken = z.object({
  kind: z.literal('token.delete'),
  tokenId: z.string().min(1),
  name: z.string(),
});
type NewToken = z.infer<typeof NewToken>;
type OldToken = z.infer<typeof OldToken>;
type Tokens = Listing<BillingToken>;

/** Changes of billing service account tokens (spec 2.5, 4.3, section 3). */
export const tokenKinds = kindGroup({
  inputs: [NewToken, OldToken],
  look: '/billing tokens',
  commands: {
    'token.create': { ask: '/billing tokens create', button: 'Create a token' },
    'token.delete': { ask: '/billing tokens delete', button: 'Delete a token' },
  },
  create: () => ({ 'token.create': tokenCreate, 'token.delete': tokenDelete }),
});

async function read(platform: BillingClient): Promise<Tokens> {
  return (await platform.listTokens(FRESH)).value;
}

const tokenCreate: Kind<NewToken, Tokens> = {
  ...BY_ADMINS,
  title: ({ name, roles }) => `Create the token ${short(name)} with ${rolesNamed(roles)}`,
  hasSecret: () => true,
  // A second call creates a second secret.
  repeatable: false,
  read,
  plan({ items }, input, now) {
    const namesakes = items.filter(({ name }) => name === input.name);
    const newest = namesakes.toSorted((a, b) => (a.created ?? 0) - (b.created ?? 0)).at(-1);
    const end = endOf(input);
    return {
      conflict: end !== undefined && end <= now ? OVER : undefined,
      before: [],
      after: factsOf({ ...input, expiresAt: end }),
      consequences: consequencesOf(input, namesakes.length > 0),
      now: newest ? factsOf(newest) : [],
      baseline: { tokenIds: namesakes.map(({ id }) => id) },
    };
  },
  async send(platform, { name, description, roles, expiresAt }) {
    const { id, secret } = await platform.createToken({
      name,
      roles,
      ...(description && { description }),
      ...(expiresAt !== undefined && { expiresAt }),
    });
    return { secret: { value: secret, what: 'token', tokenId: id || undefined } };
  },
  /**
   * A token whose secret was lost is deleted, so it must certainly be the requested one: the only new token of that
   * name, with the same description, the same roles and the same end.
   */
  settle({ items, skipped }, input, { tokenIds = [] }) {
    const newcomers = items.filter(({ id, name }) => name === input.name && !tokenIds.includes(id));
    const [only, ...others] = newcomers;
    if (only === undefined) return { kind: skipped > 0 ? 'unclear' : 'not done' };
    const isOrdered =
      only.description.trim() === input.description.trim() &&
      isSameRoles(allRolesOf(only), input.roles) &&
      isSameSecond(only.expiresAt, endOf(input));
    if (!isOrdered || others.length > 0) return { kind: 'unclear' };
    return { kind: 'secret lost', what: 'token', tokenIds: [only.id] };
  },
  refusals: ({ name }, words) => ({
    conflict: `The platform has a token ${short(name)} already (${words}): ask again with another name.`,
    refused: `The platform does not create the token ${short(name)} (${words}): put that right, and ask again.`,
  }),
};

const OVER = conflict('The token would be over already', 'ask again with a later expiry.', true);

const tokenDelete: Kind<OldToken, Tokens> = {
  ...BY_ADMINS,
  title: ({ name, tokenId }) => `Delete the token ${short(name || tokenId)}`,
  read,
  resolve(tokens, input) {
    const token = tokenIn(tokens, input);
    if (token !== undefined) return { ...input, name: token.name };
    throw new Refusal('That token no longer exists: /billing tokens shows those that do.');
  },
  plan(tokens, input) {
    const token = tokenIn(tokens, input);
    return {
      conflict: token ? undefined : goneOf(input),
      before: token ? allFactsOf(token) : [],
      after: [],
      consequences: [
        'Whatever uses the token stops working, and it cannot be brought back.',
        'The token may go on working for up to 5 minutes.',
      ],
      passing: { facts: token ? [lastUse(token)] : [] },
    };
  },
  send: (platform, { tokenId }) => sent(platform.removeToken(tokenId)),
  settle(tokens, input) {
    if (tokenIn(tokens, input)) return { kind: 'not done' };
    return { kind: tokens.skipped > 0 ? 'unclear' : 'done' };
  },
  refusals: (input, words) => ({
    gone: goneOf(input),
    refused: refusedSentence(`delete the token ${short(input.name)}`, words),
  }),
};

function tokenIn({ items }: Tokens, { tokenId }: OldToken): BillingToken | undefined {
  return items.find(({ id }) => id === tokenId);
}

function factsOf(
  token: Pick<BillingToken, 'name' | 'description' | 'roles' | 'otherRoles' | 'expiresAt'>,
): Fact[] {
  const { name, description, expiresAt } = token;
  return [
    fact('Name', name),
    fact('Description', description || 'none'),
    fact('Roles', rolesText(allRolesOf(token))),
    fact('Expires', expiresAt === undefined ? 'never' : timeText(expiresAt)),
  ];
}

const LAST_USED = 'Last used';

/** Absent for a token without a use. */
function lastUse({ lastUsedAt }: BillingToken): Fact {
  return fact(LAST_USED, lastUsedAt === undefined ? 'no use reported' : timeText(lastUsedAt));
}

function allFactsOf(token: BillingToken): Fact[] {
  const { id, created, createdBy } = token;
  return [
    ...factsOf(token),
    fact('Created', created === undefined ? NOT_SAID : timeText(created)),
    fact('Created by', createdBy || NOT_SAID),
    fact('Id', id),
  ];
}

function consequencesOf({ name, roles, expiresAt }: NewToken, hasNamesake: boolean): string[] {
  return [
    rightsOfToken(roles, expiresAt === undefined),
    'The secret is shown once, to the requester only, and the token is deleted if it is not revealed within 15 minutes.',
    ...(hasNamesake
      ? [`There is a token ${short(name)} already, and this one comes in addition to it.`]
      : []),
  ];
}

/** Ms since the epoch; undefined: never. */
function endOf({ expiresAt }: NewToken): number | undefined {
  return expiresAt === undefined ? undefined : Date.parse(expiresAt);
}

/** The platform may drop the fraction of a second. */
function isSameSecond(one: number | undefined, other: number | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return Math.floor(one / 1000) === Math.floor(other / 1000);
}

function goneOf({ name, tokenId }: OldToken): Conflict {
  return gone(
    `The token ${short(name || tokenId)} is gone already`,
    '/billing tokens shows what is there.',
  );
}

/** The forms of billing service account tokens (spec 2.5, 4.3). @param secretsOff without SECRET_KEY */
export function tokenForms(
  secretsOff: boolean,
): FormsOf<'token.create' | 'token.delete', NewToken | OldToken> {
  return { 'token.create': createForm(secretsOff), 'token.delete': deleteForm };
}

const CREATE = {
  name: nameField({
    id: 'token.create.name',
    label: 'Name',
    missing: 'Give the token a name.',
    max: 100,
  }),
  description: textField({
    id: 'token.create.description',
    label: 'Description',
    optional: true,
    max: 500,
  }),
  roles: rolesField('token.create.roles'),
  expiresAt: expiryField({
    id: 'token.create.expires',
    label: 'Expires',
    hint: 'At the end of that day in UTC; without a day it does not expire.',
  }),
};

function createForm(secretsOff: boolean): RequestForm<NewToken | OldToken> {
  const { name, description, roles, expiresAt } = CREATE;
  return {
    title: 'Create a token',
    conflictField: name.id,
    async open({ given }) {
      if (secretsOff) throw new Refusal(NO_SECRETS);
      return {
        consequences: [
          'The token is shown once, to you alone, behind Reveal, within 15 minutes of its creation; one that is never revealed is deleted.',
        ],
        fields: [
          name.block(given['name']),
          description.block(given['description']),
          roles.block(rolesIn(given)),
          expiresAt.block(given['expiresAt']?.slice(0, DAY_LENGTH)),
        ],
      };
    },
    read: (submitted) =>
      inputOf(CREATE, submitted, ({ expiresAt, ...token }) => ({
        kind: 'token.create',
        ...token,
        ...(expiresAt !== undefined && { expiresAt }),
      })),
  };
}

/** Of the day in an RFC 3339 time. */
const DAY_LENGTH = 10;

const NO_SECRETS =
  'Creating tokens is off here because SECRET_KEY is not set, so a secret could not rest encrypted: your Purser administrator has to set it.';

const DELETED = choiceField({ id: 'token.delete.name', label: 'Name' });

const deleteForm: RequestForm<NewToken | OldToken> = {
  title: 'Delete a token',
  conflictField: DELETED.id,
  async open({ platform, given: { id, name } }) {
    const { chosen, options, notes } = choiceOf(await read(platform), TOKENS, { id, name });
    return {
      notes,
      consequences: ['A deleted token may work for 5 more minutes, and cannot be brought back.'],
      fields: [DELETED.block(options, chosen?.id)],
    };
  },
  read: (submitted) =>
    inputOf({ tokenId: DELETED }, submitted, ({ tokenId }) => ({
      kind: 'token.delete',
      tokenId,
      name: tokenId,
    })),
};

const TOKENS = {
  what: 'token',
  by: 'name',
  optionOf,
  none: 'There is no token to delete: /billing tokens create asks for one.',
  look: '/billing tokens',
} as const;

/** The distinguishing part comes first: a line has 75 characters. */
function optionOf(token: BillingToken, namesakes: readonly BillingToken[]) {
  const { id, name, created } = token;
  const held = allRolesOf(token).join(', ') || 'no role';
  const mark = idMark(token, namesakes);
  const when = (of: (at: number) => string) =>
    created === undefined ? [] : [`created ${of(created)}`];
  const about = mark === undefined ? [held, ...when(dayOf)] : [...when(secondOf), held];
  return { text: name, value: id, mark, about: about.join(' · ') };
}

/** A day in UTC. @param at ms since the epoch */
function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** "2026-01-05 09:00:00 UTC". */
function secondOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
