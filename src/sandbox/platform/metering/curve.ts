/** A day's rhythm: the usage of each hour, in parts of the day's level. */
export interface Shape {
  /** Parts of the hours before each hour of the day: 25 numbers, from 0 to the whole day. */
  readonly before: readonly number[];
}

/**
 * How much a series used: in hour h of day d, its level of d times the part of h. Whole numbers
 * times whole numbers, so that any sum is exact and takes no walk over the hours.
 */
export interface Curve {
  readonly seed: number;
  /** Days take turns between them. */
  readonly shapes: readonly Shape[];
  /** @param day days since the epoch */
  level(day: number): number;
  /** The reported part of a young hour, in percent; the level is a multiple of 100 then (spec 2.11). */
  readonly provisionalPercent?: number;
}

export type Rhythm = 'flat' | 'steady' | 'busy' | 'night';

/** Parts of an hour that is like the average of its day. */
export const USUAL_PARTS = 100;
const VARIANTS = 8;
const BUSIEST_HOUR = 14;
/** As the nightly runs of `deployments/cron.ts`. */
const NIGHTLY_HOUR = 2;

export function createShapes(): Readonly<Record<Rhythm, readonly Shape[]>> {
  const variants = (partOf: (hour: number, chance: number) => number) =>
    Array.from({ length: VARIANTS }, (_, variant) =>
      shape((hour) => Math.round(partOf(hour, chance(variant, hour)))),
    );
  return {
    flat: [shape(() => USUAL_PARTS)],
    steady: variants((_, chance) => USUAL_PARTS - 3 + 6 * chance),
    busy: variants(
      (hour, chance) =>
        USUAL_PARTS - 12 + 24 * chance + 50 * Math.cos(((hour - BUSIEST_HOUR) / 12) * Math.PI),
    ),
    night: [shape((hour) => (hour === NIGHTLY_HOUR ? USUAL_PARTS : 0))],
  };
}

/** A number of 32 bits for a text, the same on every run (FNV-1a). */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** A number in [0, 1) that belongs to this pair of numbers. */
export function chance(seed: number, index: number): number {
  let mixed = Math.imul((seed ^ Math.imul(index + 1, 0x9e3779b1)) >>> 0, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}

function shape(partOf: (hour: number) => number): Shape {
  const before = [0];
  for (let hour = 0; hour < 24; hour += 1) before.push((before.at(-1) ?? 0) + partOf(hour));
  return { before };
}
