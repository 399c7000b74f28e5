import { chance } from './curve.ts';
import type { Curve } from './curve.ts';
import { HOUR_MS } from './time.ts';

/** For so long an hour of provider-priced usage is provisional (spec section 8). */
export const REVISED_FOR_HOURS = 48;

/** What was metered, as one moment knows it. Hours are numbered since the epoch. */
export interface Reading {
  /** ms since the epoch */
  readonly now: number;
  /** Counts of the hours from `from` up to, not including, `to`. An hour counts once it is over. */
  sum(curve: Curve, from: number, to: number): number;
}

export interface History {
  /** ms since the epoch */
  at(now: number): Reading;
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
  const count = (curve: Curve, from: number, to: number): number =>
    from < to ? countBefore(curve, to) - countBefore(curve, from) : 0;

  return {
    at(now) {
      const end = Math.floor(now / HOUR_MS);
      const settled = end - REVISED_FOR_HOURS;
      return {
        now,
        sum(curve, from, to) {
          const first = Math.max(from, firstDay * 24);
          const last = Math.min(to, end);
          const percent = curve.provisionalPercent;
          if (percent === undefined) return count(curve, first, last);
          const young = count(curve, Math.max(first, settled), last);
          return count(curve, first, Math.min(last, settled)) + (young / 100) * percent;
        },
      };
    },
  };
}

function addDay(curve: Curve, ledger: Ledger, day: number): void {
  const { seed, shapes } = curve;
  const level = curve.level(day);
  const parts = shapes[Math.floor(chance(seed, -day) * shapes.length)]?.before ?? [];
  ledger.before.push((ledger.before.at(-1) ?? 0) + level * (parts[24] ?? 0));
  ledger.levels.push(level);
  ledger.parts.push(parts);
}
