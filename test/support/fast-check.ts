import {
  assert as assertAll,
  type IAsyncProperty,
  type IProperty,
  type Parameters,
} from 'fast-check';

/**
 * fast-check, where a property runs a tenth of what its test says, a fifth with `PROPERTY_RUNS=5`, and all
 * of it with `PROPERTY_RUNS=all`: `npm test` is for who waits, the mutants get everything.
 */
export * from 'fast-check';

const RUNS = process.env['PROPERTY_RUNS'];
/** What part of the runs is played. */
const PART = RUNS === 'all' ? 1 : Number(RUNS ?? 10);
/** What fast-check runs where a test says nothing. */
const DEFAULT_RUNS = 100;

/**
 * How many runs there are now of what has so many in full.
 * @param thin divides them once more where only a part is played: for a search that takes seconds in part
 */
export function runsOf(full: number, thin = 1): number {
  return Math.ceil(full / (PART === 1 ? 1 : PART * thin));
}

type How<T> = Parameters<T> & { readonly thin?: number };

export function assert<T>(property: IProperty<T>, how?: How<T>): void;
export function assert<T>(property: IAsyncProperty<T>, how?: How<T>): Promise<void>;
export function assert<T>(
  property: IProperty<T> | IAsyncProperty<T>,
  { thin, ...how }: How<T> = {},
): Promise<void> | void {
  return assertAll(property as IAsyncProperty<T>, {
    ...how,
    numRuns: runsOf(how.numRuns ?? DEFAULT_RUNS, thin),
  });
}
