import { BigNumber } from 'bignumber.js';
import { parse } from 'lossless-json';

/** No quantity and no amount is larger or finer; a longer number would only cost memory. */
const MAX_MAGNITUDE = 60;
/** What a number within that magnitude can be written with, and some zeros. */
const MAX_LENGTH = 200;
/** Fewer digits than this are always exact in a double. */
const SAFE_LENGTH = 15;

/**
 * Parses JSON in which money and quantities stand: a number that a double holds exactly stays one,
 * any other becomes a BigNumber with every digit that was sent (beyond 2^53 - 1, or long decimals).
 * Numbers of absurd magnitude become NaN, so that whoever needs them sees that they are not there.
 * @throws SyntaxError, RangeError when it is nested too deep; also for an object that says two
 * different things under one name
 */
export function parseExact(text: string): unknown {
  return parse(text, undefined, exactNumber);
}

function exactNumber(text: string): number | BigNumber {
  // Zero has no sign: "-0" is not less than nothing, and it must not be shown as such.
  const double = Number(text) || 0;
  if (text.length <= SAFE_LENGTH && !/e/i.test(text)) return double;
  if (text.length > MAX_LENGTH) return Number.NaN;
  const exact = new BigNumber(text);
  const magnitude = exact.e ?? Number.POSITIVE_INFINITY;
  if (Math.abs(magnitude) > MAX_MAGNITUDE || exact.dp()! > MAX_MAGNITUDE) return Number.NaN;
  // A number so small that even the exact one lost it.
  if (exact.isZero() && /^[^e]*[1-9]/i.test(text)) return Number.NaN;
  return exact.eq(double) ? double : exact;
}
