import { createRequire } from 'node:module';
import { BigNumber } from 'bignumber.js';
import type {
  BarSeriesOption,
  EChartsOption,
  LegendComponentOption,
  ScatterSeriesOption,
  TitleComponentOption,
  XAXisComponentOption,
} from 'echarts';
import {
  barsOf,
  gapsOf,
  stepKind,
  stepLabels,
  totalOf,
  valueAxis,
  withPlainText,
  type Chart,
} from './chart.ts';

export type Draw = (chart: Chart) => Promise<Uint8Array>;

type Tools = typeof import('echarts') & typeof import('@napi-rs/canvas');

/**
 * 1,000 pixels wide. Libraries are loaded at the first drawing and not at startup. The fonts come
 * from a package because an image may have none. Rejects if a library or a font cannot be loaded.
 */
export function createDraw(): Draw {
  let tools: Tools | undefined;
  return async (chart) => {
    tools ??= loadTools();
    const { createCanvas, init } = tools;
    const pen = createCanvas(1, 1).getContext('2d');
    const widthOf: WidthOf = (text, font) => {
      pen.font = `${TEXT_SIZE}px "${font}"`;
      return pen.measureText(text).width;
    };
    const { option, height } = pictureOf(withPlainText(chart), widthOf);
    const canvas = createCanvas(WIDTH, height);
    const size = { width: WIDTH, height, devicePixelRatio: 1 };
    const picture = init(canvas, null, size);
    try {
      picture.setOption(option);
      // The library's own memory cannot be transferred to another thread, so the bytes are copied.
      return new Uint8Array(await canvas.encode('png'));
    } finally {
      // Disposing wipes the canvas.
      picture.dispose();
    }
  };
}

