import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHANNEL, ELSEWHERE, openMovable, WEST } from './movable.ts';

/** A little more than the ten minutes of the rules. */
const TEN_MINUTES = 10.1;

let movable: Awaited<ReturnType<typeof openMovable>>;

beforeAll(async () => {
  movable = await openMovable();
});

afterAll(() => movable?.close());

const keysOf = (all: readonly { key: string }[]): string[] => all.map(({ key }) => key);

describe('after ten minutes', () => {
  it('a location that the change has not reached is stuck', async () => {
    const order = { location: WEST, outcome: 'lag', seconds: 0.5 };
    const { version } = await movable.act('rollout', 'cart', order);
    const key = `cart/${String(version)}`;
    await movable.see(`${key}/card`, ({ text }) => text.includes('ready'));
    await movable.later(5);
    expect(keysOf(await movable.reported(CHANNEL, 'acme/shop/cart'))).toEqual([
      `acme/shop/${key}/card`,
    ]);
    await movable.later(TEN_MINUTES - 5);

    const stuck = await movable.see(`${key}/stuck`);
    expect(stuck.text).toContain('rollout stuck in aws-us-west-2');
    expect(await movable.reported(CHANNEL, 'acme/shop/cart')).toMatchObject([
      { key: `acme/shop/${key}/card` },
      { key: `acme/shop/${key}/stuck`, under: `acme/shop/${key}/card`, broadcast: true },
    ]);
  });

  it('one that does not come up, too, once for all locations', async () => {
    const { version } = await movable.act('rollout', 'search', { outcome: 'hang', seconds: 0.5 });
    const key = `acme/shop/search/${String(version)}`;
    await movable.world.message(CHANNEL, `${key}/card`);
    await movable.later(TEN_MINUTES);
    await movable.later(TEN_MINUTES);

    const all = await movable.reported(CHANNEL, 'acme/shop/search');
    expect(keysOf(all)).toEqual([`${key}/card`, `${key}/stuck`]);
    expect(all[1]?.text).toMatch(/No impact · shop\/search v\d+ rollout stuck in .*, .*, /);
  });

  it('a location above its version is a remark, and no message', async () => {
    const key = await movable.deployed('payments');
    await movable.act('diverge', 'payments', { location: WEST, diverged: true });
    await movable.act('diverge', 'catalog', { location: WEST, diverged: true });
    await movable.later(TEN_MINUTES);

    const all = await movable.reported(CHANNEL, 'acme/shop/payments');
    expect(keysOf(all)).toEqual(['card', 'ready'].map((word) => `acme/shop/${key}/${word}`));
    expect(await movable.reported(CHANNEL, 'acme/shop/catalog')).toEqual([]);
  });
});

describe('an outage', () => {
  it('calls after three minutes, by a post that has its end in the thread', async () => {
    await movable.act('sicken', 'checkout', { seconds: 300 });
    await movable.later(12);

    const [call, end, ...others] = await movable.reported(CHANNEL, 'acme/shop/checkout');
    expect(others).toEqual([]);
    const key = 'acme/shop/checkout/42/unhealthy';
    expect(call).toMatchObject({ key, under: undefined });
    expect(call?.text).toMatch(/^was Outage .*, now No impact · shop\/checkout v42 unhealthy in /);
    expect(end).toMatchObject({
      key: 'acme/shop/checkout/42/recovered',
      under: key,
      broadcast: true,
    });
  });
});

describe('a GVC whose list is empty', () => {
  it('has no news while its workloads are there, however long that lasts', async () => {
    await movable.world.platform('vanish', { org: 'acme', gvc: 'data', vanished: true });
    await movable.later(9);
    await movable.later(TEN_MINUTES);
    await movable.world.platform('vanish', { org: 'acme', gvc: 'data', vanished: false });
    await movable.later(9);

    expect(await movable.reported(ELSEWHERE, 'acme/data')).toEqual([]);
  });

  it('is gone when these are not found either, one message for each', async () => {
    for (const workload of ['api', 'gateway', 'worker']) {
      await movable.world.platform('delete', { org: 'globex', gvc: 'staging', workload });
    }
    await movable.later(4);

    const all = await movable.reported(ELSEWHERE, 'globex/staging');
    expect(keysOf(all)).toEqual(
      ['api/71', 'gateway/24', 'worker/38'].map((one) => `globex/staging/${one}/gone`),
    );
    expect(all[0]?.text).toContain('No longer serving: deleted');
  });
});
