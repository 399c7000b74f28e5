import { BigNumber } from 'bignumber.js';
import {
  chargesIn,
  dayBooks,
  dayWords,
  money,
  monthOf,
  type Asked,
  type DayBooks,
} from './billing-books.ts';
import { HOUR_MS, hourName } from './hour-by-hour.ts';

const DAY_MS = 24 * HOUR_MS;
/** When digests come, and how long after the end of their day they are corrected. */
const DIGEST_MS = 9 * HOUR_MS;
const REVISION_MS = 54 * HOUR_MS;

/** Times after the end of a month: its invoice is issued; its charges are final. */
export const ISSUED_MS = 2 * DAY_MS;
export const FINAL_MS = REVISION_MS;

/** The charges of a span as one hour noted them; ms since the epoch, the end exclusive. */
export interface Span {
  /** As `hourName` has it. */
  readonly at: string;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** "2026-10-15", in UTC. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/**
 * Writes down the books of the stand-in at the time, because they are revised: those of the month in each hour, and
 * those of a day when its digest is posted and when it is corrected.
 * @param digestDays the days on which there is a digest
 */
export function noteBooks(
  asked: () => Asked,
  digestDays: readonly string[],
  spans: readonly Span[],
) {
  const months = new Map<number, BigNumber>();
  const posted = new Map<string, DayBooks>();
  const settled = new Map<string, DayBooks>();
  const charged = new Map<string, BigNumber>();
  const sumAt = (name: string) => [...months].find(([ms]) => hourName(ms) === name)?.[1];
  const said = (sum: BigNumber | undefined) =>
    money(sum ?? new BigNumber(Number.NaN), asked().currency);
  const versionsOf = (day: string): DayBooks[] =>
    [posted.get(day), settled.get(day)].filter((one) => one !== undefined);

  return {
    async note(now: number): Promise<void> {
      months.set(now, await chargesIn(asked(), monthOf(now), now - (now % HOUR_MS)));
      const today = now - (now % DAY_MS);
      const day = dayOf(now);
      if (now - today >= DIGEST_MS && digestDays.includes(day) && !posted.has(day)) {
        posted.set(day, await dayBooks(asked(), today));
      }
      const earlier = dayOf(now - REVISION_MS);
      if (posted.has(earlier) && !settled.has(earlier)) {
        settled.set(earlier, await dayBooks(asked(), Date.parse(earlier)));
      }
      for (const { at, name, startMs, endMs } of spans) {
        if (at === hourName(now)) charged.set(name, await chargesIn(asked(), startMs, endMs));
      }
    },
    /** The totals that a digest of this day has: as it was posted, and corrected, as far as that has come. */
    totalsOf: (day: string): BigNumber[] => versionsOf(day).map(({ total }) => total),
    /** The expected result of `digestSaid` for each. */
    ofDay: (day: string) =>
      versionsOf(day).map(({ headline, total, ...rest }, at, [first]) => {
        const was = said(first?.total);
        const corrected = was === said(total) ? '' : ` · corrected from ${was}`;
        const provisional = ` · provisional until ${dayWords(Date.parse(day) + REVISION_MS)}`;
        return { headline: headline + (at === 0 ? provisional : corrected), ...rest };
      }),
    /** The sum of the month in this hour, as "$1,234.56". */
    ofMonth: (name: string): string => said(sumAt(name)),
    /** The months, as "2026-10", in which at least so much was charged by some hour. */
    monthsOver(amount: number): string[] {
      const over = [...months].filter(([, sum]) => sum.gte(amount));
      return [...new Set(over.map(([ms]) => dayOf(ms).slice(0, 7)))];
    },
    /** The charges of a span, the same. */
    ofSpan: (name: string, factor = 1): string => said(charged.get(name)?.times(factor)),
    /** The hour of a sum that a text names, and the sums then and in the hour before. */
    namedIn(text: string) {
      // "¥5" is not in "¥5,130".
      const amounts: readonly string[] = text.match(/[$¥]\d+(?:,\d{3})*(?:\.\d+)?/g) ?? [];
      const [ms = 0, sum] = [...months].find(([, one]) => amounts.includes(said(one))) ?? [];
      return { day: dayOf(ms), sum, before: months.get(ms - HOUR_MS) };
    },
  };
}
