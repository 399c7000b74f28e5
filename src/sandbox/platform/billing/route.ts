import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Caller, Guard } from './guard.ts';
import { BILLING_ROLES, type Account, type BillingRole } from './model.ts';

export const ADMIN: readonly BillingRole[] = ['billing_admin'];
export const READERS: readonly BillingRole[] = ['billing_admin', 'billing_viewer'];
export const ANY_ROLE: readonly BillingRole[] = BILLING_ROLES;

/** One admitted call of an endpoint below `/account/<accountId>`. */
export interface AccountCall<Body, Params> {
  readonly account: Account;
  readonly caller: Caller;
  readonly body: Body;
  readonly params: Params;
  readonly reply: FastifyReply;
}

interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/account/:accountId`. */
  readonly path: string;
  readonly roles: readonly BillingRole[];
  /** JSON schema of the body; what it does not allow is a 400. */
  readonly body?: object;
}

/** Registers an endpoint of an account. The caller's rights are checked before the body is read. */
export function accountRoute<Body = undefined, Params = object>(
  app: FastifyInstance,
  guard: Guard,
  endpoint: Endpoint,
  answer: (call: AccountCall<Body, Params>) => unknown,
): void {
  const { method, path, roles, body } = endpoint;
  const admit = (request: FastifyRequest) =>
    guard.account(request, (request.params as { accountId: string }).accountId, roles);

  app.route({
    method,
    url: `/account/:accountId${path}`,
    ...(body === undefined ? {} : { schema: { body } }),
    onRequest: async (request) => void admit(request),
    handler: async (request, reply) =>
      answer({
        ...admit(request),
        body: request.body as Body,
        params: request.params as Params,
        reply,
      }),
  });
}

/** Times leave the stand-in in UTC with milliseconds. @param ms since the epoch */
export function time(ms: number): string {
  return new Date(ms).toISOString();
}
