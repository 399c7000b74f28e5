import { z } from 'zod';
import type { Secret } from '../../lib/secret.ts';
import { checkTime, refusal } from '../errors.ts';
import { idOf, textOf, timeOf } from '../json.ts';
import type { Reading, ReadOptions } from '../concurrency.ts';
import {
  createCalls,
  identity,
  label,
  malformed,
  memberOf,
  newSecretOf,
  type Listing,
} from './calls.ts';
import type { BillingContext } from './context.ts';
import { checkRoles, heldRolesOf, type BillingRole, type HeldRoles } from './roles.ts';

/** A billing service account token without its secret (spec 2.5). Times in ms since the epoch. */
export interface BillingToken extends HeldRoles {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** An e-mail address. */
  readonly createdBy: string;
  /** Absent: no expiry. */
  readonly expiresAt: number | undefined;
  readonly created: number | undefined;
  readonly lastModified: number | undefined;
  /** Approximate. */
  readonly lastUsedAt: number | undefined;
}

/** Members that are unreadable in the answer are taken from the request; an absent `id` is empty. */
export interface CreatedToken extends BillingToken {
  /** Shown once, in the answer to its creation. */
  readonly secret: Secret;
}

export interface NewToken {
  readonly name: string;
  readonly description?: string;
  readonly roles: readonly BillingRole[];
  /** RFC 3339 in UTC, in the future; absent: no expiry. */
  readonly expiresAt?: string;
}

interface Tokens {
  /** Spec 4.3. @throws PlatformError */
  listTokens(options?: ReadOptions): Promise<Reading<Listing<BillingToken>>>;
  /**
   * Creates a token (spec 2.5). Never repeated: when the answer is lost (`timeout`, `unreachable`,
   * `malformed`) the list shows whether it exists. @throws PlatformError
   */
  createToken(token: NewToken): Promise<CreatedToken>;
  /** Deletes a token; it may work up to 5 more minutes (spec section 3). @throws PlatformError `not-found` */
  removeToken(tokenId: string): Promise<void>;
}

/** Spec 2.5, 4.3. */
export function createTokens(context: BillingContext): Tokens {
  const http = context.accountFor('billing_admin');
  const calls = createCalls(context, http);
  const pathTo = (...names: string[]) => context.accountPath('service-account-token', ...names);

  return {
    listTokens: async (options) =>
      calls.readList({ path: pathTo(), wrappers: ['items'] }, toToken, options),
    async createToken(token) {
      checkToken(token, context.now());
      const { name, description, roles, expiresAt } = token;
      const { status, body } = await calls.write({
        method: 'POST',
        path: pathTo(),
        body: { name, description, roles, expiresAt },
      });
      // It is shown only once, so an error elsewhere in the answer must not lose it.
      const secret = newSecretOf(memberOf(body, 'token'));
      if (secret) return { ...(toToken(body) ?? askedToken(token, body)), secret };
      throw malformed('a token with its secret', status);
    },
    async removeToken(tokenId) {
      await calls.write({ method: 'DELETE', path: pathTo(tokenId), answer: 'ignored' });
    },
  };
}

/** Times that matter for decisions must be readable if present. */
const time = z.string().refine((text) => timeOf(text) !== undefined);

/** Spec 2.5. An unreadable expiry does not mean "no expiry"; an empty one does. */
const TokenRecord = z.object({
  id: identity,
  name: label,
  description: label,
  roles: z.array(z.unknown()),
  createdBy: label,
  expiresAt: time.or(z.literal('')).nullish(),
  created: label,
  lastModified: label,
  lastUsedAt: label,
});

function toToken(row: unknown): BillingToken | undefined {
  const record = TokenRecord.safeParse(row).data;
  return (
    record && {
      id: record.id,
      name: textOf(record.name),
      description: textOf(record.description),
      ...heldRolesOf(record.roles),
      createdBy: textOf(record.createdBy),
      expiresAt: timeOf(record.expiresAt),
      created: timeOf(record.created),
      lastModified: timeOf(record.lastModified),
      lastUsedAt: timeOf(record.lastUsedAt),
    }
  );
}

function askedToken(
  { name, description, roles, expiresAt }: NewToken,
  said: unknown,
): BillingToken {
  return {
    id: idOf(memberOf(said, 'id')),
    name,
    description: textOf(description),
    ...heldRolesOf(roles),
    createdBy: textOf(memberOf(said, 'createdBy')),
    expiresAt: timeOf(expiresAt),
    created: timeOf(memberOf(said, 'created')),
    lastModified: timeOf(memberOf(said, 'lastModified')),
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
