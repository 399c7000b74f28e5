import { allRolesOf } from '../../platform/billing/roles.ts';
import type { BillingToken } from '../../platform/billing/tokens.ts';
import type { Listing } from '../../platform/billing/listing.ts';
import type { Fact, OrderOf } from '../change.ts';
import type { Kind, KindDeps, Kinds, Platform, Settled } from './kind.ts';
import {
  NOT_SAID,
  BY_ADMINS,
  fact,
  isSameRoles,
  meaningOf,
  quoted,
  rolesNamed,
  rolesText,
  short,
  timeText,
} from './words.ts';

type NewToken = OrderOf<'token.create'>;

const COMMON = { needs: BY_ADMINS, subjects: () => [] };

/** Changes of billing service account tokens (spec 2.5, 4.3, section 3). */
export function createTokenKinds(deps: KindDeps): Pick<Kinds, 'token.create' | 'token.delete'> {
  return { 'token.create': tokenCreate(deps), 'token.delete': tokenDelete };
}

function tokenCreate({ now }: KindDeps): Kind<'token.create'> {
  return {
    ...COMMON,
    kind: 'token.create',
    title: ({ name, roles }) => `Create the token ${short(name)} with ${rolesNamed(roles)}`,
    hasSecret: () => true,
    // A second one has another secret.
    repeatable: false,
    async look(platform, order) {
      const { items } = await tokensOf(platform);
      const namesakes = items.filter(({ name }) => name === order.name);
      const newest = namesakes.toSorted((a, b) => (a.created ?? 0) - (b.created ?? 0)).at(-1);
      const end = endOf(order);
      const isOver = end !== undefined && end <= now();
      return {
        plan: {
          before: [],
          after: factsOf({ ...order, expiresAt: end }),
          consequences: consequencesOf(order, namesakes.length > 0),
        },
        now: newest ? factsOf(newest) : [],
        marks: { tokenIds: namesakes.map(({ id }) => id) },
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
    settle: async (platform, order, { marks }) =>
      settledCreate(await tokensOf(platform), order, marks['tokenIds'] ?? []),
    explain: ({ name }, error) =>
      meaningOf(error, {
        conflict: `The platform has a token ${short(name)} already (${quoted(error)}): ask again with another name.`,
        refused: `The platform does not create the token ${short(name)} (${quoted(error)}): put that right, and ask again.`,
      }),
  };
}

const tokenDelete: Kind<'token.delete'> = {
  ...COMMON,
  kind: 'token.delete',
  title: ({ name, tokenId }) => `Delete the token ${short(name || tokenId)}`,
  hasSecret: () => false,
  repeatable: true,
  async look(platform, order) {
    const token = (await tokensOf(platform)).items.find(({ id }) => id === order.tokenId);
    const now = token ? allFactsOf(token) : [];
    return {
      plan: {
        before: [...now],
        after: [],
        consequences: [
          'Whatever uses the token stops working, and it cannot be brought back.',
          'The token may go on working for up to 5 minutes.',
        ],
      },
      now,
      marks: {},
      ...(token ? {} : { conflict: gone(order) }),
    };
  },
  async send(platform, { tokenId }) {
    await platform.removeToken(tokenId);
    return {};
  },
  async settle(platform, { tokenId }) {
    const { items, skipped } = await tokensOf(platform);
    if (items.some(({ id }) => id === tokenId)) return { kind: 'not done' };
    return { kind: skipped > 0 ? 'unclear' : 'done' };
  },
  explain: (order, error) =>
    meaningOf(error, {
      gone: gone(order),
      refused: `The platform does not delete the token ${short(order.name)} (${quoted(error)}): /billing tokens shows what is there.`,
    }),
};

async function tokensOf(platform: Platform): Promise<Listing<BillingToken>> {
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

/** As much as tells two tokens of one name apart. */
function allFactsOf(token: BillingToken): Fact[] {
  const { id, created, createdBy } = token;
  return [
    fact('Id', id),
    ...factsOf(token),
    fact('Created', created === undefined ? NOT_SAID : timeText(created)),
    fact('Created by', createdBy || NOT_SAID),
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
 * A token whose secret was lost is deleted, so it must be beyond doubt that it is the one that was
 * ordered: the only new one of that name, with the same description, the same roles and the same end.
 */
function settledCreate(
  { items, skipped }: Listing<BillingToken>,
  order: NewToken,
  idsBefore: readonly string[],
): Settled {
  const newcomers = items.filter(({ id, name }) => name === order.name && !idsBefore.includes(id));
  const [only, ...others] = newcomers;
  if (only === undefined) return { kind: skipped > 0 ? 'unclear' : 'not done' };
  const isOrdered =
    only.description.trim() === order.description.trim() &&
    isSameRoles(allRolesOf(only), order.roles) &&
    isSameSecond(only.expiresAt, endOf(order));
  if (!isOrdered || others.length > 0) return { kind: 'unclear' };
  return { kind: 'secret lost', what: 'token', tokenIds: [only.id] };
}

/** The platform may keep times without their fraction. */
function isSameSecond(one: number | undefined, other: number | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return Math.floor(one / 1000) === Math.floor(other / 1000);
}

function gone({ name, tokenId }: OrderOf<'token.delete'>): string {
  return `The token ${short(name || tokenId)} is gone already: /billing tokens shows what is there.`;
}
