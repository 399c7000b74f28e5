import { createHash } from 'node:crypto';

import type { FastifyInstance } from 'fastify';

import type { Random } from '../../random.ts';
import type { RequestLog } from '../request-log.ts';
import type { Revision, Workload } from './model.ts';
import { LOCATION_DOMAIN } from './render.ts';
import type { Listed, Simulator } from './simulator.ts';

const GLOBAL_DOMAIN = 'apps.localhost';

/** A replica that serves. */
interface Replica {
  readonly location: string;
  readonly name: string;
  readonly revision: Revision;
}

/**
 * The load balancers in front of the workloads: whatever comes for one of their addresses (spec 2.14) is
 * answered here, and no API sees it. Addresses are distinguished by the Host header.
 *
 * @param deps.turns decides which replica answers
 */
export function answerForWorkloads(
  app: FastifyInstance,
  deps: { simulator: Simulator; log: RequestLog; turns: Random },
): void {
  const { simulator, log, turns } = deps;

  app.addHook('onRequest', async (request, reply) => {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
    if (!host.endsWith(`.${GLOBAL_DOMAIN}`) && !host.endsWith(`.${LOCATION_DOMAIN}`)) return;
    const found = listedAt(simulator, host);
    const serving = found.flatMap(replicasOf);
    const status = found.length === 0 ? 404 : serving.length === 0 ? 503 : 200;
    log.note(request, { host, status });
    reply.code(status).type('text/plain; charset=utf-8');
    const chosen = serving[Math.floor(turns.next() * serving.length)];
    const workload = found[0]?.workload;
    if (chosen === undefined || workload === undefined) {
      return reply.send(status === 404 ? 'no such host' : 'no healthy upstream');
    }
    const isAsked = request.headers['x-svc-debug'] === 'true';
    if (isAsked && host.endsWith(GLOBAL_DOMAIN) && isDebugging(workload, chosen.revision)) {
      reply.header('x-svc-location', chosen.location).header('x-svc-replica', chosen.name);
    }
    return reply.send(`${workload.name} is well\n`);
  });
}

/** The locations behind an address; none for one that no workload has. */
function listedAt({ orgs, list }: Simulator, host: string): Listed[] {
  const gvcs = [...orgs.values()].flatMap((org) =>
    [...org.gvcs.values()].map((gvc) => ({ org, gvc })),
  );
  return gvcs.flatMap(({ org, gvc }) =>
    list({ org: org.name, gvc: gvc.name }).filter(({ workload, record, observation }) => {
      const name = `${workload.name}-${gvc.alias}`;
      const prefix = org.endpointPrefix === undefined ? '' : `${org.endpointPrefix}.`;
      const addresses = [
        `${name}.${prefix}${GLOBAL_DOMAIN}`,
        `${name}.${record.location}.${LOCATION_DOMAIN}`,
      ];
      return observation !== undefined && addresses.includes(host);
    }),
  );
}

/** The version that serves in a location; others may be starting. */
function replicasOf({ workload, record, observation }: Listed): Replica[] {
  return (observation?.versions ?? []).flatMap(({ ready, replicas, revision }) =>
    ready && typeof replicas === 'object'
      ? Array.from({ length: replicas.ready }, (_, index) => ({
          location: record.location,
          name: replicaName(workload, `${record.location}/${revision.workload}/${index}`, index),
          revision,
        }))
      : [],
  );
}

/** Replicas of a stateful workload are numbered, those of others have letters and digits at their end. */
function replicaName({ name, type }: Workload, key: string, index: number): string {
  if (type === 'stateful') return `${name}-${index}`;
  return `${name}-${createHash('sha256').update(key).digest('hex').slice(0, 8)}`;
}

/** Whether a revision has the debug option: as it was switched when it was deployed (spec 4.4). */
function isDebugging({ debug }: Workload, { createdAt }: Revision): boolean {
  return debug.findLast(({ at }) => at <= createdAt)?.on ?? false;
}
