import type { BigNumber } from 'bignumber.js';
import type { Range } from './range.ts';

/** Stacked bars: one per step, one colour per series. */
export interface Chart {
  readonly title: string;
  /** Every step of the range in order, also those without usage. */
  readonly steps: readonly ChartStep[];
  /** Largest first; the last may be "n others". */
  readonly series: readonly ChartSeries[];
  /** A value of the axis or of a bar in words. */
  readonly format: (value: BigNumber) => string;
}

export interface ChartStep extends Range {
  /** It contains the current time: more will come. */
  readonly running: boolean;
}

export interface ChartSeries {
  readonly name: string;
  /** By step; undefined where there is none, which is no zero. */
  readonly values: readonly (BigNumber | undefined)[];
}

/** What the picture shows, for those who cannot see it; at most 2,000 characters. */
export function altTextOf(_chart: Chart): string {
  throw new Error('not there yet');
}
