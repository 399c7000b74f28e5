import { describe, expect, it } from 'vitest';
import type { Deliverer } from '../../../src/notify/deliver.ts';
import { freePort } from '../../../src/sandbox/redis.ts';
import {
  CARD,
  CHANNEL,
  emptyOutbox,
  FAILED,
  harness,
  message,
  OTHER_CHANNEL,
  SLACK_TIMEOUT_MS,
  useHarness,
} from './support.ts';

useHarness();

const deliverAll = (deliverer?: Deliverer): Promise<void> => emptyOutbox(harness, deliverer);

describe('a limit', () => {
  it('holds its channel for as long as Slack says, and no other', async () => {
    await harness.faults({ kind: 'ratelimit', retryAfter: 30, channel: CHANNEL, times: 1 });
    await harness.outbox.commit([
      message(CARD, 'here'),
      message(CARD, 'there', { channel: OTHER_CHANNEL }),
    ]);

    await harness.deliverer.deliver(CHANNEL);
    await harness.deliverer.deliver(CHANNEL);
    await harness.deliverer.deliver(OTHER_CHANNEL);

    expect(await harness.calls('chat.postMessage')).toHaveLength(2);
    expect(await harness.waits()).toBeGreaterThan(25_000);
    expect(await harness.waits()).toBeLessThanOrEqual(30_000);
    expect(await harness.reported(OTHER_CHANNEL)).toEqual([`${CARD}: there`]);
    expect(await harness.deliverer.due()).toEqual([]);

    await harness.waitIsOver();
    expect(await harness.deliverer.due()).toEqual([CHANNEL]);
    await harness.deliverer.deliver(CHANNEL);
    expect(await harness.reported()).toEqual([`${CARD}: here`]);
    expect(await harness.calls('conversations.history')).toEqual([]);
  });

  it('of a whole day is asked again after a quarter of an hour', async () => {
    await harness.faults({ kind: 'ratelimit', retryAfter: 86_400, times: 1 });
    await harness.outbox.commit([message(CARD, 'v7 deploying')]);

    await harness.deliverer.deliver(CHANNEL);

    expect(await harness.waits()).toBeGreaterThan(14 * 60_000);
    expect(await harness.waits()).toBeLessThanOrEqual(15 * 60_000);
  });

  it('of an edit is obeyed, too', async () => {
    await harness.post(message(CARD, 'v7 deploying'));
    await harness.faults({ method: 'chat.update', kind: 'ratelimit', retryAfter: 30, times: 1 });
    await harness.outbox.commit([message(CARD, 'v7 ready')]);

    await harness.deliverer.deliver(CHANNEL);
    await harness.deliverer.deliver(CHANNEL);

    expect(await harness.calls('chat.update')).toHaveLength(1);
    expect(await harness.waits(CHANNEL, 'edit')).toBeGreaterThan(29_000);
    expect(await harness.deliverer.due()).toEqual([]);
    await deliverAll();
    expect(await harness.reported()).toEqual([`${CARD}: v7 ready`]);
  });

  it('of edits does not keep an outcome back', async () => {
    await harness.post(message(CARD, 'v7 deploying'));
    await harness.faults({ method: 'chat.update', kind: 'ratelimit', retryAfter: 30, times: 1 });
    await harness.outbox.commit([
      message(CARD, 'v7 failed'),
      message(FAILED, 'is failed', { threadKey: CARD }),
    ]);

    await harness.deliverer.deliver(CHANNEL);
    expect(await harness.reported()).toEqual([`${CARD}: v7 deploying`, `${FAILED}: is failed`]);

    await harness.outbox.commit([message('next', 'one more')]);
    expect(await harness.deliverer.due()).toEqual([CHANNEL]);
    await deliverAll();
    expect(await harness.reported()).toEqual([
      `${CARD}: v7 failed`,
      `${FAILED}: is failed`,
      'next: one more',
    ]);
  });

  it('of posts does not keep an edit back', async () => {
    await harness.post(message(CARD, 'v7 deploying'));
    await harness.faults({ kind: 'ratelimit', retryAfter: 30, times: 1 });
    await harness.outbox.commit([message('next', 'b'), message(CARD, 'v7 ready')]);

    await harness.deliverer.deliver(CHANNEL);

    expect(await harness.reported()).toEqual([`${CARD}: v7 ready`]);
    expect(await harness.waits()).toBeGreaterThan(29_000);
  });
});

