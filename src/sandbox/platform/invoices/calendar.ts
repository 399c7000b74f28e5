import { addMonths, DAY_MS } from '../metering/time.ts';

/** How many UTC months `later` comes after `earlier`; both are milliseconds since the epoch. */
export function monthsBetween(earlier: number, later: number): number {
  const [from, to] = [new Date(earlier), new Date(later)];
  const years = to.getUTCFullYear() - from.getUTCFullYear();
  return years * 12 + to.getUTCMonth() - from.getUTCMonth();
}

/** When a month is billed: usage may be revised for 48 hours after its hour (spec section 8). */
export function issueTimeOf(month: number): number {
  return addMonths(month, 1) + 2 * DAY_MS;
}
