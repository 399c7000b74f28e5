import type { KnownBlock } from '@slack/types';
import { context } from './blocks.ts';
import { clip, EMPTY, given, joinMrkdwn, LIMITS, mrkdwn, tidy } from './text.ts';

/** Which @slack/types 3.2.0 does not have. */
interface ChartBlock {
  readonly type: 'data_visualization';
  readonly title: string;
  readonly chart: {
    readonly type: 'line' | 'bar' | 'area';
    readonly series: readonly {
      readonly name: string;
      readonly data: readonly { readonly label: string; readonly value: number }[];
    }[];
    readonly axis_config: { readonly categories: readonly string[]; readonly y_label?: string };
  };
}

export interface Series {
  readonly name: string;
  /** One for each point, in their order. */
  readonly values: readonly number[];
}

export interface Chart {
  readonly title: string;
  readonly type: 'line' | 'bar' | 'area';
  /** At most 20 points, each with another name. */
  readonly points: readonly string[];
  readonly series: readonly Series[];
  /** Of the values: "USD"; left out where it cannot be seen. */
  readonly unit?: string | undefined;
}

/** A chart that Slack draws; of more than 12 series the smallest are one, "Other". */
export function chart({ title, type, points, series, unit }: Chart): KnownBlock {
  const categories = distinct(points.slice(0, LIMITS.chartPoints));
  const drawn = mostOf(series, LIMITS.chartSeries);
  const names = distinct(drawn.map(({ name }) => name));
  const label = clip(tidy(unit ?? '').trim(), LIMITS.chartTitle);
  const block: ChartBlock = {
    type: 'data_visualization',
    title: clip(tidy(title).trim() || EMPTY, LIMITS.chartTitle),
    chart: {
      type,
      series: drawn.map(({ values }, at) => ({
        name: names[at] ?? '',
        data: categories.map((label, index) => ({ label, value: values[index] ?? 0 })),
      })),
      axis_config: { categories, ...given({ y_label: label || undefined }) },
    },
  };
  return block as unknown as KnownBlock;
}

/** The largest series, by what they come to, in their order; the rest added up as the last. */
function mostOf(series: readonly Series[], most: number): readonly Series[] {
  if (series.length <= most) return series;
  const sumOf = ({ values }: Series): number => values.reduce((sum, value) => sum + value, 0);
  const large = new Set(series.toSorted((a, b) => sumOf(b) - sumOf(a)).slice(0, most - 1));
  const others = series.filter((one) => !large.has(one));
  const length = Math.max(...others.map(({ values }) => values.length));
  const other = Array.from({ length }, (_, at) =>
    others.reduce((sum, { values }) => sum + (values[at] ?? 0), 0),
  );
  return [...series.filter((one) => large.has(one)), { name: 'Other', values: other }];
}

/** Names within Slack's 20 characters that still differ: the later of two equal ones get a number. */
function distinct(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.map((name) => {
    const whole = tidy(name).trim() || EMPTY;
    let shown = clip(whole, LIMITS.chartLabel);
    for (let count = 2; seen.has(shown); count += 1) {
      const suffix = ` ${count}`;
      shown = `${clip(whole, LIMITS.chartLabel - suffix.length)}${suffix}`;
    }
    seen.add(shown);
    return shown;
  });
}

export function isChart(block: KnownBlock): boolean {
  return (block.type as string) === 'data_visualization';
}

/** Series that are written out for a Slack without charts. */
const WRITTEN = 5;

/** The same chart in words: what each series came to, its first, last and highest value. */
export function plainChart(block: KnownBlock): KnownBlock {
  const { title, chart: drawn } = block as unknown as ChartBlock;
  const lines = drawn.series.slice(0, WRITTEN).map(({ name, data }) => {
    const [first, second] = data;
    if (second === undefined) return mrkdwn`${name}: ${at(first)}`;
    const last = data.at(-1);
    const high = data.reduce((most, one) => (one.value > most.value ? one : most), data[0] ?? ZERO);
    return mrkdwn`${name}: ${at(first)}, ${at(last)}, highest ${at(high)}`;
  });
  const more = drawn.series.length - lines.length;
  const rest = more > 0 ? [mrkdwn`and ${more} more`] : [];
  const unit = drawn.axis_config.y_label;
  const heading = mrkdwn`*${title}*${unit === undefined ? '' : ` (${unit})`}`;
  return context(joinMrkdwn([heading, ...lines, ...rest], '\n'));
}

const ZERO = { label: '', value: 0 };

function at(point: { label: string; value: number } = ZERO) {
  const digits =
    Math.abs(point.value) < 1 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 2 };
  return mrkdwn`${point.label} ${point.value.toLocaleString('en-US', digits)}`;
}
