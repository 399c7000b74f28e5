import { z } from 'zod';
import { checkEmail } from '../errors.ts';
import { objectOf, own } from '../json.ts';
import type { Reading, ReadOptions } from '../concurrency.ts';
import { checkRoles, heldRolesOf, isSameEmail, type BillingRole, type HeldRoles } from './roles.ts';
import { createCalls, email, malformed, readListing, unwrap, type Listing } from './calls.ts';
import type { BillingContext } from './context.ts';

/** Spec 2.9. */
export interface BillingUser extends HeldRoles {
  /** In the platform's spelling; compare with `isSameEmail`. */
  readonly email: string;
}

interface WantedUser {
  readonly email: string;
  readonly roles: readonly BillingRole[];
}

interface Users {
  /** Spec 4.3. @throws PlatformError */
  listUsers(options?: ReadOptions): Promise<Reading<Listing<BillingUser>>>;
  /**
   * Undefined for an unknown user (spec 4.3). Decisions need `fresh`.
   * @throws PlatformError `malformed` when the answer may be another user
   */
  getUser(email: string, options?: ReadOptions): Promise<Reading<BillingUser | undefined>>;
  /**
   * Adds a user, who gets an e-mail; never repeated (spec 4.3). @throws PlatformError `conflict` for an
   * existing user
   */
  addUser(user: WantedUser): Promise<void>;
  /** Replaces all roles (spec 4.3). @throws PlatformError `bad-request` for the own user */
  setUserRoles(user: WantedUser): Promise<void>;
  /** Spec 4.3. @throws PlatformError `bad-request` for the own user */
  removeUser(email: string): Promise<void>;
}

const LISTS = ['items', 'users'];

/** Spec 2.9, 4.3. The bodies of write answers are not specified and not read. */
export function createUsers(context: BillingContext): Users {
  const readers = context.accountFor('billing_admin', 'billing_viewer');
  const admins = context.accountFor('billing_admin');
  const asReader = createCalls(context, readers);
  const asAdmin = createCalls(context, admins);
  const pathTo = (...names: string[]) => context.accountPath('user', ...names);
  const write = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
    asAdmin.write({ method, path, ...(body ? { body } : {}), answer: 'ignored' });

  return {
    listUsers: async (options) =>
      asReader.readList({ path: pathTo(), wrappers: LISTS }, toUser, options),
    async getUser(email, options) {
      checkEmail(email);
      const question = { path: pathTo('email', email), key: pathTo('email', email.toLowerCase()) };
      return asReader.readIfAny(question, (body) => askedUserIn(body, email), options);
    },
    async addUser({ email, roles }) {
      checkEmail(email);
      checkRoles(roles);
      await write('POST', pathTo(), { user: { email, roles } });
    },
    async setUserRoles({ email, roles }) {
      checkEmail(email);
      checkRoles(roles);
      await write('PUT', pathTo('email', email), { user: { email, roles } });
    },
    async removeUser(email) {
      checkEmail(email);
      await write('DELETE', pathTo('email', email));
    },
  };
}

/** Spec 2.9. */
const UserRecord = z.object({ email, roles: z.array(z.unknown()) });

function toUser(row: unknown): BillingUser | undefined {
  const record = UserRecord.safeParse(unwrap(row, 'user')).data;
  return record && { email: record.email, ...heldRolesOf(record.roles) };
}

/** A record, which may omit the address, or a list with the user (design section 6). */
function askedUserIn(body: unknown, email: string): BillingUser | undefined {
  const record = objectOf(unwrap(body, 'user'));
  const one = record && toUser({ ...record, email: own(record, 'email') ?? email });
  const { items, skipped } = one ? { items: [one], skipped: 0 } : readListing(body, LISTS, toUser);
  const user = items.find((item) => isSameEmail(item.email, email));
  if (user === undefined && (one || skipped > 0)) {
    throw malformed('the billing user that was asked for');
  }
  return user;
}
