/**
 * The seed that is asked for, or one for each run. With `usual`, a run that no one has asked anything of
 * plays the same script each time, so that it turns red by the change and not by the dice.
 */
export function seedOf(usual = Date.now() % 1_000_000): number {
  return Number(process.env['CHAOS_SEED'] ?? usual);
}

export type Random = ReturnType<typeof createRandom>;

/** Numbers that come again with the same seed. Mulberry32: small, and good enough to spread faults. */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  /** From 0 up to 1. */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  /** A whole number from 0 up to `below`. */
  const whole = (below: number): number => Math.floor(next() * below);
  return {
    next,
    whole,
    pick<T>(from: readonly T[]): T {
      if (from.length === 0) throw new Error('there is nothing to pick from');
      return from[whole(from.length)] as T;
    },
  };
}
