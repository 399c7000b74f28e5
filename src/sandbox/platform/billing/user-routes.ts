import type { FastifyInstance } from 'fastify';

import { body } from '../control-schema.ts';
import { SandboxError } from '../errors.ts';
import { email, roles as someRoles } from './body-fields.ts';
import type { Caller } from './guard.ts';
import type { Account, BillingRole, BillingUser } from './model.ts';
import type { Office } from './office.ts';
import { accountRoute, ADMIN, READERS, time } from './route.ts';

interface UserBody {
  user: { email: string; roles: BillingRole[] };
}
interface UserParams {
  email: string;
}

const USER = body({ user: { schema: body({ email, roles: someRoles(1) }) } });

/**
 * Billing users (spec 2.9 and 4.3). The specification does not show how a user record is answered:
 * the list and the create give it bare, reading and replacing one give `{user}`.
 */
export function registerUserRoutes(app: FastifyInstance, office: Office): void {
  const { guard, ledger, clock } = office;
  const path = '/user';
  const one = '/user/email/:email';

  accountRoute(app, guard, { method: 'GET', path, roles: READERS }, ({ account }) => ({
    items: [...account.users.values()].map(renderUser),
  }));

  accountRoute<undefined, UserParams>(
    app,
    guard,
    { method: 'GET', path: one, roles: READERS },
    ({ account, params }) => ({ user: renderUser(userOf(account, params.email)) }),
  );

  accountRoute<UserBody>(
    app,
    guard,
    { method: 'POST', path, roles: ADMIN, body: USER },
    ({ account, body, reply }) => {
      const { email, roles } = body.user;
      if (account.users.has(email.toLowerCase())) {
        throw new SandboxError(409, 'the billing user exists already');
      }
      ledger.setRoles(account, email, roles, clock.now());
      invite(office, account, email);
      reply.code(201);
      return renderUser(userOf(account, email));
    },
  );

  accountRoute<UserBody, UserParams>(
    app,
    guard,
    { method: 'PUT', path: one, roles: ADMIN, body: USER },
    ({ account, caller, params, body }) => {
      const user = userOf(account, params.email);
      refuseOwn(caller, user);
      if (body.user.email.toLowerCase() !== user.email) {
        throw new SandboxError(400, 'the e-mail of a billing user cannot be changed');
      }
      user.roles = body.user.roles;
      return { user: renderUser(user) };
    },
  );

  accountRoute<undefined, UserParams>(
    app,
    guard,
    { method: 'DELETE', path: one, roles: ADMIN },
    ({ account, caller, params, reply }) => {
      const user = userOf(account, params.email);
      refuseOwn(caller, user);
      account.users.delete(user.email);
      return reply.code(204).send();
    },
  );
}

function userOf(account: Account, email: string): BillingUser {
  const user = account.users.get(email.toLowerCase());
  if (user === undefined) throw new SandboxError(404, 'the account has no such billing user');
  return user;
}

function refuseOwn(caller: Caller, { email }: BillingUser): void {
  if (caller.kind !== 'user' || caller.email !== email) return;
  throw new SandboxError(400, 'your own billing user cannot be changed or removed');
}

function invite({ mailbox, clock }: Office, account: Account, to: string): void {
  mailbox.send({
    at: clock.now(),
    kind: 'invitation',
    to,
    subject: `You are invited to the billing account ${account.fullName}`,
    text: `You are now a billing user of ${account.fullName}.`,
  });
}

function renderUser({ email, roles, created }: BillingUser): object {
  return { email, roles, created: time(created) };
}
