import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../../src/lib/time.ts';
import type { Message } from '../../../../src/notify/message.ts';
import { createOutbox, type Outbox } from '../../../../src/notify/outbox.ts';
import { createMessageRecords } from '../../../../src/notify/records.ts';
import { PlatformError, type PlatformReason } from '../../../../src/platform/errors.ts';
import { createOutages, type Outages } from '../../../../src/rollouts/outages/outages.ts';
import { createKeys, type Keys } from '../../../../src/store/redis.ts';
import { useConnection } from '../../../support/redis.ts';
import { logger } from '../poll-harness.ts';

const MINUTE = 60_000;
const OPS = 'C0OPS';
const SHOP = { org: 'acme', gvc: 'shop' };
const PAY = { org: 'acme', gvc: 'pay' };
const LAB = { org: 'labs', gvc: 'lab' };
const SHOP_DOWN = 'acme/shop/@api/down/1';

const failure = (reason: PlatformReason, status?: number): PlatformError =>
  new PlatformError(reason, 'svc-secret-body', { status });
const UNREACHABLE = failure('unreachable');

const server = useConnection();
let keys: Keys;
let outbox: Outbox;
let now: number;
beforeEach(() => {
  keys = createKeys(`test-${randomUUID()}`);
  outbox = createOutbox(server.redis, keys, (text) => text);
  now = Date.UTC(2026, 9, 5, 12);
});

/** A process of its own. */
function outages(through: Pick<Outbox, 'commit'> = outbox): Outages {
  return createOutages({
    redis: server.redis,
    keys,
    outbox: { ...outbox, ...through },
    wake: () => Promise.resolve(),
    clock: { now: () => now },
    config: { channels: { ops: OPS } },
    logger,
  });
}

/** Three polls of a GVC that fail. */
async function fails(place: typeof SHOP, error: unknown = UNREACHABLE, from = 1): Promise<void> {
  for (const count of [from, from + 1, from + 2]) await outages().failed(place, count, error);
}

/** Messages for the ops channel, in order. */
async function reported(): Promise<Message[]> {
  const records = createMessageRecords(server.redis, keys);
  const names = await server.redis.zrange(keys.outbox(OPS), '0', '-1');
  const found = await Promise.all(names.map((name) => records.read(OPS, name)));
  return found.flatMap((record) => (record === undefined ? [] : [record.message]));
}

/** The same as `key <- covers`. */
async function reportedKeys(): Promise<string[]> {
  return (await reported()).map(({ key, covers = [] }) => [key, ...covers].join(' <- '));
}

describe('a GVC that cannot be read', () => {
  it('is nothing to show after two failed polls', async () => {
    for (const count of [1, 2]) await outages().failed(SHOP, count, UNREACHABLE);

    expect(await reported()).toEqual([]);
  });

  it('is reported once after three, and once when it is back', async () => {
    await fails(SHOP);
    await fails(SHOP, UNREACHABLE, 4);
    now += 12 * MINUTE;
    await outages().worked(SHOP);
    await outages().worked(SHOP);

    const [down, up, ...others] = await reported();
    expect(others).toEqual([]);
    expect(down).toMatchObject({ channel: OPS, key: SHOP_DOWN });
    expect(down?.text).toContain('Over after 12 min');
    expect(up).toMatchObject({
      key: 'acme/shop/@api/up/1',
      threadKey: SHOP_DOWN,
      broadcast: true,
      text: '✅ acme/shop can be read again after 12 min\nUpdates missed meanwhile follow.',
    });
  });

  it('has a new number the next time', async () => {
    await fails(SHOP);
    await outages().worked(SHOP);
    await fails(SHOP);

    expect((await reportedKeys()).at(-1)).toBe('acme/shop/@api/down/2');
  });

  it('that is no longer watched is not an outage', async () => {
    await fails(SHOP);
    await outages().forget(SHOP);
    await outages().forget(SHOP);

    expect(await reportedKeys()).toEqual([SHOP_DOWN]);
    expect((await reported())[0]?.text).toContain('not known to be fixed');
    expect(await server.redis.hget(keys.outages, 'book')).toContain('"open":{}');
  });
});

