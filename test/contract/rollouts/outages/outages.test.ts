import { beforeEach, describe, expect, it } from 'vitest';
import type { Outbox } from '../../../../src/notify/outbox.ts';
import { useConnection } from '../../../support/redis.ts';
import {
  failure,
  LAB,
  openOutages,
  OPS,
  PAY,
  SHOP,
  SHOP_DOWN,
  UNREACHABLE,
  type OutageHarness,
} from './harness.ts';

const MINUTE = 60_000;

const server = useConnection();
let harness: OutageHarness;
beforeEach(() => {
  harness = openOutages(server.redis);
});

describe('a GVC that cannot be read', () => {
  it('is nothing to show after two failed polls', async () => {
    for (const count of [1, 2]) await harness.outages().failed(SHOP, count, UNREACHABLE);

    expect(await harness.reported()).toEqual([]);
  });

  it('is reported once after three, and once when it is back', async () => {
    await harness.fails(SHOP);
    await harness.fails(SHOP, UNREACHABLE, 4);
    harness.now += 12 * MINUTE;
    await harness.outages().worked(SHOP);
    await harness.outages().worked(SHOP);

    const [down, up, ...others] = await harness.reported();
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
    await harness.fails(SHOP);
    await harness.outages().worked(SHOP);
    await harness.fails(SHOP);

    expect((await harness.reportedKeys()).at(-1)).toBe('acme/shop/@api/down/2');
  });

  it('that is no longer watched is not an outage', async () => {
    await harness.fails(SHOP);
    await harness.outages().forget(SHOP);
    await harness.outages().forget(SHOP);

    expect(await harness.reportedKeys()).toEqual([SHOP_DOWN]);
    expect((await harness.reported())[0]?.text).toContain('not known to be fixed');
    expect(await server.redis.hget(harness.keys.outages, 'book')).toContain('"open":{}');
  });
});

describe('GVCs that fail alike', () => {
  it('are one outage, which is over when all are back', async () => {
    await harness.fails(SHOP);
    await harness.outages().failed(PAY, 2, failure('unavailable', 503));
    expect(await harness.reportedKeys()).toEqual([SHOP_DOWN]);
    await harness.fails(PAY, failure('unavailable', 503));
    await harness.fails(LAB, failure('timeout'));
    expect(await harness.reportedKeys()).toEqual([
      `${SHOP_DOWN} <- acme/pay/@api/down/1 <- labs/lab/@api/down/1`,
    ]);
    expect((await harness.reported())[0]?.text).toContain(
      '3 GVCs cannot be read\nacme/pay, acme/shop, labs/lab',
    );

    await harness.outages().worked(SHOP);
    await harness.outages().worked(LAB);
    expect((await harness.reported())[0]?.text).toContain(
      '1 GVC cannot be read\nacme/pay\nBack again: acme/shop, labs/lab\n',
    );
    await harness.outages().worked(PAY);

    expect((await harness.reportedKeys()).slice(1)).toEqual([
      'acme/shop/@api/up/1 <- acme/pay/@api/up/1 <- labs/lab/@api/up/1',
    ]);
  });

  it('do not wait for one that is no longer watched', async () => {
    await harness.fails(SHOP);
    await harness.fails(PAY);
    await harness.fails(LAB);
    await harness.outages().forget(PAY);
    expect((await harness.reported())[0]?.text).not.toContain('Back again');
    await harness.outages().worked(SHOP);
    await harness.outages().worked(LAB);

    expect((await harness.reportedKeys()).slice(1)).toEqual([
      'acme/shop/@api/up/1 <- labs/lab/@api/up/1',
    ]);
  });

  it('and come back for a while keep their numbers, because that was not reported', async () => {
    await harness.fails(SHOP);
    await harness.fails(PAY);
    for (const _ of [1, 2]) {
      await harness.outages().worked(PAY);
      expect((await harness.reported())[0]?.text).toContain('1 GVC cannot be read\nacme/shop');
      await harness.fails(PAY);
    }
    expect(await harness.reportedKeys()).toEqual([`${SHOP_DOWN} <- acme/pay/@api/down/1`]);
    expect((await harness.reported())[0]?.text).toContain(
      '2 GVCs cannot be read\nacme/pay, acme/shop',
    );

    await harness.outages().worked(PAY);
    await harness.outages().worked(SHOP);
    expect((await harness.reportedKeys()).at(-1)).toBe('acme/shop/@api/up/1 <- acme/pay/@api/up/1');
  });

  it('and are watched no more for a while count as back in the end', async () => {
    await harness.fails(SHOP);
    await harness.fails(PAY);
    await harness.outages().forget(PAY);
    await harness.fails(PAY);
    await harness.outages().worked(SHOP);
    await harness.outages().worked(PAY);

    expect((await harness.reportedKeys()).at(-1)).toBe('acme/shop/@api/up/1 <- acme/pay/@api/up/1');
  });

  it('are reported once by many processes at the same time', async () => {
    const places = Array.from({ length: 20 }, (_, index) => ({ org: 'acme', gvc: `gvc-${index}` }));

    await Promise.all(places.map((place) => harness.outages().failed(place, 3, UNREACHABLE)));
    const [down, ...others] = await harness.reported();
    expect(others).toEqual([]);
    expect(new Set([down?.key, ...(down?.covers ?? [])]).size).toBe(20);

    await Promise.all(places.map((place) => harness.outages().worked(place)));
    const up = (await harness.reported())[1];
    expect(new Set([up?.key, ...(up?.covers ?? [])]).size).toBe(20);
  });

  it('are more than one message can stand for: the rest is in replies', async () => {
    const names = Array.from({ length: 45 }, (_, index) => `${'x'.repeat(100)}-${index}`);
    for (const gvc of names) await harness.outages().failed({ org: 'acme', gvc }, 3, UNREACHABLE);
    const [down, more, ...others] = await harness.reported();
    expect(others).toEqual([]);
    expect(more?.threadKey).toBe(down?.key);

    for (const gvc of names) await harness.outages().worked({ org: 'acme', gvc });
    const messages = await harness.reported();
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
    await harness.outages(dying).failed(SHOP, 3, UNREACHABLE);
    expect(await harness.reported()).toEqual([]);

    await harness.outages().failed(SHOP, 4, UNREACHABLE);

    expect(await harness.reportedKeys()).toEqual([SHOP_DOWN]);
  });

  it('while another one shows is followed by the next failed poll', async () => {
    const lost: Pick<Outbox, 'commit'> = { commit: () => Promise.resolve(undefined) };
    await harness.fails(SHOP);
    await expect(harness.outages(lost).worked(SHOP)).rejects.toThrow('lost');

    await harness.outages().worked(SHOP);

    expect(await harness.reportedKeys()).toEqual([SHOP_DOWN, 'acme/shop/@api/up/1']);
  });

  it('before it shows the end leaves it to the next call', async () => {
    await harness.fails(SHOP);
    await expect(harness.outages(dying).worked(SHOP)).rejects.toThrow('killed');

    await harness.outages().worked(SHOP);

    expect(await harness.reportedKeys()).toEqual([SHOP_DOWN, 'acme/shop/@api/up/1']);
  });
});
