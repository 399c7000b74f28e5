import { BigNumber } from 'bignumber.js';
import { truncate } from '../lib/text.ts';
import type { ChargeableItem } from '../platform/billing/charge-rows.ts';
import { formatExactMoney, formatMoney, MINUS } from './amounts.ts';

/** The unit of each metric (spec 2.11), which the names of two of them contradict. */
const documented: ReadonlyMap<string, string> = new Map([
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
  ['cores-under-management', 'core-seconds'],
]);

/** The raw unit of a metric in words, for headers of raw numbers; undefined when unknown. */
export type UnitOfMetric = (metric: string) => string | undefined;

/**
 * The documented unit, else the one of the chargeable items that price the metric (spec 2.6).
 * Contradicting items are ignored.
 */
export function unitsOfMetrics(
  items: readonly Pick<ChargeableItem, 'consumptionTags' | 'unit'>[] = [],
): UnitOfMetric {
  const stated = new Map<string, string | undefined>();
  for (const { consumptionTags, unit } of items) {
    const { metric = '' } = consumptionTags;
    const words = unit.trim();
    if (metric === '' || words === '') continue;
    const known = stated.has(metric) ? stated.get(metric) : words;
    const isSame =
      known === words ||
      (known !== undefined && formatInUnit(ONE, known) === formatInUnit(ONE, words));
    stated.set(metric, isSame ? known : undefined);
  }
  return (metric) => documented.get(metric) ?? stated.get(metric);
}

/** `size`: the number of smallest units in it. */
interface Rung {
  readonly name: string;
  readonly size: BigNumber;
}

/** `larger`: largest first. */
interface Scale {
  readonly smallest: string;
  readonly larger: readonly Rung[];
}

/** The time factor of a unit such as byte-seconds: its display unit, and the one for small amounts. */
interface Held {
  readonly name: string;
  readonly smallest: string;
  /** The number of smallest time units in it. */
  readonly size: number;
}

/** A parsed unit: `factor` smallest units, times the smallest time unit if `held`. */
interface Unit {
  readonly scale: Scale;
  readonly held: Held | undefined;
  readonly factor: BigNumber;
}

type Counted = Pick<Unit, 'scale' | 'factor'>;

/** Held data is shown in GiB-hours, however much it is. */
const largestHeld = 2 ** 30;

const HOURS: Held = { name: 'hour', smallest: 'second', size: 3_600 };
/** The platform does not define the hours of a month, so months are not converted. */
const MONTHS: Held = { name: 'month', smallest: 'month', size: 1 };

const times: ReadonlyMap<string, { readonly held: Held; readonly factor: number }> = new Map([
  ...each(['s', 'sec', 'second'], { held: HOURS, factor: 1 }),
  ...each(['min', 'minute'], { held: HOURS, factor: 60 }),
  ...each(['h', 'hr', 'hour'], { held: HOURS, factor: 3_600 }),
  ...each(['day'], { held: HOURS, factor: 86_400 }),
  ...each(['month'], { held: MONTHS, factor: 1 }),
]);

const NOUNS =
  'replica snapshot sample request connection instance node volume user event message'.split(' ');

const things: ReadonlyMap<string, Counted> = new Map([
  ...dataWords(1_000, ['KB', 'MB', 'GB', 'TB'], ['kilo', 'mega', 'giga', 'tera']),
  ...dataWords(1_024, ['KiB', 'MiB', 'GiB', 'TiB'], ['kibi', 'mebi', 'gibi', 'tebi']),
  ...each(['core', 'cpu'], noun('core')),
  ...each(['millicore', 'millicpu'], noun('core', '0.001')),
  ...each(['vcpu'], noun('vCPU')),
  ...each(['gpu'], noun('GPU')),
  ...NOUNS.map((name) => [name, noun(name)] as const),
]);

const ONE = new BigNumber(1);
/** Characters: an unknown unit may be of any length. */
const MAX_WORDS = 40;

/** Significant digits of a quantity or a price. */
const DIGITS = 4;

