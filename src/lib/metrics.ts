/** The content type of {@link Metrics.render}. */
export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8';

/** Label values come from small closed sets, never from a person or an answer. */
type Labels = Readonly<Record<string, string>>;

export interface Counter {
  inc(labels?: Labels, by?: number): void;
}

interface Gauge {
  set(value: number, labels?: Labels): void;
}

interface Histogram {
  observe(value: number, labels?: Labels): void;
}

export interface Metrics {
  counter(name: string, help: string): Counter;
  gauge(name: string, help: string): Gauge;
  /** `buckets`: upper bounds in ascending order, without the last one, +Inf. */
  histogram(name: string, help: string, buckets: readonly number[]): Histogram;
  /** All metrics in Prometheus' text format 0.0.4. */
  render(): string;
}

/** A registry of metrics. A name given twice is a defect: @throws Error */
export function createMetrics(): Metrics {
  const families = new Map<string, () => string[]>();

  function register(name: string, type: string, help: string, samples: () => string[]): void {
    if (families.has(name)) throw new Error(`metric ${name} is registered twice`);
    const head = [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`];
    families.set(name, () => [...head, ...samples()]);
  }

  return {
    counter(name, help) {
      const series = new Map<string, number>();
      register(name, 'counter', help, () => renderSeries(name, series));
      return {
        inc(labels = {}, by = 1) {
          const key = renderLabels(labels);
          series.set(key, (series.get(key) ?? 0) + by);
        },
      };
    },

    gauge(name, help) {
      const series = new Map<string, number>();
      register(name, 'gauge', help, () => renderSeries(name, series));
      return { set: (value, labels = {}) => void series.set(renderLabels(labels), value) };
    },

    histogram(name, help, buckets) {
      const series = new Map<string, Distribution>();
      register(name, 'histogram', help, () =>
        [...series.values()].flatMap((one) => renderDistribution(name, buckets, one)),
      );
      return {
        observe(value, labels = {}) {
          const key = renderLabels(labels);
          const one = series.get(key) ?? { labels, counts: buckets.map(() => 0), count: 0, sum: 0 };
          series.set(key, one);
          one.counts = one.counts.map((n, index) => (value <= (buckets[index] ?? 0) ? n + 1 : n));
          one.count += 1;
          one.sum += value;
        },
      };
    },

    render: () =>
      [...families.values()]
        .flatMap((lines) => lines())
        .map((line) => `${line}\n`)
        .join(''),
  };
}

interface Distribution {
  readonly labels: Labels;
  /** Cumulative, as the format wants them: one value counts in every bucket that it fits. */
  counts: number[];
  count: number;
  sum: number;
}

function renderSeries(name: string, series: ReadonlyMap<string, number>): string[] {
  return [...series].map(([labels, value]) => `${name}${labels} ${renderNumber(value)}`);
}

function renderDistribution(
  name: string,
  buckets: readonly number[],
  { labels, counts, count, sum }: Distribution,
): string[] {
  const bucket = (le: string, n: number) => `${name}_bucket${renderLabels({ ...labels, le })} ${n}`;
  return [
    ...buckets.map((bound, index) => bucket(renderNumber(bound), counts[index] ?? 0)),
    bucket('+Inf', count),
    `${name}_sum${renderLabels(labels)} ${renderNumber(sum)}`,
    `${name}_count${renderLabels(labels)} ${count}`,
  ];
}

/** Sorted, so that the order in which a caller writes labels makes no second series. */
function renderLabels(labels: Labels): string {
  const pairs = Object.keys(labels)
    .sort()
    .map((name) => `${name}="${escapeLabel(labels[name] ?? '')}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function renderNumber(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}
