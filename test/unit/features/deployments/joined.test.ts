import { expect, it } from 'vitest';
import { createJoined } from '../../../../src/features/deployments/joined.ts';
import type { Message } from '../../../../src/notify/message.ts';

/** The messages after people join C1; `purser` is Purser. */
async function greeted(...users: readonly string[]): Promise<string[]> {
  const committed: Message[] = [];
  const joined = createJoined({
    identity: { get: async () => ({ botUserId: 'purser', botId: 'B', teamId: 'T' }) },
    outbox: { commit: async (all: readonly Message[]) => void committed.push(...all) },
    wake: async () => undefined,
  } as never);
  for (const userId of users) await joined?.({ userId, channelId: 'C1', eventTs: '1.5' });
  return committed.map(({ key }) => key);
}

it('greets nothing but its own arrival', async () => {
  expect(await greeted('U0ADA', 'purser', 'U0BEN')).toEqual(['@joined/C1/1.5']);
});

it('has one key for an event and its retries, so that the outbox posts it once', async () => {
  expect(new Set(await greeted('purser', 'purser')).size).toBe(1);
});
