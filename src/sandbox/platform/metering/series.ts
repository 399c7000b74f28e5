import type { ChargeableItem } from './books.ts';
import type { Curve } from './curve.ts';

/** Tag -> value; a tag that does not apply is absent (spec 2.11). Only `volumeIndex` is a number. */
export type Tags = Readonly<Record<string, string | number>>;

/** The key of a series that is metered by itself. */
export interface Series {
  /** Place among all series, by org, GVC, workload, location and metric: the order in which tiers fill. */
  readonly place: number;
  readonly tags: Tags;
  /** Thousandths of the metric's unit in one count of the curve. */
  readonly factor: bigint;
  readonly curve: Curve;
  /** The item that prices it; no item for some. */
  readonly item: ChargeableItem | undefined;
}

/** The value of a tag as a row reports it. */
export function tagOf(tags: Tags, key: string): string | number {
  return Object.hasOwn(tags, key) ? (tags[key] ?? '') : '';
}
