import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startRedis } from '../../../src/sandbox/redis.ts';
import type { SandboxRedis } from '../../../src/sandbox/redis.ts';
import { CHANNEL, emptyOutbox, message, openOffice } from './support.ts';
import type { Office } from './support.ts';
import type { MessageSender } from '../../../src/notify/sender.ts';

let server: SandboxRedis;
let office: Office;
beforeAll(async () => {
  server = await startRedis(process.env['REDIS_URL']);
});
afterAll(() => server.close());
beforeEach(async () => {
  office = await openOffice(server.url);
});

const CARD = 'acme/shop/api/7/card';
const READY = 'acme/shop/api/7/ready';
const MINUTE_MS = 60_000;
const NOTE = 'oes on from an older message, which Slack does not let Purser edit any more';

const closes = (times: number, error = 'edit_window_closed') =>
  office.faults({ method: 'chat.update', kind: 'error', error, times });

async function tell(text: string, deliverer = office.deliverer): Promise<void> {
  await office.outbox.commit([message(CARD, text)]);
  await emptyOutbox(office, deliverer);
}

describe.each(['edit_window_closed', 'cant_update_message'])(
  'a card of which Slack says %s',
  (error) => {
    it('goes on in a new one, which says so', async () => {
      await tell('v7 deploying');
      await closes(1, error);
      await tell('v7 ready');

      const [older, card, ...others] = await office.accepted();
      expect(others).toEqual([]);
      expect(older).toMatchObject({ text: 'v7 deploying', edit_count: 0 });
      expect(card?.metadata?.event_payload.key).toBe(CARD);
      expect(card?.text).toContain('v7 ready');
      expect(card?.text).toContain(NOTE);
      expect(JSON.stringify(card?.blocks)).toContain(NOTE);
    });
  },
);

describe('the new card', () => {
  it('is edited from then on, goes on saying so, and has the later replies in its thread', async () => {
    await tell('v7 deploying');
    await closes(1);
    await office.outbox.commit([
      message(READY, 'v7 ready', { threadKey: CARD }),
      message(CARD, 'v7 in place'),
    ]);
    // The reply was wanted first, and waits for the card all the same.
    await office.redis.zadd(office.keys.outbox(CHANNEL), 'XX', 1_000_000, READY);
    await emptyOutbox(office);
    await tell('v7 scaled to zero');

    const [, card, reply, ...others] = await office.accepted();
    expect(others).toEqual([]);
    expect(card?.text).toContain('v7 scaled to zero');
    expect(card?.text).toContain(NOTE);
    expect(reply?.thread_ts).toBe(card?.ts);
  });

  it('is not followed by another with every edit, where Slack takes none', async () => {
    await tell('v7 deploying');
    await closes(20);
    for (const step of [1, 2, 3, 4]) await tell(`v7 deploying ${step}/4`);
    expect(await office.accepted()).toHaveLength(2);

    const later = office.colleague({ clock: { now: () => Date.now() + 11 * MINUTE_MS } });
    await tell('v7 ready', later);

    const [, , card, ...others] = await office.accepted();
    expect(others).toEqual([]);
    expect(card?.text).toContain('v7 ready');
  });

  it('comes to show the last of what it was not let, also when nothing new is wanted', async () => {
    await tell('v7 deploying');
    await closes(2);
    await tell('v7 2/4 locations');
    await tell('v7 ready');
    expect((await office.accepted()).at(-1)?.text).toContain('v7 2/4');

    const soon = office.colleague({ clock: { now: () => Date.now() + 9 * MINUTE_MS } });
    expect(await soon.due()).toEqual([]);
    const later = office.colleague({ clock: { now: () => Date.now() + 11 * MINUTE_MS } });
    expect(await later.due()).toEqual([CHANNEL]);
    await emptyOutbox(office, later);

    expect((await office.accepted()).at(-1)?.text).toContain('v7 ready');
    expect(await later.due()).toEqual([]);
    expect(await office.accepted()).toHaveLength(2);
  });

  it('remembers no more than 20 of those before it', async () => {
    await tell('v7 deploying');
    await closes(25);
    for (let hour = 1; hour <= 25; hour += 1) {
      const clock = { now: () => Date.now() + hour * 60 * MINUTE_MS };
      await tell(`v7 deploying for ${hour} h`, office.colleague({ clock }));
    }

    const posts = (await office.accepted()).map(({ ts }) => ts);
    expect(posts).toHaveLength(26);
    const older = await office.redis.hget(office.keys.message(CHANNEL, CARD), 'older');
    expect(older?.split(' ')).toEqual(posts.slice(-21, -1));
  });

  it('is told by itself, even where several like it wait', async () => {
    const down = (count: number, text: string) =>
      Array.from({ length: count }, (_, index) =>
        message(`acme/gvc-${index}/@api/down/1`, text, { groupable: true }),
      );
    await office.outbox.commit(down(2, 'down'));
    await emptyOutbox(office);
    await closes(2);
    // With the first of the two there were five that wait.
    await office.outbox.commit(down(6, 'still down'));
    await emptyOutbox(office);

    const posts = (await office.accepted()).map(({ metadata }) => metadata?.event_payload);
    expect(posts.filter((post) => post?.covers !== undefined)).toEqual([]);
    expect(posts).toHaveLength(2 + 6);
  });

  it('cannot be taken by another that would tell it a second time', async () => {
    await tell('v7 deploying');
    await closes(1);
    await office.outbox.commit([message(CARD, 'v7 ready')]);
    await expect(office.colleague({ sender: dies('before') }).deliver(CHANNEL)).rejects.toThrow(
      'killed',
    );
    await office.redis.hdel(office.keys.message(CHANNEL, CARD), 'pendingSince');

    const summary = message('@mute/C0DEPLOYS/1', 'all of it', { absorbs: [CARD] });
    expect(await office.outbox.commit([summary])).toBeUndefined();
  });

  it('is not held back by a mute, which could not tell it then, when the channel refused it', async () => {
    await tell('v7 deploying');
    await closes(1);
    await office.faults(
      { method: 'chat.update', kind: 'error', error: 'edit_window_closed', times: 1 },
      { kind: 'error', error: 'is_archived', times: 1 },
    );
    await tell('v7 2/4 locations');
    await office.outbox.commit([message(CARD, 'v7 ready', { held: 'acme/shop/api' })]);
    await emptyOutbox(office);

    expect((await office.accepted()).at(-1)?.text).toContain('v7 ready');
  });

  const dies = (moment: 'before' | 'after') => (real: MessageSender) => ({
    ...real,
    async post(...args: Parameters<MessageSender['post']>): ReturnType<MessageSender['post']> {
      if (moment === 'after') await real.post(...args);
      throw new Error('killed');
    },
  });

  it.each(['before', 'after'] as const)(
    'is there once when the process dies %s its post',
    async (moment) => {
      await tell('v7 deploying');
      await closes(1);
      await office.outbox.commit([message(CARD, 'v7 ready')]);
      await expect(office.colleague({ sender: dies(moment) }).deliver(CHANNEL)).rejects.toThrow(
        'killed',
      );
      await emptyOutbox(office);

      const [older, card, ...others] = await office.accepted();
      expect(others).toEqual([]);
      expect(older?.text).toBe('v7 deploying');
      expect(card?.text).toContain('v7 ready');
    },
  );
});
