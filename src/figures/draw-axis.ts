import { BigNumber } from 'bignumber.js';

/** The value axis: ticks at 0, 1, 2 ... times `step`. */
export interface ValueAxis {
  readonly step: BigNumber;
  /** From 0 to the top; empty where two ticks would read the same. */
  readonly labels: readonly string[];
  /** What all labels are counted in, said once; empty where they do not end in the same word. */
  readonly unit: string;
}

/** The most ticks above 0. */
const TICKS = 5;

/**
 * Steps that reach `top` in at most five, exactly, however large or small it is.
 * @param unit what one is of what `format` counts in: steps are round in it
 */
export function valueAxis(
  top: BigNumber,
  format: (value: BigNumber) => string,
  unit = new BigNumber(1),
): ValueAxis {
  const steps = roundSteps(top, unit);
  const words = steps.map((step) => multiples(step, TICKS).map(format));
  // Ticks that read the same are closer than what is charged: then they are put farther apart.
  const told = words.findIndex((ticks) => new Set(ticks).size === ticks.length);
  const step = steps[Math.max(0, told)] ?? unit;
  const ticks = BigNumber.max(1, top.div(step).integerValue(BigNumber.ROUND_CEIL)).toNumber();
  const { numbers, word } = splitUnit(multiples(step, ticks).map(format));
  const labels = withoutIdleDecimals(numbers);
  return {
    step,
    unit: word,
    labels: told === -1 ? labels.map((label, tick) => (tick === 0 ? label : '')) : labels,
  };
}

function multiples(step: BigNumber, most: number): BigNumber[] {
  return Array.from({ length: most + 1 }, (_, tick) => step.times(tick));
}

function roundSteps(top: BigNumber, unit: BigNumber): BigNumber[] {
  if (!top.gt(0)) return [unit];

  const exponent = (top.e ?? 0) - (unit.e ?? 0) - 2;
  return [2, 5, 10, 20, 50, 100, 200, 500]
    .map((digits) => unit.times(new BigNumber(digits).shiftedBy(exponent)))
    .filter((step) => step.times(TICKS).gte(top) && step.lte(top.times(TICKS)));
}

/**
 * "2 GiB-hours" and "4 GiB-hours" are 2 and 4 GiB-hours: room on the axis is scarce. Nothing is
 * nothing in any unit.
 */
function splitUnit(words: readonly string[]): { numbers: readonly string[]; word: string } {
  const parts = words.map((word) => /^(\d\S*) (\S+)$/.exec(word));
  const word = parts.at(-1)?.[2] ?? '';
  const agree = parts.slice(1).every((part) => singular(part?.[2]) === singular(word));
  if (!agree || !parts[0]) return { numbers: words, word: '' };
  return { numbers: parts.map((part) => part?.[1] ?? ''), word };
}

function singular(word = ''): string {
  return word.replace(/s$/, '');
}

function withoutIdleDecimals(numbers: readonly string[]): readonly string[] {
  const idle = /\.0+$/;
  return numbers.every((number) => idle.test(number))
    ? numbers.map((number) => number.replace(idle, ''))
    : numbers;
}
