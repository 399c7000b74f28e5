import { beforeEach, describe, expect, it, vi } from 'vitest';
import { hashOf } from '../../../src/store/audit.ts';
import { acquireLock, type Lock } from '../../../src/store/redis.ts';
import { CARD, CHANNEL, harness, message, OTHER_CHANNEL, SECRET, useHarness } from './support.ts';

useHarness();

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
    await harness.outbox.commit([message(CARD, 'v7 deploying')]);
    await harness.deliverer.deliver(CHANNEL);

    expect(await harness.outbox.commit([message(CARD, 'v7 deploying')])).toEqual([]);
    await harness.deliverer.deliver(CHANNEL);

    expect(await harness.calls('chat.postMessage')).toHaveLength(1);
    expect(await harness.calls('chat.update')).toHaveLength(0);
  });

  it('drops a message that needs a root that never was', async () => {
    const channels = await harness.outbox.commit([
      message('outcome', 'v7 ready', { threadKey: CARD, orphan: 'drop' }),
      message(CARD, 'an edit of nothing', { editOnly: true }),
    ]);

    expect(channels).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  it('asks Redis little about thousands of edits of unknown messages', async () => {
    const names = Array.from({ length: 12_000 }, (_, index) => `acme/shop/api-${index}/7/card`);
    const edits = names.map((name) => message(name, 'an edit', { editOnly: true }));
    const calls = vi.spyOn(harness.redis, 'call');

    await harness.outbox.commit([message(CARD, 'v7'), ...edits]);

    const keysOfLast = calls.mock.lastCall?.[1] as unknown as [string, number];
    expect(keysOfLast[1]).toBe(6 + 3);
    expect(calls.mock.calls.length).toBeLessThan(20);
    expect(await waiting()).toEqual([CARD]);
  });

  it('has room for more names than a call can have arguments', async () => {
    // Two seconds of work on an idle machine; the test is about the room, not about the time.
    Object.assign(harness.redis.options, { commandTimeout: 60_000 });
    const keys = Array.from({ length: 140_000 }, (_, index) => `unknown-${index}`);

    expect(await harness.outbox.gather(keys, [message(CARD, 'everything')])).toBeUndefined();
  });

  it('takes a follow-up together with the root that it needs', async () => {
    await harness.outbox.commit([
      message(CARD, 'v7 deploying'),
      message('outcome', 'v7 ready', { threadKey: CARD, orphan: 'drop' }),
    ]);

    expect(await waiting()).toEqual([CARD, 'outcome']);
  });

  it('looks for a needed root in the same channel only', async () => {
    await harness.outbox.commit([message(CARD, 'v7 deploying', { channel: OTHER_CHANNEL })]);

    const outcome = message('outcome', 'ready', { threadKey: CARD, orphan: 'drop' });
    expect(await harness.outbox.commit([outcome])).toEqual([]);
  });
});

