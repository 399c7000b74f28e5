import { metricValues } from '../../src/metrics.ts';

type Labels = Readonly<Record<string, string>>;

/** The value of a series in this thread; of a histogram the number of observations. Undefined: it does not exist. */
export async function recorded(name: string, labels: Labels = {}): Promise<number | undefined> {
  const metric = (await metricValues()).find((one) => one.name === name);
  if (metric === undefined) throw new Error(`no metric ${name}`);
  const counts = metric.type.toString() === 'histogram' ? `${name}_count` : undefined;
  return metric.values.find((value) => {
    const { metricName } = value as { metricName?: string };
    return metricName === counts && isEqual(value.labels as Labels, labels);
  })?.value;
}

function isEqual(one: Labels, other: Labels): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
  );
}

/** A series of a scrape. */
export interface Series {
  readonly name: string;
  readonly labels: Labels;
  readonly value: number;
}

/** Reads Prometheus' text format 0.0.4. */
export function seriesOf(text: string): Series[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] =
        /^([\w:]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
      return {
        name,
        labels: Object.fromEntries(pairs.map(([, key = '', text = '']) => [key, text])),
        value: Number(value),
      };
    });
}
