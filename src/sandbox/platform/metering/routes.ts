import type { FastifyInstance, FastifyReply } from 'fastify';
import { stringify } from 'lossless-json';

import type { Guard } from '../billing/guard.ts';
import type { Account } from '../billing/model.ts';
import { accountRoute, READERS } from '../billing/route.ts';
import { SandboxError } from '../errors.ts';
import { QUERY_SCHEMA, TAG_VALUES_SCHEMA, type QueryBody, type TagValuesBody } from './body.ts';
import type { Metering } from './metering.ts';
import { shuffle } from './tag-values.ts';

interface Deps {
  metering: Metering;
  guard: Guard;
}

interface OrgCall<Body> {
  readonly Params: { readonly org: string };
  readonly Body: Body;
}

/** Charge queries, tag values and the catalogue of the billing API (spec 4.1). */
export function registerChargeRoutes(app: FastifyInstance, { metering, guard }: Deps): void {
  accountRoute<QueryBody>(
    app,
    guard,
    { method: 'POST', path: '/charges/-query', roles: READERS, body: QUERY_SCHEMA },
    ({ account, body, reply }) =>
      sendExactly(reply, metering.charges(orgsOf(account, body.orgs), body)),
  );

  app.post<OrgCall<QueryBody>>(
    '/org/:org/charges/-query',
    {
      schema: { body: QUERY_SCHEMA },
      onRequest: async (request) => void guard.orgCharges(request, request.params.org),
    },
    async ({ params, body }, reply) => sendExactly(reply, metering.charges([params.org], body)),
  );

  accountRoute<TagValuesBody>(
    app,
    guard,
    { method: 'POST', path: '/tags/values/query', roles: READERS, body: TAG_VALUES_SCHEMA },
    ({ account, body }) => ({
      ...body,
      accountId: account.id,
      tagValues: shuffle(metering.tagValues(orgsOf(account), body)),
    }),
  );

  app.get('/chargeable_items', async (request) => {
    guard.anyToken(request);
    return metering.items;
  });
}

/** The usage API (spec 4.5 and 4.6). */
export function registerUsageRoutes(app: FastifyInstance, { metering, guard }: Deps): void {
  app.post<OrgCall<QueryBody>>(
    '/org/:org/query',
    {
      schema: { body: QUERY_SCHEMA },
      onRequest: async (request) => void guard.usage(request, request.params.org),
    },
    async ({ params, body }, reply) => sendExactly(reply, metering.usage(params.org, body)),
  );

  app.post<OrgCall<TagValuesBody>>(
    '/org/:org/tags/values/query',
    {
      schema: { body: TAG_VALUES_SCHEMA },
      onRequest: async (request) => void guard.usage(request, request.params.org),
    },
    async ({ params: { org }, body }) => ({
      ...body,
      filterBy: { ...body.filterBy, org },
      // By the filter as it was sent: one for another org finds nothing here.
      tagValues: metering.tagValues([org], body),
    }),
  );
}

/** Every org of the account, or those asked for; a SandboxError (400) for an org of someone else. */
function orgsOf(account: Account, wanted: readonly string[] = []): string[] {
  const foreign = wanted.find((org) => !account.orgs.has(org));
  if (foreign !== undefined) {
    throw new SandboxError(400, `the org ${foreign} does not belong to this account`);
  }
  return wanted.length > 0 ? [...wanted] : [...account.orgs.keys()];
}

/** Amounts have more digits than a double keeps. */
function sendExactly(reply: FastifyReply, answer: object): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(stringify(answer));
}
