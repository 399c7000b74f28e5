import { createBatcher } from '../../../src/notify/queue.ts';
import type { Message } from '../../../src/notify/message.ts';
import { downMessage } from '../../../src/rollouts/outages/outage-view.ts';
import { createKeys } from '../../../src/store/redis.ts';
import { MINUTE, NOW, post, reply, type Area } from '../entry.ts';

/** The one message for those that wait for a channel, or one of the replies to it. */
async function digestOf(waiting: readonly Message[], reply = 0): Promise<Message> {
  const made: Message[] = [];
  const byKey = new Map<string, Message>();
  // An edit replaces the waiting message, and covers the same keys.
  for (const message of waiting) byKey.set(message.key, { ...byKey.get(message.key), ...message });
  const digest = createBatcher({
    redis: { zcard: () => waiting.length, hexists: () => 1, hincrby: () => 1 } as never,
    keys: createKeys('purser'),
    queue: { groupable: () => [...byKey.keys()] } as never,
    records: { read: (_: string, key: string) => ({ message: byKey.get(key) }) } as never,
    outbox: { gather: (_: unknown, batch: Message[]) => made.push(...batch) } as never,
    lookBack: { isOpen: () => Promise.resolve(false), find: () => Promise.resolve(undefined) },
  });
  const [first] = waiting;
  await digest('C0DEPLOYS', first?.key ?? '');
  const message = made[reply];
  if (message === undefined) throw new Error('nothing was gathered');
  return message;
}

/** So many GVCs cannot be read, each for a reason of its own. */
function unread(count: number): Message[] {
  return Array.from({ length: count }, (_, index) => {
    const place = `acme/preview-${index + 1}`;
    const posts = [[{ place, key: `${place}/@api/down/1` }]];
    const facts = { kind: 'gvc', org: 'acme', reason: 'conflict', status: 409 } as const;
    const outage = { ...facts, since: NOW - MINUTE, down: [place], left: [], posts };
    return { channel: 'C0OPS', ...downMessage(outage) };
  });
}

export const gathered: Area = {
  id: 'messages-gathered',
  title: 'Several messages in one, because many wait',
  entries: [
    post('digest', 'Five or more messages wait, because Slack was slow or away.', () =>
      digestOf(unread(6)),
    ),
    post('digest-many', 'More messages wait than one has lines for.', () => digestOf(unread(57))),
    reply('digest-many-rest', 'The others are in its thread.', () => digestOf(unread(57), 1)),
    reply('digest-many-last', 'There, too, some are only counted.', () => digestOf(unread(57), 5)),
  ],
};