describe('a message goes out exactly once', () => {
  it('when Slack could not be reached', async () => {
    await harness.outbox.commit([message(CARD, 'v7 deploying')]);
    const noOne = harness.anotherDeliverer({ slackUrl: `http://127.0.0.1:${await freePort()}` });

    await noOne.deliver(CHANNEL);
    expect(await harness.waits()).toBeGreaterThan(0);
    await deliverAll();

    expect(await harness.reported()).toEqual([`${CARD}: v7 deploying`]);
    expect(await harness.calls('conversations.history')).toEqual([]);
  });

  it.each([
    ['when the connection breaks before Slack has it', { kind: 'reset-before' }],
    ['when Slack has it and its answer is lost', { kind: 'reset-after' }],
    [
      'when Slack has it and answers too late',
      { kind: 'delay-after', delayMs: 2 * SLACK_TIMEOUT_MS },
    ],
    ['when Slack answers HTTP 500', { kind: 'http', status: 500 }],
    ['when Slack says that something went wrong', { kind: 'error', error: 'internal_error' }],
    ['when Slack is being repaired', { kind: 'error', error: 'service_unavailable' }],
  ])('%s', async (_title, fault) => {
    await harness.faults({ ...fault, times: 1 });
    await harness.outbox.commit([message(CARD, 'v7 deploying')]);

    await harness.deliverer.deliver(CHANNEL);
    await deliverAll();

    expect(await harness.reported()).toEqual([`${CARD}: v7 deploying`]);
  });

  it.each([-26, 1 / 6, 26])(
    'when the clock of this machine is %d hours from Slack’s',
    async (hours) => {
      const wrong = harness.anotherDeliverer({
        clock: { now: () => Date.now() + hours * 3_600_000 },
      });
      await harness.faults({ kind: 'reset-after', times: 1 });
      await harness.outbox.commit([message(CARD, 'v7 deploying')]);

      await wrong.deliver(CHANNEL);
      await deliverAll(wrong);

      expect(await harness.reported()).toEqual([`${CARD}: v7 deploying`]);
    },
  );

  it('when another person has written with the same metadata, and its own request was lost', async () => {
    await harness.faults({ kind: 'reset-before', times: 1 });
    await harness.outbox.commit([message(CARD, 'v7 deploying')]);
    await harness.deliverer.deliver(CHANNEL);

    await harness.copyOf(CARD, 'v7 deploying, says Ben');
    await deliverAll();

    expect(await harness.reported()).toEqual([
      `${CARD}: v7 deploying, says Ben`,
      `${CARD}: v7 deploying`,
    ]);
  });

  it('with its last content, when that changed while the end of the post was unclear', async () => {
    await harness.faults({ kind: 'reset-after', times: 1 });
    await harness.outbox.commit([message(CARD, 'v7 deploying')]);
    await harness.deliverer.deliver(CHANNEL);

    await harness.post(message(CARD, 'v7 ready'));

    expect(await harness.reported()).toEqual([`${CARD}: v7 ready`]);
  });

  it('when the channel has said a lot since', async () => {
    const others = Array.from({ length: 230 }, (_, index) => message(`other-${index}`, 'noise'));
    await harness.faults({ kind: 'reset-after', times: 1 });
    await harness.outbox.commit([message(CARD, 'v7 deploying')]);
    await harness.deliverer.deliver(CHANNEL);
    await harness.redis.zrem(harness.keys.outbox(CHANNEL), CARD);
    await harness.outbox.commit(others);
    await deliverAll();

    await harness.redis.zadd(harness.keys.outbox(CHANNEL), 0, CARD);
    await deliverAll();

    expect(await harness.reported()).toHaveLength(231);
    expect((await harness.calls('conversations.history')).length).toBeGreaterThan(1);
  });

  it('after a long time of uncertainty, in which no one can look either', async () => {
    await harness.faults(
      { kind: 'reset-after', times: 1 },
      { method: '*', kind: 'http', times: 3 },
    );
    await harness.outbox.commit([message(CARD, 'v7 deploying')]);

    for (let round = 0; round < 4; round += 1) {
      await harness.waitIsOver();
      await harness.deliverer.deliver(CHANNEL);
    }
    await deliverAll();

    expect(await harness.reported()).toEqual([`${CARD}: v7 deploying`]);
  });
});
