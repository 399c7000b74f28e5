import { createRequire } from 'node:module';
import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';
import { BigNumber } from 'bignumber.js';
import type { EChartsOption } from 'echarts';
import { barsOf, withPlainText } from './chart.ts';
import type { Chart } from './chart.ts';
import { valueAxis } from './draw-axis.ts';
import type { ValueAxis } from './draw-axis.ts';
import { legendOf, paintLegend } from './draw-legend.ts';
import { paintGaps, paintRunning } from './draw-marks.ts';
import { plotOption } from './draw-plot.ts';
import type { Plot } from './draw-plot.ts';
import {
  BACKGROUND,
  BOLD_FONT,
  FAINT_INK,
  FONT,
  LINE_HEIGHT,
  MARGIN,
  PIXELS_PER_POINT,
  PLOT_HEIGHT,
  WIDTH,
} from './draw-style.ts';
import { fitted, inTwoLines, widthOf, write } from './draw-text.ts';

/** Draws a chart as PNG, readable at the width of a phone. */
export type Draw = (chart: Chart) => Promise<Uint8Array>;

/** What the labels of the values may take from the bars, in points. */
const AXIS_ROOM = 0.6 * WIDTH;
/** Between the labels of the values and the bars. */
const GAP = 8;
const TITLE = { font: BOLD_FONT };

type Tools = typeof import('echarts') & typeof import('@napi-rs/canvas');

/**
 * Stacked bars with a legend below, 1,000 pixels wide. The libraries and the fonts, which come from a
 * package because an image may have none, are loaded at the first drawing: nobody waits for them at
 * the start. A name is only ever written as text. Rejects if a library or a font cannot be loaded.
 */
export function createDraw(): Draw {
  let tools: Tools | undefined;
  return async (chart) => {
    tools ??= loadTools();
    return render(withPlainText(chart), tools).encode('png');
  };
}

function loadTools(): Tools {
  // ECharts is one file for require, and hundreds for import: a fifth of the time.
  const require = createRequire(import.meta.url);
  const canvas = require('@napi-rs/canvas') as typeof import('@napi-rs/canvas');
  const echarts = require('echarts') as typeof import('echarts');
  for (const [name, path] of [
    [FONT, require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf')],
    [BOLD_FONT, require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf')],
  ] as const) {
    if (!canvas.GlobalFonts.registerFromPath(path, name)) throw new Error(`no font in ${path}`);
  }
  // ECharts measures texts on a canvas of its own, which it asks a browser for.
  echarts.setPlatformAPI({ createCanvas: () => canvas.createCanvas(1, 1) });
  return { ...echarts, ...canvas };
}

function render(chart: Chart, tools: Tools): Canvas {
  const pen = tools.createCanvas(1, 1).getContext('2d');
  const bars = barsOf(chart).filter((bar) => bar !== undefined);
  const largest = BigNumber.max(0, ...bars);
  const full = valueAxis(largest, (value) => chart.format(value, largest), chart.unit);
  const labels = full.labels.map((label) => fitted(pen, label, AXIS_ROOM));
  const axis = { ...full, labels };
  const legend = legendOf(chart);
  const title = inTwoLines(pen, chart.title, WIDTH - 2 * MARGIN, TITLE);
  const plot = plotOf(pen, axis, title.length);
  const legendTop = plot.top + PLOT_HEIGHT + 1.6 * LINE_HEIGHT;
  const height = Math.ceil(legendTop + legend.length * LINE_HEIGHT + MARGIN);

  const canvas = tools.createCanvas(WIDTH * PIXELS_PER_POINT, height * PIXELS_PER_POINT);
  const ctx = canvas.getContext('2d');
  ctx.scale(PIXELS_PER_POINT, PIXELS_PER_POINT);
  paintBars(ctx, plotOption(chart, axis, plot), height, tools);
  for (const [line, text] of title.entries()) {
    write(ctx, text, MARGIN, MARGIN + (line + 0.5) * LINE_HEIGHT, TITLE);
  }
  paintValues(ctx, axis, plot);
  paintRunning(ctx, chart, plot, axis);
  paintGaps(ctx, chart, plot);
  paintLegend(ctx, legend, legendTop);
  return canvas;
}

/** ECharts wipes its canvas when it lets go of it, so it gets one of its own. */
function paintBars(
  ctx: SKRSContext2D,
  option: EChartsOption,
  height: number,
  { createCanvas, init }: Tools,
): void {
  const canvas = createCanvas(WIDTH * PIXELS_PER_POINT, height * PIXELS_PER_POINT);
  const size = { width: WIDTH, height, devicePixelRatio: PIXELS_PER_POINT };
  const bars = init(canvas, null, size);
  bars.setOption({ backgroundColor: BACKGROUND, ...option });
  ctx.drawImage(canvas, 0, 0, WIDTH, height);
  bars.dispose();
}

function paintValues(ctx: SKRSContext2D, { labels, unit }: ValueAxis, { left, top }: Plot): void {
  write(ctx, unit, MARGIN, top - LINE_HEIGHT, { color: FAINT_INK });
  for (const [tick, label] of labels.entries()) {
    const y = top + PLOT_HEIGHT * (1 - tick / (labels.length - 1));
    write(ctx, label, left - GAP, y, { color: FAINT_INK, align: 'right' });
  }
}

function plotOf(ctx: SKRSContext2D, axis: ValueAxis, titleLines: number): Plot {
  const labels = Math.max(...axis.labels.map((label) => widthOf(ctx, label)));
  const left = Math.ceil(MARGIN + labels + GAP);
  const unit = axis.unit === '' ? 0 : LINE_HEIGHT;
  return { left, top: MARGIN + titleLines * LINE_HEIGHT + unit + 12, width: WIDTH - left - MARGIN };
}
