import { BigNumber } from 'bignumber.js';

/** What the platform counts each metric in (spec 2.11); the names of two of them tell otherwise. */
const rawUnits: ReadonlyMap<string, string> = new Map([
  ['cpu', 'core-seconds'],
  ['memory', 'byte-seconds'],
  ['gpu', 'GPU-seconds'],
  ['replicas', 'replica-seconds'],
  ['egress', 'bytes'],
  ['cross-zone-traffic', 'bytes'],
  ['public-ip-external-traffic', 'bytes'],
  ['load-balancer-processed-bytes', 'bytes'],
  ['load-balancer-seconds', 'seconds'],
  ['volume-set-capacity-bytes', 'GiB-seconds'],
  ['volume_set_capacity', 'GB-seconds'],
  ['snapshot-storage', 'GiB-seconds'],
  ['snapshot-capacity', 'snapshot-seconds'],
  ['logs-storage', 'GB-seconds'],
  ['metrics-storage', 'GB-seconds'],
  ['tracing-storage', 'GB-seconds'],
  ['metrics-samples', 'samples'],
]);

/** A unit that people read, and how many of the smallest unit it holds. */
interface Rung {
  readonly name: string;
  readonly size: BigNumber;
}

/** The units of one kind of thing: the smallest, and the larger ones that people read, largest first. */
interface Scale {
  readonly smallest: string;
  readonly larger: readonly Rung[];
}

/** A unit that was understood: `factor` of the smallest unit, or of that and a second if held. */
interface Unit {
  readonly scale: Scale;
  readonly held: boolean;
  readonly factor: BigNumber;
}

type Counted = Pick<Unit, 'scale' | 'factor'>;

/** Held data is reported in GiB-hours, however much it is. */
const largestHeld = 2 ** 30;

const times: ReadonlyMap<string, number> = new Map([
  ...each(['s', 'sec', 'second'], 1),
  ...each(['min', 'minute'], 60),
  ...each(['h', 'hr', 'hour'], 3_600),
  ...each(['day'], 86_400),
]);

const things: ReadonlyMap<string, Counted> = new Map([
  ...dataWords(1_000, ['KB', 'MB', 'GB', 'TB'], ['kilo', 'mega', 'giga', 'tera']),
  ...dataWords(1_024, ['KiB', 'MiB', 'GiB', 'TiB'], ['kibi', 'mebi', 'gibi', 'tebi']),
  ...each(['core', 'cpu'], noun('core')),
  ...each(['millicore', 'millicpu'], noun('core', '0.001')),
  ...each(['vcpu'], noun('vCPU')),
  ...each(['gpu'], noun('GPU')),
  ...['replica', 'snapshot', 'sample', 'request'].map((name) => [name, noun(name)] as const),
]);

/** The unit in which the platform counts a metric, as a header of raw numbers; undefined if unknown. */
export function rawUnitOf(metric: string): string | undefined {
  return rawUnits.get(metric);
}

/**
 * A metered value in units people read: 7200 of `cpu` is "2 core-hours" (spec 2.11, design section 3).
 * An unknown metric keeps its raw number.
 * @param like a value whose unit is used, so that numbers can be compared at a glance
 */
export function formatQuantity(value: BigNumber, metric: string, like = value): string {
  return formatInUnit(value, rawUnitOf(metric), like);
}

/** How many raw units make one of what `formatQuantity` counts a value in: 3600 where it says core-hours. */
export function unitSize(value: BigNumber, metric: string): BigNumber {
  const unit = readUnit(rawUnitOf(metric) ?? '');
  return unit ? rungFor(value.times(unit.factor).abs(), unit).size.div(unit.factor) : ONE;
}

const ONE = new BigNumber(1);

/**
 * A quantity whose unit is only told in words such as "bytes * seconds" (spec 2.6): four significant
 * digits and every whole one, in the largest unit that keeps the number readable. Words that are not
 * understood follow the full number as they came.
 * @param like as `formatQuantity` has it
 */
