import { BigNumber } from 'bignumber.js';
import { pluralOf, priceUnit } from '../../figures/quantity.ts';

/** The exact rate of the raw unit is in the CSV. */
const DIGITS = 4;
/** A price of less is told for more of it. */
const SMALLEST = '0.001';
const COUNTS = [1, 1e3, 1e6, 1e9];

/**
 * A price per unit that people read, from the price of one raw unit: "0.0245 USD per core-hour",
 * "0.1 USD per 1,000,000 samples".
 * @param unit the raw unit in words; undefined where nobody knows it
 */
export function formatRate(
  rate: BigNumber,
  currency: string | undefined,
  unit: string | undefined,
): string {
  const { name, size } = priceUnit(unit) ?? { name: 'unit', size: 1 };
  const price = rate.times(size);
  const isReadable = (count: number) => price.isZero() || price.abs().times(count).gte(SMALLEST);
  const count = COUNTS.find(isReadable) ?? 1e9;
  const figure = price.times(count).sd(DIGITS, BigNumber.ROUND_HALF_UP).toFormat();
  const of = count === 1 ? name : `${new BigNumber(count).toFormat()} ${pluralOf(name)}`;
  return [figure, currency, `per ${of}`].filter(Boolean).join(' ');
}
