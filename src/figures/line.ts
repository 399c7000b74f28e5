import type { BigNumber } from 'bignumber.js';

/**
 * One line of an answer about charges or usage. Lines of different measures are never added,
 * compared or given a share of one another.
 */
export interface Line {
  /** The values of the tags that were grouped by, in their order; empty where the usage lacks the tag. */
  readonly labels: readonly string[];
  /** What the value is counted in: a currency, or a metric and its feature. */
  readonly measure: Measure;
  readonly value: BigNumber;
  /** Extrapolated to the whole span; `value` where the platform says nothing. */
  readonly projected: BigNumber;
  /** The same in the span before; undefined where nothing is known of that span. */
  readonly before: BigNumber | undefined;
  /** `value` by the start of its step, ms since the epoch; a step without usage is not there. */
  readonly steps: ReadonlyMap<number, BigNumber>;
}

export type Measure =
  /** Whole units of a currency; undefined where nothing is charged and none is named. */
  | { readonly kind: 'money'; readonly currency: string | undefined }
  /** `unit`: the metric's raw one, as far as it is known; `feature` keeps apart what happens to be metered alike. */
  | {
      readonly kind: 'quantity';
      readonly metric: string;
      readonly feature: string;
      readonly unit: string | undefined;
    };

/** A text that is equal for equal measures. */
export function measureKey(measure: Measure): string {
  return measure.kind === 'money'
    ? (measure.currency ?? '')
    : `${measure.metric}\n${measure.feature}`;
}
