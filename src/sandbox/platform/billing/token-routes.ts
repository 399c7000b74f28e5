import type { FastifyInstance } from 'fastify';

import { body, optional, text } from '../control-schema.ts';
import { SandboxError } from '../errors.ts';
import { dateTime, freeText, roles as someRoles } from './body-fields.ts';
import type { Account, BillingRole, BillingToken } from './model.ts';
import type { Office } from './office.ts';
import { accountRoute, ADMIN, time } from './route.ts';

interface CreateBody {
  name: string;
  description?: string;
  roles: BillingRole[];
  expiresAt?: string;
}

const CREATE = body({
  name: text,
  description: optional(freeText),
  roles: someRoles(1),
  expiresAt: optional(dateTime),
});

/** Billing service account tokens (spec 2.5 and 4.3). The secret is reported once, to anyone who creates. */
export function registerTokenRoutes(app: FastifyInstance, { guard, clock, ids }: Office): void {
  const path = '/service-account-token';
  const roles = ADMIN;

  accountRoute<CreateBody>(
    app,
    guard,
    { method: 'POST', path, roles, body: CREATE },
    ({ account, caller, body, reply }) => {
      const { name, description = '', expiresAt } = body;
      const now = clock.now();
      const token: BillingToken = {
        id: ids.uuid(),
        name,
        description,
        roles: body.roles,
        createdBy: caller.email,
        created: now,
        ...(expiresAt === undefined ? {} : { expiresAt: futureTime(expiresAt, now) }),
        secret: `svc-bsat-${ids.secret()}`,
        deleted: false,
      };
      account.tokens.push(token);
      reply.code(201);
      return { ...renderToken(account, token), token: token.secret };
    },
  );

  accountRoute(app, guard, { method: 'GET', path, roles }, ({ account }) => ({
    items: account.tokens
      .filter(({ deleted }) => !deleted)
      .map((token) => ({
        ...renderToken(account, token),
        ...(token.lastUsedAt === undefined ? {} : { lastUsedAt: time(token.lastUsedAt) }),
      })),
  }));

  accountRoute<undefined, { tokenId: string }>(
    app,
    guard,
    { method: 'DELETE', path: `${path}/:tokenId`, roles },
    ({ account, params, reply }) => {
      const token = account.tokens.find(({ id, deleted }) => id === params.tokenId && !deleted);
      if (token === undefined) throw new SandboxError(404, 'the account has no such token');
      token.deleted = true;
      return reply.code(204).send();
    },
  );
}

function futureTime(text: string, now: number): number {
  const at = Date.parse(text);
  if (!(at > now)) throw new SandboxError(400, 'expiresAt must be in the future');
  return at;
}

function renderToken(account: Account, token: BillingToken): object {
  const { id, name, description, roles, createdBy, created, expiresAt } = token;
  return {
    kind: 'serviceAccountToken',
    id,
    accountUUID: account.id,
    name,
    description,
    roles,
    createdBy,
    ...(expiresAt === undefined ? {} : { expiresAt: time(expiresAt) }),
    created: time(created),
    lastModified: time(created),
  };
}
