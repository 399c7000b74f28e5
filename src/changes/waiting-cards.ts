import { createMessageRecords } from '../notify/records.ts';
import type { Services } from '../services.ts';
import type { ChangeStore } from './store.ts';
import { cardKey, waitingCard } from './messages/messages.ts';

/**
 * Edits the cards of approved changes while no worker is running, past the outbox, which workers deliver: each card
 * says that its change waits, once in this process. The worker that is back edits them again.
 */
export function createWaitingCards(
  { redis, keys, sender }: Pick<Services, 'redis' | 'keys' | 'sender'>,
  changes: Pick<ChangeStore, 'open'>,
): () => Promise<void> {
  const records = createMessageRecords(redis, keys);
  const shown = new Set<string>();
  return async () => {
    for (const change of await changes.open()) {
      const { id, channel, state, version } = change;
      const name = `${id}/${version}`;
      if (state !== 'approved' || shown.has(name)) continue;
      const place = await records.readPlace(channel, cardKey(id));
      if (place?.ts === undefined) continue;
      const { kind } = await sender.update(waitingCard(change), place.ts);
      if (kind === 'sent') shown.add(name);
    }
  };
}
