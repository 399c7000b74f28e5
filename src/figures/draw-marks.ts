import type { SKRSContext2D } from '@napi-rs/canvas';
import { barsOf, gapsOf } from './chart.ts';
import type { Chart } from './chart.ts';
import type { ValueAxis } from './draw-axis.ts';
import type { Plot } from './draw-plot.ts';
import { BACKGROUND, FAINT_INK, PLOT_HEIGHT } from './draw-style.ts';

const CROSS = 3.5;
const STRIPE = 2;

/** A rectangle in points. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Stripes over the bar that is not over. They are slanted: level ones could hide a whole series. */
export function paintRunning(
  ctx: SKRSContext2D,
  chart: Chart,
  plot: Plot,
  { step: tick, labels }: ValueAxis,
): void {
  const width = plot.width / chart.steps.length;
  for (const [step, bar] of barsOf(chart).entries()) {
    if (!bar || !chart.steps[step]?.running) continue;

    const height = (bar.div(tick).toNumber() / (labels.length - 1)) * PLOT_HEIGHT;
    const y = plot.top + PLOT_HEIGHT - height;
    paintStripes(ctx, { x: plot.left + step * width, y, width, height });
  }
}

/** A cross on the axis for each step of a gap, or as many as there is room for. */
export function paintGaps(ctx: SKRSContext2D, chart: Chart, plot: Plot): void {
  const width = plot.width / chart.steps.length;
  for (const { from, to } of gapsOf(chart)) {
    const length = to - from + 1;
    const room = Math.floor((length * width) / (3 * CROSS));
    const crosses = Math.max(1, Math.min(length, room));
    for (let cross = 0; cross < crosses; cross += 1) {
      const step = from + ((cross + 0.5) * length) / crosses;
      paintCross(ctx, plot.left + step * width, plot.top + PLOT_HEIGHT - 2 * CROSS);
    }
  }
}

export function paintStripes(ctx: SKRSContext2D, { x, y, width, height }: Box): void {
  ctx.save();
  ctx.beginPath();
  ctx.rect(x, y, width, height);
  ctx.clip();
  ctx.beginPath();
  for (let start = x - height; start < x + width; start += 3 * STRIPE) {
    ctx.moveTo(start, y + height);
    ctx.lineTo(start + height, y);
  }
  stroke(ctx, BACKGROUND, STRIPE);
  ctx.restore();
}

/** A cross around a point, with a rim that sets it off from bars beside it. */
export function paintCross(ctx: SKRSContext2D, x: number, y: number): void {
  ctx.beginPath();
  ctx.moveTo(x - CROSS, y - CROSS);
  ctx.lineTo(x + CROSS, y + CROSS);
  ctx.moveTo(x - CROSS, y + CROSS);
  ctx.lineTo(x + CROSS, y - CROSS);
  stroke(ctx, BACKGROUND, 5);
  stroke(ctx, FAINT_INK, 1.5);
}

function stroke(ctx: SKRSContext2D, colour: string, width: number): void {
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.stroke();
}
