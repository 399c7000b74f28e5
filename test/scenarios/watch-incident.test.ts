import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorld, type World } from '../support/world.ts';

const CHANNEL = 'C0DEPLOYS';
/** Hears of two of the workloads only, which are no location to it. */
const FEW = 'C0APPROVE';
const LOCATION = 'aws-us-west-2';
const HERE = `acme/shop/@location/${LOCATION}`;
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
const keysIn = async (channel: string): Promise<string[]> =>
  (await world.told(channel)).map(({ key }) => key);

/** No poll sees a part of it: whoever asks meanwhile gets no list, once. */
async function atOnce(stale: boolean, names: readonly Name[]): Promise<void> {
  await world.platform('faults', { faults: [{ path: '/gvc/shop/', status: 503 }] });
  for (const workload of names) {
    const place = { org: 'acme', gvc: 'shop', workload, location: LOCATION };
    await world.platform('stale', { ...place, stale });
  }
  await world.platform('faults', { faults: [] });
}

it('a location that goes stale is one message, from the first five workloads to the last', async () => {
  await atOnce(true, FIVE);
  const first = await world.message(CHANNEL, `${HERE}/stale/1`);
  await world.calm();

  expect(first.text).toContain(
    'Location stopped reporting, users are served · shop in aws-us-west-2 · 5 workloads stale',
  );
  expect(first.text).toContain('5 workloads stale (cart, catalog, checkout, payments, web)');
  expect(await world.told(CHANNEL)).toMatchObject([
    { key: `${HERE}/stale/1`, covers: FIVE.map((name) => outcome(name, 'stale')) },
  ]);
  // A channel that hears of two of them is told of these.
  expect((await keysIn(FEW)).toSorted()).toEqual(
    (['cart', 'web'] as const)
      .flatMap((name) => ['card', 'stale'].map((word) => outcome(name, word)))
      .toSorted(),
  );

  // One more is told below it, and so is one that is back.
  await atOnce(true, ['search']);
  await world.message(CHANNEL, `${HERE}/stale/2`);
  await atOnce(false, ['cart']);
  await world.message(CHANNEL, `${HERE}/recovered/1`);
  await world.calm();

  const [top, ...replies] = await world.told(CHANNEL);
  expect(replies).toMatchObject([
    { key: `${HERE}/stale/2`, covers: [outcome('search', 'stale')] },
    { key: `${HERE}/recovered/1`, covers: [outcome('cart', 'recovered')] },
  ]);
  for (const reply of replies) {
    expect(reply).toMatchObject({ under: `${HERE}/stale/1`, broadcast: false });
  }
  expect(top?.text).toContain(
    '5 of 6 workloads still stale (catalog, checkout, payments, search, web), 1 no longer',
  );

  // The end is told once, to everybody, and the message says how long it was.
  const rest: Name[] = [...FIVE.slice(1), 'search'];
  await atOnce(false, rest);
  await world.message(CHANNEL, `${HERE}/recovered/2`);
  await world.calm();

  const told = await world.told(CHANNEL);
  expect(told).toHaveLength(4);
  expect(told[0]?.text).toMatch(/stopped reporting for \d+ s \(6 workloads\)/);
  const end = told[3];
  expect(end).toMatchObject({ under: `${HERE}/stale/1`, broadcast: true });
  expect(end?.covers.toSorted()).toEqual(rest.map((name) => outcome(name, 'recovered')).toSorted());
  expect(end?.text).toMatch(/shop in aws-us-west-2 recovered after \d+ s/);

  // Afterwards a workload speaks for itself again.
  await atOnce(true, ['catalog']);
  await world.message(CHANNEL, outcome('catalog', 'stale/2'));
  await world.calm();

  expect((await keysIn(CHANNEL)).slice(4)).toEqual([
    outcome('catalog', 'card'),
    outcome('catalog', 'stale/2'),
  ]);
});
