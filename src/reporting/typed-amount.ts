import { BigNumber } from 'bignumber.js';

/** More would lose digits on its way to the platform. */
const MOST = Number.MAX_SAFE_INTEGER;

/** What a person typed for an amount: a plain decimal number of whole units, or why it is none. */
export type TypedAmount =
  | { readonly amount: string }
  | { readonly problem: 'negative' | 'no amount' | 'too large' }
  /** It is in another currency; `number` is it without that. */
  | { readonly problem: 'foreign'; readonly number: string };

/** A number, and what may stand beside it. */
const PARTS = /^(?<before>[^\d\s.,-]{0,12}\s?)(?<number>-?[\d.,]+)(?<after>\s?[^\d\s.,-]{0,12})$/u;
const NUMBER = /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/;

/**
 * Reads "500", "1,000.50", "500 USD" and "$500". Pure.
 * @param currency the one that may stand beside it, as its code or its sign; undefined: none may
 */
export function readTypedAmount(text: string, currency: string | undefined): TypedAmount {
  const { before = '', number = '', after = '' } = PARTS.exec(text.trim())?.groups ?? {};
  if (number.startsWith('-')) return { problem: 'negative' };
  if (!NUMBER.test(number)) return { problem: 'no amount' };
  const names = namesOf(currency ?? '');
  const isForeign = [before, after].some((name) => !names.has(name.trim().toUpperCase()));
  if (isForeign) return { problem: 'foreign', number };
  const amount = new BigNumber(number.replaceAll(',', ''));
  return amount.gt(MOST) ? { problem: 'too large' } : { amount: amount.toFixed() };
}

/** The currency as people write it, in capital letters; nothing at all is one of its names. */
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
