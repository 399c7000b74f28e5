import type { OutcomeRef } from '../engine/notices.ts';
import { outcomesWith } from '../engine/states.ts';
import type { OutcomeKind } from '../engine/states.ts';
import { muteMark, muteOf } from '../mutes.ts';
import type { Mute } from '../mutes.ts';
import type { Watch, WatchedGvc } from '../watches.ts';

/** Everyone to whom the news of a poll may go. */
export interface Audience {
  watches: readonly Watch[];
  mutes: readonly Mute[];
  /** Milliseconds since the epoch. */
  now: number;
}

/** What one channel is to hear of one workload, all its watches taken together. */
export interface WorkloadAudience {
  channel: string;
  /** Whether an outcome stays in the card's thread. */
  quiet(kind: OutcomeKind): boolean;
  hears(kind: OutcomeKind): boolean;
  /** False where nothing is held back. */
  filtered: boolean;
}

/** What one channel is to hear of several workloads together; those that it does not watch are left out. */
export interface ChannelAudience extends WorkloadAudience {
  members: ReadonlyMap<string, WorkloadAudience>;
  /** The channel is muted for all of them: see `Message`. */
  held?: string;
}

const FLAPPING = outcomesWith('flaps');

/** The channels that hear of a workload. Of several watches in one channel the most talkative counts. */
export function audiencesOf(
  watches: readonly Watch[],
  place: WatchedGvc & { workload: string },
): WorkloadAudience[] {
  const byChannel = new Map<string, Watch[]>();
  for (const watch of watches) {
    const matches =
      watch.org === place.org &&
      watch.gvc === place.gvc &&
      (watch.workload === undefined || watch.workload === place.workload);
    if (matches) byChannel.set(watch.channel, [...(byChannel.get(watch.channel) ?? []), watch]);
  }
  return [...byChannel].map(([channel, own]) => {
    const naming = (kind: OutcomeKind): Watch[] => own.filter((watch) => names(watch, kind));
    return {
      channel,
      quiet(kind) {
        const heard = naming(kind);
        return (heard.length > 0 ? heard : own).every((watch) => watch.quiet);
      },
      filtered: own.every((watch) => watch.only !== undefined),
      hears: (kind) => naming(kind).length > 0,
    };
  });
}

function names({ only }: Watch, kind: OutcomeKind): boolean {
  if (only === undefined) return true;
  return kind === 'flapping' ? only.some((word) => FLAPPING.has(word)) : only.includes(kind);
}

/** The channels that watch any of these workloads, whether they are muted for one or not. */
export function channelAudiences(
  place: WatchedGvc,
  audience: Audience,
  workloads: Iterable<string>,
): ChannelAudience[] {
  return together(audience.watches, place, workloads).map((listener) => ({
    ...listener,
    ...wholeMute(place, audience, listener),
  }));
}

/**
 * The same without the workloads for which a channel is muted: these have messages of their own, which
 * are held back. Where all are muted, what is told of them together is held back.
 */
export function unmutedAudiences(
  place: WatchedGvc,
  audience: Audience,
  workloads: Iterable<string>,
): ChannelAudience[] {
  return channelAudiences(place, audience, workloads).flatMap((all) => {
    const members = [...all.members.keys()];
    const unmuted = members.filter(
      (workload) => muteMarkIn(all.channel, { ...place, workload }, audience).held === undefined,
    );
    if (all.held !== undefined || unmuted.length === members.length) return [all];
    const own = audience.watches.filter(({ channel }) => channel === all.channel);
    return together(own, place, unmuted);
  });
}

function together(
  watches: readonly Watch[],
  place: WatchedGvc,
  workloads: Iterable<string>,
): ChannelAudience[] {
  const byChannel = new Map<string, Map<string, WorkloadAudience>>();
  for (const workload of new Set(workloads)) {
    for (const own of audiencesOf(watches, { ...place, workload })) {
      const members = byChannel.get(own.channel) ?? new Map<string, WorkloadAudience>();
      byChannel.set(own.channel, members.set(workload, own));
    }
  }
  return [...byChannel].map(([channel, members]) => {
    const all = [...members.values()];
    return {
      channel,
      members,
      quiet(kind) {
        const heard = all.filter((own) => own.hears(kind));
        return (heard.length > 0 ? heard : all).every((own) => own.quiet(kind));
      },
      hears: (kind) => all.some((own) => own.hears(kind)),
      filtered: all.every((own) => own.filtered),
    };
  });
}

/** The mark of a message that a mute of the channel holds back; nothing where there is none. */
export function muteMarkIn(
  channel: string,
  place: Pick<Watch, 'org' | 'gvc' | 'workload'>,
  { mutes, now }: Audience,
): { held?: string } {
  const mute = muteOf(mutes, channel, place, now);
  return mute === undefined ? {} : { held: muteMark(place, mute) };
}

/** The same for what is told of several workloads together. */
export function muteMarkOf({ held }: ChannelAudience): { held?: string } {
  return held === undefined ? {} : { held };
}

/** Held under the place that stays muted the longest. */
function wholeMute(
  place: WatchedGvc,
  audience: Audience,
  { channel, members }: ChannelAudience,
): { held?: string } {
  const whole = muteMarkIn(channel, place, audience);
  if (whole.held !== undefined) return whole;
  let last: { until: number; held: string } | undefined;
  for (const workload of members.keys()) {
    const own = { ...place, workload };
    const mute = muteOf(audience.mutes, channel, own, audience.now);
    if (mute === undefined) return {};
    if (last === undefined || mute.until > last.until) {
      last = { until: mute.until, held: muteMark(own, mute) };
    }
  }
  return last === undefined ? {} : { held: last.held };
}

/** The outcomes that a channel hears; any other is told, if at all, where it belongs. */
export function heardCovers(
  refs: readonly OutcomeRef[],
  { members }: ChannelAudience,
): OutcomeRef[] {
  return refs.filter(({ workload, kind }) => members.get(workload)?.hears(kind) === true);
}
