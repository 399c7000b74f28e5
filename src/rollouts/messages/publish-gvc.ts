import type { Message } from '../../notify/message.ts';
import type { GvcGoneNews, GvcNews, GvcRow, News, Telling } from '../engine/telling.ts';
import { withCovers } from './covers.ts';
import { gvcKey } from './event-keys.ts';
import type { Place } from './event-keys.ts';
import { gvcCardContent, gvcGoneContent, gvcReadyContent } from './gvc-view.ts';
import { heardOf, heldWith, listenersOf, watchersOf } from './hearing.ts';
import type { Hearing, Listeners } from './hearing.ts';
import { gvcTitle } from './view-parts.ts';

type Outcome = NonNullable<Telling['outcome']>;

/** Which channels are told that a GVC's version is ready. */
export interface GvcsHeard {
  /** Whether that stands for an outcome of the workload in the channel. */
  tells(channel: string, workload: string, outcome: Pick<Outcome, 'kind' | 'byGvc'>): boolean;
}

/** Not reached by the change, or nothing to serve: no reason for a card. */
const NOT_ROLLED: ReadonlySet<GvcRow['state']> = new Set(['waiting', 'suspended', 'idle']);

export function gvcsHeard(place: Place, news: readonly News[], hearing: Hearing): GvcsHeard {
  const told = new Map<string, Listeners>();
  for (const one of news) {
    if (one.kind !== 'gvc' || !one.tellsReady) continue;
    for (const crowd of crowdsOfGvc(place, one, hearing)) {
      if (hearsReady(one, crowd)) told.set(`${crowd.channel} ${one.version}`, crowd);
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
export function gvcMessages(place: Place, news: GvcNews, hearing: Hearing): Message[] {
  const crowds = crowdsOfGvc(place, news, hearing);
  const told = crowds.flatMap((crowd) => {
    const rows = news.rows.filter(({ workload }) => crowd.members.has(workload));
    const own = { ...news, rows };
    const card = cardMessage(place, news, own, crowd, hearing);
    if (!hasReady(own)) return [card];
    const ready = readyMessages(place, own, crowd);
    // Ready when it is first seen: one post, which serves as the card.
    return news.opens && hearsReady(own, crowd) ? asCard(ready, card) : [card, ...ready];
  });
  return news.ending === null ? told : [...told, ...lastEdits(place, news, crowds, hearing)];
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

function crowdsOfGvc(place: Place, { rows, covers = [] }: GvcNews, hearing: Hearing): Listeners[] {
  const workloads = [...rows, ...covers].map(({ workload }) => workload);
  return listenersOf(place, hearing, workloads);
}

/** What has ended may have no rows of a channel any more; its card is there all the same. */
function lastEdits(
  place: Place,
  news: GvcNews,
  told: readonly Listeners[],
  hearing: Hearing,
): Message[] {
  const done = new Set(told.map(({ channel }) => channel));
  const watched = hearing.watches.map(({ workload = '' }) => workload);
  const key = gvcKey(place, news.version, 'card');
  return watchersOf(place, hearing, watched)
    .filter(({ channel }) => !done.has(channel))
    .map((crowd) => ({
      ...cardMessage(place, news, { ...news, rows: [] }, crowd, hearing),
      requires: key,
    }));
}

/** @param own the news with the rows of the workloads that the channel hears of */
function cardMessage(
  place: Place,
  news: GvcNews,
  own: GvcNews,
  crowd: Listeners,
  hearing: Hearing,
): Message {
  const { channel } = crowd;
  const key = gvcKey(place, news.version, 'card');
  const isPart = own.rows.length < news.rows.length;
  const rolled = own.rows.some(({ state }) => !NOT_ROLLED.has(state));
  // The change may reach what the channel watches later than the first workload.
  const opens = isPart ? rolled && news.ending === null : news.opens;
  // As with a workload's card: a filter holds it back until what it names comes.
  const wanted = news.tellsReady ? hearsReady(own, crowd) : opens && !crowd.filtered;
  const whole = hearing.watches.some(
    (watch) => watch.channel === channel && watch.workload === undefined,
  );
  return {
    channel,
    key,
    ...gvcCardContent(place, own, whole),
    ...(wanted && crowd.held === undefined ? {} : { requires: key }),
  };
}

function readyMessages(place: Place, own: GvcNews, crowd: Listeners): Message[] {
  const key = gvcKey(place, own.version, 'card');
  const heard = hearsReady(own, crowd);
  const message: Message = {
    channel: crowd.channel,
    key: gvcKey(place, own.version, 'ready'),
    ...gvcReadyContent(place, own),
    threadKey: key,
    broadcast: heard && !crowd.quiet('ready'),
    ...(heard ? {} : { requires: key }),
    ...heldWith(crowd),
  };
  const covers = heard ? heardOf(own.covers ?? [], crowd) : [];
  return withCovers(place, { message, title: gvcTitle(place, own.version) }, covers);
}

function hasReady({ tellsReady, rows }: GvcNews): boolean {
  return tellsReady && rows.some(({ state }) => state === 'ready');
}

function hearsReady(news: GvcNews, { members }: Listeners): boolean {
  return hasReady({
    ...news,
    rows: news.rows.filter(({ workload }) => members.get(workload)?.hears('ready') === true),
  });
}

/** Every record of a GVC is gone. It stands for workloads that are muted, too: nothing else tells of them. */
export function gvcGoneMessages(place: Place, news: GvcGoneNews, hearing: Hearing): Message[] {
  return watchersOf(place, hearing, news.workloads).flatMap((crowd) => {
    if (!crowd.hears('gone')) return [];
    const message: Message = {
      channel: crowd.channel,
      key: gvcKey(place, news.version, 'gone'),
      ...gvcGoneContent(place, news, [...crowd.members.keys()]),
      ...heldWith(crowd),
    };
    const title = gvcTitle(place, news.version);
    return withCovers(place, { message, title }, heardOf(news.covers, crowd));
  });
}
