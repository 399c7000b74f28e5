import type { Currency } from '../metering/catalogue.ts';

/** The smallest unit of a currency ("cent") in 10^-18 of its whole unit, in which the books are kept. */
export function centOf({ digits }: Currency): bigint {
  return 10n ** BigInt(18 - digits);
}

/** An amount of the books in cents, halves rounded up. */
export function toCents(amount: bigint, cent: bigint): bigint {
  return floorDivide(amount + cent / 2n, cent);
}

/**
 * Cents for each of `amounts` (10^-18 of the whole unit) that add up to `total` exactly: the largest
 * remainders are rounded up, so that each is less than a cent away from its amount.
 * @param total cents; the sum of the amounts, rounded up or down
 */
export function shareCents(amounts: readonly bigint[], total: bigint, cent: bigint): bigint[] {
  const shares = amounts.map((amount) => floorDivide(amount, cent));
  const missing = total - sum(shares);
  const remainders = amounts.map((amount, index) => amount - (shares[index] ?? 0n) * cent);
  const largestFirst = [...amounts.keys()].sort((a, b) =>
    Number((remainders[b] ?? 0n) - (remainders[a] ?? 0n)),
  );
  const roundedUp = new Set(largestFirst.slice(0, Number(missing)));
  return shares.map((share, index) => (roundedUp.has(index) ? share + 1n : share));
}

export function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}

/** `value` / 10^`places`, exactly, without an exponent and without zeros at the end. */
export function decimal(value: bigint, places: number): string {
  const digits = String(value < 0n ? -value : value).padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Cents for people, for example `$1,234.50` and `-$5.00`. */
export function dollars(cents: bigint): string {
  const [whole = '0', fraction = ''] = decimal(cents < 0n ? -cents : cents, 2).split('.');
  return `${cents < 0n ? '-' : ''}$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction.padEnd(2, '0')}`;
}

/** Division of bigints rounds towards zero; this one rounds down. */
function floorDivide(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value % divisor < 0n ? quotient - 1n : quotient;
}
