import type { FastifyInstance } from 'fastify';

import type { SandboxClock } from '../clock.ts';
import { body, number, oneOf, optional } from '../control-schema.ts';
import type { Gvc, Workload } from '../deployments/model.ts';
import { SandboxError } from '../errors.ts';
import type { Random } from '../../random.ts';
import { FLEET_STATES, type Fleet } from './fleet.ts';
import { createFleetPages } from './pages.ts';

type Params = { readonly gvc: string; readonly workload: string; readonly location: string };

/** The GETs of spec 4.4 for the org `fleet`; a GVC is one page. */
export function registerFleetRoutes(
  app: FastifyInstance,
  deps: { fleet: Fleet; clock: SandboxClock; random: Random },
): void {
  const { fleet } = deps;
  const pages = createFleetPages(deps);
  const root = '/org/fleet/gvc/:gvc/workload';
  const workloadOf = (gvc: Gvc, { workload }: Params): Workload =>
    known(gvc.workloads.get(workload), `the fleet has no workload ${workload}`);

  app.addHook('onRequest', async (_request, reply) => {
    reply.type('application/json; charset=utf-8');
  });
  app.get<{ Params: Params }>(`${root}/-deployment`, async ({ params }) =>
    pages.list(fleet.gvc(params.gvc)),
  );
  app.get<{ Params: Params }>(`${root}/:workload/deployment`, async ({ params }) => {
    const gvc = fleet.gvc(params.gvc);
    return pages.workload(gvc, workloadOf(gvc, params));
  });
  app.get<{ Params: Params }>(`${root}/:workload/deployment/:location`, async ({ params }) => {
    const gvc = fleet.gvc(params.gvc);
    const workload = workloadOf(gvc, params);
    const record = workload.records.get(params.location);
    return pages.one(gvc, workload, known(record, `the fleet has no ${params.location}`));
  });
}

/** `POST /_sandbox/fleet/change`. */
export function registerFleetControl(app: FastifyInstance, fleet: Fleet): void {
  const schema = { body: body({ share: optional(number(0)), state: oneOf(FLEET_STATES) }) };
  app.post<{ Body: Parameters<Fleet['change']>[0] }>('/fleet/change', { schema }, async (request) =>
    fleet.change(request.body),
  );
}

function known<T>(value: T | undefined, sentence: string): T {
  if (value === undefined) throw new SandboxError(404, sentence);
  return value;
}
