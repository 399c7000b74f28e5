import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createOutbox } from '../../../src/notify/outbox.ts';
import {
  addWatch,
  createWatches,
  liftMutes,
  readMutes,
  removeWatches,
  setMute,
  type Mute,
  type Watch,
} from '../../../src/rollouts/watches.ts';
import { readAudit } from '../../../src/store/audit.ts';
import { createKeys, type Keys, type RedisConnection } from '../../../src/store/redis.ts';
import { connectTo, useRedis } from '../../support/redis.ts';
import { silentLogger } from '../notify/support.ts';

const NOON = Date.UTC(2026, 9, 5, 12);
const HOUR = 3_600_000;
const CHANNEL = 'C0OPS';
const [ADA, BEN] = ['U0ADA', 'U0BEN'];
const CONFIGURED: Watch = {
  org: 'acme',
  gvc: 'shop',
  channel: CHANNEL,
  quiet: false,
  configured: true,
};
const SHOP: Watch = { ...CONFIGURED, configured: false, by: ADA };
const CART: Watch = { ...SHOP, workload: 'cart' };
const MUTE: Mute = { channel: CHANNEL, since: NOON, until: NOON + HOUR, by: ADA };
const OF_SHOP: Mute = { ...MUTE, org: 'acme', gvc: 'shop' };
const LATER: Mute = { ...OF_SHOP, since: NOON + HOUR, until: NOON + 2 * HOUR };

let redis: RedisConnection;
let keys: Keys;

beforeAll(async () => {
  redis = await connectTo(useRedis().url);
});
beforeEach(() => {
  keys = createKeys(`test-${randomUUID()}`);
});
afterAll(() => redis.disconnect());

function open() {
  const config = { watches: [CONFIGURED], channels: { notify: CHANNEL } };
  const outbox = createOutbox(redis, keys, (text) => text);
  const services = {
    redis,
    keys,
    outbox,
    clock: { now: () => NOON },
    config,
    wake: () => Promise.resolve(),
  };
  return {
    services,
    watches: createWatches(services),
    end: (watches: readonly Watch[], by = BEN) =>
      removeWatches(services, watches, { by, channel: CHANNEL, messages: [] }),
  };
}

/** Event, person, place and channel of each line of the audit, and its other members. */
async function audited(): Promise<unknown[]> {
  const lines: unknown[] = [];
  for await (const { event, by, what, channel, at, ...more } of readAudit(
    redis,
    keys.audit,
    silentLogger,
  )) {
    expect(at).toBe(NOON);
    const { entry: _, hash: __, ...rest } = more;
    lines.push([event, by, what, channel, rest]);
  }
  return lines;
}

describe('watches made by command', () => {
  it('are kept by channel and place; those of the environment come first', async () => {
    const { services, watches, end } = open();

    expect(await addWatch(services, CART)).toBeUndefined();
    expect(await addWatch(services, { ...CART, quiet: true })).toEqual(CART);
    expect(await watches.all()).toEqual([CONFIGURED, { ...CART, quiet: true }]);

    await end([CART]);
    expect(await watches.all()).toEqual([CONFIGURED]);
  });

  it('are in the audit: who began, changed and ended which, and where', async () => {
    const { services, end } = open();
    await addWatch(services, SHOP);
    await addWatch(services, CART);
    await addWatch(services, { ...CART, only: ['failed'], quiet: true, by: BEN });
    await end([SHOP, CART]);
    await end([SHOP]);

    expect(await audited()).toEqual([
      ['watch.add', ADA, 'acme/shop', CHANNEL, { quiet: false }],
      ['watch.add', ADA, 'acme/shop/cart', CHANNEL, { quiet: false }],
      ['watch.change', BEN, 'acme/shop/cart', CHANNEL, { only: ['failed'], quiet: true }],
      ['watch.end', BEN, 'acme/shop, acme/shop/cart', CHANNEL, {}],
    ]);
  });

  it('are ended once, anyone who is faster, and never without a line', async () => {
    const { services, watches, end } = open();
    await addWatch(services, SHOP);

    await Promise.all([end([SHOP], ADA), end([SHOP], BEN), end([SHOP, CART], BEN)]);

    expect(await watches.all()).toEqual([CONFIGURED]);
    expect(await audited()).toHaveLength(2);
  });
});

