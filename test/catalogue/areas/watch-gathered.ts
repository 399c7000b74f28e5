import { batchOf, createBatcher } from '../../../src/notify/queue.ts';
import type { Message } from '../../../src/notify/message.ts';
import { readMuteMark, titleOf, type Mute } from '../../../src/rollouts/watches.ts';
import { downMessage } from '../../../src/rollouts/outages/outage-view.ts';
import { createKeys } from '../../../src/store/redis.ts';
import { HOUR, MINUTE, NOW, post, reply, type Area, type Entry } from '../entry.ts';
import { all, AWS, failing, messages, READY, SICK, story, THREE } from './watch-data.ts';

type Place = Pick<Mute, 'org' | 'gvc' | 'workload'>;

const SHOP = { org: 'acme', gvc: 'shop' };

/** What mutes of these places have held back of two workloads. */
function held(id: string, when: string, ...places: readonly Place[]): Entry {
  return post(`held-${id}`, when, () => {
    const kept = places.flatMap(heldBack);
    const marks = kept.map(({ held: mark = '' }) => readMuteMark(mark).muted);
    const [told] = batchOf(
      { channel: 'C0DEPLOYS', key: '@mute/C0DEPLOYS/1' },
      () => titleOf(marks),
      kept,
    );
    if (told === undefined) throw new Error('nothing was held back');
    return told;
  });
}

function heldBack(place: Place): Message[] {
  const mute = {
    channel: 'C0DEPLOYS',
    since: NOW - HOUR,
    until: NOW + HOUR,
    by: 'U0ADA',
    ...place,
  };
  const both = (status: typeof READY) => all([`cart/${AWS}`, `checkout/${AWS}`], status);
  const first = both(READY);
  const sick = story(first, [10_000, both(SICK)]);
  const back = story(first, [10_000, both(SICK)], [9 * MINUTE, both(READY)]);
  return [sick, back]
    .flatMap((step) => messages(step, { mutes: [mute] }))
    .filter((message) => message.held !== undefined);
}

/** What becomes of messages that wait for a channel; or one of the replies to it. */
async function digestOf(waiting: readonly Message[], reply = 0): Promise<Message> {
  const told: Message[] = [];
  const byKey = new Map<string, Message>();
  // An edit takes the place of what waits, and stands for the same.
  for (const message of waiting) byKey.set(message.key, { ...byKey.get(message.key), ...message });
  const digest = createBatcher({
    redis: { zcard: () => waiting.length, hexists: () => 1, hincrby: () => 1 } as never,
    keys: createKeys('purser'),
    queue: { groupable: () => [...byKey.keys()] } as never,
    records: { read: (_: string, key: string) => ({ message: byKey.get(key) }) } as never,
    outbox: { commit: (made: Message[]) => told.push(...made) } as never,
    lookBack: { isOpen: () => Promise.resolve(false), find: () => Promise.resolve(undefined) },
  });
  const [first] = waiting;
  await digest('C0DEPLOYS', first?.key ?? '');
  const message = told[reply];
  if (message === undefined) throw new Error('nothing was gathered');
  return message;
}

/** Three locations in trouble and their return. */
function troubles(): Message[] {
  const names = Array.from({ length: 6 }, (_, index) => `tenant-${index + 1}`);
  const shop = (status: typeof READY) =>
    all(
      names.flatMap((name) => THREE.map((location) => `${name}/${location}`)),
      status,
    );
  const down = shop(failing('Failed to pull image: registry.example.com does not answer'));
  return [
    story(shop(READY), [10_000, down]),
    story(shop(READY), [10_000, down], [20 * MINUTE, shop(READY)]),
  ]
    .flatMap((step) => messages(step))
    .filter(({ groupable }) => groupable === true);
}

/** So many GVCs were deleted while something watches them. */
function deleted(count: number): Message[] {
  return Array.from({ length: count }, (_, index) => {
    const place = `acme/preview-${index + 1}`;
    const posts = [[{ place, key: `${place}/@api/down/1` }]];
    const facts = { kind: 'gvc', org: 'acme', reason: 'not-found', status: 404 } as const;
    const outage = { ...facts, since: NOW - MINUTE, down: [place], left: [], posts };
    return { channel: 'C0OPS', ...downMessage(outage) };
  });
}

export const gathered: Area = {
  id: 'messages-gathered',
  title: 'Several messages in one: after a mute, or when many wait',
  entries: [
    held('workload', 'The mute of a workload is over.', { ...SHOP, workload: 'cart' }),
    held(
      'workloads',
      'The mutes of two workloads are over.',
      { ...SHOP, workload: 'cart' },
      { ...SHOP, workload: 'checkout' },
    ),
    held('gvc', 'The mute of a GVC is over.', SHOP),
    held('org', 'The mute of an org is over.', { org: 'acme' }),
    held('channel', 'The mute of the whole channel is over.', {}),
    post('digest', 'Five or more messages wait, because Slack was slow or away.', () =>
      digestOf(troubles()),
    ),
    post('digest-many', 'More messages wait than one has lines for.', () => digestOf(deleted(57))),
    reply('digest-many-rest', 'The others are in its thread.', () => digestOf(deleted(57), 1)),
    reply('digest-many-last', 'There, too, some are only counted.', () => digestOf(deleted(57), 5)),
  ],
};