describe('a secret', () => {
  it('leaves the process neither to Redis nor to Slack', async () => {
    await harness.outbox.commit([message(CARD, `the platform says ${SECRET} xoxb-1234567890`)]);

    const kept = await harness.redis.hgetall(harness.keys.message(CHANNEL, CARD));
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

describe('a commit that expects something of the hash', () => {
  let hash: string;
  beforeEach(async () => {
    hash = harness.keys.change('k3m9x2ab');
    await harness.redis.hset(hash, { version: '3', data: 'old' });
  });
  const swap = (expect: Record<string, string | null>, messages = [message(CARD, 'pending')]) =>
    harness.outbox.commit(messages, { hash, expect, set: { version: '4' }, remove: ['data'] });

  it('is made when it is so, without any lock', async () => {
    expect(await swap({ version: '3', data: 'old', gone: null })).toEqual([CHANNEL]);

    expect(await harness.redis.hgetall(hash)).toEqual({ version: '4' });
    expect(await waiting()).toEqual([CARD]);
  });

  it.each([
    ['a field is another', { version: '2' }],
    ['a field is missing', { version: '3', more: 'x' }],
    ['a field is there', { version: '3', data: null }],
    ['a number is written in another way', { version: '3.0' }],
    ['a field is empty', { more: '' }],
  ])('is refused as a whole when %s', async (_, expected) => {
    expect(await swap(expected)).toBeUndefined();

    expect(await harness.redis.hgetall(hash)).toEqual({ version: '3', data: 'old' });
    expect(await waiting()).toEqual([]);
  });

  it('is made without any message, too', async () => {
    expect(await swap({ version: '3' }, [])).toEqual([]);

    expect(await harness.redis.hgetall(hash)).toEqual({ version: '4' });
  });

  it('is made by one of many', async () => {
    const each = Array.from({ length: 20 }, (_, index) =>
      harness.outbox.commit([], {
        hash,
        expect: { by: null },
        set: { by: `${index}` },
        remove: [],
      }),
    );

    const made = (await Promise.all(each)).flatMap((done, index) => (done ? [`${index}`] : []));

    expect(made).toEqual([await harness.redis.hget(hash, 'by')]);
  });
});

describe('a change that is written with messages', () => {
  const NOW = 1_795_165_200_123;

  it('is written in the same step, to the digit', async () => {
    const { outbox, redis, keys } = harness;
    await redis.hset(keys.changesOpen, { old: 'x', kept: 'y' });
    await redis.zadd(keys.changesDue, NOW, 'k3m9x2ab');
    await redis.set(keys.lastPost('C1'), 'x');
    const text = '{"a":"\\ud800 \u0000 é 🎉","n":0.1}';
    const line = { at: NOW, event: 'x', text };

    const channels = await outbox.commit([message(CARD, 'pending')], {
      hash: keys.change('k3m9x2ab'),
      set: { data: text },
      remove: [],
      writes: [
        ['ZADD', keys.changes, NOW, 'k3m9x2ab'],
        ['ZREM', keys.changesDue, 'k3m9x2ab'],
        ['HSET', keys.changesOpen, 'order', 'k3m9x2ab', 'other', 'x'],
        ['HDEL', keys.changesOpen, 'old'],
        ['SET', keys.secret('k3m9x2ab'), 'sealed', 'PX', 900_000],
        ['DEL', keys.lastPost('C1')],
      ],
      audit: line,
    });

    expect(channels).toEqual([CHANNEL]);
    expect(await redis.hgetall(keys.change('k3m9x2ab'))).toEqual({ data: text });
    expect(await redis.zscore(keys.changes, 'k3m9x2ab')).toBe(`${NOW}`);
    expect(await redis.zcard(keys.changesDue)).toBe(0);
    expect((await redis.xrange(keys.audit, '-', '+')).map(([, fields]) => fields)).toEqual([
      ['data', JSON.stringify(line), 'hash', hashOf('', JSON.stringify(line))],
    ]);
    const open = { kept: 'y', order: 'k3m9x2ab', other: 'x' };
    expect(await redis.hgetall(keys.changesOpen)).toEqual(open);
    expect(await redis.pttl(keys.secret('k3m9x2ab'))).toBeGreaterThan(890_000);
    expect(await redis.exists(keys.lastPost('C1'))).toBe(0);
  });

  it('is not written when the commit is refused, for whatever reason', async () => {
    const { redis, keys, outbox } = harness;
    const lost = await pollLock();
    await redis.del(lost.key);
    const owner = await pollLock();
    const hash = keys.change('k3m9x2ab');
    const change = {
      hash,
      set: { version: '1' },
      remove: [],
      writes: [['ZADD', keys.changes, NOW, 'k3m9x2ab'] as const],
      audit: { at: NOW, event: 'x' },
    };

    const refused = [
      await outbox.commit([message(CARD, 'v7')], { ...change, lock: lost }),
      await outbox.commit([message(CARD, 'v7')], { ...change, expect: { version: '0' } }),
    ];

    expect(refused).toEqual([undefined, undefined]);
    expect(await redis.exists(hash, keys.changes, keys.audit)).toBe(0);
    expect(await waiting()).toEqual([]);
    await owner.release();
    await lost.release();
  });
});
