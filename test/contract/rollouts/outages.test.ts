import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../../src/notify/message.ts';
import { createOutbox } from '../../../src/notify/outbox.ts';
import type { Outbox } from '../../../src/notify/outbox.ts';
import { createMessageRecords } from '../../../src/notify/records.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import type { PlatformReason } from '../../../src/platform/errors.ts';
import { createOutages } from '../../../src/rollouts/outages/outages.ts';
import { createKeys } from '../../../src/store/keys.ts';
import type { Keys } from '../../../src/store/keys.ts';
import type { RedisConnection } from '../../../src/store/redis.ts';
import { logger, openRedis } from './support.ts';
import type { TestRedis } from './support.ts';

const OPS = 'C0OPS';
const MINUTE = 60_000;
const SHOP = { org: 'acme', gvc: 'shop' };
const PAY = { org: 'acme', gvc: 'pay' };
const LAB = { org: 'labs', gvc: 'lab' };
const SHOP_DOWN = 'acme/shop/@api/down/1';

let opened: TestRedis;
let redis: RedisConnection;
let keys: Keys;
let now: number;

beforeAll(async () => {
  opened = await openRedis();
  redis = opened.redis;
});
beforeEach(() => {
  keys = createKeys(`test-${randomUUID()}`);
  now = Date.UTC(2026, 9, 5, 12);
});
afterAll(() => opened.close());

/** A process of its own. */
function outages(through: Outbox = createOutbox(redis, keys, (text) => text)) {
  return createOutages({
    redis,
    keys,
    outbox: through,
    wake: () => Promise.resolve(),
    clock: { now: () => now },
    opsChannel: OPS,
    logger,
  });
}

const failure = (reason: PlatformReason, status?: number): PlatformError =>
  new PlatformError(reason, 'svc-secret-body', { status });
const UNREACHABLE = failure('unreachable');

/** Three polls of a GVC that fail. */
async function fails(place: { org: string; gvc: string }, error: unknown = UNREACHABLE, from = 1) {
  for (const count of [from, from + 1, from + 2]) await outages().failed(place, count, error);
}

/** What the ops channel is to see, in order. */
async function told(): Promise<Message[]> {
  const records = createMessageRecords(redis, keys);
  const names = await redis.zrange(keys.outbox(OPS), '0', '-1');
  const found = await Promise.all(names.map((name) => records.read(OPS, name)));
  return found.flatMap((record) => (record === undefined ? [] : [record.message]));
}

/** As `key <- covers`. */
const toldKeys = async (): Promise<string[]> =>
  (await told()).map(({ key, covers = [] }) => [key, ...covers].join(' <- '));

describe('a GVC that cannot be read', () => {
  it('is nothing to tell after two failed polls', async () => {
    for (const count of [1, 2]) await outages().failed(SHOP, count, UNREACHABLE);

    expect(await told()).toEqual([]);
  });

  it('is told once after three, and once when it is back', async () => {
    await fails(SHOP);
    await fails(SHOP, UNREACHABLE, 4);
    now += 12 * MINUTE;
    await outages().worked(SHOP);
    await outages().worked(SHOP);

    const [down, up, ...others] = await told();
    expect(others).toEqual([]);
    expect(down).toMatchObject({ channel: OPS, key: SHOP_DOWN, groupable: true });
    expect(down?.text).toContain('did not answer for 12 min');
    expect(up).toMatchObject({
      key: 'acme/shop/@api/up/1',
      threadKey: SHOP_DOWN,
      broadcast: true,
      text: '1 GVC can be read again after 12 min: acme/shop',
    });
  });

  it('has a new number the next time', async () => {
    await fails(SHOP);
    await outages().worked(SHOP);
    await fails(SHOP);

    expect((await toldKeys()).at(-1)).toBe('acme/shop/@api/down/2');
  });

  it('that nobody watches any more is no outage', async () => {
    await fails(SHOP);
    await outages().forget(SHOP);
    await outages().forget(SHOP);

    expect(await toldKeys()).toEqual([SHOP_DOWN]);
    expect((await told())[0]?.text).toContain('watched no more');
    expect(await redis.hexists(keys.outages, 'open platform')).toBe(0);
  });
});