export function formatInUnit(value: BigNumber, unit: string | undefined, like = value): string {
  const understood = unit === undefined ? undefined : readUnit(unit);
  if (!understood) return `${value.toFormat()} ${unit?.trim() ?? ''}`.trimEnd();

  const amount = value.times(understood.factor);
  const { name, size } = rungFor(like.times(understood.factor).abs(), understood);
  const figure = formatFigure(amount, size);
  const singular = name.endsWith('B') || figure === '1' || figure === '-1';
  return `${figure} ${name}${singular ? '' : 's'}`;
}

/**
 * The item and the unit that an invoice line names, as in "my-org: memory (bytes * seconds), Quantity:
 * 13950729216000, Rate: 0.0000000000068". The text is free, so each part may be missing (spec 2.8).
 */
export function unitInDescription(description: string): {
  readonly item: string | undefined;
  readonly unit: string | undefined;
} {
  const [named = ''] = description.split(/,\s*(?:quantity|rate)\s*:/i, 1);
  const bracket = /\(([^()]*)\)[^()]*$/.exec(named);
  const before = bracket ? named.slice(0, bracket.index) : named;
  const item = before.trim().replace(/^[a-z0-9-]+:\s+/, '');
  return { item: item || undefined, unit: bracket?.[1]?.trim() || undefined };
}

/** At most one thing and one span of time, in any order; of anything else nothing is understood. */
function readUnit(text: string): Unit | undefined {
  let thing: Counted | undefined;
  let seconds: number | undefined;

  for (const word of text.toLowerCase().match(/[^\s*×·⋅()_-]+/g) ?? []) {
    const singular = word.length > 2 ? word.replace(/s$/, '') : word;
    const time = times.get(singular);
    const counted = things.get(singular);
    if (time !== undefined && seconds === undefined) seconds = time;
    else if (counted && !thing) thing = counted;
    else return undefined;
  }

  if (!thing && seconds === undefined) return undefined;
  const { scale, factor } = thing ?? noun('');
  return { scale, held: seconds !== undefined, factor: factor.times(seconds ?? 1) };
}

/** What is held is told in hours down to a hundredth of one, a size in the largest unit that it fills. */
function rungFor(amount: BigNumber, { scale, held }: Unit): Rung {
  const smallest = { name: scale.smallest, size: ONE };
  if (!held) return scale.larger.find(({ size }) => amount.gte(size)) ?? smallest;

  const hours = [...scale.larger, smallest]
    .filter(({ size }) => size.lte(largestHeld))
    .map(({ name, size }) => ({ name: heldFor(name, 'hour'), size: size.times(3_600) }));
  return (
    hours.find(({ size }) => amount.isZero() || amount.gte(size.times('0.01'))) ?? {
      name: heldFor(scale.smallest, 'second'),
      size: smallest.size,
    }
  );
}

function heldFor(name: string, time: string): string {
  return name === '' ? time : `${name}-${time}`;
}

/** Four significant digits and every whole one; what is too small for three decimals says so. */
function formatFigure(amount: BigNumber, size: BigNumber): string {
  const tooSmall = !amount.isZero() && amount.abs().lt(size.times('0.001'));
  if (tooSmall) return amount.lt(0) ? '>-0.001' : '<0.001';

  const figure = amount.div(size);
  const decimals = Math.max(1, 3 - (figure.e ?? 0));
  return figure.dp(decimals, BigNumber.ROUND_HALF_UP).toFormat();
}

function dataWords(
  step: number,
  short: readonly string[],
  long: readonly string[],
): (readonly [string, Counted])[] {
  const rungs = short.map((name, index) => ({ name, size: new BigNumber(step).pow(index + 1) }));
  const scale = { smallest: 'byte', larger: rungs.toReversed() };
  return [
    ['byte', { scale, factor: new BigNumber(1) }],
    ...rungs.flatMap(({ name, size }, index) =>
      each([name.toLowerCase(), `${long[index]}byte`], { scale, factor: size }),
    ),
  ];
}

function noun(name: string, factor = '1'): Counted {
  return { scale: { smallest: name, larger: [] }, factor: new BigNumber(factor) };
}

function each<Value>(words: readonly string[], value: Value): (readonly [string, Value])[] {
  return words.map((word) => [word, value] as const);
}
