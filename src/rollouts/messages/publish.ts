import type { Message } from '../../notify/message.ts';
import type { Advance } from '../engine/advance.ts';
import { cardContent } from './card-view.ts';
import { withCovers } from './covers.ts';
import { cardKey, outcomeKey } from './event-keys.ts';
import type { Place } from './event-keys.ts';
import { heldIn } from './hearing.ts';
import type { Hearing } from './hearing.ts';
import { outcomeContent } from './outcome-view.ts';
import { locationsHeard, newsMessages } from './publish-news.ts';
import type { LocationsHeard } from './publish-news.ts';
import type { Telling } from '../engine/telling.ts';
import { THREAD_ONLY } from '../engine/outcomes.ts';
import { audiencesOf } from '../watches.ts';
import type { Audience } from '../watches.ts';

type Outcome = NonNullable<Telling['outcome']>;

/** What the messages of one poll are made with. */
interface Telltale {
  place: Place;
  hearing: Hearing;
  locations: LocationsHeard;
  /** All outcomes of the poll, by workload. */
  outcomes: ReadonlyMap<string, readonly Outcome[]>;
}

/** The messages that a poll becomes, for every channel that hears them. Pure. */
export function messagesOf(
  place: Place,
  step: Pick<Advance, 'tellings' | 'news'>,
  hearing: Hearing,
): Message[] {
  const watches = hearing.watches.filter(({ org, gvc }) => org === place.org && gvc === place.gvc);
  const here = { ...hearing, watches };
  const locations = locationsHeard(place, step.news, watches);
  const outcomes = outcomesByWorkload(step.tellings);
  const telltale: Telltale = { place, hearing: here, locations, outcomes };
  return [
    ...step.tellings.flatMap((telling) =>
      audiencesOf(watches, { ...place, workload: telling.workload }).flatMap((audience) =>
        telling.outcome === undefined
          ? [cardMessage(telltale, telling, audience)]
          : outcomeMessages(telltale, telling, telling.outcome, audience),
      ),
    ),
    ...newsMessages(place, step.news, here, locations),
  ];
}

function outcomesByWorkload(tellings: readonly Telling[]): Map<string, Outcome[]> {
  const outcomes = new Map<string, Outcome[]>();
  for (const { workload, outcome } of tellings) {
    if (outcome === undefined) continue;
    outcomes.set(workload, [...(outcomes.get(workload) ?? []), outcome]);
  }
  return outcomes;
}

/** A card is posted where it opens; anywhere else it is an edit of one that is there. */
function cardMessage(telltale: Telltale, telling: Telling, audience: Audience): Message {
  const { place, hearing } = telltale;
  const key = cardKey(place, telling);
  const muted = heldIn(audience.channel, { ...place, workload: telling.workload }, hearing);
  const wanted = muted.held === undefined && isWanted(telltale, telling, audience);
  return {
    channel: audience.channel,
    key,
    ...cardContent(place, telling),
    ...(wanted ? {} : { requires: key }),
  };
}

/** A filter holds a card back until a named outcome comes. */
function isWanted(telltale: Telltale, telling: Telling, audience: Audience): boolean {
  const { workload, opens, opensFor, track, version } = telling;
  const named = (telltale.outcomes.get(workload) ?? []).filter(
    ({ kind, by }) => audience.hears(kind) && !telltale.locations.hears(audience.channel, by),
  );
  const calls = named.some(({ kind }) => !THREAD_ONLY.has(kind));
  if (opens && (audience.filtered ? calls : !telltale.locations.hears(audience.channel, opensFor)))
    return true;
  // Whoever names an outcome of the thread gets the card that was held back, if there ever was one.
  const hasCard = track.told[`${version}/card`] !== undefined;
  return audience.filtered && hasCard && named.length > 0;
}

function outcomeMessages(
  telltale: Telltale,
  telling: Telling,
  outcome: Outcome,
  audience: Audience,
): Message[] {
  const { place, hearing, locations } = telltale;
  const { channel, filtered } = audience;
  const { kind, n, by, covers = [] } = outcome;
  const heard = audience.hears(kind);
  if (heard && locations.hears(channel, by)) return [];
  const threadKey = cardKey(place, telling);
  const quiet = THREAD_ONLY.has(kind);
  const message: Message = {
    channel,
    key: outcomeKey(place, telling, kind, n),
    ...outcomeContent(place, telling, hearing.now),
    threadKey,
    broadcast: !quiet && !audience.quiet(kind),
    // A filter holds back until a named outcome has brought the card; from then on nothing is kept.
    ...(heard && !quiet ? {} : { requires: threadKey }),
    ...heldIn(channel, { ...place, workload: telling.workload }, hearing),
  };
  // The poll may tell such an outcome without the card, because nothing in the card has changed.
  const card = filtered && heard && quiet ? [cardMessage(telltale, telling, audience)] : [];
  return [...card, ...withCovers(place, message, covers)];
}