describe('GVCs that fail alike', () => {
  it('are one outage, which is over when all are back', async () => {
    await fails(SHOP);
    await outages().failed(PAY, 2, failure('unavailable', 503));
    expect(await toldKeys()).toEqual([SHOP_DOWN]);
    await fails(PAY, failure('unavailable', 503));
    await fails(LAB, failure('timeout'));
    expect(await toldKeys()).toEqual([
      `${SHOP_DOWN} <- acme/pay/@api/down/1 <- labs/lab/@api/down/1`,
    ]);
    expect((await told())[0]?.text).toContain(
      '3 GVCs cannot be read (acme/pay, acme/shop, labs/lab)',
    );

    await outages().worked(SHOP);
    await outages().worked(LAB);
    expect((await told())[0]?.text).toContain('1 GVC cannot be read (acme/pay)');
    await outages().worked(PAY);

    expect((await toldKeys()).slice(1)).toEqual([
      'acme/shop/@api/up/1 <- acme/pay/@api/up/1 <- labs/lab/@api/up/1',
    ]);
  });

  it('do not wait for one that nobody watches any more', async () => {
    await fails(SHOP);
    await fails(PAY);
    await fails(LAB);
    await outages().forget(PAY);
    await outages().worked(SHOP);
    await outages().worked(LAB);

    expect((await toldKeys()).slice(1)).toEqual(['acme/shop/@api/up/1 <- labs/lab/@api/up/1']);
  });

  it('and come back for a while are told under their next number, in the same message', async () => {
    await fails(SHOP);
    await fails(PAY);
    await outages().worked(PAY);
    await fails(PAY);

    expect(await toldKeys()).toEqual([
      `${SHOP_DOWN} <- acme/pay/@api/down/1 <- acme/pay/@api/down/2`,
    ]);
  });

  it('are told once by many processes at the same time', async () => {
    const places = Array.from({ length: 20 }, (_, index) => ({ org: 'acme', gvc: `gvc-${index}` }));

    await Promise.all(places.map((place) => outages().failed(place, 3, UNREACHABLE)));
    const [down, ...others] = await told();
    expect(others).toEqual([]);
    expect(new Set([down?.key, ...(down?.covers ?? [])]).size).toBe(20);

    await Promise.all(places.map((place) => outages().worked(place)));
    const up = (await told())[1];
    expect(new Set([up?.key, ...(up?.covers ?? [])]).size).toBe(20);
  });

  it('are more than one message can stand for: the rest is in replies', async () => {
    const names = Array.from({ length: 90 }, (_, index) => `${'x'.repeat(100)}-${index}`);
    for (const gvc of names) await outages().failed({ org: 'acme', gvc }, 3, UNREACHABLE);
    const [down, more, ...others] = await told();
    expect(others).toEqual([]);
    expect(more?.threadKey).toBe(down?.key);

    for (const gvc of names) await outages().worked({ org: 'acme', gvc });
    const messages = await told();
    expect(messages.map(({ broadcast }) => broadcast === true)).toEqual([
      false,
      false,
      true,
      false,
    ]);
    for (const { covers = [] } of messages)
      expect(covers.join(' ').length).toBeLessThanOrEqual(8_000);
    const all = messages.flatMap(({ key, covers = [] }) => [key, ...covers]);
    expect(new Set(all).size).toBe(180);
  });
});

describe('what is wrong', () => {
  it.each([
    ['unauthorized', 401],
    ['forbidden', 403],
  ] as const)('with a key (%s) is a matter of its org, with what to do', async (reason, status) => {
    await fails(SHOP);
    await fails(PAY, failure(reason, status));
    await fails(LAB, failure(reason, status));

    const [, pay, lab] = await told();
    expect(pay).toMatchObject({ key: 'acme/pay/@api/down/1' });
    expect(pay?.text).toContain('key of org acme');
    expect(pay?.text).toContain('ORG_TOKENS');
    expect(lab?.text).toContain('key of org labs');
  });

  it('with a GVC that is not found is its own', async () => {
    await fails(SHOP, failure('not-found', 404));
    await fails(PAY, failure('not-found', 404));

    expect(await toldKeys()).toEqual([SHOP_DOWN, 'acme/pay/@api/down/1']);
    expect((await told())[0]?.text).toContain('/deployments unwatch');
  });

  it('in Purser itself is told, too', async () => {
    await fails(SHOP, new TypeError('a defect'));

    expect((await told())[0]?.text).toContain('log says more');
  });

  it('never shows what the platform answered', async () => {
    for (const [index, reason] of (
      ['unreachable', 'unauthorized', 'not-found'] as const
    ).entries()) {
      await fails({ org: 'acme', gvc: `gvc-${index}` }, failure(reason, 400));
    }

    expect(JSON.stringify(await told())).not.toContain('svc-secret-body');
  });

  it('moves to where it belongs when it fails in another way for three polls', async () => {
    await fails(SHOP);
    await outages().failed(SHOP, 4, failure('unauthorized', 401));
    await outages().failed(SHOP, 5, UNREACHABLE);
    await outages().failed(SHOP, 6, failure('unauthorized', 401));
    await outages().failed(SHOP, 7, failure('unauthorized', 401));
    expect(await toldKeys()).toEqual([SHOP_DOWN]);
    await outages().failed(SHOP, 8, failure('unauthorized', 401));

    expect(await toldKeys()).toEqual([SHOP_DOWN, 'acme/shop/@api/down/2']);
    await outages().worked(SHOP);
    expect((await toldKeys()).at(-1)).toBe('acme/shop/@api/up/2');
  });
});

describe('a process that is killed', () => {
  const dying: Outbox = { commit: () => Promise.reject(new Error('killed')) };

  it('before it tells leaves it to the next failed poll', async () => {
    await outages(dying).failed(SHOP, 3, UNREACHABLE);
    expect(await told()).toEqual([]);

    await outages().failed(SHOP, 4, UNREACHABLE);

    expect(await toldKeys()).toEqual([SHOP_DOWN]);
  });

  it('before it tells the end leaves it to the next call', async () => {
    await fails(SHOP);
    await expect(outages(dying).worked(SHOP)).rejects.toThrow('killed');

    await outages().worked(SHOP);

    expect(await toldKeys()).toEqual([SHOP_DOWN, 'acme/shop/@api/up/1']);
  });
});
