import { z } from 'zod';
import { formatAge } from '../../../lib/text.ts';
import type { Listing } from '../../../platform/billing/calls.ts';
import type { Clock } from '../../../lib/time.ts';
import { allRolesOf, BILLING_ROLES } from '../../../platform/billing/roles.ts';
import type { BillingToken } from '../../../platform/billing/tokens.ts';
import type { BillingClient } from '../../../platform/billing/client.ts';
import {
  BY_ADMINS,
  fact,
  isSameRoles,
  kindGroup,
  meaningOf,
  NOT_SAID,
  quoted,
  rolesNamed,
  rolesText,
  short,
  timeText,
  type Fact,
  type Kind,
  type Reconciled,
} from '../kind.ts';

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
const INPUTS = [NewToken, OldToken] as const;

const COMMON = { needs: BY_ADMINS, subjects: () => [] };

/** Changes of billing service account tokens (spec 2.5, 4.3, section 3). */
export const tokenKinds = kindGroup({
  inputs: INPUTS,
  commands: {
    'token.create': {
      ask: '/billing tokens create',
      look: '/billing tokens',
      button: 'Create a token',
    },
    'token.delete': {
      ask: '/billing tokens delete',
      look: '/billing tokens',
      button: 'Delete a token',
    },
  },
  create: (_, clock) => ({
    'token.create': tokenCreate(clock),
    'token.delete': tokenDelete(clock),
  }),
});

function tokenCreate(clock: Clock): Kind<NewToken> {
  return {
    ...COMMON,
    kind: 'token.create',
    title: ({ name, roles }) => `Create the token ${short(name)} with ${rolesNamed(roles)}`,
    hasSecret: () => true,
    // A second call creates a second secret.
    repeatable: false,
    async plan(platform, input) {
      const { items } = await tokensOf(platform);
      const namesakes = items.filter(({ name }) => name === input.name);
      const newest = namesakes.toSorted((a, b) => (a.created ?? 0) - (b.created ?? 0)).at(-1);
      const end = endOf(input);
      const isOver = end !== undefined && end <= clock.now();
      return {
        plan: {
          before: [],
          after: factsOf({ ...input, expiresAt: end }),
          consequences: consequencesOf(input, namesakes.length > 0),
        },
        now: newest ? factsOf(newest) : [],
        baseline: { tokenIds: namesakes.map(({ id }) => id) },
        ...(isOver && {
          conflict: 'The token would be over already: ask again with a later expiry.',
        }),
      };
    },
    async send(platform, { name, description, roles, expiresAt }) {
      const { id, secret } = await platform.createToken({
        name,
        roles,
        ...(description && { description }),
        ...(expiresAt !== undefined && { expiresAt }),
      });
      return { secret: { value: secret, what: 'token', ...(id && { tokenId: id }) } };
    },
    reconcile: async (platform, input, { baseline }) =>
      settledCreate(await tokensOf(platform), input, baseline['tokenIds'] ?? []),
    explain: ({ name }, error) =>
      meaningOf(error, {
        conflict: `The platform has a token ${short(name)} already (${quoted(error)}): ask again with another name.`,
        refused: `The platform does not create the token ${short(name)} (${quoted(error)}): put that right, and ask again.`,
      }),
  };
}

function tokenDelete(clock: Clock): Kind<OldToken> {
  return {
    ...COMMON,
    kind: 'token.delete',
    title: ({ name, tokenId }) => `Delete the token ${short(name || tokenId)}`,
    hasSecret: () => false,
    repeatable: true,
    async plan(platform, input) {
      const token = (await tokensOf(platform)).items.find(({ id }) => id === input.tokenId);
      const now = token ? allFactsOf(token) : [];
      return {
        plan: {
          before: token ? [lastUse(token, clock.now()), ...now] : [],
          after: [],
          consequences: [
            'Whatever uses the token stops working, and it cannot be brought back.',
            'The token may go on working for up to 5 minutes.',
          ],
          passing: [LAST_USED],
        },
        now,
        baseline: {},
        ...(token ? {} : { conflict: gone(input) }),
      };
    },
    async send(platform, { tokenId }) {
      await platform.removeToken(tokenId);
      return {};
    },
    async reconcile(platform, { tokenId }) {
      const { items, skipped } = await tokensOf(platform);
      if (items.some(({ id }) => id === tokenId)) return { kind: 'not done' };
      return { kind: skipped > 0 ? 'unclear' : 'done' };
    },
    explain: (input, error) =>
      meaningOf(error, {
        gone: gone(input),
        refused: `The platform does not delete the token ${short(input.name)} (${quoted(error)}): /billing tokens shows what is there.`,
      }),
  };
}

async function tokensOf(platform: BillingClient): Promise<Listing<BillingToken>> {
  return (await platform.listTokens({ fresh: true })).value;
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

/** The platform's time is approximate, and absent for a token without a use. @param now ms since the epoch */
function lastUse({ lastUsedAt }: BillingToken, now: number): Fact {
  if (lastUsedAt === undefined) return fact(LAST_USED, 'no use reported');
  return fact(LAST_USED, `about ${formatAge(now - lastUsedAt)} (${timeText(lastUsedAt)})`);
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

function consequencesOf({ name, expiresAt }: NewToken, hasNamesake: boolean): string[] {
  return [
    'The secret is shown once, to the requester only, and the token is deleted if it is not revealed within 15 minutes.',
    ...(expiresAt === undefined
      ? ['Without an expiry the token works until somebody deletes it.']
      : []),
    ...(hasNamesake
      ? [`There is a token ${short(name)} already, and this one comes in addition to it.`]
      : []),
  ];
}

/** Ms since the epoch; undefined: never. */
function endOf({ expiresAt }: NewToken): number | undefined {
  return expiresAt === undefined ? undefined : Date.parse(expiresAt);
}

/**
 * A token whose secret was lost is deleted, so it must certainly be the requested one: the only new token of that name,
 * with the same description, the same roles and the same end.
 */
function settledCreate(
  { items, skipped }: Listing<BillingToken>,
  input: NewToken,
  idsBefore: readonly string[],
): Reconciled {
  const newcomers = items.filter(({ id, name }) => name === input.name && !idsBefore.includes(id));
  const [only, ...others] = newcomers;
  if (only === undefined) return { kind: skipped > 0 ? 'unclear' : 'not done' };
  const isOrdered =
    only.description.trim() === input.description.trim() &&
    isSameRoles(allRolesOf(only), input.roles) &&
    isSameSecond(only.expiresAt, endOf(input));
  if (!isOrdered || others.length > 0) return { kind: 'unclear' };
  return { kind: 'secret lost', what: 'token', tokenIds: [only.id] };
}

/** The platform may drop the fraction of a second. */
function isSameSecond(one: number | undefined, other: number | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return Math.floor(one / 1000) === Math.floor(other / 1000);
}

function gone({ name, tokenId }: OldToken): string {
  return `The token ${short(name || tokenId)} is gone already: /billing tokens shows what is there.`;
}
