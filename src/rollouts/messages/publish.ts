import type { Message } from '../../notify/message.ts';
import type { Advance } from '../engine/advance.ts';
import { cardContent } from './card-view.ts';
import { withCovers } from './covers.ts';
import { cardKey, outcomeKey } from './event-keys.ts';
import type { Place } from './event-keys.ts';
import { heldIn } from './hearing.ts';
import type { Hearing } from './hearing.ts';
import { outcomeContent } from './outcome-view.ts';
import { gvcsHeard } from './publish-gvc.ts';
import type { GvcsHeard } from './publish-gvc.ts';
import { locationsHeard } from './publish-location.ts';
import type { LocationsHeard } from './publish-location.ts';
import { newsMessages } from './publish-news.ts';
import type { Telling } from '../engine/telling.ts';
import { THREAD_ONLY } from '../engine/outcomes.ts';
import { rolloutName } from './view-parts.ts';
import type { Content } from './view-parts.ts';
import { audiencesOf } from '../watches.ts';
import type { Audience } from '../watches.ts';

type Outcome = NonNullable<Telling['outcome']>;

/** Kinds with which an episode ends. */
const RETURNS: ReadonlySet<Outcome['kind']> = new Set(['ready', 'recovered']);

/** What the messages of one poll are made with. */
interface Telltale {
  place: Place;
  hearing: Hearing;
  locations: LocationsHeard;
  gvcs: GvcsHeard;
  /** All outcomes of the poll, by workload and version. */
  outcomes: ReadonlyMap<string, readonly Outcome[]>;
}

/** A telling. What it says is the same in every channel, and is made only where somebody may see it. */
interface Said {
  telling: Telling;
  card: () => Content;
  outcome: () => Content;
}

/** The messages that a poll becomes, for every channel that hears them. Pure. */
export function messagesOf(
  place: Place,
  step: Pick<Advance, 'tellings' | 'news'>,
  hearing: Hearing,
): Message[] {
  const watches = hearing.watches.filter(({ org, gvc }) => org === place.org && gvc === place.gvc);
  const here = { ...hearing, watches };
  const locations = locationsHeard(place, step.news, here);
  const gvcs = gvcsHeard(place, step.news, here);
  const outcomes = outcomesByRollout(step.tellings);
  const telltale: Telltale = { place, hearing: here, locations, gvcs, outcomes };
  return [
    ...step.tellings.flatMap((telling) => tellingMessages(telltale, telling)),
    ...newsMessages(place, step.news, here, locations),
  ];
}

function outcomesByRollout(tellings: readonly Telling[]): Map<string, Outcome[]> {
  const outcomes = new Map<string, Outcome[]>();
  for (const telling of tellings) {
    const { outcome } = telling;
    if (outcome === undefined) continue;
    outcomes.set(rolloutOf(telling), [...(outcomes.get(rolloutOf(telling)) ?? []), outcome]);
  }
  return outcomes;
}

function rolloutOf({ workload, version }: Telling): string {
  return `${workload}/${version}`;
}

function outcomesOf({ outcomes }: Telltale, telling: Telling): readonly Outcome[] {
  return outcomes.get(rolloutOf(telling)) ?? [];
}

