/** Chance that can be had again: the same seed gives the same throws. */
export interface Dice {
  /** A whole number from 0 on, below that one. */
  below(count: number): number;
  /** Whether something happens that happens so often (0 to 1). */
  chance(share: number): boolean;
  oneOf<T>(all: readonly T[]): T;
}

/** The generator mulberry32: small, and good enough for a game. */
export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    below,
    chance: (share) => next() < share,
    oneOf<T>(all: readonly T[]): T {
      if (all.length === 0) throw new Error('there is nothing to choose from');
      return all[below(all.length)] as T;
    },
  };
}
