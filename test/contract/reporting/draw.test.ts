import { createCanvas, GlobalFonts, loadImage } from '@napi-rs/canvas';
import { BigNumber } from 'bignumber.js';
import { describe, expect, test } from 'vitest';
import type { Chart, ChartSeries } from '../../../src/reporting/chart.ts';
import {
  BACKGROUND,
  BOLD_FONT,
  COLOURS,
  createDraw,
  FAINT_INK,
  FONT,
} from '../../../src/reporting/draw.ts';

const DAY = 86_400_000;
const draw = createDraw();

/** Where the swatches end, and how far down the axis is below a title of one line, in pixels. */
const LEGEND_END = 64;
const AXIS = 616;
const colourOf = (series: number): string => COLOURS[series] ?? '';

const middles = (bars: readonly { middle: number }[]) => bars.map(({ middle }) => middle);
const around = (x: number) => Array.from({ length: 21 }, (_, place) => x - 10 + place);

type Amounts = readonly (number | string | undefined)[];

const line = (name: string, ...amounts: Amounts): ChartSeries => ({
  name,
  values: amounts.map((amount) => (amount === undefined ? undefined : new BigNumber(amount))),
});

/** Days of November, of which one may be today. */
function chartOf(series: readonly ChartSeries[], running?: number): Chart {
  const start = Date.UTC(2026, 10, 1);
  return {
    title: 'Charges by org',
    steps: (series[0]?.values ?? []).map((_, day) => ({
      startMs: start + day * DAY,
      endMs: start + (day + 1) * DAY,
      running: day === running,
    })),
    series,
    format: (value) => `$${value.toFormat(2)}`,
  };
}

/** The picture as somebody sees it. */
async function look(chart: Chart) {
  const picture = await loadImage(Buffer.from(await draw(chart)));
  const { width, height } = picture;
  const ctx = createCanvas(width, height).getContext('2d');
  ctx.drawImage(picture, 0, 0);
  const { data } = ctx.getImageData(0, 0, width, height);
  const pixels = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const names = new Map<number, string>();
  /** Each colour is named once: a picture has about a million pixels. */
  const at = (x: number, y: number): string => {
    const rgba = pixels.getUint32(4 * (y * width + x));
    const name = names.get(rgba) ?? `#${rgba.toString(16).padStart(8, '0').slice(0, 6)}`;
    names.set(rgba, name);
    return name;
  };
  /** The colours of a column from top to bottom. */
  const column = (x: number) => Array.from({ length: height }, (_, y) => at(x, y));
  /** Where the bars stand that have a colour: the swatches of the legend are to the left of all bars. */
  const bars = (colour: string) => {
    const columns = Array.from({ length: width - LEGEND_END }, (_, x) => x + LEGEND_END);
    return runsOf(columns.map((x) => column(x).includes(colour))).map(({ from, to }) => ({
      from: from + LEGEND_END,
      to: to + LEGEND_END,
      middle: Math.round((from + to) / 2) + LEGEND_END,
    }));
  };
  return { width, height, column, bars };
}

function runsOf(flags: readonly boolean[]): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (const [place, flag] of flags.entries()) {
    const last = runs.at(-1);
    if (flag && last?.to === place - 1) last.to = place;
    else if (flag) runs.push({ from: place, to: place });
  }
  return runs;
}

/** The colours of series in the order in which they are met. */
function seriesIn(column: readonly string[]): number[] {
  const found = column.map((colour) =>
    [0, 1, 2, 3, 4, 5, 6, 7].find((series) => colourOf(series) === colour),
  );
  return [...new Set(found.filter((series) => series !== undefined))];
}

const heightOf = (column: readonly string[], colour: string) =>
  column.filter((one) => one === colour).length;

