import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { MessageSender } from '../../../src/notify/sender.ts';
import { exitOf, startRedis } from '../../../src/sandbox/redis.ts';
import type { SandboxRedis } from '../../../src/sandbox/redis.ts';
import { until } from '../../support/until.ts';
import { CHANNEL, message, openOffice } from './support.ts';
import type { Office } from './support.ts';

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
const WORKER = fileURLToPath(new URL('deliver-process.ts', import.meta.url));

/** A process that dies at a moment of its post: nothing of what it would do next happens. */
const diesBefore = (real: MessageSender): MessageSender => ({
  ...real,
  post: () => Promise.reject(new Error('killed before the post')),
});
const diesAfter = (real: MessageSender): MessageSender => ({
  ...real,
  async post(...args) {
    await real.post(...args);
    throw new Error('killed after the post');
  },
});

describe('after a crash', () => {
  it('before the post, the message is sent once', async () => {
    await office.outbox.commit([message(CARD, 'v7 deploying')]);

    await expect(office.colleague({ sender: diesBefore }).deliver(CHANNEL)).rejects.toThrow(
      'killed',
    );
    await office.deliverer.deliver(CHANNEL);

    expect(await office.told()).toEqual([`${CARD}: v7 deploying`]);
  });

  it('between post and record, the message is found and not sent again', async () => {
    await office.outbox.commit([message(CARD, 'v7 deploying')]);

    await expect(office.colleague({ sender: diesAfter }).deliver(CHANNEL)).rejects.toThrow(
      'killed',
    );
    await office.deliverer.deliver(CHANNEL);

    expect(await office.told()).toEqual([`${CARD}: v7 deploying`]);
    expect(await office.calls('chat.postMessage')).toHaveLength(1);
  });

  it('the found card is edited, and its thread goes on', async () => {
    await office.outbox.commit([message(CARD, 'v7 deploying')]);
    await expect(office.colleague({ sender: diesAfter }).deliver(CHANNEL)).rejects.toThrow(
      'killed',
    );

    await office.outbox.commit([
      message(CARD, 'v7 ready'),
      message(READY, 'is ready', { threadKey: CARD, requires: CARD, broadcast: true }),
    ]);
    await expect(office.colleague({ sender: diesAfter }).deliver(CHANNEL)).rejects.toThrow(
      'killed',
    );
    await office.deliverer.deliver(CHANNEL);

    const [card, ...replies] = await office.accepted();
    expect(card?.text).toBe('v7 ready');
    expect(replies).toMatchObject([{ text: 'is ready', thread_ts: card?.ts, broadcast: true }]);
  });

  it('a machine whose clock is ten minutes ahead finds its post all the same', async () => {
    const ahead = { now: () => Date.now() + 10 * 60_000 };
    await office.outbox.commit([message(CARD, 'v7 deploying')]);

    const wrong = office.colleague({ sender: diesAfter, clock: ahead });
    await expect(wrong.deliver(CHANNEL)).rejects.toThrow('killed');
    await office.colleague({ clock: ahead }).deliver(CHANNEL);

    expect(await office.told()).toEqual([`${CARD}: v7 deploying`]);
  });

  it('of a machine whose clock is a day ahead, one with a true clock finds the post', async () => {
    const ahead = { now: () => Date.now() + 24 * 3_600_000 };
    await office.outbox.commit([message(CARD, 'v7 deploying')]);

    const wrong = office.colleague({ sender: diesAfter, clock: ahead });
    await expect(wrong.deliver(CHANNEL)).rejects.toThrow('killed');
    await office.deliverer.deliver(CHANNEL);

    expect(await office.told()).toEqual([`${CARD}: v7 deploying`]);
  });

  it('the message of another channel with the same key is not taken for its own', async () => {
    await office.outbox.commit([message(CARD, 'v7 deploying', { channel: 'C0OPS' })]);
    await office.deliverer.deliver('C0OPS');
    await office.outbox.commit([message(CARD, 'v7 deploying')]);

    await expect(office.colleague({ sender: diesBefore }).deliver(CHANNEL)).rejects.toThrow(
      'killed',
    );
    await office.deliverer.deliver(CHANNEL);

    expect(await office.told()).toEqual([`${CARD}: v7 deploying`]);
  });

  it('where the history cannot be read, the message is rather sent twice than not at all', async () => {
    await office.faults({ method: 'conversations.history', kind: 'error', error: 'missing_scope' });
    await office.outbox.commit([message(CARD, 'v7 deploying')]);

    await expect(office.colleague({ sender: diesAfter }).deliver(CHANNEL)).rejects.toThrow(
      'killed',
    );
    await office.deliverer.deliver(CHANNEL);

    expect(await office.told()).toEqual([`${CARD}: v7 deploying`, `${CARD}: v7 deploying`]);
  });

  it('a killed process gives its channel free, and nothing is lost or doubled', async () => {
    await office.outbox.commit([
      message(CARD, 'v7 deploying'),
      message(READY, 'v7 ready', { threadKey: CARD }),
    ]);
    // Slack has the card while the process still waits to hear so.
    await office.faults({ kind: 'delay-after', delayMs: 10_000, times: 1 });
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', WORKER, server.url, office.prefix, office.slackUrl, CHANNEL],
      { stdio: 'inherit' },
    );
    onTestFinished(() => void child.kill('SIGKILL'));
    await until('Slack has the card', async () => (await office.accepted()).length === 1);

    child.kill('SIGKILL');
    await exitOf(child);
    expect(await office.deliverer.due()).toEqual([]);
    await until('the channel is free', async () => (await office.deliverer.due()).length === 1);
    await office.deliverer.deliver(CHANNEL);

    expect(await office.told()).toEqual([`${CARD}: v7 deploying`, `${READY}: v7 ready`]);
  }, 30_000);
});
