import { createRandom } from '../../src/sandbox/random.ts';

/** Chance that is the same for the same seed. */
export interface Dice {
  chance(probability: number): boolean;
  /** A whole number, both ends included. */
  between(from: number, to: number): number;
  pick<T>(all: readonly [T, ...T[]]): T;
  /** One of the names, each as often as its weight. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T;
  /** Minutes until something that happens every `mean` minutes; at least 1. */
  wait(mean: number): number;
}

export function createDice(seed: number): Dice {
  const random = createRandom(seed * 7919 + 17);
  const next = (): number => random.next();
  const between: Dice['between'] = (from, to) => from + Math.floor(next() * (to - from + 1));
  return {
    chance: (probability) => next() < probability,
    between,
    pick: (all) => all[between(0, all.length - 1)] ?? all[0],
    weighted(weights) {
      const all = Object.entries(weights) as [keyof typeof weights, number][];
      let rest = next() * all.reduce((sum, [, weight]) => sum + weight, 0);
      const found = all.find(([, weight]) => (rest -= weight) < 0) ?? all[0];
      if (found === undefined) throw new Error('No weights');
      return found[0];
    },
    wait: (mean) => Math.max(1, Math.round(-Math.log(1 - next()) * mean)),
  };
}