/**
 * A quantity in display units, from the words of its raw unit: 7200 of "core-seconds" or of "cores
 * * seconds" is "2 core-hours" (spec 2.6, 2.11). Four significant digits and all whole ones, in the
 * largest unit that keeps the number readable. An unknown unit follows the full number unchanged.
 * @param like a value whose unit is used, so that numbers can be compared at a glance
 */
export function formatInUnit(
  value: BigNumber,
  unit: string | undefined,
  like = value,
  digits = DIGITS,
): string {
  const understood = readUnit(unit);
  if (!understood) {
    const words = truncate(unit?.trim() ?? '', MAX_WORDS);
    return `${withMinus(value)} ${words}`.trimEnd();
  }

  const amount = value.times(understood.factor);
  const { name, size } = rungFor(like.times(understood.factor).abs(), understood);
  const figure = formatFigure(amount, size, digits);
  return `${figure} ${figure === '1' || figure === `${MINUS}1` ? name : pluralOf(name)}`;
}

/** "about 18,900 core-hours" */
export function formatEstimateInUnit(value: BigNumber, unit: string | undefined): string {
  const size = unitSize(value, unit);
  const figure = value.div(size);
  const rounded = figure.sd(3, BigNumber.ROUND_HALF_UP).times(size);
  return `about ${formatInUnit(rounded, unit, value)}`;
}

/** Raw units per display unit: 3600 for core-hours. */
export function unitSize(value: BigNumber, unit: string | undefined): BigNumber {
  const understood = readUnit(unit);
  if (!understood) return ONE;
  const { factor } = understood;
  return rungFor(value.times(factor).abs(), understood).size.div(factor);
}

/** The raw units in the display unit of prices: a GiB-hour for byte-seconds. Undefined for an unknown unit. */
export function priceUnit(unit: string | undefined): Rung | undefined {
  const understood = readUnit(unit);
  if (!understood) return undefined;
  const { scale, held, factor } = understood;
  const usual = scale.larger.find(({ name }) => name.startsWith('G')) ?? smallestOf(scale);
  const { name, size } = held ? heldRung(usual, held) : usual;
  return { name, size: size.div(factor) };
}

/** "GiB" does not change. */
export function pluralOf(name: string): string {
  return name.endsWith('B') ? name : `${name}s`;
}

/**
 * The item and unit in the text of an invoice line, as in "my-org: memory (bytes * seconds),
 * Quantity: 13950729216000, Rate: 0.0000000000068". The text is free, so either may be missing
 * (spec 2.8).
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

/** At most one thing and one time unit, in any order; undefined for anything else. */
function readUnit(text = ''): Unit | undefined {
  let thing: Counted | undefined;
  let span: { readonly held: Held; readonly factor: number } | undefined;

  for (const word of text.toLowerCase().match(/[^\s*×·⋅()_-]+/g) ?? []) {
    const singular = word.length > 2 ? word.replace(/s$/, '') : word;
    const time = times.get(singular);
    const counted = things.get(singular);
    if (time && !span) span = time;
    else if (counted && !thing) thing = counted;
    else return undefined;
  }

  if (!thing && !span) return undefined;
  const { scale, factor } = thing ?? noun('');
  return { scale, held: span?.held, factor: factor.times(span?.factor ?? 1) };
}

/** Held amounts use hours down to a hundredth, others the largest unit that they fill. */
function rungFor(amount: BigNumber, { scale, held }: Unit): Rung {
  const smallest = smallestOf(scale);
  if (!held) return scale.larger.find(({ size }) => amount.gte(size)) ?? smallest;

  const rungs = [...scale.larger, smallest]
    .filter(({ size }) => size.lte(largestHeld))
    .map((rung) => heldRung(rung, held));
  return (
    rungs.find(({ size }) => amount.isZero() || amount.gte(size.times('0.01'))) ?? {
      name: heldName(smallest.name, held.smallest),
      size: smallest.size,
    }
  );
}

function smallestOf({ smallest }: Scale): Rung {
  return { name: smallest, size: ONE };
}

function heldRung({ name, size }: Rung, held: Held): Rung {
  return { name: heldName(name, held.name), size: size.times(held.size) };
}

