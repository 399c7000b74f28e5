import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createOutbox } from '../../../src/notify/outbox.ts';
import {
  createMutes,
  liftMutes,
  muteOf,
  setMute,
  type Mute,
  type Mutes,
} from '../../../src/rollouts/watches.ts';
import { createKeys, type Keys, type RedisConnection } from '../../../src/store/redis.ts';
import { connectTo, useRedis } from '../../support/redis.ts';

const NOON = Date.UTC(2026, 9, 5, 12);
const HOUR = 3_600_000;
const SHOP: Mute = {
  channel: 'C0A',
  org: 'acme',
  gvc: 'shop',
  since: NOON,
  until: NOON + HOUR,
  by: 'U0ADA',
};
const LATER: Mute = { ...SHOP, since: NOON + HOUR, until: NOON + 2 * HOUR };

let redis: RedisConnection;
let keys: Keys;
let mutes: Mutes;

beforeAll(async () => {
  redis = await connectTo(useRedis().url);
});

beforeEach(() => {
  keys = createKeys(`test-${randomUUID()}`);
  mutes = createMutes({ redis, keys });
});

afterAll(() => redis.disconnect());

const services = () => ({
  redis,
  keys,
  outbox: createOutbox(redis, keys, (text) => text),
  wake: () => Promise.resolve(),
  clock: { now: () => NOON },
});
const mute = (one: Mute): Promise<void> => setMute(services(), one);

/** Runs `then` between the next read of all mutes and its use. */
function afterNextLook(then: () => Promise<void>): void {
  const look = redis.hgetall.bind(redis);
  vi.spyOn(redis, 'hgetall').mockImplementationOnce(async (key) => {
    const seen = await look(key);
    await then();
    return seen;
  });
}

describe('a mute', () => {
  it('that has run out is there no more, and goes with the next one that is set', async () => {
    await mute(SHOP);
    expect(await mutes.all(LATER.since)).toEqual([]);

    const data = { ...LATER, gvc: 'data' };
    await mute(data);

    expect(await redis.hvals(keys.mutes)).toEqual([JSON.stringify(data)]);
  });

  it('that is set while a person sees the one before run out is kept', async () => {
    await mute(SHOP);
    afterNextLook(() => mute(LATER));

    await mutes.all(LATER.since);

    expect(await mutes.all(LATER.since)).toEqual([LATER]);
  });

  it('also while another one is set', async () => {
    await mute(SHOP);
    const data = { ...LATER, gvc: 'data' };
    afterNextLook(() => mute(LATER));

    await mute(data);

    expect(await mutes.all(LATER.since)).toEqual(expect.arrayContaining([LATER, data]));
  });

  it('of another channel stays silent when one is lifted', async () => {
    const elsewhere = { ...SHOP, channel: 'C0B' };
    await mute(SHOP);
    await mute(elsewhere);

    expect(await liftMutes(services(), { channel: 'C0A', by: 'U0BEN' })).toEqual([SHOP]);

    expect(await mutes.all(NOON)).toEqual([elsewhere]);
  });
});

describe('of several mutes of a place', () => {
  const cart = { org: 'acme', gvc: 'shop', workload: 'cart' };
  const all: Mute = { channel: 'C0A', since: NOON, until: NOON + 2 * HOUR, by: 'U0ADA' };

  it.each([
    ['one before the other', [SHOP, all]],
    ['the other way round', [all, SHOP]],
  ])('the longest counts, %s', (_, several) => {
    expect(muteOf(several, 'C0A', cart, NOON)).toBe(all);
  });

  it('none counts that has run out, or is of another channel or place', () => {
    expect(muteOf([SHOP], 'C0A', cart, SHOP.until)).toBeUndefined();
    expect(muteOf([SHOP], 'C0B', cart, NOON)).toBeUndefined();
    expect(muteOf([SHOP], 'C0A', { ...cart, gvc: 'data' }, NOON)).toBeUndefined();
    expect(muteOf([{ ...SHOP, workload: 'web' }], 'C0A', cart, NOON)).toBeUndefined();
    expect(muteOf([{ ...SHOP, workload: 'cart' }], 'C0A', { ...SHOP }, NOON)).toBeUndefined();
  });
});
