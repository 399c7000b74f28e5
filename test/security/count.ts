import { createRandom } from '../../src/sandbox/random.ts';

/** `SECURITY_RUNS=all` (`npm run test:security`) makes every attack in full, `npm run test:all` a small part. */
const IS_FULL = process.env['SECURITY_RUNS'] === 'all';

/** How often each attack is made: in full, and in the part. */
const COUNTS = {
  rawRequests: [20_000, 400],
  /** More than the door takes at all. */
  slowSockets: [1_100, 150],
  commands: [20_000, 250],
  payloadsOfEachId: [40, 2],
  /** Ways in which the platform fails. */
  failures: [4, 1],
  addressesTyped: [4, 1],
  namesOfEachPlace: [16, 2],
  /** Of 40 s each: an hour. */
  stepsOfMember: [90, 4],
  othersBesideMember: [50, 8],
} as const;

export const countOf = (attack: keyof typeof COUNTS): number => COUNTS[attack][IS_FULL ? 0 : 1];

/** Another seed makes other attacks; a failure names the attack itself. */
const SEED = Number(process.env['SECURITY_SEED'] ?? 1);

export interface Dice {
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
  one<T>(list: readonly T[]): T;
  chance(share: number): boolean;
}

export function dice(): Dice {
  const source = createRandom(SEED);
  const below = (end: number): number => Math.floor(source.next() * end);
  return {
    below,
    one: (list) => list[below(list.length)] as (typeof list)[number],
    chance: (share) => source.next() < share,
  };
}

/** Prints the attacks of a run, for docs/reliability.md. */
export function report(attack: string, figures: Readonly<Record<string, number>>): void {
  const said = Object.entries(figures).map(([name, figure]) => `${name} ${figure}`);
  console.log(`${attack}: ${said.join(', ')}`);
}

/** Runs work on each item, so many at once. */
export async function each<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of rest) await work(item);
    }),
  );
}
