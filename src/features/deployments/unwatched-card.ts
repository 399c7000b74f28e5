import type { Message } from '../../notify/message.ts';
import type { GvcState } from '../../rollouts/engine/advance.ts';
import { cardKey, gvcKey } from '../../rollouts/messages/event-keys.ts';
import type { Place } from '../../rollouts/messages/event-keys.ts';
import { cardNumber } from '../../rollouts/engine/track.ts';
import { footer, nameOf } from '../../rollouts/messages/view-parts.ts';
import { SIGNS, wordOf } from '../../rollouts/messages/words.ts';
import { moment, mrkdwn, Mrkdwn, section, topText } from '../../slack/kit/index.ts';

/** The card of a rollout that has not ended. */
interface OpenCard {
  key: string;
  /** Absent: the card of the whole GVC. */
  workload?: string;
  /** "v12", "GVC v3" */
  version: string;
  /** The worst of what it shows, as it was last seen. */
  word: string;
  /** Milliseconds since the epoch; null when it is not known. */
  startedAt: number | null;
}

/** The cards of a GVC that were opened and still move; none of what was not read yet. Pure. */
export function openCards(place: Place, state: GvcState): OpenCard[] {
  const cards: OpenCard[] = [];
  if (state.meta === undefined) return cards;
  for (const [workload, track] of Object.entries(state.tracks)) {
    const { version, startedAt, ending, told } = track;
    if (ending !== null || told[`${version}/card`] === undefined) continue;
    const key = cardKey(place, { workload, version, card: cardNumber(track) });
    const word = wordIn(state, `${workload}/`);
    cards.push({ key, workload, version: `v${version}`, word, startedAt });
  }
  const gvc = state.wide?.gvc;
  if (gvc?.ending === null) {
    const key = gvcKey(place, gvc.version, 'card');
    const word = wordIn(state, '');
    cards.push({ key, version: `GVC v${gvc.version}`, word, startedAt: gvc.startedAt });
  }
  return cards;
}

/** @param prefix of the keys of the records that count, `workload/location` */
function wordIn({ records }: GvcState, prefix: string): string {
  const own = Object.entries(records).filter(([key, { cron }]) => key.startsWith(prefix) && !cron);
  return wordOf(
    null,
    own.map(([, record]) => record),
  );
}

/**
 * The last edit of a card that nobody keeps up to date any more, without buttons. Pure.
 * @param at of the last poll, milliseconds since the epoch, 0 = there was none
 */
export function unwatchedContent(
  place: Place,
  { workload, version, word, startedAt }: OpenCard,
  at: number,
): Pick<Message, 'text' | 'blocks'> {
  const name = nameOf(place, workload);
  const seen = at === 0 ? mrkdwn`` : mrkdwn`, ${moment(at)}`;
  const standing = mrkdwn`${version} no longer watched here; last seen ${word}${seen}`;
  return {
    text: topText(mrkdwn`${name} ${standing}`),
    blocks: [
      section(mrkdwn`${new Mrkdwn(SIGNS.gone)} *${name}* ${standing}`),
      footer(place, { what: 'first seen', at: startedAt, moves: false }),
    ],
  };
}
