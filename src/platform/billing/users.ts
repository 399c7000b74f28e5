import { checkEmail } from '../errors.ts';
import { membersOf, objectOf } from '../json.ts';
import type { ReadOptions } from '../concurrency.ts';
import { checkRoles, heldRolesOf, isSameEmail, type BillingRole } from './roles.ts';
import { createCalls, emailOf, malformed, readListing, unwrap } from './calls.ts';
import type { BillingContext } from './context.ts';

interface WantedUser {
  readonly email: string;
  readonly roles: readonly BillingRole[];
}

const LISTS = ['items', 'users'];

/** Spec 2.9, 4.3. The bodies of write answers are not specified and not read. */
export function createUsers(context: BillingContext) {
  const readers = context.accountFor('billing_admin', 'billing_viewer');
  const admins = context.accountFor('billing_admin');
  const asReader = createCalls(context, readers);
  const asAdmin = createCalls(context, admins);
  const pathTo = (...names: string[]) => context.accountPath('user', ...names);
  async function write(method: 'POST' | 'PUT', names: string[], { email, roles }: WantedUser) {
    checkEmail(email);
    checkRoles(roles);
    const body = { user: { email, roles } };
    await asAdmin.write({ method, path: pathTo(...names), body, answer: 'ignored' });
  }

  return {
    listUsers: async (options?: ReadOptions) =>
      asReader.readList({ path: pathTo(), wrappers: LISTS }, toUser, options),
    /**
     * Undefined for an unknown user. Decisions need `fresh`.
     * @throws PlatformError `malformed` when the answer may be another user
     */
    async getUser(email: string, options?: ReadOptions) {
      checkEmail(email);
      const question = { path: pathTo('email', email), key: pathTo('email', email.toLowerCase()) };
      return asReader.readIfAny(question, (body) => askedUserIn(body, email), options);
    },
    /** Adds a user, who gets an e-mail. @throws PlatformError `conflict` for an existing user */
    addUser: (user: WantedUser) => write('POST', [], user),
    /** Replaces all roles. @throws PlatformError `bad-request` for the own user */
    setUserRoles: async (user: WantedUser) => write('PUT', ['email', user.email], user),
    /** @throws PlatformError `bad-request` for the own user */
    async removeUser(email: string) {
      checkEmail(email);
      await asAdmin.write({ method: 'DELETE', path: pathTo('email', email), answer: 'ignored' });
    },
  };
}

/** Spec 2.9. The `email` is in the platform's spelling; compare with `isSameEmail`. */
export type BillingUser = NonNullable<ReturnType<typeof toUser>>;

function toUser(row: unknown) {
  const user = membersOf(unwrap(row, 'user'));
  const email = emailOf(user['email']);
  const roles = user['roles'];
  return email === undefined || !Array.isArray(roles)
    ? undefined
    : { email, ...heldRolesOf(roles) };
}

/** A record, which may omit the address, or a list with the user (design section 6). */
function askedUserIn(body: unknown, email: string): BillingUser | undefined {
  const record = objectOf(unwrap(body, 'user'));
  const one = record && toUser({ ...record, email: record['email'] ?? email });
  const { items, skipped } = one ? { items: [one], skipped: 0 } : readListing(body, LISTS, toUser);
  const user = items.find((item) => isSameEmail(item.email, email));
  if (user === undefined && (one || skipped > 0)) {
    throw malformed('the billing user that was asked for');
  }
  return user;
}
