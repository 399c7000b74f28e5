import { BigNumber } from 'bignumber.js';
import { rawUnitOf } from '../../figures/quantity.ts';

const HOUR = 3_600;
const GIB = 2 ** 30;
/** Enough for every rate plan; the exact rate of the raw unit is in the CSV. */
const DIGITS = 6;

/** A price per unit that people read, from the price of the metric's raw unit: "0.0245 USD per core-hour". */
export function formatRate(rate: BigNumber, currency: string | undefined, metric: string): string {
  const { factor, unit } = readableUnit(rawUnitOf(metric));
  const price = rate.times(factor).sd(DIGITS, BigNumber.ROUND_HALF_UP);
  return [price.toFormat(), currency, `per ${unit}`].filter(Boolean).join(' ');
}

function readableUnit(raw: string | undefined): { factor: number; unit: string } {
  const words = raw?.split('-') ?? ['unit'];
  const isHeld = words.at(-1) === 'seconds';
  const thing = (isHeld ? words.slice(0, -1) : words).join('-').replace(/s$/, '');
  const isData = thing === 'byte';
  return {
    factor: (isHeld ? HOUR : 1) * (isData ? GIB : 1),
    unit: [isData ? 'GiB' : thing, isHeld ? 'hour' : ''].filter(Boolean).join('-'),
  };
}
