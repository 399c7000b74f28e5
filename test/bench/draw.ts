import { BigNumber } from 'bignumber.js';
import type { Chart } from '../../src/reporting/chart.ts';
import { createDraw, type Draw } from '../../src/reporting/draw.ts';
import type { Figure } from './measure.ts';

const HOUR = 3_600_000;

/** How long a drawing keeps the bot from everything else; the picture is packed on another thread. */
export async function benchDraw(): Promise<Figure[]> {
  const draw = createDraw();
  const days = chartOf(31, 24 * HOUR);
  const first = await busyTime(draw, days);
  const ofDays = await medianBusyTime(draw, days);
  const ofHours = await medianBusyTime(draw, chartOf(744, HOUR));
  console.log(
    `a chart of 8 series: the first ${first.toFixed(0)} ms, 31 days ${ofDays.toFixed(0)} ms, ` +
      `744 hours ${ofHours.toFixed(0)} ms`,
  );
  return [{ what: 'draw 744 hours / 31 days', ratio: ofHours / ofDays, target: 24 }];
}

/** Milliseconds until the call returns; the next one waits until the picture is packed. */
async function busyTime(draw: Draw, chart: Chart): Promise<number> {
  const start = performance.now();
  const picture = draw(chart);
  const busy = performance.now() - start;
  await picture;
  return busy;
}

async function medianBusyTime(draw: Draw, chart: Chart): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 9; run += 1) times.push(await busyTime(draw, chart));
  return times.toSorted((a, b) => a - b)[4] ?? Number.NaN;
}

function chartOf(count: number, lengthMs: number): Chart {
  const start = Date.UTC(2026, 9, 1);
  const steps = Array.from({ length: count }, (_, step) => ({
    startMs: start + step * lengthMs,
    endMs: start + (step + 1) * lengthMs,
    running: false,
  }));
  const series = Array.from({ length: 8 }, (_, place) => ({
    name: `org ${place}`,
    values: steps.map((_, step) => new BigNumber(((step * 7) % 11) + 8 - place)),
  }));
  return { title: 'Charges by org', steps, series, format: (value) => `$${value.toFormat(2)}` };
}
