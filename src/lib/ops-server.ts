import { createServer, type Server } from 'node:http';
import { METRICS_TYPE } from './metrics.ts';
import { within } from './time.ts';

/** Why a part does not work, without any secret; undefined when it does. */
type Reason = string | undefined;

/** The parts that the bot needs. A check that throws means that the part does not answer. */
export type ReadinessChecks = Readonly<Record<string, () => Reason | Promise<Reason>>>;

export const NO_ANSWER = 'it does not answer';

/** For a check. Milliseconds. */
const PATIENCE_MS = 2_000;

interface OpsSources {
  /** The text of a scrape; it never takes longer than 2 s. */
  scrape: () => Promise<string>;
  checks: ReadinessChecks;
  /** Said in the answer of `/readyz`, without making it unready. */
  notes?: () => Readonly<Record<string, string | undefined>>;
  /** Why only a restart helps; undefined when it would not. */
  stuck?: () => string | undefined;
}

/** A scrape is small and quick; a sender that is slow, or one of very many, must not hold the others up. */
const SENDER_LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
};
const MAX_CONNECTIONS = 50;

/** `GET /healthz` (503: a restart would help), `/readyz` (it can work now), `/metrics` (Prometheus). */
export function createOpsServer(deps: OpsSources): Server {
  const server = createServer(SENDER_LIMITS, (request, response) => {
    void answer(request.method === 'GET' ? (request.url ?? '') : '', deps).then(
      ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
      () => response.writeHead(500).end(),
    );
  });
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

const JSON_TYPE = 'application/json; charset=utf-8';

async function answer(
  url: string,
  deps: OpsSources,
): Promise<{ status: number; type: string; body: string }> {
  const path = url.split('?')[0];
  if (path === '/healthz') {
    const because = deps.stuck?.();
    const body = because === undefined ? { status: 'ok' } : { status: 'stuck', because };
    return json(because === undefined ? 200 : 503, body);
  }
  if (path === '/metrics') {
    return { status: 200, type: METRICS_TYPE, body: await deps.scrape() };
  }
  if (path === '/readyz') {
    const reasons = await runChecks(deps.checks);
    const checks = Object.fromEntries(reasons.map(([name, why]) => [name, why === undefined]));
    const unwell = reasons.filter(([, why]) => why !== undefined);
    const notes = deps.notes?.();
    if (unwell.length === 0) return json(200, { ready: true, checks, ...notes });
    return json(503, { ready: false, checks, unwell: Object.fromEntries(unwell), ...notes });
  }
  return json(404, { error: 'not found' });
}

function json(status: number, body: object) {
  return { status, type: JSON_TYPE, body: `${JSON.stringify(body)}\n` };
}

function runChecks(checks: ReadinessChecks): Promise<[name: string, why: Reason][]> {
  return Promise.all(
    Object.entries(checks).map(async ([name, check]): Promise<[string, Reason]> => {
      try {
        return [name, await within(check(), PATIENCE_MS, NO_ANSWER)];
      } catch {
        return [name, NO_ANSWER];
      }
    }),
  );
}

const EVERY_MS = 1_000;
const WINDOW_MS = 60_000;
/** A busy machine is late now and then; shorter delays are no block. Milliseconds. */
const TOLERANCE_MS = 3_000;
/** A single block is ignored after this time. Milliseconds. */
const SINGLE_MS = 15_000;

/** Detects a blocked event loop in this thread. @param now milliseconds of a monotonic clock */
export function createLoopWatch(now: () => number = () => performance.now()) {
  let last = now();
  let stills: { at: number; ms: number }[] = [];

  const lateMs = (): number => {
    const late = now() - last - EVERY_MS;
    return late >= TOLERANCE_MS ? late : 0;
  };

  setInterval(() => {
    const ms = lateMs();
    last = now();
    stills = stills.filter(({ at }) => last - at < WINDOW_MS);
    if (ms > 0) stills.push({ at: last, ms });
  }, EVERY_MS).unref();

  return {
    /**
     * How long it was blocked within the last minute, in milliseconds, in blocks of at least 3 s. A single
     * block that ended 15 s ago or more does not count.
     */
    stoodStillMs(): number {
      const since = (ms: number) => stills.filter(({ at }) => at > now() - ms);
      const lately = since(WINDOW_MS);
      const current = lateMs();
      const counted = lately.length > 1 || current > 0 ? lately : since(SINGLE_MS);
      return counted.reduce((sum, { ms }) => sum + ms, current);
    },
  };
}
