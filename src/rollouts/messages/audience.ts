import { MAX_COVERS, type Message } from '../../notify/message.ts';
import { context, topText, type Link } from '../../slack/kit/blocks.ts';
import { mrkdwn } from '../../slack/kit/text.ts';
import type { JobNotice, LocationRef, OutcomeRef, RolloutNotice } from '../engine/notices.ts';
import { outcomesWith, type OutcomeKind } from '../engine/states.ts';
import { muteMark, muteOf, type Mute, type Watch, type WatchedGvc } from '../watches.ts';
import { listed } from './causes-view.ts';

/** Key of the card of a notice (this and the keys below: design section 4, fixed). */
export function cardKey(
  place: WatchedGvc,
  notice: Pick<RolloutNotice, 'workload' | 'version' | 'card'>,
): string {
  return keyOf(place, notice, 'card', notice.card);
}

/** Key of an outcome of a workload's version. */
export function outcomeKey(
  place: WatchedGvc,
  notice: Pick<OutcomeRef, 'workload' | 'version'>,
  kind: OutcomeKind,
  n: number,
): string {
  return keyOf(place, notice, kind, n);
}

/** The same of an outcome that another message stands for. */
export function keyOfOutcome(place: WatchedGvc, ref: OutcomeRef): string {
  return keyOf(place, ref, ref.kind, ref.n);
}

function keyOf(
  place: WatchedGvc,
  { workload, version }: Pick<OutcomeRef, 'workload' | 'version'>,
  word: string,
  n: number,
): string {
  const base = `${gvcOf(place)}/${workload}/${version}/${word}`;
  return n > 1 ? `${base}/${n}` : base;
}

/** Key of a message about a location, or of a reply to it. */
export function locationKey(place: WatchedGvc, { location, state, n }: LocationRef): string {
  return `${gvcOf(place)}/@location/${location}/${state}/${n}`;
}

/** Key of what is told of a GVC's version as a whole. */
export function gvcKey(
  place: WatchedGvc,
  version: number,
  word: 'card' | 'ready' | 'gone',
): string {
  return `${gvcOf(place)}/@gvc/${version}/${word}`;
}

export function jobKey(place: WatchedGvc, job: JobNotice): string {
  return `${gvcOf(place)}/${job.workload}/@job/${job.location}/${job.execution}/${job.status}`;
}

/** More than a kind is ever told, so that a continuation never takes the number of something else. */
const CONTINUATION = 1_000_000;

/**
 * Key of the `index`-th reply (from 1) that goes on with the `covers` of a message: its own key under
 * a number of its own, a million higher each. `…/failed/3` goes on in `…/failed/1000003`.
 */
function continuationKey(key: string, index: number): string {
  const [, base = key, n = '1'] = /^(.*?)(?:\/(\d+))?$/s.exec(key) ?? [];
  return `${base}/${index * CONTINUATION + Number(n)}`;
}

function gvcOf({ org, gvc }: WatchedGvc): string {
  return `${org}/${gvc}`;
}

/** A message, and what it is about: "shop in lima", for those that go on with what finds no room in it. */
interface Headed {
  message: Message;
  title: string;
}

/**
 * A message with the outcomes that it stands for; those that find no room go on in messages of the same
 * thread. Where an edit only adds to the end of them, what was told before stays where it is.
 */
export function withCovers(
  place: WatchedGvc,
  headed: Headed,
  refs: readonly OutcomeRef[],
): Message[] {
  const { message } = headed;
  const [own = [], ...rest] = portions(place, refs);
  if (own.length === 0) return [message];
  return [
    { ...message, covers: own.map((ref) => keyOfOutcome(place, ref)) },
    ...rest.map((portion, index) => continuation(place, headed, portion, index + 1)),
  ];
}

function portions(place: WatchedGvc, refs: readonly OutcomeRef[]): OutcomeRef[][] {
  const all: OutcomeRef[][] = [];
  let room = 0;
  for (const ref of refs) {
    const size = keyOfOutcome(place, ref).length + 1;
    const last = all.at(-1);
    if (last === undefined || size > room) {
      all.push([ref]);
      room = MAX_COVERS + 1 - size;
    } else {
      last.push(ref);
      room -= size;
    }
  }
  return all;
}

function continuation(
  place: WatchedGvc,
  { message, title }: Headed,
  refs: readonly OutcomeRef[],
  index: number,
): Message {
  const names = refs.map(({ workload, version, kind }) => `${workload} v${version} ${kind}`);
  const said = mrkdwn`${title}, continued: ${listed(names)}`;
  const { requires, held, groupable } = message;
  return {
    channel: message.channel,
    key: continuationKey(message.key, index),
    covers: refs.map((ref) => keyOfOutcome(place, ref)),
    text: topText(said),
    blocks: [context(said)],
    threadKey: message.threadKey ?? message.key,
    requires,
    held,
    groupable,
  };
}

/** Everyone to whom the news of a poll may go. */
export interface Audience {
  watches: readonly Watch[];
  mutes: readonly Mute[];
  /** Milliseconds since the epoch. */
  now: number;
  /** What messages lead to; absent: nothing. */
  links?: readonly Link[];
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
