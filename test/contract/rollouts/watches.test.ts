import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOutbox } from '../../../src/notify/outbox.ts';
import {
  addWatch,
  createMutes,
  createWatches,
  liftMutes,
  removeWatches,
  setMute,
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
    mutes: createMutes(services),
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

    expect(await addWatch(services, CART)).toBe(false);
    expect(await addWatch(services, { ...CART, quiet: true })).toBe(true);
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
  it('are in the audit: who silenced which place, where and until when, and who ended it', async () => {
    const { services, mutes } = open();
    const mute = { channel: CHANNEL, since: NOON, until: NOON + HOUR, by: ADA };
    await setMute(services, { ...mute, org: 'acme', gvc: 'shop' });
    await setMute(services, { ...mute, until: NOON + 2 * HOUR });
    await liftMutes(services, { channel: CHANNEL, by: BEN });
    await liftMutes(services, { channel: CHANNEL, by: BEN });

    expect(await mutes.all(NOON)).toEqual([]);
    expect(await audited()).toEqual([
      ['mute.set', ADA, 'acme/shop', CHANNEL, { until: NOON + HOUR }],
      ['mute.set', ADA, '*', CHANNEL, { until: NOON + 2 * HOUR }],
      ['mute.end', BEN, expect.stringMatching(/^(?:acme\/shop, \*|\*, acme\/shop)$/), CHANNEL, {}],
    ]);
  });

  it('that have run out are not reported to be ended by a person', async () => {
    const { services } = open();
    const mute = { channel: CHANNEL, since: NOON, until: NOON, by: ADA };
    await setMute(services, { ...mute, org: 'acme' });

    expect(await liftMutes(services, { channel: CHANNEL, by: BEN })).toHaveLength(1);

    expect(await audited()).toEqual([['mute.set', ADA, 'acme', CHANNEL, { until: NOON }]]);
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
  const mute = { channel: CHANNEL, since: NOON, until: NOON + HOUR, by: ADA };

  expect(await addWatch({ ...services, outbox }, SHOP)).toBe(false);
  await setMute({ ...services, outbox }, mute);
  expect(await liftMutes({ ...services, outbox }, { channel: CHANNEL, by: BEN })).toEqual([mute]);
  await end([SHOP]);

  expect((await audited()).map((line) => (line as unknown[])[0])).toEqual([
    'watch.add',
    'mute.set',
    'mute.end',
    'watch.end',
  ]);
});
