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
  it('a location that the change has not reached is said to lag, in the thread', async () => {
    const order = { location: WEST, outcome: 'lag', seconds: 0.5 };
    const { version } = await movable.act('rollout', 'cart', order);
    const key = `cart/${String(version)}`;
    await movable.see(`${key}/card`, ({ text }) => text.includes('2 of 3 locations'));
    await movable.later(5);
    expect(keysOf(await movable.told(CHANNEL, 'acme/shop/cart'))).toEqual([
      `acme/shop/${key}/card`,
    ]);
    await movable.later(TEN_MINUTES - 5);

    const lagging = await movable.see(`${key}/lagging`);
    expect(lagging.text).toContain('lagging in aws-us-west-2 for 10 min');
    expect(await movable.told(CHANNEL, 'acme/shop/cart')).toMatchObject([
      { key: `acme/shop/${key}/card` },
      { key: `acme/shop/${key}/lagging`, under: `acme/shop/${key}/card`, broadcast: false },
    ]);
  });

  it('one that does not come up, too, once for all locations', async () => {
    const { version } = await movable.act('rollout', 'search', { outcome: 'hang', seconds: 0.5 });
    const key = `acme/shop/search/${String(version)}`;
    await movable.world.message(CHANNEL, `${key}/card`);
    await movable.later(TEN_MINUTES);
    await movable.later(TEN_MINUTES);

    const all = await movable.told(CHANNEL, 'acme/shop/search');
    expect(keysOf(all)).toEqual([`${key}/card`, `${key}/lagging`]);
    expect(all[1]?.text).toMatch(
      /^Stuck for 10 min · shop\/search v\d+ · 0 of \d+ replicas · v\d+ serves: not ready in /,
    );
  });

  it('a location above its version diverges where there is a card, and is silent where not', async () => {
    const key = await movable.deployed('payments');
    await movable.act('diverge', 'payments', { location: WEST, diverged: true });
    await movable.act('diverge', 'catalog', { location: WEST, diverged: true });
    await movable.later(TEN_MINUTES);

    const diverged = await movable.see(`${key}/diverged`);
    expect(diverged.text).toContain('diverged in aws-us-west-2');
    const all = await movable.told(CHANNEL, 'acme/shop/payments');
    expect(keysOf(all)).toEqual(
      ['card', 'ready', 'diverged'].map((word) => `acme/shop/${key}/${word}`),
    );
    expect(all[2]?.broadcast).toBe(false);
    expect(await movable.told(CHANNEL, 'acme/shop/catalog')).toEqual([]);
  });

  it('flapping that has settled says how, and what holds is told once', async () => {
    const ill = (seconds: number) => movable.act('sicken', 'web', { seconds });
    for (const n of ['', '/2']) {
      await ill(6000);
      await movable.see(`web/58/unhealthy${n}`);
      await ill(0.001);
      await movable.see(n === '' ? 'web/58/recovered' : 'web/58/flapping');
    }
    await movable.later(TEN_MINUTES);

    const flapping = await movable.see('web/58/flapping', ({ text }) =>
      text.includes('flapping is over'),
    );
    const recovered = await movable.see('web/58/recovered/3');
    expect(flapping.text).toMatch(/ready in .* for 10 min · flapping is over after \d+ changes/);
    expect(recovered.broadcast).toBe(true);
    expect(keysOf(await movable.told(CHANNEL, 'acme/shop/web'))).toEqual(
      ['card', 'unhealthy', 'recovered', 'unhealthy/2', 'flapping', 'recovered/3'].map(
        (word) => `acme/shop/web/58/${word}`,
      ),
    );
  });
});

describe('a GVC whose list is empty', () => {
  it('tells nothing while its workloads are there, however long that lasts', async () => {
    await movable.world.platform('vanish', { org: 'acme', gvc: 'data', vanished: true });
    await movable.later(9);
    await movable.later(TEN_MINUTES);
    await movable.world.platform('vanish', { org: 'acme', gvc: 'data', vanished: false });
    await movable.later(9);

    expect(await movable.told(ELSEWHERE, 'acme/data')).toEqual([]);
  });

  it('is gone when these are not found either, in one message', async () => {
    for (const workload of ['api', 'gateway', 'worker']) {
      await movable.world.platform('delete', { org: 'globex', gvc: 'staging', workload });
    }
    await movable.world.message(ELSEWHERE, 'globex/staging/@gvc/9/gone');

    const all = await movable.told(ELSEWHERE, 'globex/staging');
    expect(all).toMatchObject([
      {
        key: 'globex/staging/@gvc/9/gone',
        covers: ['api/71', 'gateway/24', 'worker/38'].map((one) => `globex/staging/${one}/gone`),
      },
    ]);
    expect(all[0]?.text).toContain('gone: 3 workloads no longer listed');
  });
});
