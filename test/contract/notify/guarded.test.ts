import { describe, expect, it } from 'vitest';
import { hashOf } from '../../../src/store/audit.ts';
import { acquireLock } from '../../../src/store/redis.ts';
import { useRedis } from '../../support/redis.ts';
import { CHANNEL, message, openHarness, type Harness } from './support.ts';

const server = useRedis();

const ROOT = '@changes/k3m9x2ab/card';
const waiting = (harness: Harness) => harness.redis.zrange(harness.keys.outbox(CHANNEL), '0', '-1');

describe('a commit that expects something of the hash', () => {
  async function openChange() {
    const harness = await openHarness(server.url);
    const hash = harness.keys.change('k3m9x2ab');
    await harness.redis.hset(hash, { version: '3', data: 'old' });
    const swap = (expect: Record<string, string | null>, messages = [message(ROOT, 'pending')]) =>
      harness.outbox.commit(messages, { hash, expect, set: { version: '4' }, remove: ['data'] });
    return { harness, hash, swap };
  }

  it('is made when it is so, without any lock', async () => {
    const { harness, hash, swap } = await openChange();

    expect(await swap({ version: '3', data: 'old', gone: null })).toEqual([CHANNEL]);

    expect(await harness.redis.hgetall(hash)).toEqual({ version: '4' });
    expect(await waiting(harness)).toEqual([ROOT]);
  });

  it.each([
    ['a field is another', { version: '2' }],
    ['a field is missing', { version: '3', more: 'x' }],
    ['a field is there', { version: '3', data: null }],
    ['a number is written in another way', { version: '3.0' }],
    ['a field is empty', { more: '' }],
  ])('is refused as a whole when %s', async (_, expected) => {
    const { harness, hash, swap } = await openChange();

    expect(await swap(expected)).toBeUndefined();

    expect(await harness.redis.hgetall(hash)).toEqual({ version: '3', data: 'old' });
    expect(await waiting(harness)).toEqual([]);
  });

  it('is made without any message, too', async () => {
    const { harness, hash, swap } = await openChange();

    expect(await swap({ version: '3' }, [])).toEqual([]);

    expect(await harness.redis.hgetall(hash)).toEqual({ version: '4' });
  });

  it('is made by one of many', async () => {
    const { harness, hash } = await openChange();
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
    const { outbox, redis, keys } = await openHarness(server.url);
    await redis.hset(keys.changesOpen, { old: 'x', kept: 'y' });
    await redis.zadd(keys.changesDue, NOW, 'k3m9x2ab');
    await redis.set(keys.lastPost('C1'), 'x');
    const text = '{"a":"\\ud800 \u0000 é 🎉","n":0.1}';
    const line = { at: NOW, event: 'x', text };

    const channels = await outbox.commit([message(ROOT, 'pending')], {
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
    const harness = await openHarness(server.url);
    const { redis, keys, outbox } = harness;
    await outbox.commit([message('posted', 'is there')]);
    await harness.deliverer.deliver(CHANNEL);
    const lost = await acquireLock(redis, keys.lock('poll'), 60_000);
    if (lost === undefined) throw new Error('the lock is taken');
    await redis.del(lost.key);
    const hash = keys.change('k3m9x2ab');
    const change = {
      hash,
      set: { version: '1' },
      remove: [],
      writes: [['ZADD', keys.changes, NOW, 'k3m9x2ab'] as const],
      audit: { at: NOW, event: 'x' },
    };

    const refused = [
      await outbox.commit([], { ...change, lock: lost }),
      await outbox.commit([], { ...change, expect: { version: '0' } }),
    ];

    expect(refused).toEqual([undefined, undefined]);
    expect(await redis.exists(hash, keys.changes, keys.audit)).toBe(0);
    await lost.release();
  });
});
