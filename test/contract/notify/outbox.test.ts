import { beforeEach, describe, expect, it, vi } from 'vitest';
import { acquireLock, type Lock } from '../../../src/store/redis.ts';
import { useRedis } from '../../support/redis.ts';
import { CHANNEL, message, openHarness, OTHER_CHANNEL, SECRET, type Harness } from './support.ts';

const server = useRedis();
let harness: Harness;
beforeEach(async () => {
  harness = await openHarness(server.url);
});

const ROOT = 'acme/shop/api/7/card';
const waiting = () => harness.redis.zrange(harness.keys.outbox(CHANNEL), '0', '-1');

async function pollLock(): Promise<Lock> {
  const lock = await acquireLock(harness.redis, harness.keys.lock('poll'), 60_000);
  if (lock === undefined) throw new Error('the lock is taken');
  return lock;
}

describe('a commit', () => {
  it('shows which channels have something to deliver, each once', async () => {
    const channels = await harness.outbox.commit([
      message('a', 'one'),
      message('b', 'two'),
      message('a', 'one', { channel: OTHER_CHANNEL }),
    ]);

    expect(channels).toEqual([CHANNEL, OTHER_CHANNEL]);
    expect(await waiting()).toEqual(['a', 'b']);
    expect(await harness.deliverer.due()).toEqual(expect.arrayContaining([CHANNEL, OTHER_CHANNEL]));
  });

  it('with the same content again changes nothing', async () => {
    await harness.outbox.commit([message(ROOT, 'v7 deploying')]);
    await harness.deliverer.deliver(CHANNEL);

    expect(await harness.outbox.commit([message(ROOT, 'v7 deploying')])).toEqual([]);
    await harness.deliverer.deliver(CHANNEL);

    expect(await harness.calls('chat.postMessage')).toHaveLength(1);
    expect(await harness.calls('chat.update')).toHaveLength(0);
  });

  it('drops a message that needs a root that never was', async () => {
    const channels = await harness.outbox.commit([
      message('outcome', 'v7 ready', { threadKey: ROOT, orphan: 'drop' }),
      message(ROOT, 'an edit of nothing', { editOnly: true }),
    ]);

    expect(channels).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  it('asks Redis little about thousands of edits of unknown messages', async () => {
    const names = Array.from({ length: 12_000 }, (_, index) => `acme/shop/api-${index}/7/card`);
    const edits = names.map((name) => message(name, 'an edit', { editOnly: true }));
    const calls = vi.spyOn(harness.redis, 'call');

    await harness.outbox.commit([message(ROOT, 'v7'), ...edits]);

    const keysOfLast = calls.mock.lastCall?.[1] as unknown as [string, number];
    expect(keysOfLast[1]).toBe(6 + 3);
    expect(calls.mock.calls.length).toBeLessThan(20);
    expect(await waiting()).toEqual([ROOT]);
  });

  it('has room for more names than a call can have arguments', async () => {
    // Two seconds of work on an idle machine; the test is about the room, not about the time.
    Object.assign(harness.redis.options, { commandTimeout: 60_000 });
    const keys = Array.from({ length: 140_000 }, (_, index) => `unknown-${index}`);

    expect(await harness.outbox.gather(keys, [message(ROOT, 'everything')])).toBeUndefined();
  });

  it('takes a follow-up together with the root that it needs', async () => {
    await harness.outbox.commit([
      message(ROOT, 'v7 deploying'),
      message('outcome', 'v7 ready', { threadKey: ROOT, orphan: 'drop' }),
    ]);

    expect(await waiting()).toEqual([ROOT, 'outcome']);
  });

  it('looks for a needed root in the same channel only', async () => {
    await harness.outbox.commit([message(ROOT, 'v7 deploying', { channel: OTHER_CHANNEL })]);

    const outcome = message('outcome', 'ready', { threadKey: ROOT, orphan: 'drop' });
    expect(await harness.outbox.commit([outcome])).toEqual([]);
  });

  it('writes the state together with the messages', async () => {
    const hash = harness.keys.rollouts('acme', 'shop');
    await harness.redis.hset(hash, { gone: '1', kept: '1' });
    const lock = await pollLock();

    const change = { lock, hash, set: { api: '{"state":"ready"}' }, remove: ['gone'] };
    expect(await harness.outbox.commit([message(ROOT, 'v7')], change)).toEqual([CHANNEL]);

    expect(await harness.redis.hgetall(hash)).toEqual({ kept: '1', api: '{"state":"ready"}' });
    await lock.release();
  });

  it('is refused as a whole when the lock is another’s by now', async () => {
    const hash = harness.keys.rollouts('acme', 'shop');
    const lost = await pollLock();
    await harness.redis.del(lost.key);
    const owner = await pollLock();

    const change = { lock: lost, hash, set: { api: 'old' }, remove: [] };
    expect(await harness.outbox.commit([message(ROOT, 'v7')], change)).toBeUndefined();

    expect(await harness.redis.exists(hash)).toBe(0);
    expect(await waiting()).toEqual([]);
    await owner.release();
    await lost.release();
  });

  it('keeps the order of the first wish when a message is changed before it went out', async () => {
    await harness.outbox.commit([message('first', 'a'), message('second', 'b')]);
    await harness.outbox.commit([message('first', 'c')]);

    await harness.deliverer.deliver(CHANNEL);

    expect(await harness.reported()).toEqual(['first: c', 'second: b']);
  });
});

describe('a secret', () => {
  it('leaves the process neither to Redis nor to Slack', async () => {
    await harness.outbox.commit([message(ROOT, `the platform says ${SECRET} xoxb-1234567890`)]);

    const kept = await harness.redis.hgetall(harness.keys.message(CHANNEL, ROOT));
    await harness.deliverer.deliver(CHANNEL);

    const everything = JSON.stringify([kept, await harness.accepted()]);
    expect(everything).toContain('the platform says');
    expect(everything).not.toContain(SECRET);
    expect(everything).not.toContain('xoxb-1234567890');
  });

  it('in a name does not keep the message from going out', async () => {
    await harness.outbox.commit([
      message(`acme/${SECRET}/card`, 'v7 deploying'),
      message('outcome', 'v7 ready', { threadKey: `acme/${SECRET}/card` }),
    ]);
    await harness.deliverer.deliver(CHANNEL);

    const [card, outcome] = await harness.accepted();
    expect(card).toMatchObject({ text: 'v7 deploying' });
    expect(outcome).toMatchObject({ text: 'v7 ready', thread_ts: card?.ts });
  });
});
