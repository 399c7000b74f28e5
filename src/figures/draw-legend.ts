import type { SKRSContext2D } from '@napi-rs/canvas';
import { barsOf, gapsOf, totalOf } from './chart.ts';
import type { Chart } from './chart.ts';
import { paintCross, paintStripes } from './draw-marks.ts';
import { LINE_HEIGHT, MARGIN, OTHERS, WIDTH, colourOf } from './draw-style.ts';
import { fitted, widthOf, write } from './draw-text.ts';

const SWATCH = 16;
const INDENT = SWATCH + 8;
/** The part of a row that a long value may take from its name. */
const VALUE_SHARE = 0.75;

type Swatch = (ctx: SKRSContext2D, x: number, y: number) => void;

/** One line below the picture. */
export interface LegendRow {
  readonly name: string;
  readonly value: string;
  readonly swatch: Swatch;
}

/** The series from the top of the stack down, then what the signs mean that are in the picture. */
export function legendOf(chart: Chart): LegendRow[] {
  const rows = chart.series.map((series, place) => ({
    name: series.name,
    value: chart.format(totalOf(series)),
    swatch: filled(colourOf(place)),
  }));
  const notes = [
    ...(barsOf(chart).some((bar, step) => bar && chart.steps[step]?.running)
      ? [{ name: 'Not over yet', value: '', swatch: striped }]
      : []),
    ...(gapsOf(chart).length > 0 ? [{ name: 'No data', value: '', swatch: crossed }] : []),
  ];
  return [...rows.toReversed(), ...notes];
}

/** Writes the rows below one another; a name gives way to its value. */
export function paintLegend(ctx: SKRSContext2D, rows: readonly LegendRow[], top: number): void {
  for (const [place, { name, value, swatch }] of rows.entries()) {
    const middle = top + (place + 0.5) * LINE_HEIGHT;
    const room = WIDTH - 2 * MARGIN - INDENT;
    const number = fitted(ctx, value, room * VALUE_SHARE);
    const rest = room - widthOf(ctx, `${number}  `);
    swatch(ctx, MARGIN, middle - SWATCH / 2);
    write(ctx, fitted(ctx, name, rest), MARGIN + INDENT, middle);
    write(ctx, number, WIDTH - MARGIN, middle, { align: 'right' });
  }
}

function filled(colour: string): Swatch {
  return (ctx, x, y) => {
    ctx.fillStyle = colour;
    ctx.fillRect(x, y, SWATCH, SWATCH);
  };
}

const striped: Swatch = (ctx, x, y) => {
  filled(OTHERS)(ctx, x, y);
  paintStripes(ctx, { x, y, width: SWATCH, height: SWATCH });
};

const crossed: Swatch = (ctx, x, y) => paintCross(ctx, x + SWATCH / 2, y + SWATCH / 2);
