import { createServer, type Server } from 'node:http';
import { within } from './time.ts';

const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8';

/** Label values come from small closed sets, never from user input or an answer. */
type Labels = Readonly<Record<string, string>>;

export interface Counter {
  inc(labels?: Labels): void;
}

export interface Family {
  name: string;
  help: string;
  series: [labels: string, value: number][];
}

export interface Metrics {
  /** @throws Error when the name is registered already */
  counter(name: string, help: string): Counter;
  families(): Family[];
  /** All metrics in Prometheus' text format 0.0.4. `others` with the same name and labels are added. */
  render(others?: readonly Family[]): string;
}

export function createMetrics(): Metrics {
  const counters = new Map<string, { help: string; series: Map<string, number> }>();

  const families = (): Family[] =>
    [...counters].map(([name, { help, series }]) => ({ name, help, series: [...series] }));

  return {
    counter(name, help) {
      if (counters.has(name)) throw new Error(`metric ${name} is registered twice`);
      const series = new Map<string, number>();
      counters.set(name, { help, series });
      return {
        inc(labels = {}) {
          const key = renderLabels(labels);
          series.set(key, (series.get(key) ?? 0) + 1);
        },
      };
    },
    families,
    render: (others = []) => renderFamilies([...families(), ...others]),
  };
}

function renderFamilies(families: readonly Family[]): string {
  const merged = new Map<string, { help: string; series: Map<string, number> }>();
  for (const { name, help, series } of families) {
    const known = merged.get(name) ?? { help, series: new Map<string, number>() };
    merged.set(name, known);
    for (const [labels, value] of series) {
      known.series.set(labels, (known.series.get(labels) ?? 0) + value);
    }
  }
  return [...merged]
    .flatMap(([name, { help, series }]) => [
      `# HELP ${name} ${escapeHelp(help)}`,
      `# TYPE ${name} counter`,
      ...[...series].map(([labels, value]) => `${name}${labels} ${value}`),
    ])
    .map((line) => `${line}\n`)
    .join('');
}

/** Sorted, so that the order of labels in a call makes no second series. */
function renderLabels(labels: Labels): string {
  const pairs = Object.keys(labels)
    .sort()
    .map((name) => `${name}="${escapeLabel(labels[name] ?? '')}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}

/** Why a part does not work, without any secret; undefined when it does. */
type Reason = string | undefined;

/** The parts that the bot needs. A check that throws means that the part does not answer. */
export type ReadinessChecks = Readonly<Record<string, () => Reason | Promise<Reason>>>;

export const NO_ANSWER = 'it does not answer';

/** For a check, and for the counts of another thread. Milliseconds. */
const PATIENCE_MS = 2_000;

interface OpsSources {
  metrics: Metrics;
  /** Counts of another thread of this process; left out unless they come in time. */
  others?: (() => Promise<Family[]>) | undefined;
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
    const others = await within(deps.others?.() ?? [], PATIENCE_MS, []);
    return { status: 200, type: metricsContentType, body: deps.metrics.render(others) };
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
    Object.entries(checks).map(async ([name, check]): Promise<[string, Reason]> => [
      name,
      await runCheck(check),
    ]),
  );
}

async function runCheck(check: ReadinessChecks[string]): Promise<Reason> {
  try {
    return await within(check(), PATIENCE_MS, NO_ANSWER);
  } catch {
    return NO_ANSWER;
  }
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
