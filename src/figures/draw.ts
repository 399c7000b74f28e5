import type { Chart } from './chart.ts';

/** Draws a chart as PNG, readable at the width of a phone. */
export type Draw = (chart: Chart) => Promise<Uint8Array>;

export function createDraw(): Draw {
  return () => Promise.reject(new Error('not there yet'));
}
