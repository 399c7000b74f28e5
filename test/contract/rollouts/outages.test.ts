import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Outbox } from '../../../src/notify/outbox.ts';
import {
  failure,
  LAB,
  openOutages,
  OPS,
  PAY,
  SHOP,
  SHOP_DOWN,
  UNREACHABLE,
} from './outage-house.ts';
import type { OutageHouse } from './outage-house.ts';
import { openRedis } from './support.ts';
import type { TestRedis } from './support.ts';

const MINUTE = 60_000;

let opened: TestRedis;
let house: OutageHouse;
beforeAll(async () => {
  opened = await openRedis();
});
beforeEach(() => {
  house = openOutages(opened.redis);
});
afterAll(() => opened.close());

describe('a GVC that cannot be read', () => {
  it('is nothing to tell after two failed polls', async () => {
    for (const count of [1, 2]) await house.outages().failed(SHOP, count, UNREACHABLE);

    expect(await house.told()).toEqual([]);
  });

  it('is told once after three, and once when it is back', async () => {
    await house.fails(SHOP);
    await house.fails(SHOP, UNREACHABLE, 4);
    house.now += 12 * MINUTE;
    await house.outages().worked(SHOP);
    await house.outages().worked(SHOP);

    const [down, up, ...others] = await house.told();
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
    await house.fails(SHOP);
    await house.outages().worked(SHOP);
    await house.fails(SHOP);

    expect((await house.toldKeys()).at(-1)).toBe('acme/shop/@api/down/2');
  });

  it('that nobody watches any more is no outage', async () => {
    await house.fails(SHOP);
    await house.outages().forget(SHOP);
    await house.outages().forget(SHOP);

    expect(await house.toldKeys()).toEqual([SHOP_DOWN]);
    expect((await house.told())[0]?.text).toContain('watched no more');
    expect(await opened.redis.hexists(house.keys.outages, 'open platform')).toBe(0);
  });
});

describe('GVCs that fail alike', () => {
  it('are one outage, which is over when all are back', async () => {
    await house.fails(SHOP);
    await house.outages().failed(PAY, 2, failure('unavailable', 503));
    expect(await house.toldKeys()).toEqual([SHOP_DOWN]);
    await house.fails(PAY, failure('unavailable', 503));
    await house.fails(LAB, failure('timeout'));
    expect(await house.toldKeys()).toEqual([
      `${SHOP_DOWN} <- acme/pay/@api/down/1 <- labs/lab/@api/down/1`,
    ]);
    expect((await house.told())[0]?.text).toContain(
      '3 GVCs cannot be read (acme/pay, acme/shop, labs/lab)',
    );

    await house.outages().worked(SHOP);
    await house.outages().worked(LAB);
    expect((await house.told())[0]?.text).toContain('1 GVC cannot be read (acme/pay)');
    await house.outages().worked(PAY);

    expect((await house.toldKeys()).slice(1)).toEqual([
      'acme/shop/@api/up/1 <- acme/pay/@api/up/1 <- labs/lab/@api/up/1',
    ]);
  });

  it('do not wait for one that nobody watches any more', async () => {
    await house.fails(SHOP);
    await house.fails(PAY);
    await house.fails(LAB);
    await house.outages().forget(PAY);
    await house.outages().worked(SHOP);
    await house.outages().worked(LAB);

    expect((await house.toldKeys()).slice(1)).toEqual([
      'acme/shop/@api/up/1 <- labs/lab/@api/up/1',
    ]);
  });

  it('and come back for a while keep their numbers, because nothing was told of it', async () => {
    await house.fails(SHOP);
    await house.fails(PAY);
    for (const _ of [1, 2]) {
      await house.outages().worked(PAY);
      expect((await house.told())[0]?.text).toContain('1 GVC cannot be read (acme/shop)');
      await house.fails(PAY);
    }
    expect(await house.toldKeys()).toEqual([`${SHOP_DOWN} <- acme/pay/@api/down/1`]);
    expect((await house.told())[0]?.text).toContain('2 GVCs cannot be read (acme/pay, acme/shop)');

    await house.outages().worked(PAY);
    await house.outages().worked(SHOP);
    expect((await house.toldKeys()).at(-1)).toBe('acme/shop/@api/up/1 <- acme/pay/@api/up/1');
  });

  it('and are watched no more for a while count as back in the end', async () => {
    await house.fails(SHOP);
    await house.fails(PAY);
    await house.outages().forget(PAY);
    await house.fails(PAY);
    await house.outages().worked(SHOP);
    await house.outages().worked(PAY);

    expect((await house.toldKeys()).at(-1)).toBe('acme/shop/@api/up/1 <- acme/pay/@api/up/1');
  });

  it('are told once by many processes at the same time', async () => {
    const places = Array.from({ length: 20 }, (_, index) => ({ org: 'acme', gvc: `gvc-${index}` }));

    await Promise.all(places.map((place) => house.outages().failed(place, 3, UNREACHABLE)));
    const [down, ...others] = await house.told();
    expect(others).toEqual([]);
    expect(new Set([down?.key, ...(down?.covers ?? [])]).size).toBe(20);

    await Promise.all(places.map((place) => house.outages().worked(place)));
    const up = (await house.told())[1];
    expect(new Set([up?.key, ...(up?.covers ?? [])]).size).toBe(20);
  });

  it('are more than one message can stand for: the rest is in replies', async () => {
    const names = Array.from({ length: 90 }, (_, index) => `${'x'.repeat(100)}-${index}`);
    for (const gvc of names) await house.outages().failed({ org: 'acme', gvc }, 3, UNREACHABLE);
    const [down, more, ...others] = await house.told();
    expect(others).toEqual([]);
    expect(more?.threadKey).toBe(down?.key);

    for (const gvc of names) await house.outages().worked({ org: 'acme', gvc });
    const messages = await house.told();
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

describe('a process that is killed', () => {
  const dying: Outbox = { commit: () => Promise.reject(new Error('killed')) };

  it('before it tells leaves it to the next failed poll', async () => {
    await house.outages(dying).failed(SHOP, 3, UNREACHABLE);
    expect(await house.told()).toEqual([]);

    await house.outages().failed(SHOP, 4, UNREACHABLE);

    expect(await house.toldKeys()).toEqual([SHOP_DOWN]);
  });

  it('while another one tells is followed by the next failed poll', async () => {
    const lost: Outbox = { commit: () => Promise.resolve(undefined) };
    await house.fails(SHOP);
    await expect(house.outages(lost).worked(SHOP)).rejects.toThrow('lost');

    await house.outages().worked(SHOP);

    expect(await house.toldKeys()).toEqual([SHOP_DOWN, 'acme/shop/@api/up/1']);
  });

  it('before it tells the end leaves it to the next call', async () => {
    await house.fails(SHOP);
    await expect(house.outages(dying).worked(SHOP)).rejects.toThrow('killed');

    await house.outages().worked(SHOP);

    expect(await house.toldKeys()).toEqual([SHOP_DOWN, 'acme/shop/@api/up/1']);
  });
});
