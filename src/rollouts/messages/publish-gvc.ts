import type { Message } from '../../notify/message.ts';
import type { GvcGoneNotice, GvcNotice, Notice, RolloutNotice } from '../engine/notices.ts';
import { stateIs } from '../engine/states.ts';
import type { WatchedGvc } from '../watches.ts';
import {
  channelAudiences,
  gvcKey,
  heardCovers,
  muteMarkOf,
  unmutedAudiences,
  withCovers,
  type Audience,
  type ChannelAudience,
} from './audience.ts';
import { gvcCardContent, gvcGoneContent, gvcReadyContent } from './gvc-view.ts';
import { gvcTitle } from './view-parts.ts';

type Outcome = NonNullable<RolloutNotice['outcome']>;

/** Which channels are told that a GVC's version is ready. */
export interface GvcTold {
  /** Whether that stands for an outcome of the workload in the channel. */
  tells(channel: string, workload: string, outcome: Pick<Outcome, 'kind' | 'byGvc'>): boolean;
}

export function gvcTold(
  place: WatchedGvc,
  notices: readonly Notice[],
  audience: Audience,
): GvcTold {
  const told = new Map<string, ChannelAudience>();
  for (const one of notices) {
    if (one.kind !== 'gvc' || !one.tellsReady) continue;
    for (const listener of gvcAudiences(place, one, audience)) {
      if (hearsReady(one, listener)) told.set(`${listener.channel} ${one.version}`, listener);
    }
  }
  return {
    tells: (channel, workload, { kind, byGvc }) =>
      byGvc !== undefined &&
      told.get(`${channel} ${byGvc}`)?.members.get(workload)?.hears(kind) === true,
  };
}

/**
 * The card of a GVC's version and its `ready`, for every channel that hears of one of its workloads:
 * of these alone (ADR 11, "GVC"). Pure.
 */
export function gvcMessages(place: WatchedGvc, notice: GvcNotice, audience: Audience): Message[] {
  const listeners = gvcAudiences(place, notice, audience);
  const told = listeners.flatMap((listener) => {
    const rows = notice.rows.filter(({ workload }) => listener.members.has(workload));
    const own = { ...notice, rows };
    const card = cardMessage(place, notice, own, listener, audience);
    if (!hasReady(own)) return [card];
    const ready = readyMessages(place, own, listener, audience);
    // Ready when it is first seen: one post, which serves as the card.
    return notice.opens && hearsReady(own, listener) ? asCard(ready, card) : [card, ...ready];
  });
  return notice.ending === null
    ? told
    : [...told, ...lastEdits(place, notice, listeners, audience)];
}

/** The first of the messages that tell `ready`, in the place of the card. */
function asCard([ready, ...more]: readonly Message[], card: Message): Message[] {
  if (ready === undefined) return [card];
  const { channel, key, covers, held } = ready;
  const told = { text: card.text, blocks: card.blocks, servesAs: card.key };
  return [
    {
      channel,
      key,
      ...told,
      ...(covers === undefined ? {} : { covers }),
      ...(held === undefined ? {} : { held }),
    },
    ...more,
  ];
}

function gvcAudiences(
  place: WatchedGvc,
  { rows, covers = [] }: GvcNotice,
  audience: Audience,
): ChannelAudience[] {
  const workloads = [...rows, ...covers].map(({ workload }) => workload);
  return unmutedAudiences(place, audience, workloads);
}

/** What has ended may have no rows of a channel any more; its card is there all the same. */
function lastEdits(
  place: WatchedGvc,
  notice: GvcNotice,
  told: readonly ChannelAudience[],
  audience: Audience,
): Message[] {
  const done = new Set(told.map(({ channel }) => channel));
  const watched = audience.watches.map(({ workload = '' }) => workload);
  const key = gvcKey(place, notice.version, 'card');
  return channelAudiences(place, audience, watched)
    .filter(({ channel }) => !done.has(channel))
    .map((listener) => ({
      ...cardMessage(place, notice, { ...notice, rows: [] }, listener, audience),
      requires: key,
    }));
}

/** @param own the notice with the rows of the workloads that the channel hears of */
function cardMessage(
  place: WatchedGvc,
  notice: GvcNotice,
  own: GvcNotice,
  listener: ChannelAudience,
  audience: Audience,
): Message {
  const { channel } = listener;
  const key = gvcKey(place, notice.version, 'card');
  const isPart = own.rows.length < notice.rows.length;
  const rolled = own.rows.some(({ state }) => state !== 'waiting' && !stateIs(state, 'aside'));
  // The change may reach what the channel watches later than the first workload.
  const opens = isPart ? rolled && notice.ending === null : notice.opens;
  // As with a workload's card: a filter holds it back until what it names comes.
  const wanted = notice.tellsReady ? hearsReady(own, listener) : opens && !listener.filtered;
  const whole = audience.watches.some(
    (watch) => watch.channel === channel && watch.workload === undefined,
  );
  return {
    channel,
    key,
    ...gvcCardContent(place, own, whole, audience),
    ...(wanted && listener.held === undefined ? {} : { requires: key }),
  };
}

function readyMessages(
  place: WatchedGvc,
  own: GvcNotice,
  listener: ChannelAudience,
  audience: Audience,
): Message[] {
  const key = gvcKey(place, own.version, 'card');
  const heard = hearsReady(own, listener);
  const message: Message = {
    channel: listener.channel,
    key: gvcKey(place, own.version, 'ready'),
    ...gvcReadyContent(place, own, audience),
    threadKey: key,
    broadcast: heard && !listener.quiet('ready'),
    ...(heard ? {} : { requires: key }),
    ...muteMarkOf(listener),
  };
  const covers = heard ? heardCovers(own.covers ?? [], listener) : [];
  return withCovers(place, { message, title: gvcTitle(place, own.version) }, covers);
}

function hasReady({ tellsReady, rows }: GvcNotice): boolean {
  return tellsReady && rows.some(({ state }) => state === 'ready');
}

function hearsReady(notice: GvcNotice, { members }: ChannelAudience): boolean {
  return hasReady({
    ...notice,
    rows: notice.rows.filter(({ workload }) => members.get(workload)?.hears('ready') === true),
  });
}

/** Every record of a GVC is gone. It stands for workloads that are muted, too: nothing else tells of them. */
export function gvcGoneMessages(
  place: WatchedGvc,
  notice: GvcGoneNotice,
  audience: Audience,
): Message[] {
  return channelAudiences(place, audience, notice.workloads).flatMap((listener) => {
    if (!listener.hears('gone')) return [];
    const message: Message = {
      channel: listener.channel,
      key: gvcKey(place, notice.version, 'gone'),
      ...gvcGoneContent(place, notice, [...listener.members.keys()]),
      ...muteMarkOf(listener),
    };
    const title = gvcTitle(place, notice.version);
    return withCovers(place, { message, title }, heardCovers(notice.covers, listener));
  });
}
