import {
  assert as assertAll,
  nat,
  string as anyString,
  type Arbitrary,
  type IAsyncProperty,
  type IProperty,
  type Parameters,
  type StringConstraints,
} from 'fast-check';

/**
 * fast-check, where a property runs a tenth of its test's number, a fifth with `PROPERTY_RUNS=5`, and the whole number
 * with `PROPERTY_RUNS=all`: `npm test` is for people who wait, the mutants get everything.
 */
export * from 'fast-check';

const RUNS = process.env['PROPERTY_RUNS'];
/** The part of the runs that is played. */
const PART = RUNS === 'all' ? 1 : Number(RUNS ?? 10);
/** The runs of fast-check where a test gives no number. */
const DEFAULT_RUNS = 100;

/**
 * The number of runs now, for a property with so many in full.
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

const [SURROGATES, SURROGATES_END, LAST] = [0xd800, 0xe000, 0x10ffff];
const GAP = SURROGATES_END - SURROGATES;

/** Any code point but half of a pair: fast-check’s `binary`. */
const codePoint = nat({ max: LAST - GAP }).map(
  (index) => String.fromCodePoint(index < SURROGATES ? index : index + GAP),
  (text) => {
    const code = typeof text === 'string' ? (text.codePointAt(0) ?? -1) : -1;
    if (
      code < 0 ||
      text !== String.fromCodePoint(code) ||
      (code >= SURROGATES && code < SURROGATES_END)
    ) {
      throw new Error('no code point');
    }
    return code < SURROGATES ? code : code - GAP;
  },
);

/** The same strings as fast-check’s, which for `binary` keeps a map of a million characters in every worker. */
export function string(constraints: StringConstraints = {}): Arbitrary<string> {
  return anyString(
    constraints.unit === 'binary' ? { ...constraints, unit: codePoint } : constraints,
  );
}
