import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Deliverer } from '../../../src/notify/deliver.ts';
import { startRedis } from '../../../src/sandbox/redis.ts';
import type { SandboxRedis } from '../../../src/sandbox/redis.ts';
import { CHANNEL, emptyOutbox, message, openOffice } from './support.ts';
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

const deliverAll = (deliverer?: Deliverer): Promise<void> => emptyOutbox(office, deliverer);

describe('what Slack refuses', () => {
  it.each(['invalid_blocks', 'msg_blocks_too_long'])(
    'for its blocks (%s) goes out as plain text',
    async (error) => {
      await office.faults({ kind: 'error', error, times: 1 });
      await office.outbox.commit([message(CARD, 'v7 deploying')]);

      await deliverAll();

      expect(await office.accepted()).toMatchObject([{ text: 'v7 deploying', blocks: [] }]);
    },
  );

  it('for the blocks of an edit becomes plain text, and later edits are shown again', async () => {
    await office.outbox.commit([message(CARD, 'v7 deploying')]);
    await deliverAll();
    const tooLong = [{ type: 'header', text: { type: 'plain_text', text: 'x'.repeat(200) } }];

    await office.outbox.commit([message(CARD, 'v7 failed', { blocks: tooLong as never })]);
    await deliverAll();
    expect(await office.accepted()).toMatchObject([{ text: 'v7 failed', blocks: [] }]);

    await office.outbox.commit([message(CARD, 'v7 ready')]);
    await deliverAll();
    expect(await office.accepted()).toMatchObject([
      { text: 'v7 ready', blocks: [{ type: 'section' }] },
    ]);
  });

  it.each(['channel_not_found', 'is_archived', 'not_in_channel'])(
    'for good (%s) is asked once and does not block the next message',
    async (error) => {
      await office.faults({ kind: 'error', error, times: 1 });
      await office.outbox.commit([message('first', 'a'), message('second', 'b')]);

      await deliverAll();
      expect(await office.outbox.commit([message('first', 'changed')])).toEqual([]);
      await deliverAll();

      expect(await office.told()).toEqual(['second: b']);
      expect(await office.calls('chat.postMessage')).toHaveLength(2);
    },
  );

  it('as an edit of a deleted message is not tried again', async () => {
    await office.outbox.commit([message(CARD, 'v7 deploying')]);
    await deliverAll();
    await office.deleteInSlack((await office.accepted())[0]?.ts ?? '');

    await office.outbox.commit([message(CARD, 'v7 ready')]);
    await deliverAll();
    await office.outbox.commit([message(CARD, 'v7 failed')]);
    await deliverAll();

    expect(await office.calls('chat.update')).toHaveLength(1);
    expect(await office.accepted()).toHaveLength(1);
  });
});

describe('a bot that lacks a right', () => {
  it.each(['missing_scope', 'no_permission', 'ekm_access_denied'])(
    'keeps its messages until it has it (%s)',
    async (error) => {
      await office.faults({ kind: 'error', error, times: 1 });
      await office.outbox.commit([message(CARD, 'v7 deploying')]);

      await office.deliverer.deliver(CHANNEL);
      expect(await office.waits()).toBeGreaterThan(59_000);
      await deliverAll();

      expect(await office.told()).toEqual([`${CARD}: v7 deploying`]);
    },
  );
});

describe('a bot whose token was revoked', () => {
  it('keeps its messages until the token works again', async () => {
    const locked = office.colleague({ token: 'xoxb-revoked' });
    await office.outbox.commit([message(CARD, 'v7 deploying'), message(READY, 'v7 ready')]);

    await locked.deliver(CHANNEL);
    expect(await office.told()).toEqual([]);
    expect(await office.waits()).toBeGreaterThan(1_000);
    await deliverAll();

    expect(await office.told()).toEqual([`${CARD}: v7 deploying`, `${READY}: v7 ready`]);
  });

  it('does not take its blindness for an empty channel', async () => {
    await office.faults({ kind: 'reset-after', times: 1 });
    await office.outbox.commit([message(CARD, 'v7 deploying')]);
    await office.deliverer.deliver(CHANNEL);

    await office.waitIsOver();
    await office.colleague({ token: 'xoxb-revoked' }).deliver(CHANNEL);
    await deliverAll();

    expect(await office.told()).toEqual([`${CARD}: v7 deploying`]);
  });
});
