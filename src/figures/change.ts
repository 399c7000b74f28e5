import { BigNumber } from 'bignumber.js';

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
