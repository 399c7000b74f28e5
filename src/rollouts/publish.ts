import type { Message } from '../notify/message.ts';
import type { Telling } from './telling.ts';
import { cardContent, cardKey, outcomeContent, outcomeKey } from './view.ts';
import type { Place } from './view.ts';
import { audiencesOf } from './watches.ts';
import type { Audience, Watch } from './watches.ts';

/** The messages that a poll's tellings become, for every channel that hears them. Pure. */
export function messagesOf(
  place: Place,
  tellings: readonly Telling[],
  watches: readonly Watch[],
): Message[] {
  return tellings.flatMap((telling) =>
    audiencesOf(watches, { ...place, workload: telling.workload }).map((audience) =>
      telling.outcome === undefined
        ? cardMessage(place, telling, audience, tellings)
        : outcomeMessage(place, telling, audience),
    ),
  );
}

function cardMessage(
  place: Place,
  telling: Telling,
  audience: Audience,
  tellings: readonly Telling[],
): Message {
  const key = cardKey(place, telling);
  const wanted =
    telling.opens &&
    (!audience.filtered ||
      tellings.some(
        (other) =>
          other.workload === telling.workload &&
          other.outcome !== undefined &&
          audience.hears(other.outcome.kind),
      ));
  return {
    channel: audience.channel,
    key,
    ...cardContent(place, telling),
    ...(wanted ? {} : { requires: key }),
  };
}

function outcomeMessage(place: Place, telling: Telling, audience: Audience): Message {
  const { kind, n } = telling.outcome as NonNullable<Telling['outcome']>;
  const threadKey = cardKey(place, telling);
  return {
    channel: audience.channel,
    key: outcomeKey(place, telling, kind, n),
    ...outcomeContent(place, telling),
    threadKey,
    broadcast: !audience.quiet(kind),
    // A filter holds back until a named outcome has brought the card; from then on nothing is kept.
    ...(audience.hears(kind) ? {} : { requires: threadKey }),
  };
}