function loadTools(): Tools {
  // ECharts is one file for require and hundreds for import, which take five times as long.
  const require = createRequire(import.meta.url);
  const canvas = require('@napi-rs/canvas') as typeof import('@napi-rs/canvas');
  const echarts = require('echarts') as typeof import('echarts');
  for (const [name, path] of [
    [FONT, require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf')],
    [BOLD_FONT, require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf')],
  ] as const) {
    if (!canvas.GlobalFonts.registerFromPath(path, name)) throw new Error(`no font in ${path}`);
  }
  // ECharts gets canvases for measuring text, and the rotation of patterns, from a browser.
  echarts.setPlatformAPI({ createCanvas: () => canvas.createCanvas(1, 1) });
  (globalThis as { DOMMatrix?: unknown }).DOMMatrix ??= canvas.DOMMatrix;
  return { ...echarts, ...canvas };
}

/** Pixels. A phone shows the picture about 360 wide, so that 32 pixels of text come to 11 or 12 there. */
const WIDTH = 1_000;
const MARGIN = 28;
const ROOM = WIDTH - 2 * MARGIN;
const TEXT_SIZE = 32;
const LINE_HEIGHT = 48;
/** With the labels of its axes. */
const PLOT_HEIGHT = 570;
const SWATCH = 32;
const SPACE = 16;
/** The width of a label under the bars with its distance from the next. */
const LABEL_WIDTH = { hour: 116, day: 116, week: 116, month: 168 };

export const FONT = 'Purser Chart';
export const BOLD_FONT = 'Purser Chart Bold';

export const FAINT_INK = '#616061';
export const BACKGROUND = '#ffffff';
const TEXT = { fontFamily: FONT, fontSize: TEXT_SIZE, color: '#1d1c1d' } as const;
const FAINT_TEXT = { ...TEXT, color: FAINT_INK } as const;
const FAINT_LINE = { color: FAINT_INK, width: 2 } as const;

/** Paul Tol's "muted" scheme for colour-blind people, alternating dark and light. The last is for the remainder. */
export const COLOURS = [
  '#332288',
  '#88ccee',
  '#117733',
  '#ddcc77',
  '#882255',
  '#cc6677',
  '#44aa99',
  '#bbbbbb',
] as const;

/** Slanted stripes over a running bar: level ones could hide a whole series. */
const STRIPES = {
  symbol: 'rect',
  color: BACKGROUND,
  dashArrayX: [1, 0],
  dashArrayY: [4, 6],
  rotation: -Math.PI / 4,
};

type WidthOf = (text: string, font: string) => number;

/**
 * The chart as an ECharts option. Foreign text is only in plain text properties: series are named
 * by number, and no text has a template or rich styles, so that ECharts never parses it as markup.
 */
function pictureOf(chart: Chart, widthOf: WidthOf): { option: EChartsOption; height: number } {
  const largest = BigNumber.max(0, ...barsOf(chart).filter((bar) => bar !== undefined));
  const axis = valueAxis(largest, (value) => chart.format(value, largest), chart.unit);
  const titleLines = widthOf(chart.title, BOLD_FONT) > ROOM ? 2 : 1;
  const unitTop = MARGIN + titleLines * LINE_HEIGHT;
  const top = unitTop + SPACE + (axis.unit === '' ? 0 : LINE_HEIGHT);
  const rows = legendOf(chart);
  const legendTop = top + PLOT_HEIGHT + 2 * SPACE;
  const option: EChartsOption = {
    backgroundColor: BACKGROUND,
    animation: false,
    title: [
      title(chart.title, MARGIN, titleLines, { ...TEXT, fontFamily: BOLD_FONT }),
      title(axis.unit, unitTop, 1, FAINT_TEXT),
    ],
    grid: {
      left: MARGIN,
      right: MARGIN,
      top,
      height: PLOT_HEIGHT,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    xAxis: stepAxis(chart),
    yAxis: {
      min: 0,
      max: axis.labels.length - 1,
      interval: 1,
      splitLine: { lineStyle: { color: '#dddddd', width: 2 } },
      axisLabel: {
        ...FAINT_TEXT,
        formatter: (tick: number) => axis.labels[tick] ?? '',
        width: 0.6 * WIDTH,
        overflow: 'truncate',
      },
    },
    legend: legends(rows, legendTop, widthOf),
    series: [...bars(chart, axis.step), ...notesOf(chart)],
  };
  return { option, height: legendTop + rows.length * LINE_HEIGHT + MARGIN };
}

function title(
  text: string,
  top: number,
  lines: number,
  style: Pick<typeof FAINT_TEXT, 'fontSize'> & { readonly fontFamily: string },
): TitleComponentOption {
  return {
    text,
    left: MARGIN,
    top,
    padding: 0,
    textStyle: {
      ...style,
      fontWeight: 'normal',
      lineHeight: LINE_HEIGHT,
      width: ROOM,
      height: lines * LINE_HEIGHT,
      overflow: lines === 1 ? 'truncate' : 'break',
      lineOverflow: 'truncate',
    },
  };
}

function stepAxis({ steps }: Chart): XAXisComponentOption {
  const labels = stepLabels(steps, Math.floor(ROOM / LABEL_WIDTH[stepKind(steps)]));
  const interval = (step: number) => labels[step] !== undefined;
  return {
    type: 'category',
    data: steps.map((_, step) => step),
    axisTick: { alignWithLabel: true, interval, lineStyle: FAINT_LINE },
    axisLine: { lineStyle: FAINT_LINE },
    axisLabel: {
      ...FAINT_TEXT,
      interval,
      formatter: (_: string, step: number) => labels[step] ?? '',
      margin: 1.5 * SPACE,
      hideOverlap: true,
    },
  };
}

/** @param unit 1 on the axis: ECharts calculates with numbers of only 15 digits */
function bars({ steps, series }: Chart, unit: BigNumber): BarSeriesOption[] {
  return series.map(({ values }, place) => ({
    type: 'bar',
    name: String(place),
    stack: 'all',
    color: COLOURS[place] ?? COLOURS[7],
    barCategoryGap: steps.length > 100 ? '0%' : '20%',
    barMinWidth: 2,
    barMaxWidth: 120,
    progressive: 0,
    data: steps.map(({ running }, step) => ({
      value: values[step]?.div(unit).toNumber() ?? '-',
      ...(running && { itemStyle: { decal: STRIPES } }),
    })),
  }));
}

const CROSS = 14;

function notesOf(chart: Chart): (BarSeriesOption | ScatterSeriesOption)[] {
  const { steps } = chart;
  const isRunning = barsOf(chart).some((bar, step) => bar && steps[step]?.running);
  const stride = Math.ceil((1.5 * CROSS * steps.length) / ROOM);
  const crosses = gapsOf(chart).flatMap(({ from, to }) => {
    const count = Math.max(1, Math.floor((to - from + 1) / stride));
    return Array.from({ length: count }, (_, place) => [from + place * stride, 0]);
  });
  const running: BarSeriesOption = {
    type: 'bar',
    name: 'Not over yet',
    stack: 'all',
    color: COLOURS[7],
    itemStyle: { decal: STRIPES },
  };
  const gaps: ScatterSeriesOption = {
    type: 'scatter',
    name: 'No data',
    symbol: 'path://M0,0L10,10M0,10L10,0',
    symbolSize: CROSS,
    symbolOffset: [0, -CROSS],
    itemStyle: { opacity: 1, color: 'transparent', borderColor: FAINT_INK, borderWidth: 3 },
    data: crosses,
  };
  return [...(isRunning ? [running] : []), ...(crosses.length > 0 ? [gaps] : [])];
}

/** From the top of the stack down, then the other signs in the picture. */
export function legendOf(chart: Chart) {
  const rows = chart.series.map((series, place) => ({
    id: String(place),
    name: series.name,
    value: chart.format(totalOf(series)),
  }));
  const notes = notesOf(chart).map(({ name = '' }) => ({
    id: `${name}`,
    name: `${name}`,
    value: '',
  }));
  return [...rows.toReversed(), ...notes];
}

/** Two columns: signs and names, which yield to the values at the right. */
function legends(rows: ReturnType<typeof legendOf>, top: number, widthOf: WidthOf) {
  const widest = Math.max(0, ...rows.map(({ value }) => widthOf(value, FONT)));
  const valueRoom = Math.min(Math.ceil(widest) + 4, 0.7 * ROOM);
  const column = (part: 'name' | 'value', width: number): LegendComponentOption => ({
    orient: 'vertical',
    top,
    padding: 0,
    itemGap: 0,
    itemHeight: SWATCH,
    data: rows.map(({ id, name }) =>
      id === name ? id : { name: id, icon: part === 'name' ? 'rect' : 'none' },
    ),
    formatter: (id) => rows.find((row) => row.id === id)?.[part] ?? '',
    textStyle: {
      ...TEXT,
      lineHeight: LINE_HEIGHT,
      padding: part === 'name' ? [0, 0, 0, 8] : 0,
      width,
      overflow: 'truncate',
    },
  });
  return [
    { ...column('name', ROOM - SWATCH - valueRoom - 2 * SPACE), left: MARGIN, itemWidth: SWATCH },
    // A text begins 5 pixels beside its icon, even without one.
    { ...column('value', valueRoom), right: MARGIN - 5, itemWidth: 0, align: 'right' as const },
  ];
}
