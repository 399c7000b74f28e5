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
 * nothing is "<$0.01" or ">-$0.01". A currency that nobody knows follows the number as it came:
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
