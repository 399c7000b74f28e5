import type { FastifyInstance } from 'fastify';

import { body, integer, number, oneOf, optional, switchField, text } from '../control-schema.ts';
import type { Listed, Simulator } from './simulator.ts';
import { EXECUTION_STATUSES, OUTCOMES, WORKLOAD_TYPES } from './model.ts';

type Change = Exclude<keyof Simulator, 'orgs' | 'list' | 'select'>;

const gvc = { org: text, gvc: text };
const workload = { ...gvc, workload: text };
const locations = { ...workload, location: optional(text) };
/** A location of one workload or of all, or the whole GVC. */
const somewhere = { ...locations, workload: optional(text) };
const timing = { seconds: optional(number(0.001)) };

/** Path -> what the simulator does, and the body that it takes. */
const CHANGES: readonly { path: string; does: Change; body: object }[] = [
  {
    path: '/rollout',
    does: 'rollout',
    body: body({ ...locations, ...timing, outcome: optional(oneOf(OUTCOMES)) }),
  },
  { path: '/gvc-rollout', does: 'rerollGvc', body: body({ ...gvc, ...timing }) },
  { path: '/scale', does: 'scale', body: body({ ...workload, replicas: integer(0) }) },
  { path: '/suspend', does: 'suspend', body: body({ ...locations, suspend: switchField }) },
  {
    path: '/stale',
    does: 'stale',
    body: body({
      ...somewhere,
      stale: switchField,
      overdue: optional(switchField),
    }),
  },
  {
    path: '/sicken',
    does: 'sicken',
    body: body({
      ...somewhere,
      ...timing,
      times: optional(integer(1)),
    }),
  },
  {
    path: '/vanish',
    does: 'vanish',
    body: body({ ...somewhere, vanished: switchField, ...timing }),
  },
  { path: '/diverge', does: 'diverge', body: body({ ...locations, diverged: switchField }) },
  {
    path: '/cron',
    does: 'addExecution',
    body: body({ ...locations, status: oneOf(EXECUTION_STATUSES) }),
  },
  {
    path: '/create',
    does: 'create',
    body: body({
      ...workload,
      ...timing,
      outcome: optional(oneOf(OUTCOMES)),
      type: optional(oneOf(WORKLOAD_TYPES)),
      replicas: optional(integer(0)),
    }),
  },
  { path: '/debug', does: 'debug', body: body({ ...workload, on: switchField }) },
  { path: '/delete', does: 'remove', body: body(workload) },
  {
    path: '/patch',
    does: 'patch',
    body: body({ ...locations, status: { schema: { type: ['object', 'null'] } } }),
  },
  {
    path: '/patch/clear',
    does: 'clearPatches',
    body: body({
      org: optional(text),
      gvc: optional(text),
      workload: optional(text),
      location: optional(text),
    }),
  },
];

/** One control route per thing that can be done to deployments; the schemas check the bodies. */
export function registerDeploymentControl(app: FastifyInstance, simulator: Simulator): void {
  for (const { path, does, body } of CHANGES) {
    app.post(
      path,
      { schema: { body } },
      async (request) => simulator[does](request.body as never) ?? { ok: true },
    );
  }
}

/** All orgs for the panel: what people would want to know at a glance. */
export function renderState(simulator: Simulator): object[] {
  return [...simulator.orgs.values()].map((org) => ({
    name: org.name,
    gvcs: [...org.gvcs.values()].map((gvc) => ({
      name: gvc.name,
      alias: gvc.alias,
      version: gvc.version,
      locations: gvc.locations,
      workloads: [...gvc.workloads.keys()].map((workload) =>
        renderWorkload(simulator.select({ org: org.name, gvc: gvc.name, workload })),
      ),
    })),
  }));
}

function renderWorkload(listed: Listed[]): object {
  const { name, type, version, replicas } = listed[0]?.workload ?? {};
  return {
    name,
    type,
    version,
    replicas,
    suspended: listed.every(({ record }) => record.suspended),
    locations: listed.map(({ record, observation }) => ({
      name: record.location,
      ready: observation?.ready ?? false,
      deploying: observation?.deploying ?? false,
      message: messageOf(observation),
      scenario: observation?.scenario ?? 'absent',
    })),
  };
}

/** The first words of the cause. */
function messageOf(observation: Listed['observation']): string {
  const words = observation?.versions.flatMap(({ trouble, message }) => [
    trouble?.message,
    message,
  ]);
  return [observation?.message, ...(words ?? [])].find(Boolean) ?? '';
}
