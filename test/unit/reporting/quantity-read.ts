import { BigNumber } from 'bignumber.js';
import * as fc from '../../support/fast-check.ts';

export const KiB = 1_024;
const sizes: Readonly<Record<string, number>> = {
  byte: 1,
  KiB,
  MiB: KiB ** 2,
  GiB: KiB ** 3,
  TiB: KiB ** 4,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  second: 1,
  hour: 3_600,
};

/** Any quantity that is not below 0. */
export const values = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 24n }), fc.integer({ min: 0, max: 24 }))
  .map(([digits, decimals]) => new BigNumber(String(digits)).shiftedBy(-decimals));

/** The quantity of a text, in smallest units; 0 for "<0.001 bytes". */
export function readBack(text: string): BigNumber {
  const [, bound, digits = '', unit = ''] =
    /^(<?)([\d,]+(?:\.\d+)?) ([A-Za-z-]+)$/.exec(text) ?? [];
  const size = unit
    .split('-')
    .map((part) => sizes[part] ?? sizes[part.replace(/s$/, '')] ?? 1)
    .reduce((product, factor) => product * factor, 1);
  return bound ? new BigNumber(0) : new BigNumber(digits.replaceAll(',', '')).times(size);
}
