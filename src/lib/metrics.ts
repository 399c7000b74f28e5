import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client';

/** Prometheus' text format 0.0.4. */
export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** A metric: from it come its registration, its typed functions and its row of `docs/metrics.md`. */
export interface MetricDefinition {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly name: string;
  /** A sentence without its full stop. */
  readonly help: string;
  /** The closed set of values of each label; empty: one value, fixed for the process. */
  readonly labels: Readonly<Record<string, readonly string[]>>;
  /** Series that exist from the start. Default: all combinations. */
  readonly series?: readonly Readonly<Record<string, string>>[];
  /** Of a histogram: upper bounds in seconds. */
  readonly buckets?: readonly number[];
  /** A query in PromQL. */
  readonly example: string;
}

/** The labels of a metric, with their values. */
type LabelsOf<D extends MetricDefinition> = {
  readonly [Name in keyof D['labels']]: D['labels'][Name] extends readonly []
    ? string
    : D['labels'][Name][number];
};

type Recorder<D extends MetricDefinition> = D['type'] extends 'counter'
  ? { inc(labels: LabelsOf<D>, by?: number): void }
  : D['type'] extends 'gauge'
    ? { set(labels: LabelsOf<D>, value: number): void }
    : { observe(labels: LabelsOf<D>, seconds: number): void };

/** All metrics of a thread; plain data, because it crosses threads. */
export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** @throws Error when a name occurs twice */
export function createMetrics<const Table extends Readonly<Record<string, MetricDefinition>>>(
  table: Table,
) {
  const registry = new Registry();
  const recorders = Object.entries(table).map(([key, definition]) => [
    key,
    register(definition, registry),
  ]);
  return {
    record: Object.fromEntries(recorders) as {
      readonly [Name in keyof Table]: Recorder<Table[Name]>;
    },
    values: () => registry.getMetricsAsJSON(),
  };
}

function register(definition: MetricDefinition, registry: Registry) {
  const { name, help, labels, series, buckets } = definition;
  const labelNames = Object.keys(labels);
  const shared = { name, help, labelNames, registers: [registry] };
  const first = series ?? combinationsOf(labels);
  switch (definition.type) {
    case 'counter': {
      const counter = new Counter(shared);
      for (const one of first) counter.inc(one, 0);
      return { inc: (values: Values, by = 1) => counter.inc(values, by) };
    }
    case 'gauge': {
      const gauge = new Gauge(shared);
      for (const one of first) gauge.set(one, 0);
      return { set: (values: Values, value: number) => gauge.set(values, value) };
    }
    case 'histogram': {
      const histogram = new Histogram({ ...shared, ...(buckets && { buckets: [...buckets] }) });
      for (const one of first) histogram.zero(one);
      return { observe: (values: Values, seconds: number) => histogram.observe(values, seconds) };
    }
  }
}

type Values = Record<string, string>;

/** Every combination of the values of closed labels; none of a label whose value is not known yet. */
export function combinationsOf(labels: MetricDefinition['labels']): Values[] {
  return Object.entries(labels).reduce<Values[]>(
    (all, [name, values]) =>
      all.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  );
}

/** A value of a closed label: `other` stands for all that are not in its set. */
export function closedValue<Value extends string>(
  values: readonly Value[],
  value: string,
): Value | 'other' {
  return values.find((one) => one === value) ?? 'other';
}

/**
 * Begins to measure this thread: event loop, garbage collection and heap under `nodejs_`, with the label `thread`.
 * The main thread also measures the process, under `process_`.
 */
export function measureThread(thread: 'main' | 'worker' | 'report'): () => Promise<MetricValues> {
  const register = new Registry();
  collectDefaultMetrics({ register, labels: { thread } });
  return async () => {
    const all = await register.getMetricsAsJSON();
    return all
      .filter(({ name }) => thread === 'main' || !name.startsWith('process_'))
      .map((metric) => (metric.name.startsWith('process_') ? ofProcess(metric) : metric));
  };
}

/** prom-client leaves the start time out of an aggregate, as it expects several processes. */
function ofProcess(metric: MetricValues[number]): MetricValues[number] {
  const values = metric.values.map(({ value, labels: all }) => {
    const { thread: _, ...labels } = all;
    return { value, labels };
  });
  return { ...metric, aggregator: 'first', values };
}

/** The text of a scrape. Series of several threads with the same name and labels are added. */
export function renderMetrics(threads: readonly MetricValues[]): Promise<string> {
  return AggregatorRegistry.aggregate([...threads]).metrics();
}
