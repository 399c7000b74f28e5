import { type Json, numberOf, objectOf, objectsOf, stringOf, stringsOf } from '../json.ts';

const [WIDTH, HEIGHT] = [560, 220];
/** Room for the labels of the axes. */
const [LEFT, BOTTOM, TOP] = [52, 24, 8];
const COLOURS = [
  'light-dark(#1264a3, #4cb3ea)',
  'light-dark(#007a5a, #3fc48d)',
  'light-dark(#b45309, #f2a65a)',
  'light-dark(#7c3aed, #b794f6)',
  'light-dark(#be123c, #ff7a90)',
  'light-dark(#0e7490, #4fd1e0)',
];
const MOST_LABELS = 7;

interface Series {
  readonly name: string;
  /** In the order of the categories. */
  readonly values: readonly number[];
}

/** A `data_visualization` block: lines, areas and bars over categories, or a pie. */
export function Chart({ block }: { block: Json }) {
  const chart = objectOf(block['chart']);
  const title = stringOf(block['title']);
  const isPie = chart['type'] === 'pie';
  const names = isPie
    ? objectsOf(chart['segments']).map(({ label }) => stringOf(label))
    : objectsOf(chart['series']).map(({ name }) => stringOf(name));
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      {isPie ? <Pie chart={chart} title={title} /> : <Plot chart={chart} title={title} />}
      <ul class="chart-legend">
        {names.map((name, index) => (
          <li key={name}>
            <span class="chart-key" style={{ background: colourOf(index) }} aria-hidden="true" />
            {name}
          </li>
        ))}
      </ul>
    </figure>
  );
}

const colourOf = (index: number): string => COLOURS[index % COLOURS.length] ?? '';

/** The text for screen readers: each series with its values. */
const heard = (title: string, series: readonly Series[]): string =>
  [title, ...series.map(({ name, values }) => `${name}: ${values.join(', ')}`)].join('. ');

function seriesOf(chart: Json, categories: readonly string[]): Series[] {
  return objectsOf(chart['series']).map((one) => {
    const values = new Map(
      objectsOf(one['data']).map((point) => [
        stringOf(point['label']),
        numberOf(point['value'], 0),
      ]),
    );
    return { name: stringOf(one['name']), values: categories.map((name) => values.get(name) ?? 0) };
  });
}

function Plot({ chart, title }: { chart: Json; title: string }) {
  const categories = stringsOf(objectOf(chart['axis_config'])['categories']);
  const series = seriesOf(chart, categories);
  const all = series.flatMap(({ values }) => values);
  const [low, high] = [Math.min(0, ...all), Math.max(1e-9, ...all)];
  const slot = (WIDTH - LEFT) / Math.max(1, categories.length);
  const x = (index: number): number => LEFT + slot * (index + 0.5);
  const y = (value: number): number =>
    TOP + (HEIGHT - TOP - BOTTOM) * (1 - (value - low) / (high - low));
  const every = Math.ceil(categories.length / MOST_LABELS);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={heard(title, series)}>
      {[low, (low + high) / 2, high].map((tick) => (
        <g key={tick}>
          <line class="chart-grid" x1={LEFT} x2={WIDTH} y1={y(tick)} y2={y(tick)} />
          <text x={LEFT - 6} y={y(tick) + 4} text-anchor="end">
            {short(tick)}
          </text>
        </g>
      ))}
      {categories.map((name, index) =>
        index % every === 0 ? (
          <text key={name} x={x(index)} y={HEIGHT - 6} text-anchor="middle">
            {name}
          </text>
        ) : null,
      )}
      {series.map(({ name, values }, at) =>
        chart['type'] === 'bar' ? (
          <Bars key={name} values={values} at={at} of={series.length} scale={{ x, y, slot }} />
        ) : (
          <Path
            key={name}
            values={values}
            at={at}
            isFilled={chart['type'] === 'area'}
            scale={{ x, y }}
          />
        ),
      )}
    </svg>
  );
}

interface Scale {
  readonly x: (index: number) => number;
  readonly y: (value: number) => number;
}

type PathProps = {
  readonly values: readonly number[];
  readonly at: number;
  readonly isFilled: boolean;
  readonly scale: Scale;
};

function Path({ values, at, isFilled, scale: { x, y } }: PathProps) {
  const points = values.map((value, index) => `${x(index)},${y(value)}`);
  const base = [`${x(values.length - 1)},${y(0)}`, `${x(0)},${y(0)}`];
  return (
    <>
      {isFilled && (
        <polygon points={[...points, ...base].join(' ')} fill={colourOf(at)} fill-opacity="0.25" />
      )}
      <polyline points={points.join(' ')} fill="none" stroke={colourOf(at)} stroke-width="2" />
    </>
  );
}

type BarsProps = {
  readonly values: readonly number[];
  readonly at: number;
  readonly of: number;
  readonly scale: Scale & { readonly slot: number };
};

function Bars({ values, at, of, scale: { x, y, slot } }: BarsProps) {
  const width = (slot * 0.8) / of;
  return (
    <>
      {values.map((value, index) => (
        <rect
          key={index}
          x={x(index) - slot * 0.4 + at * width}
          y={Math.min(y(value), y(0))}
          width={width}
          height={Math.abs(y(value) - y(0))}
          fill={colourOf(at)}
        />
      ))}
    </>
  );
}

function Pie({ chart, title }: { chart: Json; title: string }) {
  const segments = objectsOf(chart['segments']).map((one) => ({
    name: stringOf(one['label']),
    values: [numberOf(one['value'], 0)],
  }));
  const valueOf = ({ values }: Series): number => values[0] ?? 0;
  const whole = segments.reduce((sum, one) => sum + valueOf(one), 0) || 1;
  let before = 0;
  const circle = 2 * Math.PI * 40;
  return (
    <svg viewBox="0 0 180 180" class="chart-pie" role="img" aria-label={heard(title, segments)}>
      {segments.map((one, index) => {
        const [from, part] = [before / whole, valueOf(one) / whole];
        before += valueOf(one);
        return (
          <circle
            key={one.name}
            r="40"
            cx="90"
            cy="90"
            fill="none"
            stroke={colourOf(index)}
            stroke-width="80"
            stroke-dasharray={`${part * circle} ${circle}`}
            stroke-dashoffset={-from * circle}
          />
        );
      })}
    </svg>
  );
}

const short = (value: number): string =>
  new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 }).format(value);
