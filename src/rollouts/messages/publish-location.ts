import type { Message } from '../../notify/message.ts';
import type { LocationNews, LocationRef, LocationReply, News } from '../engine/telling.ts';
import { withCovers } from './covers.ts';
import { keyOfOutcome, locationKey } from './event-keys.ts';
import type { Place } from './event-keys.ts';
import { heardOf, heldWith, listenersOf, watchersOf } from './hearing.ts';
import type { Hearing, Listeners } from './hearing.ts';
import { locationContent, locationReplyContent } from './location-view.ts';
import { locationTitle } from './view-parts.ts';

/** A channel hears of a location as such when it hears of so many of the workloads that opened it. */
const LOCATION_WORKLOADS = 5;
/** So long people look into the thread of a location in trouble, in milliseconds. */
const THREAD_IS_READ_MS = 10 * 60_000;

/** Which channels hear of the locations that a poll tells of. */
export interface LocationsHeard {
  /** Whether the message `ref`, and so what it stands for, tells of the workload in the channel. */
  tells(channel: string, ref: LocationRef | undefined, workload: string): boolean;
  /** Whether this poll is the first to tell the outcome with this key. */
  isNews(key: string): boolean;
  channels(news: LocationNews): readonly Listeners[];
}

export function locationsHeard(
  place: Place,
  news: readonly News[],
  hearing: Hearing,
): LocationsHeard {
  const crowds = new Map<LocationNews, Listeners[]>();
  const told = new Map<string, Listeners>();
  const fresh = new Set<string>();
  for (const one of news) {
    if (one.kind !== 'location') continue;
    const own = listenersOf(place, hearing, workloadsOf(one)).filter((crowd) => hears(crowd, one));
    crowds.set(one, own);
    for (const { ref, covers } of [one, ...one.replies]) {
      for (const crowd of own) told.set(`${crowd.channel} ${locationKey(place, ref)}`, crowd);
      for (const cover of covers) fresh.add(keyOfOutcome(place, cover));
    }
  }
  return {
    tells: (channel, ref, workload) =>
      ref !== undefined &&
      told.get(`${channel} ${locationKey(place, ref)}`)?.members.has(workload) === true,
    isNews: (key) => fresh.has(key),
    channels: (one) => crowds.get(one) ?? [],
  };
}

function hears({ members }: Listeners, { openedBy, ref }: LocationNews): boolean {
  const state = ref.state;
  const own = openedBy.filter((workload) => members.get(workload)?.hears(state) === true);
  return own.length >= LOCATION_WORKLOADS;
}

function workloadsOf({ openedBy, rows, covers, replies }: LocationNews): string[] {
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
  place: Place,
  news: LocationNews,
  hearing: Hearing,
  locations: LocationsHeard,
): Message[] {
  const listeners = locations.channels(news);
  const hearers = new Set(listeners.map(({ channel }) => channel));
  // Who has the message and hears of too few by now, after a mute or an unwatch, still sees what is true.
  const others = news.opens
    ? []
    : watchersOf(place, hearing, workloadsOf(news)).filter(({ channel }) => !hearers.has(channel));
  return [
    ...listeners.flatMap((crowd) => toldMessages(place, news, crowd, hearing)),
    ...others.map((crowd) => ({
      ...rootMessage(place, news, crowd),
      requires: locationKey(place, news.ref),
    })),
  ];
}

function toldMessages(
  place: Place,
  news: LocationNews,
  crowd: Listeners,
  hearing: Hearing,
): Message[] {
  const replies = news.replies.flatMap((reply) =>
    replyMessages(place, news, reply, crowd, hearing),
  );
  const root = rootMessage(place, news, crowd);
  // A channel that came later, or was muted, gets the message with the first reply that it needs.
  const wanted = news.opens || replies.some(({ requires }) => requires === undefined);
  const message = wanted ? root : { ...root, requires: root.key };
  const title = locationTitle(place, news.ref.location);
  const covers = news.opens ? heardOf(news.covers, crowd) : [];
  return [...withCovers(place, { message, title }, covers), ...replies];
}

function rootMessage(place: Place, news: LocationNews, crowd: Listeners): Message {
  return {
    channel: crowd.channel,
    key: locationKey(place, news.ref),
    ...locationContent(place, news, rowsOf(news, crowd)),
    groupable: true,
    ...heldWith(crowd),
  };
}

function replyMessages(
  place: Place,
  news: LocationNews,
  reply: LocationReply,
  crowd: Listeners,
  hearing: Hearing,
): Message[] {
  const workloads = reply.workloads.filter((workload) => crowd.members.has(workload));
  if (workloads.length === 0 && !reply.closes) return [];
  const threadKey = locationKey(place, news.ref);
  const named = heardOf(reply.covers, crowd);
  // Whoever was told of the trouble is told of its end, whatever a filter names.
  const covers =
    reply.what === 'back'
      ? reply.covers.filter(({ workload }) => crowd.members.has(workload))
      : named;
  const message: Message = {
    channel: crowd.channel,
    key: locationKey(place, reply.ref),
    ...locationReplyContent(place, { ...news, rows: rowsOf(news, crowd) }, { ...reply, workloads }),
    threadKey,
    broadcast: isLoud(news, reply, hearing.now) && !isQuiet(news, reply, crowd),
    groupable: true,
    ...(named.length > 0 ? {} : { requires: threadKey }),
    ...heldWith(crowd),
  };
  return withCovers(place, { message, title: locationTitle(place, news.ref.location) }, covers);
}

/** Of the workloads that the channel watches. */
function rowsOf({ rows }: LocationNews, { members }: Listeners): LocationNews['rows'] {
  return rows.filter(({ workload }) => members.has(workload));
}

/** The end calls people; so does what comes when nobody looks at the thread any more. */
function isLoud({ since }: LocationNews, { closes }: LocationReply, now: number): boolean {
  return closes || now - since > THREAD_IS_READ_MS;
}

/** A return that no filter of the channel names is for the thread. */
function isQuiet({ ref }: LocationNews, { what }: LocationReply, crowd: Listeners): boolean {
  const named = what !== 'back' || crowd.hears('recovered') || crowd.hears('ready');
  return !named || crowd.quiet(ref.state);
}
