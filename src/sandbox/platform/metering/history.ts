import { chance, type Curve } from './curve.ts';
import { HOUR_MS } from './time.ts';

/** For so long an hour of provider-priced usage is provisional (spec section 8). */
export const REVISED_FOR_HOURS = 48;

/** The metered quantities as of one moment. Hours are numbered since the epoch. */
export interface Reading {
  /** ms since the epoch */
  readonly now: number;
  /** Counts of the hours from `from` up to, not including, `to`. An hour counts once it is over. */
  sum(curve: Curve, from: number, to: number): number;
}

export interface History {
  /** ms since the epoch */
  at(now: number): Reading;
  /**
   * From now on readings show so many percent of the hours younger than 48, of every curve;
   * undefined: of each curve as many as are its own.
   * @param percent a whole number
   */
  reportYoung(percent: number | undefined): void;
}

interface Ledger {
  readonly levels: number[];
  /** Counts before each day. */
  readonly before: number[];
  readonly parts: (readonly number[])[];
}

/** Adds up curves from `firstDay` (days since the epoch) on; a day is worked out when it is first asked for. */
export function createHistory(firstDay: number): History {
  const ledgers = new Map<Curve, Ledger>();
  let reported: number | undefined;

  const ledgerUpTo = (curve: Curve, days: number): Ledger => {
    let ledger = ledgers.get(curve);
    if (ledger === undefined) {
      ledger = { levels: [], before: [0], parts: [] };
      ledgers.set(curve, ledger);
    }
    while (ledger.levels.length <= days) addDay(curve, ledger, firstDay + ledger.levels.length);
    return ledger;
  };

  const countBefore = (curve: Curve, hour: number): number => {
    const day = Math.floor(hour / 24) - firstDay;
    const { levels, before, parts } = ledgerUpTo(curve, day);
    return (before[day] ?? 0) + (levels[day] ?? 0) * (parts[day]?.[hour % 24] ?? 0);
  };
  const count = (curve: Curve, from: number, to: number, percent = 100): number =>
    from < to
      ? share(countBefore(curve, to), percent) - share(countBefore(curve, from), percent)
      : 0;

  return {
    at(now) {
      const end = Math.floor(now / HOUR_MS);
      const settled = end - REVISED_FOR_HOURS;
      const young = reported;
      return {
        now,
        sum(curve, from, to) {
          const first = Math.max(from, firstDay * 24);
          const last = Math.min(to, end);
          const percent = young ?? curve.provisionalPercent;
          if (percent === undefined) return count(curve, first, last);
          return (
            count(curve, first, Math.min(last, settled)) +
            count(curve, Math.max(first, settled), last, percent)
          );
        },
      };
    },
    reportYoung(percent) {
      reported = percent;
    },
  };
}

/**
 * So many percent of a count since the beginning, rounded down: differences of these are whole
 * numbers, and they add up however the hours between are cut.
 */
function share(count: number, percent: number): number {
  const hundreds = Math.floor(count / 100);
  return hundreds * percent + Math.floor(((count % 100) * percent) / 100);
}

function addDay(curve: Curve, ledger: Ledger, day: number): void {
  const { seed, shapes } = curve;
  const level = curve.level(day);
  const parts = shapes[Math.floor(chance(seed, -day) * shapes.length)]?.before ?? [];
  ledger.before.push((ledger.before.at(-1) ?? 0) + level * (parts[24] ?? 0));
  ledger.levels.push(level);
  ledger.parts.push(parts);
}
