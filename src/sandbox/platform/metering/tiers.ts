import type { Reading } from './history.ts';
import type { Member } from './rows.ts';

/**
 * Where a tier ends: within one hour of one member. Usage fills the tiers hour by hour, and within an
 * hour member by member, so that what falls into a tier does not depend on how it is summed up later.
 */
export interface Cut {
  readonly hour: number;
  readonly rank: number;
  /** Counts of that hour of that member that still belong to the tier. */
  readonly below: number;
}

/** Hours since the epoch, from `from` up to `to`, as a reading knows them. */
interface HourSpan {
  readonly from: number;
  readonly to: number;
  readonly reading: Reading;
}

/**
 * Where usage of the hours from `from` up to `to` (a whole month) crosses each bound; undefined
 * where it does not.
 * @param members in the order of their ranks
 */
export function findCuts(
  members: readonly Member[],
  bounds: readonly number[],
  { from, to, reading }: HourSpan,
): (Cut | undefined)[] {
  return bounds.map((bound) => {
    let used = 0;
    let hour = from;
    for (const stride of [24, 1]) {
      while (hour < to) {
        const units = total(reading, members, hour, hour + stride);
        if (used + units > bound) break;
        used += units;
        hour += stride;
      }
    }
    if (hour >= to) return undefined;
    for (const { series, rank } of members) {
      const units = reading.sum(series.curve, hour, hour + 1);
      if (used + units > bound) return { hour, rank, below: bound - used };
      used += units;
    }
    return undefined;
  });
}

/** Counts of the members' hours from `from` up to `to`, tier by tier: one more than there are cuts. */
export function splitByTiers(
  members: readonly Member[],
  cuts: readonly (Cut | undefined)[],
  { from, to, reading }: HourSpan,
): number[] {
  const whole = total(reading, members, from, to);
  const below = (cut: Cut | undefined): number => {
    if (cut === undefined || cut.hour >= to) return whole;
    if (cut.hour < from) return 0;
    const { hour, rank } = cut;
    const earlier = members.filter((member) => member.rank < rank);
    const isCut = members.some((member) => member.rank === rank);
    return (
      total(reading, members, from, hour) +
      total(reading, earlier, hour, hour + 1) +
      (isCut ? cut.below : 0)
    );
  };
  const reached = [...cuts.map(below), whole];
  return reached.map((units, tier) => units - (reached[tier - 1] ?? 0));
}

function total(reading: Reading, members: readonly Member[], from: number, to: number): number {
  return members.reduce((sum, { series }) => sum + reading.sum(series.curve, from, to), 0);
}
