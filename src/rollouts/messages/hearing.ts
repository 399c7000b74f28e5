import { muteOf } from '../mutes.ts';
import type { Mute } from '../mutes.ts';
import { crowdsOf } from '../watches.ts';
import type { Crowd, Watch } from '../watches.ts';
import type { OutcomeRef } from '../engine/telling.ts';
import type { Place } from './event-keys.ts';
import { heldMark } from './held-mark.ts';

/** Who listens when something is told. */
export interface Hearing {
  watches: readonly Watch[];
  mutes: readonly Mute[];
  /** Milliseconds since the epoch. */
  now: number;
}

/** A channel that is told of several workloads together. */
export interface Listeners extends Crowd {
  /** The channel is muted for all of them: see `Message`. */
  held?: string;
}

/** The mark of a message that a mute of the channel holds back; nothing where there is none. */
export function heldIn(
  channel: string,
  place: Pick<Watch, 'org' | 'gvc' | 'workload'>,
  { mutes, now }: Hearing,
): { held?: string } {
  const mute = muteOf(mutes, channel, place, now);
  return mute === undefined ? {} : { held: heldMark(place, mute) };
}

/** The same for what is told of several workloads together. */
export function heldWith({ held }: Listeners): { held?: string } {
  return held === undefined ? {} : { held };
}

/** The outcomes that a channel hears; any other is told, if at all, where it belongs. */
export function heardOf(refs: readonly OutcomeRef[], { members }: Listeners): OutcomeRef[] {
  return refs.filter(({ workload, kind }) => members.get(workload)?.hears(kind) === true);
}

/** The channels that watch any of these workloads, whether they are muted for one or not. */
export function watchersOf(
  place: Place,
  hearing: Hearing,
  workloads: readonly string[],
): Listeners[] {
  return crowdsOf(hearing.watches, place, workloads).map((crowd) => ({
    ...crowd,
    ...heldAltogether(place, hearing, crowd),
  }));
}

/**
 * The same without the workloads for which a channel is muted: these have messages of their own, which
 * are held back. Where all are muted, what is told of them together is held back.
 */
export function listenersOf(
  place: Place,
  hearing: Hearing,
  workloads: readonly string[],
): Listeners[] {
  return watchersOf(place, hearing, workloads).flatMap((all) => {
    const names = [...all.members.keys()];
    const awake = names.filter(
      (workload) => !isMuted(all.channel, { ...place, workload }, hearing),
    );
    if (all.held !== undefined || awake.length === names.length) return [all];
    const own = hearing.watches.filter(({ channel }) => channel === all.channel);
    return crowdsOf(own, place, awake);
  });
}

/** Held under the place that stays muted the longest. */
function heldAltogether(
  place: Place,
  hearing: Hearing,
  { channel, members }: Crowd,
): { held?: string } {
  const whole = heldIn(channel, place, hearing);
  if (whole.held !== undefined) return whole;
  let last: { until: number; held: string } | undefined;
  for (const workload of members.keys()) {
    const own = { ...place, workload };
    const mute = muteOf(hearing.mutes, channel, own, hearing.now);
    if (mute === undefined) return {};
    if (last === undefined || mute.until > last.until) {
      last = { until: mute.until, held: heldMark(own, mute) };
    }
  }
  return last === undefined ? {} : { held: last.held };
}

function isMuted(channel: string, place: Place & { workload: string }, hearing: Hearing): boolean {
  return heldIn(channel, place, hearing).held !== undefined;
}
