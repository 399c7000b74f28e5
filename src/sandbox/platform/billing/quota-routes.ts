import type { FastifyInstance } from 'fastify';

import { body, number, text } from '../control-schema.ts';
import { SandboxError } from '../errors.ts';
import type { Office } from './office.ts';
import { requestRaise } from './quotas.ts';
import { time } from './route.ts';

interface OrgParams {
  org: string;
}
interface RequestBody {
  quotaName: string;
  requestedMax: number;
}

const REQUEST = body({ quotaName: text, requestedMax: number(0) });

/** The quotas of an org and requests to raise them (spec 2.17; the shapes are the platform notes'). */
export function registerQuotaRoutes(app: FastifyInstance, { guard, clock, ids }: Office): void {
  app.get<{ Params: OrgParams }>(
    '/org/:org/quotas',
    async (request) => guard.orgQuotas(request, request.params.org).quotas,
  );

  app.post<{ Params: OrgParams; Body: RequestBody }>(
    '/org/:org/quota-increase-requests',
    {
      schema: { body: REQUEST },
      onRequest: async (request) => void guard.orgQuotas(request, request.params.org),
    },
    async (request, reply) => {
      const { name: org, quotas } = guard.orgQuotas(request, request.params.org);
      const { quotaName, requestedMax } = request.body;
      const quota = quotas.find(({ name }) => name === quotaName);
      if (quota === undefined) throw new SandboxError(400, `there is no quota ${quotaName}`);
      if (requestedMax <= quota.max) {
        throw new SandboxError(400, `requestedMax must be above the present maximum, ${quota.max}`);
      }
      reply.code(201);
      const created = time(clock.now());
      const status = requestRaise(quota, requestedMax);
      return { id: ids.uuid(), org, quotaName, requestedMax, status, created };
    },
  );
}