function heldName(name: string, time: string): string {
  return name === '' ? time : `${name}-${time}`;
}

/** All whole digits and at least one decimal; "<0.001" for less. */
function formatFigure(amount: BigNumber, size: BigNumber, digits: number): string {
  const bound = isTiny(amount, size) ? (amount.lt(0) ? '>' : '<') : '';
  return bound + withMinus(shownFigure(amount, size, digits));
}

/** The rounded amount in a unit; if it is tiny, its bound. */
function shownFigure(amount: BigNumber, size: BigNumber, digits: number): BigNumber {
  if (isTiny(amount, size)) return new BigNumber(SMALLEST).times(amount.lt(0) ? -1 : 1);
  const figure = amount.div(size);
  const decimals = Math.max(1, digits - 1 - (figure.e ?? 0));
  return figure.dp(decimals, BigNumber.ROUND_HALF_UP);
}

/** Compares the amounts: a quotient can be too small for its digits. */
function isTiny(amount: BigNumber, size: BigNumber): boolean {
  return !amount.isZero() && amount.abs().lt(size.times(SMALLEST));
}

function withMinus(figure: BigNumber): string {
  return `${figure.lt(0) ? MINUS : ''}${figure.abs().toFormat()}`;
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

/** Smaller quantities have a bound; lower prices are shown for more units. */
const SMALLEST = '0.001';
/** Powers of ten. */
const COUNTS = [0, 3, 6, 9];
/** More digits are not readable; the exact figures are in the CSV. */
const MOST_DIGITS = 10;

/** A charge in whole units of the currency, and the price of one raw unit. */
interface Priced {
  readonly quantity: BigNumber | undefined;
  readonly rate: BigNumber | undefined;
  readonly charge: BigNumber | undefined;
}

/**
 * Quantity and rate of a charge, both in the unit of prices: "1,440 GiB-hours" and "$0.215625 per GiB-hour". They have
 * as many digits as it takes to multiply to the charge; where they do not, the rate is "about $0.2156".
 * @param unit the raw unit in words; undefined when unknown
 * @param alike charges at the same rate, which are shown with as many digits where that is possible
 */
export function formatPriced(
  { quantity, rate, charge }: Priced,
  currency: string | undefined,
  unit: string | undefined,
  alike: readonly Priced[] = [],
): { readonly quantity: string | undefined; readonly rate: string | undefined } {
  const known = priceUnit(unit);
  const { name, size } = known ?? { name: 'unit', size: ONE };
  const quantityIn = (digits: number) => quantity && formatInUnit(quantity, unit, size, digits);
  if (rate === undefined) return { quantity: quantityIn(DIGITS), rate: undefined };

  const price = rate.times(size);
  const isReadable = (zeros: number) =>
    price.isZero() || price.abs().shiftedBy(zeros).gte(SMALLEST);
  const zeros = COUNTS.find(isReadable) ?? 9;
  const figureIn = (digits: number) => price.shiftedBy(zeros).sd(digits, BigNumber.ROUND_HALF_UP);
  const isExact = (one: Pick<Priced, 'quantity' | 'charge'>, digits: number) => {
    if (!one.quantity || !one.charge) return figureIn(digits).eq(price.shiftedBy(zeros));
    const used = known ? shownFigure(one.quantity, size, digits) : one.quantity;
    const product = used.times(figureIn(digits)).shiftedBy(-zeros);
    return formatMoney(product, currency) === formatMoney(one.charge, currency);
  };
  const tried = Array.from({ length: MOST_DIGITS - DIGITS + 1 }, (_, more) => DIGITS + more);
  const own = tried.filter((digits) => isExact({ quantity, charge }, digits));
  const exact = own.find((digits) => alike.every((one) => isExact(one, digits))) ?? own[0];
  const figure = formatExactMoney(figureIn(exact ?? DIGITS), currency);
  const per = zeros === 0 ? name : `${ONE.shiftedBy(zeros).toFormat()} ${pluralOf(name)}`;
  return {
    quantity: quantityIn(exact ?? DIGITS),
    rate: `${exact === undefined ? 'about ' : ''}${figure} per ${per}`,
  };
}
