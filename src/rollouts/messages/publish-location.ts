import type { Message } from '../../notify/message.ts';
import type { LocationNotice, LocationRef, LocationReply, Notice } from '../engine/notices.ts';
import type { WatchedGvc } from '../watches.ts';
import {
  channelAudiences,
  heardCovers,
  keyOfOutcome,
  locationKey,
  muteMarkOf,
  unmutedAudiences,
  withCovers,
  type Audience,
  type ChannelAudience,
} from './audience.ts';
import { locationContent, locationReplyContent } from './location-view.ts';
import { locationTitle } from './view-parts.ts';

/** A channel hears of a location as such when it hears of so many of the workloads that opened it. */
const LOCATION_WORKLOADS = 5;
/** So long people look into the thread of a location in trouble, in milliseconds. */
const THREAD_IS_READ_MS = 10 * 60_000;

/** Which channels hear of the locations that a poll tells of. */
export interface LocationsTold {
  /** Whether the message `ref`, and so what it stands for, tells of the workload in the channel. */
  tells(channel: string, ref: LocationRef | undefined, workload: string): boolean;
  /** Whether this poll is the first to tell the outcome with this key. */
  isNews(key: string): boolean;
  channels(notice: LocationNotice): readonly ChannelAudience[];
}

export function locationsTold(
  place: WatchedGvc,
  notices: readonly Notice[],
  audience: Audience,
): LocationsTold {
  const listeners = new Map<LocationNotice, ChannelAudience[]>();
  const told = new Map<string, ChannelAudience>();
  const fresh = new Set<string>();
  for (const one of notices) {
    if (one.kind !== 'location') continue;
    const own = unmutedAudiences(place, audience, workloadsOf(one)).filter((listener) =>
      hears(listener, one),
    );
    listeners.set(one, own);
    for (const { ref, covers } of [one, ...one.replies]) {
      for (const listener of own)
        told.set(`${listener.channel} ${locationKey(place, ref)}`, listener);
      for (const cover of covers) fresh.add(keyOfOutcome(place, cover));
    }
  }
  return {
    tells: (channel, ref, workload) =>
      ref !== undefined &&
      told.get(`${channel} ${locationKey(place, ref)}`)?.members.has(workload) === true,
    isNews: (key) => fresh.has(key),
    channels: (one) => listeners.get(one) ?? [],
  };
}

function hears({ members }: ChannelAudience, { openedBy, ref }: LocationNotice): boolean {
  const state = ref.state;
  const own = openedBy.filter((workload) => members.get(workload)?.hears(state) === true);
  return own.length >= LOCATION_WORKLOADS;
}

function workloadsOf({ openedBy, rows, covers, replies }: LocationNotice): string[] {
  return [
    ...openedBy,
    ...[...rows, ...covers].map(({ workload }) => workload),
    ...replies.flatMap((reply) => [
      ...reply.workloads,
      ...reply.covers.map(({ workload }) => workload),
    ]),
  ];
}

/** What is told of a location, for every channel (ADR 11, "Location"). Pure. */
export function locationMessages(
  place: WatchedGvc,
  notice: LocationNotice,
  audience: Audience,
  locations: LocationsTold,
): Message[] {
  const listeners = locations.channels(notice);
  const hearers = new Set(listeners.map(({ channel }) => channel));
  // Who has the message and hears of too few by now, after a mute or an unwatch, still sees what is true.
  const others = notice.opens
    ? []
    : channelAudiences(place, audience, workloadsOf(notice)).filter(
        ({ channel }) => !hearers.has(channel),
      );
  return [
    ...listeners.flatMap((listener) => toldMessages(place, notice, listener, audience)),
    ...others.map((listener) => ({
      ...rootMessage(place, notice, listener, audience),
      requires: locationKey(place, notice.ref),
    })),
  ];
}

function toldMessages(
  place: WatchedGvc,
  notice: LocationNotice,
  listener: ChannelAudience,
  audience: Audience,
): Message[] {
  const replies = notice.replies.flatMap((reply) =>
    replyMessages(place, notice, reply, listener, audience),
  );
  const root = rootMessage(place, notice, listener, audience);
  // A channel that came later, or was muted, gets the message with the first reply that it needs.
  const wanted = notice.opens || replies.some(({ requires }) => requires === undefined);
  const message = wanted ? root : { ...root, requires: root.key };
  const title = locationTitle(place, notice.ref.location);
  const covers = notice.opens ? heardCovers(notice.covers, listener) : [];
  return [...withCovers(place, { message, title }, covers), ...replies];
}

function rootMessage(
  place: WatchedGvc,
  notice: LocationNotice,
  listener: ChannelAudience,
  audience: Audience,
): Message {
  return {
    channel: listener.channel,
    key: locationKey(place, notice.ref),
    ...locationContent(place, notice, rowsOf(notice, listener), audience),
    groupable: true,
    ...muteMarkOf(listener),
  };
}

function replyMessages(
  place: WatchedGvc,
  notice: LocationNotice,
  reply: LocationReply,
  listener: ChannelAudience,
  audience: Audience,
): Message[] {
  const workloads = reply.workloads.filter((workload) => listener.members.has(workload));
  if (workloads.length === 0 && !reply.closes) return [];
  const threadKey = locationKey(place, notice.ref);
  const named = heardCovers(reply.covers, listener);
  // A channel that was told of the trouble is told of its end, whatever a filter names.
  const covers =
    reply.what === 'back'
      ? reply.covers.filter(({ workload }) => listener.members.has(workload))
      : named;
  const message: Message = {
    channel: listener.channel,
    key: locationKey(place, reply.ref),
    ...locationReplyContent(
      place,
      { ...notice, rows: rowsOf(notice, listener) },
      { ...reply, workloads },
    ),
    threadKey,
    broadcast: isLoud(notice, reply, audience.now) && !isQuiet(notice, reply, listener),
    groupable: true,
    ...(named.length > 0 ? {} : { requires: threadKey }),
    ...muteMarkOf(listener),
  };
  return withCovers(place, { message, title: locationTitle(place, notice.ref.location) }, covers);
}

/** Of the workloads that the channel watches. */
function rowsOf({ rows }: LocationNotice, { members }: ChannelAudience): LocationNotice['rows'] {
  return rows.filter(({ workload }) => members.has(workload));
}

/** The end calls people; so does what comes so late that the thread is not read any more. */
function isLoud({ since }: LocationNotice, { closes }: LocationReply, now: number): boolean {
  return closes || now - since > THREAD_IS_READ_MS;
}

/** A return that no filter of the channel names is for the thread. */
function isQuiet(
  { ref }: LocationNotice,
  { what }: LocationReply,
  listener: ChannelAudience,
): boolean {
  const named = what !== 'back' || listener.hears('recovered') || listener.hears('ready');
  return !named || listener.quiet(ref.state);
}