describe('mutes', () => {
  const mutesAt = (now: number): Promise<Mute[]> => readMutes({ redis, keys }, now);

  it('are in the audit: who silenced which place, where and until when, and who ended it', async () => {
    const { services } = open();
    await setMute(services, OF_SHOP);
    await setMute(services, { ...MUTE, until: NOON + 2 * HOUR });
    await liftMutes(services, { channel: CHANNEL, by: BEN });
    await liftMutes(services, { channel: CHANNEL, by: BEN });

    expect(await mutesAt(NOON)).toEqual([]);
    expect(await audited()).toEqual([
      ['mute.set', ADA, 'acme/shop', CHANNEL, { until: NOON + HOUR }],
      ['mute.set', ADA, '*', CHANNEL, { until: NOON + 2 * HOUR }],
      ['mute.end', BEN, expect.stringMatching(/^(?:acme\/shop, \*|\*, acme\/shop)$/), CHANNEL, {}],
    ]);
  });

  it('that have run out are not reported to be ended by a person', async () => {
    const { services } = open();
    await setMute(services, { ...MUTE, org: 'acme', until: NOON });

    expect(await liftMutes(services, { channel: CHANNEL, by: BEN })).toHaveLength(1);

    expect(await audited()).toEqual([['mute.set', ADA, 'acme', CHANNEL, { until: NOON }]]);
  });

  it('that have run out are there no more, and go with the next one that is set', async () => {
    const { services } = open();
    await setMute(services, OF_SHOP);
    expect(await mutesAt(LATER.since)).toEqual([]);

    const data = { ...LATER, gvc: 'data' };
    await setMute(services, data);

    expect(await redis.hvals(keys.mutes)).toEqual([JSON.stringify(data)]);
  });

  it('that are set at the same time are both kept', async () => {
    const { services } = open();
    await setMute(services, OF_SHOP);
    const look = redis.hgetall.bind(redis);
    vi.spyOn(redis, 'hgetall').mockImplementationOnce(async (key) => {
      const seen = await look(key);
      await setMute(services, LATER);
      return seen;
    });

    const data = { ...LATER, gvc: 'data' };
    await setMute(services, data);

    expect(await mutesAt(LATER.since)).toEqual(expect.arrayContaining([LATER, data]));
  });

  it('of another channel stay when those of one are lifted', async () => {
    const { services } = open();
    const elsewhere = { ...OF_SHOP, channel: 'C0B' };
    await setMute(services, OF_SHOP);
    await setMute(services, elsewhere);

    expect(await liftMutes(services, { channel: CHANNEL, by: BEN })).toEqual([OF_SHOP]);

    expect(await mutesAt(NOON)).toEqual([elsewhere]);
  });
});

it('a command whose answer was lost has one line', async () => {
  const { services, end } = open();
  const call = redis.call.bind(redis) as (...args: unknown[]) => Promise<unknown>;
  const twice: RedisConnection = Object.create(redis) as RedisConnection;
  twice.call = async (...args: unknown[]) => {
    await call(...args);
    return call(...args);
  };
  const outbox = createOutbox(twice, keys, (text) => text);

  expect(await addWatch({ ...services, outbox }, SHOP)).toBeUndefined();
  await setMute({ ...services, outbox }, MUTE);
  expect(await liftMutes({ ...services, outbox }, { channel: CHANNEL, by: BEN })).toEqual([MUTE]);
  await end([SHOP]);

  expect((await audited()).map((line) => (line as unknown[])[0])).toEqual([
    'watch.add',
    'mute.set',
    'mute.end',
    'watch.end',
  ]);
});
