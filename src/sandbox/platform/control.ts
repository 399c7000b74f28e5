import type { FastifyError, FastifyInstance } from 'fastify';

import type { SandboxClock } from './clock.ts';
import { body, integer, number, oneOf, optional, text } from './control-schema.ts';
import { COVERAGE } from './coverage.ts';
import { registerDeploymentControl, renderState } from './deployments/control.ts';
import type { Paging } from './deployments/routes.ts';
import type { Simulator } from './deployments/simulator.ts';
import { SandboxError } from './errors.ts';
import { FAULT_KINDS, type Fault, type Faults } from './faults.ts';
import { acceptJson } from './json-body.ts';
import type { RequestLog } from './request-log.ts';
import type { Stories } from './stories/stories.ts';

const FAULT = body({
  path: optional(text),
  method: optional(text),
  status: optional(integer(200)),
  headers: optional({ schema: { type: 'object' } }),
  body: optional({ schema: {} }),
  delayMs: optional(number(0)),
  kind: optional(oneOf(FAULT_KINDS)),
  times: optional(integer(1)),
  seconds: optional(number(0.001)),
  chance: optional(number(0)),
});

/**
 * Everything under `/_sandbox`: JSON in, JSON out, no token; the server listens on the loopback
 * address only. Refusals are `{error}` with one clear sentence.
 */
export function registerControl(
  app: FastifyInstance,
  deps: {
    clock: SandboxClock;
    simulator: Simulator;
    stories: Stories;
    faults: Faults;
    log: RequestLog;
    paging: Paging;
    routes: readonly string[];
    /** The billing accounts, without any secret. */
    accountStates: () => readonly object[];
  },
): void {
  const { clock, simulator, stories, faults, log, paging, routes, accountStates } = deps;

  acceptAndRefuse(app);

  app.get('/state', async () => ({
    now: clock.now(),
    orgs: renderState(simulator),
    accounts: accountStates(),
    stories: stories.list(),
  }));
  registerDeploymentControl(app, simulator);

  const clockBody = body({ advanceSeconds: number(0) });
  app.post<{ Body: { advanceSeconds: number } }>(
    '/clock',
    { schema: { body: clockBody } },
    async (request) => {
      clock.advance(request.body.advanceSeconds * 1000);
      return { now: clock.now() };
    },
  );

  const faultsBody = body({ faults: { schema: { type: 'array', items: FAULT } } });
  app.post<{ Body: { faults: Fault[] } }>(
    '/faults',
    { schema: { body: faultsBody } },
    async (request) => {
      faults.replace(request.body.faults);
      return { ok: true };
    },
  );

  const pageBody = body({ items: integer(1) });
  app.post<{ Body: { items: number } }>(
    '/page-size',
    { schema: { body: pageBody } },
    async (request) => {
      paging.size = request.body.items;
      return { ok: true };
    },
  );

  app.get('/requests', async () => ({ requests: log.all() }));
  app.delete('/requests', async () => {
    log.clear();
    return { ok: true };
  });
  app.get('/coverage', async () => ({ endpoints: COVERAGE, routes }));
}

/** How controls are asked and how they refuse. */
function acceptAndRefuse(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>(async (error, _request, reply) => {
    const status = error instanceof SandboxError ? error.status : (error.statusCode ?? 500);
    reply.code(status);
    return { error: error.message };
  });
  app.setNotFoundHandler(async (request, reply) => {
    reply.code(404);
    return { error: `there is no control ${request.method} ${request.url}` };
  });

  // A control without arguments may be called with an empty body, with or without a content type.
  acceptJson(app, () => ({}));
  app.addHook('preValidation', async (request) => {
    request.body ??= {};
  });
}
