import { WebClient } from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import { metadataOf, type MessageSender } from '../../../src/notify/message.ts';
import { AREAS } from '../../catalogue/areas.ts';
import { renderAll } from '../../catalogue/render.ts';
import {
  BOT_TOKEN,
  CARD,
  CHANNEL,
  emptyOutbox,
  harness,
  message,
  READY,
  useHarness,
  orKilled,
} from './support.ts';

useHarness();

const LAGGING = 'acme/shop/api/7/lagging';
const REPORTED = 'shop/api v7 ready in lima';

const reply = (text = REPORTED, more = {}) => message(READY, text, { threadKey: CARD, ...more });

/** The card, and with `replies` something in its thread. */
async function cardWith(replies: number): Promise<string> {
  await harness.outbox.commit([message(CARD, 'v7 deploying')]);
  const others = Array.from({ length: replies }, (_, index) =>
    message(`acme/shop/api/7/other/${index}`, 'shop/api v7 …', { threadKey: CARD }),
  );
  await harness.outbox.commit(others);
  await emptyOutbox(harness);
  return (await harness.accepted())[0]?.ts ?? '';
}

/** All messages of this key in the channel. */
const reportedAs = async (key: string) =>
  (await harness.accepted()).filter(({ metadata }) => metadata?.event_payload.key === key);

/** Failures after Slack has taken a post. */
const ENDS: [string, () => ReturnType<MessageSender['post']>][] = [
  ['its answer is lost', () => Promise.resolve({ kind: 'unclear', error: 'lost' })],
  ['the process dies', () => Promise.reject(new Error('killed'))],
];

const IN_CHANNEL = { thread_ts: null, text: REPORTED, blocks: [{ text: { text: REPORTED } }] };

describe('a reply that its thread refuses', () => {
  const REFUSALS = [
    'thread_not_found',
    'message_not_found',
    'cannot_reply_to_message',
    'restricted_action_thread_locked',
    'restricted_action_non_threadable_channel',
  ];

  it.each(REFUSALS.flatMap((error) => [false, true].map((broadcast) => ({ error, broadcast }))))(
    'is reported in the channel, once and with its key: $error, for the channel too: $broadcast',
    async ({ error, broadcast }) => {
      await cardWith(0);
      await harness.faults({ kind: 'error', error, times: 1 });
      await harness.post(reply(REPORTED, { broadcast }));

      expect(await reportedAs(READY)).toMatchObject([{ ...IN_CHANNEL, broadcast: false }]);
      // It is no matter of anyone who runs the bot.
      await harness.deliverer.deliver('C0OPS');
      expect(await harness.reported('C0OPS')).toEqual([]);
    },
  );

  it('is edited in its place', async () => {
    await cardWith(0);
    await harness.faults({ kind: 'error', error: 'restricted_action_thread_locked', times: 1 });
    await harness.post(reply());
    await harness.post(reply('shop/api v7 ready in both locations'));

    expect(await reportedAs(READY)).toMatchObject([
      { thread_ts: null, text: 'shop/api v7 ready in both locations', edit_count: 1 },
    ]);
  });

  it.each(['cannot_reply_to_message', 'restricted_action_thread_locked'])(
    'is there once when the answer to its second try is lost: %s',
    async (error) => {
      await cardWith(1);
      await harness.faults({ kind: 'error', error, times: 1 }, { kind: 'reset-after', times: 1 });
      await harness.post(reply());

      expect(await reportedAs(READY)).toMatchObject([IN_CHANNEL]);
    },
  );
});

