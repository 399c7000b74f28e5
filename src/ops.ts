import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { metricsContentType } from './lib/metrics.ts';
import type { Family, Metrics } from './lib/metrics.ts';

/** What has to be well for the bot to do its work; a check that throws or gives false is not. */
export type ReadinessChecks = Readonly<Record<string, () => boolean | Promise<boolean>>>;

/** For a check, and for what another thread counted. Milliseconds. */
const PATIENCE_MS = 2_000;

interface OpsDeps {
  metrics: Metrics;
  /** What another thread of this process counted; without an answer in time it is left out. */
  others?: (() => Promise<Family[]>) | undefined;
  checks: ReadinessChecks;
}

/** `GET /healthz` (the process lives), `/readyz` (it can do its work), `/metrics` (Prometheus). */
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
  if (path === '/healthz') return { status: 200, type: JSON_TYPE, body: '{"status":"ok"}\n' };
  if (path === '/metrics') {
    const others = await within(deps.others?.() ?? [], []);
    return { status: 200, type: metricsContentType, body: deps.metrics.render(others) };
  }
  if (path === '/readyz') {
    const checks = await runChecks(deps.checks);
    const ready = Object.values(checks).every(Boolean);
    const body = `${JSON.stringify({ ready, checks })}\n`;
    return { status: ready ? 200 : 503, type: JSON_TYPE, body };
  }
  return { status: 404, type: JSON_TYPE, body: '{"error":"not found"}\n' };
}

async function runChecks(checks: ReadinessChecks): Promise<Record<string, boolean>> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await runCheck(check)] as const),
  );
  return Object.fromEntries(results);
}

async function runCheck(check: () => boolean | Promise<boolean>): Promise<boolean> {
  try {
    return await within(check(), false);
  } catch {
    return false;
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
