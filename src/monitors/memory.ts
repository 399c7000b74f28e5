import type { Message } from '../notify/message.ts';
import type { Services } from '../services.ts';

export type MemoryServices = Pick<Services, 'keys' | 'outbox' | 'redis' | 'wake'>;

interface Change {
  readonly memory: object;
  readonly messages: readonly Message[];
}

/**
 * Changes a field of the hash of memories and posts in one step; again if another process changed it meanwhile.
 * @param step from the stored text, null when absent; undefined as its result: nothing changes
 */
export async function changeMemory(
  { keys, outbox, redis, wake }: MemoryServices,
  field: string,
  step: (text: string | null) => Promise<Change | undefined>,
): Promise<void> {
  for (;;) {
    const text = await redis.hget(keys.reported, field);
    const next = await step(text);
    if (next === undefined) return;
    const channels = await outbox.commit(next.messages, {
      hash: keys.reported,
      expect: { [field]: text },
      set: { [field]: JSON.stringify(next.memory) },
      remove: [],
    });
    if (channels !== undefined) return wake(channels);
  }
}