describe('The picture', () => {
  test('is a PNG of 1,000 pixels in width', async () => {
    const png = Buffer.from(await draw(chartOf([line('acme', 1, 2)])));

    expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    expect(png.readUInt32BE(16)).toBe(1_000);
  });

  test('has bars as high as their values', async () => {
    const { bars, column } = await look(chartOf([line('acme', 10, 5, 0.1)]));
    const [ten, five, tenth] = bars(colourOf(0)).map(({ middle }) =>
      heightOf(column(middle), colourOf(0)),
    );

    expect(ten).toBeGreaterThan(490);
    expect(Math.abs(ten! - 2 * five!)).toBeLessThanOrEqual(1);
    expect(Math.abs(ten! / 100 - tenth!)).toBeLessThan(2);
  });

  test('tells every value of the axis in the unit of the largest bar, and sums in their own', async () => {
    const told: string[] = [];
    const chart = chartOf([line('web', 1_000, 300)]);
    const format = (value: BigNumber, like?: BigNumber) => {
      told.push(`${value.toFixed()} like ${like?.toFixed() ?? 'itself'}`);
      return value.toFixed();
    };

    await draw({ ...chart, format });

    expect(told).toContain('400 like 1000');
    expect(told.filter((one) => one.endsWith('itself'))).toEqual(['1300 like itself']);
  });

  test('stacks the series upwards, and lists them as they lie upon each other', async () => {
    const { bars, column } = await look(
      chartOf([line('acme', 3, 3), line('globex', 2, 2), line('initech', 1, 1)]),
    );
    const [bar] = bars(colourOf(0));
    const swatches = column(40);

    expect(seriesIn(column(bar?.middle ?? 0))).toEqual([2, 1, 0]);
    expect(seriesIn(swatches)).toEqual([2, 1, 0]);
  });

  test('tells eight series apart', async () => {
    const series = Array.from({ length: 8 }, (_, place) => line(`org ${place}`, 8 - place));
    const { bars, column } = await look(chartOf(series));
    const [bar] = bars(colourOf(0));

    expect(seriesIn(column(bar?.middle ?? 0))).toEqual([7, 6, 5, 4, 3, 2, 1, 0]);
  });
});

describe('A step without usage', () => {
  test('keeps its place, and nothing stands on it but a small mark', async () => {
    const { bars, column } = await look(chartOf([line('acme', 4, 4, undefined, 4)]));
    const [first = 0, second = 0, fourth = 0, ...rest] = middles(bars(colourOf(0)));
    const step = second - first;
    const gap = around(second + step).map((x) => column(x).slice(0, AXIS));
    const marked = gap.map((colours) => colours.indexOf(FAINT_INK)).filter((y) => y !== -1);

    expect(rest).toEqual([]);
    expect(Math.abs(fourth - second - 2 * step)).toBeLessThanOrEqual(2);
    expect(gap.flatMap((colours) => seriesIn(colours))).toEqual([]);
    expect(marked.length).toBeGreaterThan(5);
    expect(Math.min(...marked)).toBeGreaterThan(AXIS - 40);
  });

  test('looks other than a step with a usage of zero', async () => {
    const gap = await look(chartOf([line('acme', 4, undefined, 4)]));
    const zero = await look(chartOf([line('acme', 4, 0, 4)]));
    const [first = 0, third = 0] = middles(gap.bars(colourOf(0)));
    const marked = ({ column }: typeof gap) =>
      around(Math.round((first + third) / 2)).filter((x) =>
        column(x).slice(0, AXIS).includes(FAINT_INK),
      );

    expect(marked(gap).length).toBeGreaterThan(5);
    expect(marked(zero)).toEqual([]);
    expect(gap.height).toBeGreaterThan(zero.height);
  });

  test('has no mark when it is still to come', async () => {
    const today = await look(chartOf([line('acme', 4, 4, undefined, undefined)], 1));
    const [first = 0, second = 0, ...rest] = middles(today.bars(colourOf(0)));
    const later = [1, 2].flatMap((steps) => around(second + steps * (second - first)));

    expect(rest).toEqual([]);
    expect(later.filter((x) => today.column(x).slice(0, AXIS).includes(FAINT_INK))).toEqual([]);
  });
});

