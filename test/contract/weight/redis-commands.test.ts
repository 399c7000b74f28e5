import { Redis } from 'ioredis';
import { expect, it, onTestFinished, vi } from 'vitest';
import { section } from '../../../src/slack/kit/blocks.ts';
import { mrkdwn } from '../../../src/slack/kit/text.ts';
import type { Keys } from '../../../src/store/redis.ts';
import { ready } from '../../unit/rollouts/platform-json.ts';
import { useRedis } from '../../support/redis.ts';
import { CHANNEL, message, openHarness } from '../notify/support.ts';
import { IDLE_MS, pollHarness, WATCH } from '../rollouts/poll-harness.ts';
import { openSlackHarness } from '../slack/harness.ts';

/*
 * Round trips to Redis of the most frequent operations: counts, which no busy machine changes. A script is one,
 * whatever it does inside.
 */

const server = useRedis();
const polls = pollHarness();

/** Names of the commands that any connection of this process sends meanwhile about these keys. */
async function commandsOf(keys: Keys, act: () => Promise<unknown>): Promise<string[]> {
  const prefix = /test-[\da-f-]{36}/.exec(keys.outbox(CHANNEL))?.[0] ?? '';
  const sent = vi.spyOn(Redis.prototype, 'sendCommand');
  onTestFinished(() => sent.mockRestore());
  await act();
  const commands = sent.mock.calls.map(([command]) => command);
  sent.mockRestore();
  // Commands of an earlier test file in this process have other keys.
  return commands
    .filter(({ args }) => args.some((arg) => String(arg).includes(prefix)))
    .map(({ name }) => name);
}

/** The GVC of the harness, polled until it is at rest; gives its next poll. */
async function polledGvc(): Promise<() => Promise<void>> {
  polls.listing = { here: ready(11) };
  const tick = polls.worker();
  const poll = async (): Promise<void> => {
    polls.now += IDLE_MS;
    await tick('acme', 'shop');
  };
  await poll();
  await poll();
  return poll;
}

it('a poll without a change writes no field of the GVC and no message', async () => {
  const poll = await polledGvc();
  const hash = polls.keys.rollouts('acme', 'shop');
  const before = await polls.redis.hgetall(hash);

  // The pulse, before and under the lock; the lock, the revisions of GVC and org, the pulse, and the lock's end.
  const names = ['get', 'set', 'get', 'hget', 'hget', 'set', 'eval'];
  expect(await commandsOf(polls.keys, poll)).toEqual(names);
  expect(await polls.redis.hgetall(hash)).toEqual(before);
  expect(await polls.redis.exists(polls.keys.outbox(WATCH.channel))).toBe(0);
});

it('a poll with a change adds watches, mutes, a lookup of its card, and one script that writes everything', async () => {
  const poll = await polledGvc();
  polls.listing = { here: ready(12) };

  const names = await commandsOf(polls.keys, poll);

  const usual = ['get', 'set', 'get', 'hget', 'hget', 'hgetall', 'hgetall'];
  const evaluation: unknown = expect.stringMatching(/^eval/);
  expect(names).toEqual([...usual, evaluation, evaluation, 'set', 'eval']);
  expect(await polls.redis.zcard(polls.keys.outbox(WATCH.channel))).toBe(1);
});

it.each([
  ['without a button: the delivery is noted with its request', false, ['eval']],
  ['that can be shared: the answer is kept, too', true, ['eval', 'set']],
])('a slash command %s', async (_, shareable, commands) => {
  const line = section(mrkdwn`All is paid.`);
  const answer = { text: 'All is paid.', blocks: [line], shareable };
  const harness = await openSlackHarness({ answer: () => Promise.resolve(answer) });

  expect(await commandsOf(harness.keys, harness.ask)).toEqual(commands);
});

it('a message is one script, and its delivery 17 commands, five of which write', async () => {
  const harness = await openHarness(server.url);
  await harness.outbox.commit([message('acme/shop/api/6/card', 'v6 deploying')]);
  await harness.deliverer.deliver(CHANNEL);

  const kept = await commandsOf(harness.keys, () =>
    harness.outbox.commit([message('acme/shop/api/7/card', 'v7 deploying')]),
  );
  const delivery = await commandsOf(harness.keys, () => harness.deliverer.deliver(CHANNEL));

  expect(kept).toEqual([expect.stringMatching(/^eval/)]);
  expect(delivery.length).toBeLessThanOrEqual(17);
  // The lock and its end; the claim, the record of the post, and the end of its place in the queue.
  expect(delivery.filter((name) => /^(set|eval)/.test(name)).length).toBeLessThanOrEqual(5);
});
