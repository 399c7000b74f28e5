import { checkTime, refusal } from '../errors.ts';
import { idOf, isNothing, membersOf, textOf, timeOf } from '../json.ts';
import type { ReadOptions } from '../concurrency.ts';
import { createCalls, malformed, newSecretOf } from './calls.ts';
import type { BillingContext } from './context.ts';
import { checkRoles, heldRolesOf, type BillingRole } from './roles.ts';

export interface NewToken {
  readonly name: string;
  readonly description?: string;
  readonly roles: readonly BillingRole[];
  /** RFC 3339 in UTC, in the future; absent: no expiry. */
  readonly expiresAt?: string;
}

/** Spec 2.5, 4.3. */
export function createTokens(context: BillingContext) {
  const http = context.accountFor('billing_admin');
  const calls = createCalls(context, http);
  const pathTo = (...names: string[]) => context.accountPath('service-account-token', ...names);

  return {
    listTokens: async (options?: ReadOptions) =>
      calls.readList({ path: pathTo(), wrappers: ['items'] }, toToken, options),
    /**
     * Creates a token, whose secret is shown once. When the answer is lost (`timeout`, `unreachable`,
     * `malformed`) the list shows whether it exists.
     */
    async createToken(token: NewToken) {
      checkToken(token, context.now());
      const { name, description, roles, expiresAt } = token;
      const { status, body } = await calls.write({
        method: 'POST',
        path: pathTo(),
        body: { name, description, roles, expiresAt },
      });
      // It is shown only once, so an error elsewhere in the answer must not lose it.
      const secret = newSecretOf(membersOf(body)['token']);
      if (secret) return { ...(toToken(body) ?? askedToken(token, body)), secret };
      throw malformed('a token with its secret', status);
    },
    /** It may work up to 5 more minutes (spec section 3). @throws PlatformError `not-found` */
    async removeToken(tokenId: string) {
      await calls.write({ method: 'DELETE', path: pathTo(tokenId), answer: 'ignored' });
    },
  };
}

/** A billing service account token without its secret (spec 2.5). Times in ms since the epoch. */
export type BillingToken = NonNullable<ReturnType<typeof toToken>>;

function toToken(row: unknown) {
  const { id: said, roles, expiresAt: end, lastUsedAt, ...token } = membersOf(row);
  const id = idOf(said);
  const expiresAt = timeOf(end);
  // An unreadable expiry does not mean "no expiry"; an empty one does.
  const isUnclear = expiresAt === undefined && !isNothing(end) && end !== '';
  if (id === '' || !Array.isArray(roles) || isUnclear) return undefined;
  return {
    id,
    name: textOf(token['name']),
    description: textOf(token['description']),
    ...heldRolesOf(roles),
    /** An e-mail address. */
    createdBy: textOf(token['createdBy']),
    /** Absent: no expiry. */
    expiresAt,
    created: timeOf(token['created']),
    lastModified: timeOf(token['lastModified']),
    /** Approximate. */
    lastUsedAt: timeOf(lastUsedAt),
  };
}

/** As asked for; the `id` is empty when it is absent in the answer. */
function askedToken(
  { name, description, roles, expiresAt }: NewToken,
  said: unknown,
): BillingToken {
  const { id, createdBy, created, lastModified } = membersOf(said);
  return {
    id: idOf(id),
    name,
    description: textOf(description),
    ...heldRolesOf(roles),
    createdBy: textOf(createdBy),
    expiresAt: timeOf(expiresAt),
    created: timeOf(created),
    lastModified: timeOf(lastModified),
    lastUsedAt: undefined,
  };
}

function checkToken({ name, roles, expiresAt }: NewToken, nowMs: number): void {
  if (name.trim() === '') throw refusal('a token needs a name');
  checkRoles(roles);
  if (expiresAt !== undefined && checkTime('expiresAt', expiresAt) <= nowMs) {
    throw refusal('expiresAt must be in the future');
  }
}