describe('GVCs that fail alike', () => {
  it('are one outage, which is over when all are back', async () => {
    await fails(SHOP);
    await outages().failed(PAY, 2, failure('unavailable', 503));
    expect(await reportedKeys()).toEqual([SHOP_DOWN]);
    await fails(PAY, failure('unavailable', 503));
    await fails(LAB, failure('timeout'));
    expect(await reportedKeys()).toEqual([
      `${SHOP_DOWN} <- acme/pay/@api/down/1 <- labs/lab/@api/down/1`,
    ]);
    expect((await reported())[0]?.text).toContain(
      '3 GVCs cannot be read\nacme/pay, acme/shop, labs/lab',
    );

    await outages().worked(SHOP);
    await outages().worked(LAB);
    expect((await reported())[0]?.text).toContain(
      '1 GVC cannot be read\nacme/pay\nBack again: acme/shop, labs/lab\n',
    );
    await outages().worked(PAY);

    expect((await reportedKeys()).slice(1)).toEqual([
      'acme/shop/@api/up/1 <- acme/pay/@api/up/1 <- labs/lab/@api/up/1',
    ]);
  });

  it('do not wait for one that is no longer watched', async () => {
    await fails(SHOP);
    await fails(PAY);
    await fails(LAB);
    await outages().forget(PAY);
    expect((await reported())[0]?.text).not.toContain('Back again');
    await outages().worked(SHOP);
    await outages().worked(LAB);

    expect((await reportedKeys()).slice(1)).toEqual(['acme/shop/@api/up/1 <- labs/lab/@api/up/1']);
  });

  it('and come back for a while keep their numbers, because that was not reported', async () => {
    await fails(SHOP);
    await fails(PAY);
    for (const _ of [1, 2]) {
      await outages().worked(PAY);
      expect((await reported())[0]?.text).toContain('1 GVC cannot be read\nacme/shop');
      await fails(PAY);
    }
    expect(await reportedKeys()).toEqual([`${SHOP_DOWN} <- acme/pay/@api/down/1`]);
    expect((await reported())[0]?.text).toContain('2 GVCs cannot be read\nacme/pay, acme/shop');

    await outages().worked(PAY);
    await outages().worked(SHOP);
    expect((await reportedKeys()).at(-1)).toBe('acme/shop/@api/up/1 <- acme/pay/@api/up/1');
  });

  it('and are watched no more for a while count as back in the end', async () => {
    await fails(SHOP);
    await fails(PAY);
    await outages().forget(PAY);
    await fails(PAY);
    await outages().worked(SHOP);
    await outages().worked(PAY);

    expect((await reportedKeys()).at(-1)).toBe('acme/shop/@api/up/1 <- acme/pay/@api/up/1');
  });

  it('are reported once by many processes at the same time', async () => {
    const places = Array.from({ length: 20 }, (_, index) => ({ org: 'acme', gvc: `gvc-${index}` }));

    await Promise.all(places.map((place) => outages().failed(place, 3, UNREACHABLE)));
    const [down, ...others] = await reported();
    expect(others).toEqual([]);
    expect(new Set([down?.key, ...(down?.covers ?? [])]).size).toBe(20);

    await Promise.all(places.map((place) => outages().worked(place)));
    const up = (await reported())[1];
    expect(new Set([up?.key, ...(up?.covers ?? [])]).size).toBe(20);
  });

  it('are more than one message can stand for: the rest is in replies', async () => {
    const names = Array.from({ length: 45 }, (_, index) => `${'x'.repeat(100)}-${index}`);
    for (const gvc of names) await outages().failed({ org: 'acme', gvc }, 3, UNREACHABLE);
    const [down, more, ...others] = await reported();
    expect(others).toEqual([]);
    expect(more?.threadKey).toBe(down?.key);

    for (const gvc of names) await outages().worked({ org: 'acme', gvc });
    const messages = await reported();
    expect(messages.map(({ broadcast }) => broadcast === true)).toEqual([
      false,
      false,
      true,
      false,
    ]);
    for (const { covers = [] } of messages)
      expect(covers.join(' ').length).toBeLessThanOrEqual(4_000);
    const all = messages.flatMap(({ key, covers = [] }) => [key, ...covers]);
    expect(new Set(all).size).toBe(90);
  });
});

