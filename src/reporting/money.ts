import { BigNumber } from 'bignumber.js';

/**
 * The minor units of ISO 4217 that are not 2. `Intl` is not asked, because it knows those of everyday
 * cash: its Hungarian forint has no fillér, and an invoice in them would look a hundred times as large.
 */
const minorDigits: ReadonlyMap<string, number> = new Map([
  ...digitsEach(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...digitsEach(3, 'BHD IQD JOD KWD LYD OMR TND'),
  ...digitsEach(4, 'CLF UYW'),
]);

const known: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/**
 * An amount in whole units as people read it, to the currency's own minor unit: "$1,234.56",
 * "-¥1,235", "KWD 1.234". Exact at any size, halves away from zero. What is there and would round to
 * nothing is "<$0.01" or ">-$0.01". An unknown currency follows the number as it came:
 * "1,234.56 credits" (spec 2.7 promises no three letters).
 */
export function formatMoney(amount: BigNumber, currency: string | undefined): string {
  const code = currencyCode(currency);
  const digits = minorDigitsOf(code);
  const rounded = amount.abs().dp(digits, BigNumber.ROUND_HALF_UP);
  const lost = rounded.isZero() && !amount.isZero();

  const figure = (lost ? new BigNumber(1).shiftedBy(-digits) : rounded).toFormat(digits);
  const marked = known.has(code) ? `${symbolOf(code)}${figure}` : `${figure} ${code}`.trimEnd();
  if (amount.lt(0)) return `${lost ? '>' : ''}-${marked}`;
  return `${lost ? '<' : ''}${marked}`;
}

/** An amount in the smallest unit, as invoices have it, in whole units (spec 2.1). */
export function wholeUnits(amount: BigNumber, currency: string | undefined): BigNumber {
  return amount.shiftedBy(-minorDigitsOf(currencyCode(currency)));
}

/** "1,000.555 USD": never rounded, for an amount that somebody agrees to; at least the digits of the currency. */
export function formatExactMoney(amount: BigNumber, currency: string): string {
  const digits = smallestUnits(new BigNumber(1), currency)?.e ?? 0;
  return `${amount.toFormat(Math.max(digits, amount.dp() ?? 0))} ${currency}`;
}

/** The same backwards; undefined for an amount that has a fraction of the smallest unit. */
export function smallestUnits(
  amount: BigNumber,
  currency: string | undefined,
): BigNumber | undefined {
  const smallest = amount.shiftedBy(minorDigitsOf(currencyCode(currency)));
  return smallest.isInteger() ? smallest : undefined;
}

/** ISO 4217 codes mean the same in small letters; anything else stays as it was written. */
function currencyCode(currency = ''): string {
  const code = currency.trim();
  return /^[a-z]{3}$/i.test(code) ? code.toUpperCase() : code;
}

function minorDigitsOf(code: string): number {
  return minorDigits.get(code) ?? 2;
}

/** "$", "CA$", or the code and a space, which is an ordinary one so that it can be searched for. */
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

/** `Intl` takes long to say them; there are no more than `known`. */
const symbols = new Map<string, string>();

function digitsEach(digits: number, codes: string): [string, number][] {
  return codes.split(' ').map((code) => [code, digits]);
}

/** From this change on people think in multiples, and in the end only in "very many". */
const mostPercent = 1_000;
const mostTimes = 1_000;

/**
 * "12.3 %", "5.0 %", of a whole that may be 0: then empty. Only nothing is "0 %" and only the whole is "100 %",
 * whatever rounding says: "<0.1 %", "<100 %".
 */
export function formatShare(part: BigNumber, whole: BigNumber): string {
  if (whole.isZero()) return '';
  if (part.isZero()) return '0 %';

  const percent = part.times(100).div(whole);
  const [size, rounded] = [percent.abs(), rounding(percent.abs())];
  // Also of a quotient too small for its digits the sign is left.
  const negative = percent.isNegative();
  if (part.abs().eq(whole.abs())) return `${negative ? '-' : ''}100 %`;
  // The amounts are compared, because a quotient that is as good as 1 is 1 in its digits.
  const isPart = part.abs().lt(whole.abs());
  const bound = size.lt('0.1') ? '0.1' : isPart && rounded.eq(100) ? '100' : undefined;
  const figure = `${negative ? '-' : ''}${bound ?? rounded.toFormat(1)} %`;
  return bound === undefined ? figure : `${negative ? '>' : '<'}${figure}`;
}

/**
 * What became of the span before (design section 3): "+12.3 %", "-5.0 %", "no change"; "x 25" for very
 * much more, "new" and "gone" from and to nothing, and "no data before" where nothing is known of it.
 * What only rounding makes nothing, or all of it, is "≈0 %" and "≈-100.0 %".
 */
export function formatChange(now: BigNumber, before: BigNumber | undefined): string {
  if (before === undefined) return 'no data before';
  if (now.eq(before)) return 'no change';
  if (before.isZero()) return 'new';
  if (now.isZero()) return 'gone';
  // No percentage says what it means to owe after having had credit.
  if (now.lt(0) !== before.lt(0)) return now.lt(0) ? 'now below 0' : 'was below 0';

  // Of credits, too, it is how much more or less there is.
  const change = now.minus(before).times(100).div(before);
  if (change.abs().lt(mostPercent)) {
    const rounded = rounding(change);
    if (rounded.isZero()) return '≈0 %';
    const isNearlyGone = now.abs().lt(before.abs()) && rounded.abs().eq(100);
    return `${isNearlyGone ? '≈' : ''}${rounded.gt(0) ? '+' : ''}${rounded.toFormat(1)} %`;
  }
  const times = now.div(before);
  return times.gt(mostTimes)
    ? `x ${new BigNumber(mostTimes).toFormat()}+`
    : `x ${times.toFormat(0)}`;
}

function rounding(percent: BigNumber): BigNumber {
  return percent.dp(1, BigNumber.ROUND_HALF_UP);
}
