import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { metricsContentType } from './lib/metrics.ts';
import type { Family, Metrics } from './lib/metrics.ts';

/** Why a part does not do its work, without any secret; undefined when it does. */
type Reason = string | undefined;

/** What has to be well for the bot to do its work; a check that throws is of a part that does not answer. */
export type ReadinessChecks = Readonly<Record<string, () => Reason | Promise<Reason>>>;

/** Why, of a part that does not answer. */
export const NO_ANSWER = 'it does not answer';

/** For a check, and for what another thread counted. Milliseconds. */
const PATIENCE_MS = 2_000;

interface OpsDeps {
  metrics: Metrics;
  /** What another thread of this process counted; without an answer in time it is left out. */
  others?: (() => Promise<Family[]>) | undefined;
  checks: ReadinessChecks;
  /** Why only a new process helps; undefined as long as this one does its best. */
  stuck?: () => string | undefined;
}

/**
 * `GET /healthz` (a new process would not do better), `/readyz` (it can do its work now), `/metrics`
 * (Prometheus).
 */
export function createOpsServer(deps: OpsDeps): Server {
  return createServer((request, response) => {
    void answer(request.method === 'GET' ? (request.url ?? '') : '', deps).then(
      ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
      () => response.writeHead(500).end(),
    );
  });
}

const JSON_TYPE = 'application/json; charset=utf-8';

async function answer(
  url: string,
  deps: OpsDeps,
): Promise<{ status: number; type: string; body: string }> {
  const path = url.split('?')[0];
  if (path === '/healthz') {
    const because = deps.stuck?.();
    const body = because === undefined ? { status: 'ok' } : { status: 'stuck', because };
    return json(because === undefined ? 200 : 503, body);
  }
  if (path === '/metrics') {
    const others = await within(deps.others?.() ?? [], []);
    return { status: 200, type: metricsContentType, body: deps.metrics.render(others) };
  }
  if (path === '/readyz') {
    const reasons = await runChecks(deps.checks);
    const checks = Object.fromEntries(reasons.map(([name, why]) => [name, why === undefined]));
    const unwell = reasons.filter(([, why]) => why !== undefined);
    if (unwell.length === 0) return json(200, { ready: true, checks });
    return json(503, { ready: false, checks, unwell: Object.fromEntries(unwell) });
  }
  return json(404, { error: 'not found' });
}

function json(status: number, body: object) {
  return { status, type: JSON_TYPE, body: `${JSON.stringify(body)}\n` };
}

function runChecks(checks: ReadinessChecks): Promise<[name: string, why: Reason][]> {
  return Promise.all(
    Object.entries(checks).map(async ([name, check]): Promise<[string, Reason]> => [
      name,
      await runCheck(check),
    ]),
  );
}

async function runCheck(check: ReadinessChecks[string]): Promise<Reason> {
  try {
    return await within(check(), NO_ANSWER);
  } catch {
    return NO_ANSWER;
  }
}

/** What comes in time, else `otherwise`. */
async function within<T>(work: T | Promise<T>, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), PATIENCE_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
