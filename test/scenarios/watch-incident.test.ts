import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorld, type World } from '../support/world.ts';

const CHANNEL = 'C0DEPLOYS';
/** Hears of two of the workloads only, which are no location to it. */
const FEW = 'C0APPROVE';
const LOCATION = 'aws-us-west-2';
const HERE = `acme/@location/${LOCATION}`;
/** As the stand-in has them in the beginning. */
const VERSIONS = { cart: 11, catalog: 27, checkout: 42, payments: 19, web: 58, search: 14 };
type Name = keyof typeof VERSIONS;
const FIVE: readonly Name[] = ['cart', 'catalog', 'checkout', 'payments', 'web'];

let world: World;

beforeAll(async () => {
  world = await openWorld();
  await world.startBot({
    environment: { WATCHES: `acme/shop;acme/shop/cart=${FEW};acme/shop/web=${FEW}` },
  });
  await world.calm();
});

afterAll(() => world?.close());

const outcome = (name: Name, word: string): string => `acme/shop/${name}/${VERSIONS[name]}/${word}`;

/** Faults hide the steps: a poll in the meantime gets no list, once, and never a partial state. */
async function atOnce(stale: boolean, names: readonly Name[]): Promise<void> {
  await world.platform('faults', { faults: [{ path: '/gvc/shop/', status: 503 }] });
  for (const workload of names) {
    const place = { org: 'acme', gvc: 'shop', workload, location: LOCATION };
    await world.platform('stale', { ...place, stale });
  }
  await world.platform('faults', { faults: [] });
}

it('a location that stops reporting is one message, from the first five workloads to the last', async () => {
  await atOnce(true, FIVE);
  const first = await world.message(CHANNEL, `${HERE}/stale/1`);
  await world.calm();

  expect(first.text).toContain(`No impact · ${LOCATION} stopped reporting: 5 workloads · org acme`);
  expect(first.text).toContain('shop/cart, shop/catalog, shop/checkout, shop/payments, shop/web');
  expect(await world.reported(CHANNEL)).toMatchObject([
    { key: `${HERE}/stale/1`, covers: FIVE.map((name) => outcome(name, 'stale')) },
  ]);
  // A channel that hears of two of them gets a post for each.
  expect(await world.reported(FEW)).toMatchObject(
    (['cart', 'web'] as const).map((name) => ({
      key: outcome(name, 'stale'),
      under: undefined,
    })),
  );

  // One more is a reply below it, and so is one that is back.
  await atOnce(true, ['search']);
  await world.message(CHANNEL, outcome('search', 'stale'));
  await atOnce(false, ['cart']);
  await world.message(CHANNEL, `${HERE}/recovered/1`);
  await world.calm();

  const [top, ...replies] = await world.reported(CHANNEL);
  expect(replies).toMatchObject([
    { key: outcome('search', 'stale'), covers: [] },
    { key: `${HERE}/recovered/1`, covers: [outcome('cart', 'recovered')] },
  ]);
  for (const reply of replies) {
    expect(reply).toMatchObject({ under: `${HERE}/stale/1`, broadcast: true });
  }
  expect(top?.text).toContain('stopped reporting: 6 workloads · 5 of them now');
  expect(replies[1]?.text).toMatch(
    /reports again · shop\/cart · still: shop\/catalog, shop\/checkout/,
  );

  // The end is one message for all, and the first one says how long it was.
  const rest: Name[] = [...FIVE.slice(1), 'search'];
  await atOnce(false, rest);
  await world.message(CHANNEL, `${HERE}/recovered/2`);
  await world.calm();

  const reported = await world.reported(CHANNEL);
  expect(reported).toHaveLength(4);
  expect(reported[0]?.text).toMatch(
    /^over after \d+ s · aws-us-west-2 stopped reporting: 6 workloads/,
  );
  const end = reported[3];
  expect(end).toMatchObject({ under: `${HERE}/stale/1`, broadcast: true });
  expect(end?.covers.toSorted()).toEqual(rest.map((name) => outcome(name, 'recovered')).toSorted());
  expect(end?.text).toMatch(/aws-us-west-2 reports again after \d+ s/);

  // Afterwards a workload has messages of its own again.
  await atOnce(true, ['catalog']);
  await world.message(CHANNEL, outcome('catalog', 'stale/2'));
  await world.calm();

  expect((await world.reported(CHANNEL)).slice(4)).toMatchObject([
    { key: outcome('catalog', 'stale/2'), under: undefined },
  ]);
});