function tellingMessages(telltale: Telltale, telling: Telling): Message[] {
  const { place, hearing } = telltale;
  const said: Said = {
    telling,
    card: once(() => cardContent(place, telling)),
    outcome: once(() => outcomeContent(place, telling, hearing.now)),
  };
  const { workload, outcome } = telling;
  return audiencesOf(hearing.watches, { ...place, workload }).flatMap((audience) =>
    outcome === undefined
      ? cardMessages(telltale, said, audience)
      : outcomeMessages(telltale, said, outcome, audience),
  );
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** A card is posted where it opens; anywhere else it is an edit of one that is there. */
function cardMessages(telltale: Telltale, said: Said, audience: Audience): Message[] {
  const { place } = telltale;
  const { telling, card } = said;
  const { channel } = audience;
  if (isToldByReady(telltale, telling, audience)) return [];
  const key = cardKey(place, telling);
  const own = ownCard(telltale, said, audience, key);
  const { readyIsCard } = telling.track;
  if (readyIsCard === undefined) return own;
  const ready = outcomeKey(place, telling, 'ready', readyIsCard);
  return [{ channel, key: ready, ...card(), requires: ready }, ...own];
}

/** A version that was ready when it was first seen is one post: its `ready` serves as the card. */
function isToldByReady(telltale: Telltale, telling: Telling, audience: Audience): boolean {
  const { readyIsCard } = telling.track;
  const ready = outcomesOf(telltale, telling).find(
    ({ kind, n }) => kind === 'ready' && n === readyIsCard,
  );
  if (ready === undefined || !audience.hears('ready')) return false;
  return !isToldBeside(telltale, telling.workload, ready, audience);
}

function ownCard(telltale: Telltale, said: Said, audience: Audience, key: string): Message[] {
  const { place, hearing } = telltale;
  const { telling, card } = said;
  const { channel } = audience;
  const muted = heldIn(channel, { ...place, workload: telling.workload }, hearing);
  const wanted = muted.held === undefined && isWanted(telltale, telling, audience);
  if (!wanted && neverOpened(telltale, telling, channel)) return [];
  return [{ channel, key, ...card(), ...(wanted ? {} : { requires: key }) }];
}

/** A filter holds a card back until a named outcome comes. */
function isWanted(telltale: Telltale, telling: Telling, audience: Audience): boolean {
  const { workload, opens, opensFor } = telling;
  const { channel, filtered } = audience;
  const outcomes = outcomesOf(telltale, telling);
  const named = outcomes.filter(
    (outcome) =>
      audience.hears(outcome.kind) && !isToldBeside(telltale, workload, outcome, audience),
  );
  const calls = named.some(({ kind }) => !THREAD_ONLY.has(kind));
  const beside =
    telltale.locations.tells(channel, opensFor, workload) ||
    outcomes.some((outcome) => telltale.gvcs.tells(channel, workload, outcome));
  if (opens && (filtered ? calls : !beside || calls)) return true;
  // Whoever names an outcome of the thread gets the card that was held back, if there ever was one.
  return filtered && hasCard(telling) && named.length > 0;
}

function hasCard({ track, version }: Telling): boolean {
  return track.told[`${version}/card`] !== undefined;
}

/**
 * Whether a channel to which a location tells of the workload's first trouble can have no card of it:
 * the rollout was in place before anybody looked, and nothing was told of it before this poll.
 */
function neverOpened(telltale: Telltale, telling: Telling, channel: string): boolean {
  const { workload, version, track, opensFor } = telling;
  const { locations } = telltale;
  if (track.startedAt !== null || !locations.tells(channel, opensFor, workload)) return false;
  const now = new Set(
    outcomesOf(telltale, telling).map(({ kind, n }) => `${version}/${kind} ${n}`),
  );
  return Object.entries(track.told).every(
    ([word, n]) =>
      !word.startsWith(`${version}/`) ||
      (n === 1 && (word === `${version}/card` || now.has(`${word} 1`))),
  );
}

/** Another message stands for the outcome: that of a location, or of the GVC. */
function isToldBeside(
  { locations, gvcs }: Telltale,
  workload: string,
  outcome: Outcome,
  audience: Audience,
): boolean {
  const { channel } = audience;
  if (gvcs.tells(channel, workload, outcome)) return true;
  const { kind, by } = outcome;
  const counts = audience.hears(kind) || RETURNS.has(kind);
  return counts && locations.tells(channel, by, workload);
}

function outcomeMessages(
  telltale: Telltale,
  said: Said,
  outcome: Outcome,
  audience: Audience,
): Message[] {
  const { place, hearing } = telltale;
  const { telling } = said;
  const { workload, version } = telling;
  const { channel, filtered } = audience;
  const { kind, n, covers = [] } = outcome;
  if (isToldBeside(telltale, workload, outcome, audience)) return [];
  const heard = audience.hears(kind);
  const threadKey = cardKey(place, telling);
  const key = outcomeKey(place, telling, kind, n);
  const held = heldIn(channel, { ...place, workload }, hearing);
  if (kind === 'ready' && isToldByReady(telltale, telling, audience)) {
    return [{ channel, key, ...said.card(), servesAs: threadKey, ...held }];
  }
  const quiet = THREAD_ONLY.has(kind);
  const message: Message = {
    channel,
    key,
    ...said.outcome(),
    // Only a crash loop is told where there never was a card.
    ...(kind === 'crashloop' && !hasCard(telling) ? {} : { threadKey }),
    // What no filter of the channel names calls nobody.
    broadcast: heard && (!quiet || outcome.loud === true) && !audience.quiet(kind),
    ...required(telltale, telling, outcome, heard),
    ...held,
  };
  // The poll may tell such an outcome without the card, because nothing in the card has changed.
  const card = filtered && heard && quiet ? cardMessages(telltale, said, audience) : [];
  const title = rolloutName(place, workload, version);
  return [...card, ...withCovers(place, { message, title }, covers)];
}

/** What an outcome needs to be there already. */
function required(
  { place, locations }: Telltale,
  telling: Telling,
  { kind, n, by }: Outcome,
  heard: boolean,
): { requires?: string } {
  // Containers that crash again and again are told where there is no card, too.
  if (heard && kind === 'crashloop') return {};
  // A filter holds back until a named outcome has brought the card; from then on nothing is kept.
  if (!heard || THREAD_ONLY.has(kind)) return { requires: cardKey(place, telling) };
  // Told by a location before, to whoever heard of it then: here it is only an edit.
  const key = outcomeKey(place, telling, kind, n);
  return by === undefined || locations.isNews(key) ? {} : { requires: key };
}