describe('a process that is killed', () => {
  const dying: Pick<Outbox, 'commit'> = { commit: () => Promise.reject(new Error('killed')) };

  it('before it shows leaves it to the next failed poll', async () => {
    await outages(dying).failed(SHOP, 3, UNREACHABLE);
    expect(await reported()).toEqual([]);

    await outages().failed(SHOP, 4, UNREACHABLE);

    expect(await reportedKeys()).toEqual([SHOP_DOWN]);
  });

  it('while another one shows is followed by the next failed poll', async () => {
    const lost: Pick<Outbox, 'commit'> = { commit: () => Promise.resolve(undefined) };
    await fails(SHOP);
    await expect(outages(lost).worked(SHOP)).rejects.toThrow('lost');

    await outages().worked(SHOP);

    expect(await reportedKeys()).toEqual([SHOP_DOWN, 'acme/shop/@api/up/1']);
  });

  it('before it shows the end leaves it to the next call', async () => {
    await fails(SHOP);
    await expect(outages(dying).worked(SHOP)).rejects.toThrow('killed');

    await outages().worked(SHOP);

    expect(await reportedKeys()).toEqual([SHOP_DOWN, 'acme/shop/@api/up/1']);
  });
});

describe('a failure', () => {
  const title = async (index: number): Promise<string | undefined> =>
    (await reported())[index]?.text.split('\n')[0];

  it('with a key is one outage of its org, beside that of the platform', async () => {
    await fails(SHOP);
    await fails(PAY, failure('unauthorized', 401));
    await fails(LAB, failure('bad-request'));

    expect(await title(1)).toContain('key of org acme');
    expect(await title(2)).toContain('key of org labs');
  });

  it('with GVCs that are not found is one message for those of an org', async () => {
    for (const place of [SHOP, PAY, LAB]) await fails(place, failure('not-found', 404));

    expect(await reportedKeys()).toEqual([
      `${SHOP_DOWN} <- acme/pay/@api/down/1`,
      'labs/lab/@api/down/1',
    ]);
    expect(await title(0)).toBe('⚪ 2 watched GVCs are not found');
    await outages().worked(PAY);
    expect(await title(0)).toBe('⚪ GVC acme/shop is not found');
  });

  it('with a GVC that is not found a day after another is a message of its own', async () => {
    const gone = failure('not-found', 404);
    await fails(SHOP, gone);
    now += DAY_MS;
    await fails(SHOP, gone, 4);
    await fails(PAY, gone);

    expect(await reportedKeys()).toEqual([SHOP_DOWN, 'acme/pay/@api/down/1']);
  });

  it('in Purser itself is reported once for all GVCs, and its error is not shown', async () => {
    await fails(SHOP, new TypeError('a defect'));
    await fails(LAB, new RangeError('another'));

    expect(await reportedKeys()).toEqual([`${SHOP_DOWN} <- labs/lab/@api/down/1`]);
    expect(JSON.stringify(await reported())).not.toContain('a defect');
  });

  it('never shows the platform’s answer', async () => {
    const reasons = [
      'unreachable',
      'unauthorized',
      'not-found',
      'redirected',
      'bad-request',
    ] as const;
    for (const [index, reason] of reasons.entries()) {
      await fails({ org: 'acme', gvc: `gvc-${index}` }, failure(reason, 400));
    }

    expect(JSON.stringify(await reported())).not.toContain('svc-secret-body');
  });

  it('moves to where it belongs when it fails in another way for three polls', async () => {
    const refused = failure('unauthorized', 401);
    await fails(SHOP);
    for (const [count, error] of [refused, UNREACHABLE, refused, refused].entries()) {
      await outages().failed(SHOP, 4 + count, error);
    }
    expect(await reportedKeys()).toEqual([SHOP_DOWN]);
    await outages().failed(SHOP, 8, refused);

    expect(await reportedKeys()).toEqual([SHOP_DOWN, 'acme/shop/@api/down/2']);
    await outages().worked(SHOP);
    expect((await reportedKeys()).at(-1)).toBe('acme/shop/@api/up/2');
  });
});
