/** The content type of {@link Metrics.render}. */
export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8';

/** Label values come from small closed sets, never from a person or an answer. */
type Labels = Readonly<Record<string, string>>;

export interface Counter {
  inc(labels?: Labels): void;
}

/** One metric with all its series, as plain data. */
export interface Family {
  name: string;
  help: string;
  /** Rendered labels, and the value. */
  series: [labels: string, value: number][];
}

export interface Metrics {
  /** A name given twice is a defect: @throws Error */
  counter(name: string, help: string): Counter;
  /** What was counted so far. */
  families(): Family[];
  /**
   * All metrics in Prometheus' text format 0.0.4. What others counted under the same name and labels
   * is added.
   */
  render(others?: readonly Family[]): string;
}

/** A registry of metrics. */
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
