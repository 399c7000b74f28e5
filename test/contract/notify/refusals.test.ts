import { describe, expect, it } from 'vitest';
import { CHANNEL, emptyOutbox, harness, message, OPS_CHANNEL, useHarness } from './support.ts';

useHarness();

let count = 0;
/** News for a channel, each under a name of its own. */
async function news(channel = CHANNEL): Promise<void> {
  count += 1;
  await harness.outbox.commit([message(`news-${count}`, 'news', { channel })]);
}

/** News that Slack answers with an error. */
async function newsWith(error: string, channel = CHANNEL, key?: string): Promise<void> {
  await harness.faults({ kind: 'error', error, channel, times: 1 });
  await (key === undefined
    ? news(channel)
    : harness.outbox.commit([message(key, 'a card', { channel })]));
  await harness.deliverer.deliver(channel);
  await harness.waitIsOver(channel);
}

/** Messages to the people who run the bot, as `key without its number: text`. */
async function ops(): Promise<string[]> {
  await harness.deliverer.deliver(OPS_CHANNEL);
  return (await harness.reported(OPS_CHANNEL)).map((reported) => reported.replace(/\/\d+: /, ': '));
}

describe('a channel that Slack refuses', () => {
  it.each([
    ['not_in_channel', 'Next: Invite it there'],
    ['channel_not_found', 'Next: Invite it there'],
    ['is_archived', 'Next: Unarchive it'],
    ['restricted_action', 'the channel restricts posts'],
    ['cannot_reply_to_message', 'Next: Look for its key in Purser’s log'],
  ])('is reported to the ops channel once, with the next step: %s', async (error, advice) => {
    await newsWith(error);
    await newsWith(error);
    await newsWith(error);

    const [reported, ...others] = await ops();

    expect(others).toEqual([]);
    expect(reported).toContain(`@slack/${CHANNEL}/${error}: `);
    expect(reported).toContain(`<#${CHANNEL}>`);
    expect(reported).toContain(advice);
  });

  it('is reported with the advice for the refused message', async () => {
    await newsWith('not_in_channel');
    await newsWith('not_in_channel', 'C0BILLING', '@changes/k3m9x2ab/card');
    await newsWith('not_in_channel', 'C0MUTED', '@mute/C0MUTED/1');

    const [ofWatch, ofChange, ofMute] = await ops();

    expect(ofWatch).toContain('/deployments unwatch');
    expect(ofMute).toContain('/deployments unwatch');
    expect(ofChange).toContain('or set another channel in Purser’s environment');
    expect(ofChange).not.toMatch(/watch/i);
  });

  it('is reported anew after a post that succeeded, and the first message says that it recovered', async () => {
    await newsWith('is_archived');
    expect(await ops()).toHaveLength(1);
    await news();
    await emptyOutbox(harness);
    await newsWith('is_archived');

    const [first, second, ...others] = await ops();

    expect(others).toEqual([]);
    expect(first).toContain('Slack takes messages again');
    expect(second).toContain('the channel is archived');
  });

  it('says that it recovered, however much was reported at once', async () => {
    const errors = ['is_archived', 'not_in_channel', 'restricted_action', 'no_text', 'a', 'b'];
    for (const error of errors) await newsWith(error);
    expect(await ops()).toHaveLength(6);
    await news();
    await emptyOutbox(harness);

    const reported = await ops();

    expect(reported).toHaveLength(6);
    for (const [index, error] of errors.entries()) {
      const text = reported.find((one) => one.includes(`/${error}: `));
      expect(text).toContain(
        index < 3
          ? 'Slack takes messages again'
          : 'One message was given up, Slack takes others again',
      );
    }
  });

  it('is reported when an edit finds it', async () => {
    await harness.post(message('card', 'v7 deploying'));
    await harness.faults({ method: 'chat.update', kind: 'error', error: 'is_archived', times: 1 });
    await harness.outbox.commit([message('card', 'v7 ready')]);
    await harness.deliverer.deliver(CHANNEL);

    expect(await ops()).toHaveLength(1);
  });

  it('is only logged when it is the ops channel itself', async () => {
    await newsWith('is_archived', OPS_CHANNEL);

    expect(await ops()).toEqual([]);
  });

  it('is reported all the same when the process dies before it is', async () => {
    const dies = harness.anotherDeliverer({
      outbox: (real) => ({ ...real, commit: () => Promise.reject(new Error('killed')) }),
    });
    await harness.faults({ kind: 'error', error: 'is_archived', channel: CHANNEL, times: 2 });
    await news();
    await dies.deliver(CHANNEL);
    await news();
    await harness.deliverer.deliver(CHANNEL);

    expect(await ops()).toHaveLength(1);
  });
});

describe('a token that Slack refuses', () => {
  it('is reported once for all channels, and its messages wait', async () => {
    await newsWith('token_revoked');
    await newsWith('token_revoked', 'C0OTHER');
    await newsWith('token_revoked');

    const [reported, ...others] = await ops();

    expect(others).toEqual([]);
    expect(reported).toContain('SLACK_BOT_TOKEN');
    await emptyOutbox(harness);
    expect(await harness.reported()).toHaveLength(2);
  });

  it('is reported once, also when two channels find it at the same moment', async () => {
    await harness.faults({ kind: 'error', error: 'token_revoked', times: 2 });
    await news();
    await news(OPS_CHANNEL);
    await Promise.all([CHANNEL, OPS_CHANNEL].map((one) => harness.deliverer.deliver(one)));

    await harness.waitIsOver(OPS_CHANNEL);
    const reported = (await ops()).filter((text) => text.startsWith('@slack'));
    expect(reported).toHaveLength(1);
  });
});

it.each([
  ['message_limit_exceeded', 'takes no more messages'],
  ['accesslimited', 'allowed IP addresses'],
  ['access_denied', 'lacks a right'],
  ['missing_scope', 'lacks a right'],
  ['no_permission', 'lacks a right'],
  ['ekm_access_denied', 'lacks a right'],
  ['token_revoked', 'does not take Purser’s token'],
])(
  'a right that is gone for a while is reported, and its messages wait until it is back: %s',
  async (error, words) => {
    await harness.faults({ kind: 'error', error, channel: CHANNEL, times: 1 });
    await news();
    await harness.deliverer.deliver(CHANNEL);
    expect(await harness.waits()).toBeGreaterThan(59_000);
    expect((await ops())[0]).toContain(words);
    await emptyOutbox(harness);

    expect(await harness.reported()).toHaveLength(1);
    expect((await ops())[0]).toContain('Slack takes messages again');
  },
);

it('a rate limit of Slack is not reported', async () => {
  await harness.faults({ kind: 'ratelimit', retryAfter: 1, channel: CHANNEL, times: 1 });
  await news();
  await harness.deliverer.deliver(CHANNEL);

  expect(await ops()).toEqual([]);
});
