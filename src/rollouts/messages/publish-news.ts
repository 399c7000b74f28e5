import type { Message } from '../../notify/message.ts';
import { withCovers } from './covers.ts';
import { gvcKey, jobKey, locationKey } from './event-keys.ts';
import type { Place } from './event-keys.ts';
import { gvcCardContent, gvcGoneContent, gvcReadyContent } from './gvc-view.ts';
import { heldIn } from './hearing.ts';
import type { Hearing } from './hearing.ts';
import { jobContent } from './job-view.ts';
import { locationContent, locationReplyContent } from './location-view.ts';
import type {
  GvcGoneNews,
  GvcNews,
  JobNews,
  LocationNews,
  LocationRef,
  LocationReply,
  News,
  OutcomeRef,
} from '../engine/telling.ts';
import { audiencesOf, crowdsOf } from '../watches.ts';
import type { Crowd, Watch } from '../watches.ts';

/** A channel hears of a location as such when it hears of so many of the workloads that opened it. */
const LOCATION_WORKLOADS = 5;
/** So long people look into the thread of a location in trouble, in milliseconds. */
const THREAD_IS_READ_MS = 10 * 60_000;

/** Which channels hear of the locations that a poll tells of. */
export interface LocationsHeard {
  /** Whether the message `ref`, and so what it stands for, is told in the channel. */
  hears(channel: string, ref: LocationRef | undefined): boolean;
  channels(news: LocationNews): readonly Crowd[];
}

export function locationsHeard(
  place: Place,
  news: readonly News[],
  watches: readonly Watch[],
): LocationsHeard {
  const crowds = new Map<LocationNews, Crowd[]>();
  const heard = new Set<string>();
  for (const one of news) {
    if (one.kind !== 'location') continue;
    const own = crowdsOf(watches, place, workloadsOf(one)).filter((crowd) => hears(crowd, one));
    crowds.set(one, own);
    for (const { channel } of own) {
      for (const { ref } of [one, ...one.replies])
        heard.add(`${channel} ${locationKey(place, ref)}`);
    }
  }
  return {
    hears: (channel, ref) =>
      ref !== undefined && heard.has(`${channel} ${locationKey(place, ref)}`),
    channels: (one) => crowds.get(one) ?? [],
  };
}

function hears({ members }: Crowd, { openedBy, ref }: LocationNews): boolean {
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

/** What is told beyond single workloads, as messages. Pure. */
export function newsMessages(
  place: Place,
  news: readonly News[],
  hearing: Hearing,
  locations: LocationsHeard,
): Message[] {
  return news.flatMap((one) => {
    switch (one.kind) {
      case 'location':
        return locations
          .channels(one)
          .flatMap((crowd) => locationMessages(place, one, crowd, hearing));
      case 'gvc':
        return crowdsOf(
          hearing.watches,
          place,
          one.rows.map(({ workload }) => workload),
        ).flatMap((crowd) => gvcMessages(place, one, crowd, hearing));
      case 'gvc-gone':
        return crowdsOf(hearing.watches, place, one.workloads).flatMap((crowd) =>
          gvcGoneMessages(place, one, crowd, hearing),
        );
      case 'job':
        return jobMessages(place, one, hearing);
    }
  });
}

/** The outcomes that the channel hears; any other is told, if at all, where it belongs. */
function heardOf(refs: readonly OutcomeRef[], { members }: Crowd): OutcomeRef[] {
  return refs.filter(({ workload, kind }) => members.get(workload)?.hears(kind) === true);
}

function locationMessages(
  place: Place,
  news: LocationNews,
  crowd: Crowd,
  hearing: Hearing,
): Message[] {
  const replies = news.replies.flatMap((reply) =>
    replyMessages(place, news, reply, crowd, hearing),
  );
  // A channel that came later, or was muted, gets the message with the first reply that it needs.
  const wanted = news.opens || replies.some(({ requires }) => requires === undefined);
  const key = locationKey(place, news.ref);
  const message: Message = {
    channel: crowd.channel,
    key,
    ...locationContent(place, news, rowsOf(news, crowd)),
    groupable: true,
    ...(wanted ? {} : { requires: key }),
    ...heldIn(crowd.channel, place, hearing),
  };
  const covers = news.opens ? heardOf(news.covers, crowd) : [];
  return [...withCovers(place, message, covers), ...replies];
}

function replyMessages(
  place: Place,
  news: LocationNews,
  reply: LocationReply,
  crowd: Crowd,
  hearing: Hearing,
): Message[] {
  const workloads = reply.workloads.filter((workload) => crowd.members.has(workload));
  if (workloads.length === 0 && !reply.closes) return [];
  const threadKey = locationKey(place, news.ref);
  const covers = heardOf(reply.covers, crowd);
  const message: Message = {
    channel: crowd.channel,
    key: locationKey(place, reply.ref),
    ...locationReplyContent(place, { ...news, rows: rowsOf(news, crowd) }, { ...reply, workloads }),
    threadKey,
    broadcast: isLoud(news, reply, hearing.now) && !crowd.quiet(news.ref.state),
    groupable: true,
    ...(covers.length > 0 ? {} : { requires: threadKey }),
    ...heldIn(crowd.channel, place, hearing),
  };
  return withCovers(place, message, covers);
}

/** Of the workloads that the channel watches. */
function rowsOf({ rows }: LocationNews, { members }: Crowd): LocationNews['rows'] {
  return rows.filter(({ workload }) => members.has(workload));
}

/** The end calls people; so does what comes when nobody looks at the thread any more. */
function isLoud({ since }: LocationNews, { closes }: LocationReply, now: number): boolean {
  return closes || now - since > THREAD_IS_READ_MS;
}

function gvcMessages(place: Place, news: GvcNews, crowd: Crowd, hearing: Hearing): Message[] {
  const key = gvcKey(place, news.version, 'card');
  const channel = crowd.channel;
  const muted = heldIn(channel, place, hearing);
  const heard = crowd.hears('ready');
  // As with a workload's card: a filter holds it back until what it names comes.
  const wanted = news.tellsReady ? heard : news.opens && !crowd.filtered;
  const card: Message = {
    channel,
    key,
    ...gvcCardContent(place, news),
    ...(wanted && muted.held === undefined ? {} : { requires: key }),
  };
  if (!news.tellsReady) return [card];
  const ready: Message = {
    channel,
    key: gvcKey(place, news.version, 'ready'),
    ...gvcReadyContent(place, news),
    threadKey: key,
    broadcast: !crowd.quiet('ready'),
    ...(heard ? {} : { requires: key }),
    ...muted,
  };
  return [card, ready];
}

function gvcGoneMessages(
  place: Place,
  news: GvcGoneNews,
  crowd: Crowd,
  hearing: Hearing,
): Message[] {
  if (!crowd.hears('gone')) return [];
  const message: Message = {
    channel: crowd.channel,
    key: gvcKey(place, news.version, 'gone'),
    ...gvcGoneContent(place, news, [...crowd.members.keys()]),
    ...heldIn(crowd.channel, place, hearing),
  };
  return withCovers(place, message, heardOf(news.covers, crowd));
}

/** A filter hears it under the word `failed`. */
function jobMessages(place: Place, job: JobNews, hearing: Hearing): Message[] {
  const own = { ...place, workload: job.workload };
  return audiencesOf(hearing.watches, own)
    .filter((audience) => audience.hears('failed'))
    .map(({ channel }) => ({
      channel,
      key: jobKey(place, job),
      ...jobContent(place, job),
      ...heldIn(channel, own, hearing),
    }));
}
