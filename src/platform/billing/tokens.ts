import { checkTime, refusal } from '../errors.ts';
import { idOf, isNothing, membersOf, textOf, timeOf, type Members } from '../json.ts';
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
      const asked = { name, description, roles, expiresAt };
      const { status, body } = await calls.write({ method: 'POST', path: pathTo(), body: asked });
      // It is shown only once, so an error elsewhere in the answer must not lose it.
      const secret = newSecretOf(membersOf(body)['token']);
      if (secret)
        return { ...(toToken(body) ?? tokenOf({ ...membersOf(body), ...asked })), secret };
      throw malformed('a token with its secret', status);
    },
    /** It may work up to 5 more minutes (spec section 3). @throws PlatformError `not-found` */
    async removeToken(tokenId: string) {
      await calls.write({ method: 'DELETE', path: pathTo(tokenId), answer: 'ignored' });
    },
  };
}

/** A billing service account token without its secret (spec 2.5). Times in ms since the epoch. */
export type BillingToken = ReturnType<typeof tokenOf>;

function toToken(row: unknown) {
  const token = membersOf(row);
  const { roles, expiresAt: end } = token;
  const read = tokenOf(token);
  // An unreadable expiry does not mean "no expiry"; an empty one does.
  const isUnclear = read.expiresAt === undefined && !isNothing(end) && end !== '';
  return read.id === '' || !Array.isArray(roles) || isUnclear ? undefined : read;
}

function tokenOf(token: Members) {
  const { id, roles } = token;
  return {
    /** Empty when absent in the answer about a new token. */
    id: idOf(id),
    name: textOf(token['name']),
    description: textOf(token['description']),
    ...heldRolesOf(Array.isArray(roles) ? roles : []),
    createdBy: textOf(token['createdBy']),
    /** Absent: no expiry. */
    expiresAt: timeOf(token['expiresAt']),
    created: timeOf(token['created']),
    lastModified: timeOf(token['lastModified']),
    /** Approximate. */
    lastUsedAt: timeOf(token['lastUsedAt']),
  };
}

function checkToken({ name, roles, expiresAt }: NewToken, nowMs: number): void {
  if (name.trim() === '') throw refusal('a token needs a name');
  checkRoles(roles);
  if (expiresAt !== undefined && checkTime('expiresAt', expiresAt) <= nowMs) {
    throw refusal('expiresAt must be in the future');
  }
}
