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

/** How many runs there are now of what has so many in full. */
export function runsOf(full: number): number {
  return Math.ceil(full / PART);
}

export function assert<T>(property: IProperty<T>, how?: Parameters<T>): void;
export function assert<T>(property: IAsyncProperty<T>, how?: Parameters<T>): Promise<void>;
export function assert<T>(
  property: IProperty<T> | IAsyncProperty<T>,
  how: Parameters<T> = {},
): Promise<void> | void {
  return assertAll(property as IAsyncProperty<T>, {
    ...how,
    numRuns: runsOf(how.numRuns ?? DEFAULT_RUNS),
  });
}
