import { muteOf } from '../mutes.ts';
import type { Mute } from '../mutes.ts';
import { placeOf } from '../watches.ts';
import type { Watch } from '../watches.ts';

/** Who listens when something is told. */
export interface Hearing {
  watches: readonly Watch[];
  mutes: readonly Mute[];
  /** Milliseconds since the epoch. */
  now: number;
}

/** The mark of a message that a mute of the channel holds back; nothing where there is none. */
export function heldIn(
  channel: string,
  place: Pick<Watch, 'org' | 'gvc' | 'workload'>,
  { mutes, now }: Hearing,
): { held?: string } {
  return muteOf(mutes, channel, place, now) === undefined ? {} : { held: placeOf(place) };
}
