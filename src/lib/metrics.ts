/** The content type of {@link Metrics.render}. */
export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8';

/** Label values come from small closed sets, never from a person or an answer. */
type Labels = Readonly<Record<string, string>>;

export interface Counter {
  inc(labels?: Labels): void;
}

export interface Metrics {
  /** A name given twice is a defect: @throws Error */
  counter(name: string, help: string): Counter;
  /** All metrics in Prometheus' text format 0.0.4. */
  render(): string;
}

/** A registry of metrics. */
export function createMetrics(): Metrics {
  const families = new Map<string, () => string[]>();

  return {
    counter(name, help) {
      if (families.has(name)) throw new Error(`metric ${name} is registered twice`);
      const series = new Map<string, number>();
      families.set(name, () => [
        `# HELP ${name} ${escapeHelp(help)}`,
        `# TYPE ${name} counter`,
        ...[...series].map(([labels, value]) => `${name}${labels} ${value}`),
      ]);
      return {
        inc(labels = {}) {
          const key = renderLabels(labels);
          series.set(key, (series.get(key) ?? 0) + 1);
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

/** Sorted, so that the order in which a caller writes labels makes no second series. */
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