describe('below a card that a person has deleted', () => {
  it('every later outcome is reported in the channel, each once', async () => {
    const card = await cardWith(1);
    await harness.deleteInSlack(card);

    await harness.post(message(CARD, 'v7 ready'), reply());
    await harness.post(message(LAGGING, 'shop/api v7 lagging', { threadKey: CARD }));

    expect(await reportedAs(READY)).toMatchObject([IN_CHANNEL]);
    expect(await reportedAs(LAGGING)).toMatchObject([{ thread_ts: null }]);
    // After the edit that found it gone, no one asks for its thread.
    const asked = await harness.calls('chat.postMessage');
    expect(asked.slice(2).map(({ args }) => args['thread_ts'])).toEqual([undefined, undefined]);
  });

  it.each([0, 1])(
    'a reply that comes without an edit is reported there, too (%i before)',
    async (n) => {
      await harness.deleteInSlack(await cardWith(n));

      await harness.post(reply());

      expect(await reportedAs(READY)).toMatchObject([IN_CHANNEL]);
    },
  );

  it('a reply that Slack takes all the same is shown in the channel', async () => {
    await harness.deleteInSlack(await cardWith(1));
    await harness.faults({ kind: 'tomb', times: 1 });

    await harness.post(reply());

    expect(await reportedAs(READY)).toMatchObject([{ text: REPORTED, broadcast: true }]);
  });

  const SHOWN_ONCE = [{ text: REPORTED, broadcast: true, thread_ts: expect.any(String) as string }];

  it.each([
    { kind: 'ratelimit', retryAfter: 1 },
    { kind: 'http', status: 503 },
    { kind: 'reset-before' },
    { kind: 'reset-after' },
  ])('is shown there also when the first try to do so fails: $kind', async (fault) => {
    await harness.deleteInSlack(await cardWith(1));
    await harness.faults({ kind: 'tomb', times: 1 }, { method: 'chat.update', times: 2, ...fault });

    await harness.post(reply());

    expect(await reportedAs(READY)).toMatchObject(SHOWN_ONCE);
  });

  /** Slack takes it below the deleted card, and that is all that comes of this post. */
  const takesIt = (end: () => ReturnType<MessageSender['post']>) => (real: MessageSender) => ({
    ...real,
    async post(...[{ text, ...sent }, threadTs]: Parameters<MessageSender['post']>) {
      await new WebClient(BOT_TOKEN, { slackApiUrl: `${harness.slackUrl}/api/` }).chat.postMessage({
        channel: CHANNEL,
        text,
        thread_ts: threadTs ?? '',
        metadata: metadataOf(sent),
      });
      return end();
    },
  });

  it.each(ENDS)('is shown there also when %s', async (_title, end) => {
    await harness.deleteInSlack(await cardWith(1));
    await harness.faults({ kind: 'tomb', times: 1 });
    await harness.outbox.commit([reply()]);
    await orKilled(harness.anotherDeliverer({ sender: takesIt(end) }).deliver(CHANNEL));

    await emptyOutbox(harness);

    expect(await reportedAs(READY)).toMatchObject(SHOWN_ONCE);
  });

  it('goes to the channel anew where Slack does not let it be shown, once', async () => {
    await harness.deleteInSlack(await cardWith(1));
    await harness.faults(
      { kind: 'tomb', times: 1 },
      { method: 'chat.update', kind: 'error', error: 'edit_window_closed', times: 1 },
      { kind: 'reset-after', times: 1 },
    );

    await harness.post(reply());

    const [hidden, ...shown] = await reportedAs(READY);
    expect(hidden).toMatchObject({ broadcast: false, thread_ts: expect.any(String) as string });
    expect(shown).toMatchObject([IN_CHANNEL]);
  });
});

describe('a reply that Slack posts without its thread', () => {
  it('is reported once', async () => {
    await cardWith(0);
    await harness.faults({ kind: 'unthread', times: 1 });
    await harness.post(reply());

    expect(await reportedAs(READY)).toMatchObject([IN_CHANNEL]);
  });

  const unthreads = (end: () => ReturnType<MessageSender['post']>) => (real: MessageSender) => ({
    ...real,
    async post(...[sent]: Parameters<MessageSender['post']>) {
      await real.post(sent, undefined);
      return end();
    },
  });

  it.each(ENDS)('is reported once when %s', async (_title, end) => {
    await cardWith(1);
    await harness.outbox.commit([reply()]);
    await orKilled(harness.anotherDeliverer({ sender: unthreads(end) }).deliver(CHANNEL));
    await emptyOutbox(harness);

    expect(await reportedAs(READY)).toMatchObject([IN_CHANNEL]);
  });
});

/** Areas of the catalogue with replies to a rollout, a group or an outage. */
const IN_THREADS = [
  'rollout-ends',
  'rollout-causes',
  'calls',
  'reports-and-leaving',
  'location-groups',
  'gvc-groups',
  'jobs',
  'outages-over',
];
const NAMES = /shop\/\w+|shop\W* (GVC v\d+|in [\w-]+)|acme\/\w+/;

it('every reply names its subject, in its text and in its first block: a thread may refuse it', async () => {
  const areas = AREAS.filter(({ id }) => IN_THREADS.includes(id));
  const { areas: rendered } = await renderAll(areas);
  const replies = rendered
    .flatMap(({ entries }) => entries)
    .filter(({ kind }) => kind === 'reply' || kind === 'broadcast');

  expect(replies.length).toBeGreaterThan(20);
  const isNamed = (text = ''): boolean => NAMES.test(text);
  const nameless = replies.filter(
    ({ sent }) => !isNamed(sent.text) || !isNamed(JSON.stringify(sent.blocks[0])),
  );
  expect(nameless.map(({ id }) => id)).toEqual([]);
});
