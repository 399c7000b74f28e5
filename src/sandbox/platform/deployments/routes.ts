import type { FastifyInstance } from 'fastify';

import { SandboxError } from '../errors.ts';
import type { Random } from '../../random.ts';
import type { GvcPath, WorkloadPath } from './finder.ts';
import { isReported, renderDeployment, serialize } from './render.ts';
import type { Listed, Simulator } from './simulator.ts';

export interface Paging {
  /** Items on a page of any list. */
  size: number;
}

interface PageQuery {
  readonly after?: string;
}

/** The three GETs of spec 4.4. Lists are paged by links; where a page begins is our own business. */
export function registerDeploymentRoutes(
  app: FastifyInstance,
  deps: { simulator: Simulator; random: Random; paging: Paging; baseUrl: () => string },
): void {
  const { simulator, random, paging, baseUrl } = deps;
  const render = (listed: Listed) =>
    isReported(listed) ? [renderDeployment(listed, baseUrl(), random)] : [];

  const listPage = (listed: Listed[], path: string, query: PageQuery) => {
    const items = listed.flatMap(render);
    const start = Number(query.after ?? 0);
    if (!Number.isSafeInteger(start) || start < 0) throw new SandboxError(400, 'invalid page');
    const end = start + paging.size;
    // Next links take turns in being relative and absolute: both occur in real answers.
    const origin = Math.floor(start / paging.size) % 2 === 0 ? '' : baseUrl();
    const links = [{ rel: 'self', href: path }];
    if (end < items.length) links.push({ rel: 'next', href: `${origin}${path}?after=${end}` });
    const page = { kind: 'list', itemKind: 'deployment', items: items.slice(start, end), links };
    return serialize(page);
  };

  app.addHook('onRequest', async (_request, reply) => {
    reply.type('application/json; charset=utf-8');
  });

  app.get<{ Params: GvcPath; Querystring: PageQuery }>(
    '/org/:org/gvc/:gvc/workload/-deployment',
    async ({ params, query }) =>
      listPage(
        simulator.list(params),
        `/org/${params.org}/gvc/${params.gvc}/workload/-deployment`,
        query,
      ),
  );

  app.get<{ Params: WorkloadPath; Querystring: PageQuery }>(
    '/org/:org/gvc/:gvc/workload/:workload/deployment',
    async ({ params, query }) =>
      listPage(
        simulator.select(params),
        `/org/${params.org}/gvc/${params.gvc}/workload/${params.workload}/deployment`,
        query,
      ),
  );

  app.get<{ Params: WorkloadPath & { location: string } }>(
    '/org/:org/gvc/:gvc/workload/:workload/deployment/:location',
    async ({ params }) => {
      const [item] = simulator.select(params).flatMap(render);
      if (item === undefined) {
        throw new SandboxError(404, `nothing was reported from ${params.location} yet`);
      }
      return serialize(item);
    },
  );
}