describe('The bar that is not over', () => {
  test('is hatched in its own colours, and no other is', async () => {
    const { bars, column } = await look(
      chartOf([line('acme', 6, 6, 6), line('globex', 6, 6, 6)], 2),
    );
    const stripes = bars(colourOf(0)).map(({ middle }) => {
      const bar = column(middle).slice(0, AXIS);
      const rows = bar.slice(bar.indexOf(colourOf(1)), bar.lastIndexOf(colourOf(0)));
      return {
        series: seriesIn(rows),
        stripes: runsOf(rows.map((colour) => colour === BACKGROUND)).length,
      };
    });

    expect(stripes.map(({ series }) => series)).toEqual([
      [1, 0],
      [1, 0],
      [1, 0],
    ]);
    expect(stripes.slice(0, 2).map((bar) => bar.stripes)).toEqual([0, 0]);
    expect(stripes[2]?.stripes).toBeGreaterThan(10);
  });

  test('is explained, as gaps are, only where there is one', async () => {
    const { height: plain } = await look(chartOf([line('acme', 1, 1)]));
    const { height: today } = await look(chartOf([line('acme', 1, 1)], 1));
    const { height: both } = await look(chartOf([line('acme', undefined, 1)], 1));

    expect(today).toBeGreaterThan(plain);
    expect(both - today).toBe(today - plain);
  });
});

describe('Names', () => {
  const pictureOf = async (name: string, title = 'Charges') =>
    Buffer.from(await draw({ ...chartOf([line(name, 1)]), title })).toString('base64');

  test('are written in letters that come with the bot', async () => {
    expect(await pictureOf('acme')).not.toBe(await pictureOf('emca'));
    expect(await pictureOf('acme', 'Charges')).not.toBe(await pictureOf('acme', 'Segrahc'));
    expect(GlobalFonts.families.map(({ family }) => family)).toEqual(
      expect.arrayContaining([FONT, BOLD_FONT]),
    );
  });

  test('lose what would disguise them', async () => {
    expect(await pictureOf('\u202Eacme\u0007\n')).toBe(await pictureOf('acme'));
    expect(await pictureOf('acme', '\u2066Charges')).toBe(await pictureOf('acme'));
  });

  test('are text, whatever they look like', async () => {
    expect(await pictureOf('{a|acme}')).not.toBe(await pictureOf('acme'));
    expect(await pictureOf('<b>acme</b>')).not.toBe(await pictureOf('acme'));
    expect(await pictureOf('')).toBe(await pictureOf('(none)'));
  });

  test('are cut off before their value', async () => {
    const short = await look(chartOf([line('x', 1)]));
    const long = await look(chartOf([line('x'.repeat(200), 1)]));
    const value = Array.from({ length: 90 }, (_, x) => 1_000 - 90 + x);

    expect(value.map((x) => long.column(x))).toEqual(value.map((x) => short.column(x)));
  });
});

describe('Any chart is drawn', () => {
  const many = (count: number, amount: (place: number) => string | undefined) =>
    Array.from({ length: count }, (_, place) => amount(place));

  test.each([
    ['one bar', ['12.5']],
    ['a thousand bars', many(1_000, (place) => String(place % 7))],
    ['nothing but gaps', many(31, () => undefined)],
    ['nothing but zeros', many(31, () => '0')],
    ['huge values', ['1e30', '3e30']],
    ['values of more digits than the picture is wide', ['1e400', '2e400']],
    ['tiny values', ['1e-30', '3e-30']],
    ['no bars', []],
  ])('%s', async (_what, amounts) => {
    const { width, height } = await look(chartOf([line('acme', ...amounts)], 0));

    expect(width).toBe(1_000);
    expect(height).toBeGreaterThan(700);
  });

  test('without any series', async () => {
    const { height } = await look({ ...chartOf([line('acme', 1)]), series: [] });

    expect(height).toBeGreaterThan(700);
  });

  test('several at once, each as if it were alone', async () => {
    const charts = [
      chartOf([line('acme', 1)]),
      chartOf([line('globex', 1, 2), line('acme', 1, 1)]),
    ];
    const together = await Promise.all([...charts, ...charts].map((chart) => draw(chart)));
    const alone = [await draw(charts[0]!), await draw(charts[1]!)];

    expect(together.map((png) => Buffer.from(png).toString('base64'))).toEqual(
      [...alone, ...alone].map((png) => Buffer.from(png).toString('base64')),
    );
  });
});
