import { createHash } from 'node:crypto';
import { BigNumber } from 'bignumber.js';
import type { TimeStep } from '../platform/consumption/query.ts';
import type { Consumption, ConsumptionResult } from '../platform/consumption/result.ts';
import { type Range, stepsOf } from './range.ts';

/**
 * Minor units of ISO 4217 other than 2. `Intl` has those of cash: invoices in fillér would look a
 * hundred times as large.
 */
const minorDigits: ReadonlyMap<string, number> = new Map([
  ...digitsEach(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...digitsEach(3, 'BHD IQD JOD KWD LYD OMR TND'),
  ...digitsEach(4, 'CLF UYW'),
]);

/** The minus of every figure that people read; a file has the ASCII hyphen. */
export const MINUS = '\u2212';

const known: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/**
 * An amount in whole units, rounded to the currency's minor unit: "$1,234.56", "−¥1,235", "KWD
 * 1.234". Exact at any size, halves away from zero. An amount that would round to zero is "<$0.01"
 * or ">−$0.01". An unknown currency follows the number unchanged: "1,234.56 credits" (spec 2.7 does
 * not promise three letters).
 */
export function formatMoney(amount: BigNumber, currency: string | undefined): string {
  const code = currencyCode(currency);
  const digits = minorDigitsOf(code);
  const rounded = amount.abs().dp(digits, BigNumber.ROUND_HALF_UP);
  const lost = rounded.isZero() && !amount.isZero();

  const figure = (lost ? new BigNumber(1).shiftedBy(-digits) : rounded).toFormat(digits);
  if (amount.lt(0)) return `${lost ? '>' : ''}${MINUS}${marked(figure, code)}`;
  return `${lost ? '<' : ''}${marked(figure, code)}`;
}

/**
 * An estimate without spurious digits: "about $6,430", "about $46", "about $3.20". Three digits
 * from 100 on, whole units from 10 on.
 */
export function formatEstimate(amount: BigNumber, currency: string | undefined): string {
  const size = amount.abs();
  if (size.lt(10)) return `about ${formatMoney(amount, currency)}`;
  const digits = Math.max(2, Math.min(3, (size.e ?? 0) + 1));
  const figure = size.sd(digits, BigNumber.ROUND_HALF_UP).toFormat(0);
  return `about ${amount.lt(0) ? MINUS : ''}${marked(figure, currencyCode(currency))}`;
}

function marked(figure: string, code: string): string {
  return known.has(code) ? `${symbolOf(code)}${figure}` : `${figure} ${code}`.trimEnd();
}

/** Converts the smallest unit, as in invoices, to whole units (spec 2.1). */
export function wholeUnits(amount: BigNumber, currency: string | undefined): BigNumber {
  return amount.shiftedBy(-minorDigitsOf(currencyCode(currency)));
}

/** "$1,000.555": never rounded, for an amount that is agreed to; at least the digits of the currency. */
export function formatExactMoney(amount: BigNumber, currency: string | undefined): string {
  const code = currencyCode(currency);
  const figure = amount.abs().toFormat(Math.max(minorDigitsOf(code), amount.dp() ?? 0));
  return `${amount.lt(0) ? MINUS : ''}${marked(figure, code)}`;
}

/** As `formatExactMoney`, but whole amounts without decimals: "$5,000", for a limit that a person chose. */
export function formatLimit(amount: BigNumber, currency: string | undefined): string {
  if (!amount.isInteger() || amount.lt(0)) return formatExactMoney(amount, currency);
  return marked(amount.toFormat(0), currencyCode(currency));
}

/** The inverse of `wholeUnits`; undefined for a fraction of the smallest unit. */
export function smallestUnits(
  amount: BigNumber,
  currency: string | undefined,
): BigNumber | undefined {
  const smallest = amount.shiftedBy(minorDigitsOf(currencyCode(currency)));
  return smallest.isInteger() ? smallest : undefined;
}

/** ISO 4217 codes may be in lower case; anything else stays as written. */
function currencyCode(currency = ''): string {
  const code = currency.trim();
  return /^[a-z]{3}$/i.test(code) ? code.toUpperCase() : code;
}

function minorDigitsOf(code: string): number {
  return minorDigits.get(code) ?? 2;
}

/** "$", "CA$", or the code with an ordinary space, so that it can be searched for. */
function symbolOf(code: string): string {
  const found =
    symbols.get(code) ??
    new Intl.NumberFormat('en-US', { style: 'currency', currency: code })
      .formatToParts(0)
      .filter(({ type }) => type === 'currency' || type === 'literal')
      .map(({ value }) => value.replace(/\s/g, ' '))
      .join('');
  symbols.set(code, found);
  return found;
}

/** `Intl` is slow; at most `known.size` entries. */
const symbols = new Map<string, string>();

function digitsEach(digits: number, codes: string): [string, number][] {
  return codes.split(' ').map((code) => [code, digits]);
}

/** From this change on a multiple is easier to read, and in the end only "over 1,000 times". */
const maxPercent = 1_000;
const maxTimes = 1_000;

/** "28%", "5.0%"; empty for a whole of 0. "0%" and "100%" only where exact, else "<0.1%", "<100%". */
export function formatShare(part: BigNumber, whole: BigNumber): string {
  if (whole.isZero()) return '';
  if (part.isZero()) return '0%';

  const percent = part.times(100).div(whole);
  // A quotient too small for its digits keeps its sign, too.
  const minus = percent.isNegative() ? MINUS : '';
  if (part.abs().eq(whole.abs())) return `${minus}100%`;
  // Compares the amounts: a quotient close to 1 has the digits of 1.
  const isPart = part.abs().lt(whole.abs());
  const isAlmostWhole = isPart && rounded(percent).abs().eq(100);
  const bound = percent.abs().lt('0.1') ? '0.1' : isAlmostWhole ? '100' : undefined;
  if (bound === undefined) return `${minus}${percentText(percent)}`;
  return `${minus === '' ? '<' : '>'}${minus}${bound}%`;
}

/** "92%" of a limit: rounded down, so that "100%" means reached; "<1%"; empty for a limit of 0. */
export function formatUsed(part: BigNumber, limit: BigNumber): string {
  if (limit.isZero()) return '';
  const percent = part.times(100).div(limit).integerValue(BigNumber.ROUND_FLOOR);
  if (percent.isZero() && part.gt(0)) return '<1%';
  return `${percent.lt(0) ? MINUS : ''}${percent.abs().toFormat(0)}%`;
}

/**
 * The change since the span before (design section 3): "+12%", "−5.0%", "no change"; "25 times"
 * for very large ones, "new" and "gone" from and to zero, "no data before" when unknown. "about 0%"
 * and "almost −100%" where only rounding gives 0 or 100; of credits "12% more credit".
 */
export function formatChange(now: BigNumber, before: BigNumber | undefined): string {
  if (before === undefined) return 'no data before';
  if (now.eq(before)) return 'no change';
  if (before.isZero()) return 'new';
  if (now.isZero()) return 'gone';
  // No percentage makes sense between a credit and a debt.
  if (now.lt(0) !== before.lt(0))
    return now.lt(0) ? 'from charge to credit' : 'from credit to charge';

  // For credits, too, the percentage is how much more or less there is.
  const change = now.minus(before).times(100).div(before);
  if (change.abs().lt(maxPercent)) {
    const figure = rounded(change);
    if (figure.isZero()) return 'about 0%';
    const isAll = now.abs().lt(before.abs()) && figure.abs().eq(100);
    return `${isAll ? 'almost ' : ''}${signed(figure.gt(0), percentText(change), now.lt(0))}`;
  }
  const times = now.div(before);
  return times.gt(maxTimes)
    ? `over ${new BigNumber(maxTimes).toFormat()} times`
    : `${times.toFormat(0)} times`;
}

/** "+12%"; of credits "12% more credit", because a sign would look like that of the amount. */
function signed(isMore: boolean, percent: string, isCredit: boolean): string {
  if (isCredit) return `${percent} ${isMore ? 'more' : 'less'} credit`;
  return `${isMore ? '+' : MINUS}${percent}`;
}

/** Whole percents from 10 % on, one decimal below. */
function rounded(percent: BigNumber): BigNumber {
  const fine = percent.dp(1, BigNumber.ROUND_HALF_UP);
  return fine.abs().lt(10) ? fine : percent.dp(0, BigNumber.ROUND_HALF_UP);
}

/** Without a sign. */
function percentText(percent: BigNumber): string {
  const figure = rounded(percent).abs();
  return `${figure.toFormat(figure.lt(10) ? 1 : 0)}%`;
}

/**
 * One line of an answer about charges or usage. Lines of different measures are never added or
 * compared, and never a share of one another.
 */
export interface Line {
  /** Values of the grouping tags, in order; empty where the usage lacks the tag. */
  readonly labels: readonly string[];
  /** A currency, or a metric with its feature. */
  readonly measure: Measure;
  readonly value: BigNumber;
  /** Extrapolated to the whole span; `value` without a projection of the platform. */
  readonly projected: BigNumber;
  /** `value` of the span before; undefined when unknown. */
  readonly before: BigNumber | undefined;
  /** `value` by the start of its step, ms since the epoch; steps without usage are absent. */
  readonly steps: ReadonlyMap<number, BigNumber>;
}

export type Measure =
  /** Whole units; undefined when nothing is charged and no currency is named. */
  | { readonly kind: 'money'; readonly currency: string | undefined }
  /** `unit`: the metric's raw one, if known; `feature` separates usage that is metered alike. */
  | {
      readonly kind: 'quantity';
      readonly metric: string;
      readonly feature: string;
      readonly unit: string | undefined;
    };

/** Equal for equal measures. */
export function measureKey(measure: Measure): string {
  return measure.kind === 'money'
    ? (measure.currency ?? '')
    : `${measure.metric}\n${measure.feature}`;
}

export interface LineRules<Row> {
  labels(key: Readonly<Record<string, string>>, row: Row): readonly string[];
  measure(row: Row): Measure;
  value(row: Row): BigNumber;
  projected(row: Row): BigNumber | undefined;
}

/**
 * Adds up rows with the same labels and measure, largest first within a measure. Rows only in the
 * span before become lines of 0; without them the total change would be wrong.
 * @param before the answers for the span before; undefined when unknown
 * @param stepOf the start of the step that a period belongs to; undefined: no steps
 */
export function aggregateLines<Row>(
  now: readonly ConsumptionResult<Row>[],
  before: readonly ConsumptionResult<Row>[] | undefined,
  rules: LineRules<Row>,
  stepOf?: (periodStartMs: number) => number,
): Line[] {
  const drafts = new Map<string, Draft>();
  const draftOf = (key: Readonly<Record<string, string>>, row: Row): Draft => {
    const [labels, measure] = [rules.labels(key, row), rules.measure(row)];
    const name = lineKey({ labels, measure });
    const draft = drafts.get(name) ?? newDraft(labels, measure, before !== undefined);
    drafts.set(name, draft);
    return draft;
  };

  for (const { startMs, key, row } of rowsOf(now)) {
    const draft = draftOf(key, row);
    const value = rules.value(row);
    draft.value = draft.value.plus(value);
    draft.projected = draft.projected.plus(rules.projected(row) ?? value);
    if (stepOf === undefined) continue;
    const step = stepOf(startMs);
    draft.steps.set(step, (draft.steps.get(step) ?? ZERO).plus(value));
  }
  for (const { key, row } of rowsOf(before ?? [])) {
    const draft = draftOf(key, row);
    draft.before = (draft.before ?? ZERO).plus(rules.value(row));
  }
  return [...drafts.values()].sort(compareLines);
}

const ZERO = new BigNumber(0);

type Draft = { -readonly [Field in keyof Line]: Line[Field] } & { steps: Map<number, BigNumber> };

function newDraft(labels: readonly string[], measure: Measure, isBeforeKnown: boolean): Draft {
  const before = isBeforeKnown ? ZERO : undefined;
  return { labels, measure, value: ZERO, projected: ZERO, before, steps: new Map() };
}

export interface PlacedRow<Row> extends Range {
  readonly key: Readonly<Record<string, string>>;
  readonly row: Row;
}

export function* rowsOf<Row>(
  results: readonly ConsumptionResult<Row>[],
): Generator<PlacedRow<Row>, void> {
  for (const { periods } of results) {
    for (const { startMs, endMs, groups } of periods) {
      for (const { key, rows } of groups) {
        for (const row of rows) yield { startMs, endMs, key, row };
      }
    }
  }
}

/** By measure, then largest size first (credits, too), then by labels. */
function compareLines(a: Line, b: Line): number {
  return (
    compareTexts(measureKey(a.measure), measureKey(b.measure)) ||
    (b.value.abs().comparedTo(a.value.abs()) ?? 0) ||
    compareTexts(a.labels.join('\n'), b.labels.join('\n'))
  );
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

export interface RowSum<Row> {
  /** Whatever must be equal, beside period and tags, for rows to be added, such as the currency. */
  readonly keyOf: (row: Row) => string;
  readonly plus: (one: Row, other: Row) => Row;
  /** A row as part of a larger step: its projection does not apply to the step. */
  readonly partOf: (row: Row) => Row;
}

/**
 * Adds rows up to larger steps. When a range cuts a step, the platform is asked for a finer one
 * (`toConsumptionQuery`). Sums are exact.
 * @param steps in order; a row whose period is in no step stays unchanged
 */
export function sumBySteps<Row extends Consumption>(
  rows: Iterable<PlacedRow<Row>>,
  steps: readonly Range[],
  { keyOf, plus, partOf }: RowSum<Row>,
): PlacedRow<Row>[] {
  const sums = new Map<string, PlacedRow<Row>>();
  for (const placed of rows) {
    const { key, row } = placed;
    const { startMs, endMs } = stepOf(placed, steps);
    const name = JSON.stringify([startMs, textOf(key), textOf(row.tags), keyOf(row)]);
    const known = sums.get(name);
    const part = partOf(row);
    sums.set(name, { startMs, endMs, key, row: known ? plus(known.row, part) : part });
  }
  return [...sums.values()];
}

function stepOf(period: Range, steps: readonly Range[]): Range {
  const { startMs, endMs } = period;
  return steps.find((step) => step.startMs <= startMs && endMs <= step.endMs) ?? period;
}

function textOf(tags: Readonly<Record<string, string>>): string {
  const names = Object.keys(tags).toSorted();
  return JSON.stringify(names.map((name) => [name, tags[name]]));
}

type Named = Pick<Line, 'labels' | 'measure'>;

export function lineKey({ labels, measure }: Named): string {
  return JSON.stringify([measureKey(measure), ...labels]);
}

/** `lineKey` as 16 characters, for menus. */
export function lineId(line: Named): string {
  return createHash('sha256').update(lineKey(line)).digest('base64url').slice(0, 16);
}

export type Tags = Readonly<Record<string, string>>;

/** `constructor` and `__proto__` are tag names like any other. */
export function tagIn(tags: Tags, tag: string): string | undefined {
  return Object.hasOwn(tags, tag) ? tags[tag] : undefined;
}

export interface Sum {
  readonly value: BigNumber;
  readonly projected: BigNumber;
  /** Undefined when the span before is unknown. */
  readonly before: BigNumber | undefined;
}

export interface MeasureLines {
  readonly measure: Measure;
  readonly lines: readonly Line[];
  readonly total: Sum;
}

/** In the order of their first lines. */
export function byMeasure(lines: readonly Line[]): MeasureLines[] {
  const groups = new Map<string, { measure: Measure; lines: Line[] }>();
  for (const line of lines) {
    const key = measureKey(line.measure);
    const group = groups.get(key) ?? { measure: line.measure, lines: [] };
    group.lines.push(line);
    groups.set(key, group);
  }
  return [...groups.values()].map((group) => ({ ...group, total: sumOf(group.lines) }));
}

/** The measure with the most non-zero lines, which the chart shows. */
export function mainMeasure(groups: readonly MeasureLines[]): MeasureLines | undefined {
  const weight = ({ lines }: MeasureLines) => lines.filter(({ value }) => !value.isZero()).length;
  return groups.toSorted((a, b) => weight(b) - weight(a))[0];
}

export function sumOf(lines: readonly Line[]): Sum {
  const zero = new BigNumber(0);
  let [value, projected] = [zero, zero];
  let before: BigNumber | undefined = zero;
  for (const line of lines) {
    value = value.plus(line.value);
    projected = projected.plus(line.projected);
    before = line.before && before?.plus(line.before);
  }
  return { value, projected, before };
}

/** Undefined: no usage. */
export interface Bar extends Range {
  readonly value: BigNumber | undefined;
}

export function barsOfLines(lines: readonly Line[], range: Range, step: TimeStep): Bar[] {
  const sums = new Map<number, BigNumber>();
  for (const line of lines) {
    for (const [start, value] of line.steps) {
      sums.set(start, sums.get(start)?.plus(value) ?? value);
    }
  }
  return stepsOf(range, step).map((span) => ({ ...span, value: sums.get(span.startMs) }));
}

/** Larger amounts would lose digits on their way to the platform. */
const MAX_AMOUNT = Number.MAX_SAFE_INTEGER;

/** A plain decimal number of whole units, or why it cannot be read. */
export type TypedAmount =
  | { readonly amount: string }
  | { readonly problem: 'negative' | 'no amount' | 'too large' }
  /** Another currency; `number` is the amount without it. */
  | { readonly problem: 'foreign'; readonly number: string };

const PARTS = /^(?<before>[^\d\s.,-]{0,12}\s?)(?<number>-?[\d.,]+)(?<after>\s?[^\d\s.,-]{0,12})$/u;
const NUMBER = /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/;

/**
 * Reads "500", "1,000.50", "500 USD", "$500" and "5k". Pure.
 * @param currency allowed beside the number, as code or sign; undefined: no currency
 */
export function readTypedAmount(text: string, currency: string | undefined): TypedAmount {
  const { before = '', number = '', after = '' } = PARTS.exec(text.trim())?.groups ?? {};
  if (number.startsWith('-')) return { problem: 'negative' };
  if (!NUMBER.test(number)) return { problem: 'no amount' };
  const names = namesOf(currency ?? '');
  const isThousands = /^k$/i.test(after.trim()) && !names.has('K');
  const others = [before, isThousands ? '' : after]
    .map((name) => name.trim().toUpperCase())
    .filter((name) => !names.has(name));
  // "5m" is no amount of another currency.
  if (others.some((name) => /^[A-Z]$/.test(name))) return { problem: 'no amount' };
  if (others.length > 0) return { problem: 'foreign', number };
  const amount = new BigNumber(number.replaceAll(',', '')).times(isThousands ? 1_000 : 1);
  return amount.gt(MAX_AMOUNT) ? { problem: 'too large' } : { amount: amount.toFixed() };
}

/**
 * The two amounts that a point before three digits may stand for, as they can be typed: "1.5" and "1,500" of "1.500".
 * Undefined where there is one reading. Pure.
 */
export function readingsOf(text: string): readonly [string, string] | undefined {
  const found = /(?<![\d.,])([1-9]\d{0,2})\.(\d{3})(?![\d.,])/.exec(text);
  if (found === null) return undefined;
  const [typed = '', whole = '', digits = ''] = found;
  // A fourth digit keeps a fraction of three from being read in two ways again.
  const fraction = digits.endsWith('0') ? String(Number(`0.${digits}`)).slice(2) : `${digits}0`;
  const decimal = fraction === '' ? whole : `${whole}.${fraction}`;
  return [text.replace(typed, decimal), text.replace(typed, `${whole},${digits}`)];
}

/** An amount as a form shows it, so that it is not asked about when it comes back: "1.2340" for "1.234". */
export function oneReading<Text extends string | undefined>(text: Text): Text | string {
  return readingsOf(text ?? '')?.[0] ?? text;
}

/** In capital letters; '' is included. */
function namesOf(currency: string): ReadonlySet<string> {
  const code = currency.trim().toUpperCase();
  const signs = /^[A-Z]{3}$/.test(code)
    ? (['symbol', 'narrowSymbol'] as const).map((display) => signOf(code, display))
    : [];
  return new Set(['', code, ...signs]);
}

function signOf(currency: string, currencyDisplay: 'symbol' | 'narrowSymbol'): string {
  const parts = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    currencyDisplay,
  }).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value.toUpperCase() ?? '';
}
