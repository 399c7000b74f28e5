import { beforeEach, expect, it, vi } from 'vitest';
import type { Message } from '../../../src/notify/message.ts';
import type { Outbox } from '../../../src/notify/outbox.ts';
import { useRedis } from '../../support/redis.ts';
import { CHANNEL, emptyOutbox, message, openHarness, type Harness } from './support.ts';

const server = useRedis();
let harness: Harness;
beforeEach(async () => {
  harness = await openHarness(server.url);
});

const location = (index: number, more: Partial<Message> = {}): Message =>
  message(`acme/@location/oslo/failed/${index}`, `trouble ${index}`, {
    groupable: true,
    ...more,
  });
const troubles = (count: number, more: Partial<Message> = {}): Message[] =>
  Array.from({ length: count }, (_, index) => location(index + 1, more));

/** The other keys that each post covers. */
const covers = async (): Promise<string[][]> =>
  (await harness.accepted()).map(
    ({ metadata }) => metadata?.event_payload.covers?.split(' ') ?? [],
  );

it('four messages about locations are four messages, however many others wait', async () => {
  await harness.post(...troubles(4), message('card', 'v7'), message('other', 'v8'));

  expect(await harness.reported()).toHaveLength(6);
});

it('one that cannot stand for the next as well is reported by itself', async () => {
  const long = { covers: ['x'.repeat(3_990)] };
  await harness.outbox.commit(troubles(5, long));

  await emptyOutbox(harness);

  expect((await harness.reported()).filter((reported) => reported.startsWith('@digest'))).toEqual(
    [],
  );
  expect(await harness.reported()).toHaveLength(5);
});

it('five that wait are posted as one, which covers them and their own covers', async () => {
  const [first, ...others] = troubles(5);
  await harness.post({ ...first!, covers: ['acme/shop/api/7/failed'] }, ...others);

  const [digest, ...more] = await harness.accepted();
  expect(more).toEqual([]);
  expect(digest?.metadata?.event_payload.key).toMatch(/^@digest\/C0DEPLOYS\/\d+$/);
  expect(await covers()).toEqual([
    [first!.key, 'acme/shop/api/7/failed', ...others.map(({ key }) => key)],
  ]);
  for (const { text } of [first!, ...others]) expect(digest?.text).toContain(text);
  expect(JSON.stringify(digest?.blocks)).toContain('trouble 5');
});

it('a message about one rollout is posted by itself, in its place', async () => {
  const [first, ...others] = troubles(5);
  await harness.post(first!, message('acme/shop/api/7/card', 'v7'), ...others);

  expect((await harness.reported()).map((reported) => reported.slice(0, 7))).toEqual([
    '@digest',
    'acme/sh',
  ]);
});

it('a message that was tried before is not posted a second time', async () => {
  await harness.faults({ kind: 'reset-after', times: 1 });
  await harness.outbox.commit([location(1)]);
  await harness.deliverer.deliver(CHANNEL);
  await harness.outbox.commit(troubles(6));

  await emptyOutbox(harness);

  expect((await covers()).map((keys) => keys.length)).toEqual([0, 5]);
});

it('a posted message that waits for its edit does not keep the others apart', async () => {
  await harness.post(location(1));
  await harness.faults({ method: 'chat.update', kind: 'ratelimit', retryAfter: 30, times: 1 });
  await harness.outbox.commit([location(1, { text: 'changed' })]);
  await harness.deliverer.deliver(CHANNEL);
  await harness.outbox.commit(troubles(6).slice(1));

  await harness.deliverer.deliver(CHANNEL);

  expect((await covers()).map((keys) => keys.length)).toEqual([0, 5]);
});

it('many are reported as one, too, and the next is numbered next', async () => {
  await harness.outbox.commit(troubles(120));
  await emptyOutbox(harness);
  await harness.outbox.commit(troubles(125).slice(120));
  await emptyOutbox(harness);

  expect((await covers()).map((keys) => keys.length)).toEqual([120, 0, 0, 0, 0, 0, 5]);
  const all = await harness.accepted();
  expect(all.map((one) => one.metadata?.event_payload.key)).toEqual([
    `@digest/${CHANNEL}/1`,
    ...[1, 2, 3, 4, 5].map((number) => `@digest/${CHANNEL}/1/rest/${number}`),
    `@digest/${CHANNEL}/2`,
  ]);
  const [first, second, , , , last] = all;
  expect(all.slice(1, 6).every((reply) => reply.thread_ts === first?.ts)).toBe(true);
  expect(first?.text).toMatch(/^120 delayed messages, newest first\ntrouble 120\ntrouble 119\n/);
  expect(first?.text).toContain('… and 112 more in the thread');
  expect(second?.text).toMatch(/^120 delayed messages: 9 to 17\ntrouble 112\n[^]*trouble 104$/);
  expect(last?.text).toMatch(/^120 delayed messages: 45 to 53\n[^]*… and 67 more$/);
});

it('messages that may be posted together are not looked up while another is due', async () => {
  const cards = Array.from({ length: 6 }, (_, index) => message(`card-${index}`, 'v7'));
  await harness.outbox.commit([...cards, ...troubles(4)]);
  const looks = vi.spyOn(harness.redis, 'hmget');
  await emptyOutbox(harness);

  expect(looks).not.toHaveBeenCalled();
});

it.each([
  ['before', () => false],
  ['after', () => true],
])(
  'a process that is killed %s it has made one leaves nothing lost or doubled',
  async (_, after) => {
    await harness.outbox.commit(troubles(7));
    const dies = (real: Outbox): Outbox => ({
      ...real,
      async gather(keys, messages) {
        if (after()) await real.gather(keys, messages);
        throw new Error('killed');
      },
    });

    await expect(harness.anotherDeliverer({ outbox: dies }).deliver(CHANNEL)).rejects.toThrow(
      'killed',
    );
    await emptyOutbox(harness);

    expect((await covers()).map((keys) => keys.length)).toEqual([7]);
  },
);

it('a text that is long or strange is cut between its parts', async () => {
  const long = `trouble \`${'&amp;'.repeat(80)}\` <!date^1^{date}|then>`;
  await harness.outbox.commit(troubles(5).map((one) => ({ ...one, text: long })));

  await emptyOutbox(harness);

  const [digest] = await harness.accepted();
  expect(JSON.stringify(digest?.blocks)).toMatch(/&amp;…`\\n/);
});
