import { LosslessNumber } from 'lossless-json';

/** `amount` of 10^-`digits` as a JSON number with every digit that it has; amount >= 0, digits > 0. */
function decimal(amount: bigint, digits: number): LosslessNumber {
  const text = amount.toString().padStart(digits + 1, '0');
  const fraction = text.slice(-digits).replace(/0+$/, '');
  const whole = text.slice(0, -digits);
  return new LosslessNumber(fraction === '' ? whole : `${whole}.${fraction}`);
}

/** A quantity of thousandths. */
export function quantity(thousandths: bigint): LosslessNumber {
  return decimal(thousandths, 3);
}

/** An amount of money, in 10^-18 of the currency's whole unit. */
export function money(amount: bigint): LosslessNumber {
  return decimal(amount, 18);
}

/** A price, in 10^-15 of the currency's whole unit. */
export function price(rate: bigint): LosslessNumber {
  return decimal(rate, 15);
}
