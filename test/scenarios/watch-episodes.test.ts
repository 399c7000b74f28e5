import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorld, type SeenMessage, type World } from '../support/world.ts';

/** Each story has a workload of its own; channels are shared, because each takes one post a second. */
const CHANNELS = {
  web: 'C0DEPLOYS',
  payments: 'C0APPROVE',
  search: 'C0APPROVE',
  catalog: 'C0BILLING',
  cart: 'C0FINANCE',
  checkout: 'C0FINANCE',
  'orders-db': 'C0FINANCE',
  'nightly-report': 'C0BILLING',
} as const;
type Name = keyof typeof CHANNELS;
const WEST = 'aws-us-west-2';

let world: World;

beforeAll(async () => {
  world = await openWorld();
  const watches = Object.entries(CHANNELS).map(([name, channel]) => `acme/shop/${name}=${channel}`);
  await world.startBot({ environment: { WATCHES: watches.join(';') } });
  await world.calm();
});

afterAll(() => world?.close());

const act = (path: string, workload: Name, more: object = {}) =>
  world.platform(path, { org: 'acme', gvc: 'shop', workload, ...more });
const see = (workload: Name, word: string, fits?: (one: SeenMessage) => boolean) =>
  world.message(CHANNELS[workload], `acme/shop/${workload}/${word}`, fits);

/** A rollout that has become ready, so that there is a card. @returns its version */
async function deployed(workload: Name): Promise<number> {
  const { version } = await act('rollout', workload, { seconds: 2 });
  await see(workload, `${String(version)}/ready`);
  return Number(version);
}

/** All that was told of a workload, when nothing more is to come: without org, GVC, and name. */
async function toldOf(workload: Name) {
  await world.calm();
  const beginning = `acme/shop/${workload}/`;
  const short = (key: string): string => key.replace(beginning, '');
  return (await world.told(CHANNELS[workload], beginning)).map(({ key, covers, ...rest }) => ({
    ...rest,
    key: short(key),
    covers: covers.map(short),
  }));
}
const keysOf = (told: readonly { key: string }[]): string[] => told.map(({ key }) => key);

describe('what keeps changing', () => {
  it('is told three times, then once that it flaps, which stands for the rest', async () => {
    const ill = (seconds: number) => act('sicken', 'web', { seconds });
    await ill(600);
    await see('web', '58/unhealthy');
    await ill(0.001);
    await see('web', '58/recovered');
    await ill(600);
    await see('web', '58/unhealthy/2');
    await ill(0.001);
    const flapping = await see('web', '58/flapping');
    await ill(600);
    await see('web', '58/flapping', (one) => covers(one).endsWith('58/unhealthy/3'));

    expect(flapping.text).toMatch(/shop\/web v58 flapping .*4 changes between ready and/);
    const told = await toldOf('web');
    expect(keysOf(told)).toEqual([
      '58/card',
      '58/unhealthy',
      '58/recovered',
      '58/unhealthy/2',
      '58/flapping',
    ]);
    expect(told[4]).toMatchObject({
      covers: ['58/recovered/2', '58/unhealthy/3'],
      under: 'acme/shop/web/58/card',
      broadcast: true,
    });
  });
});

describe('a location that is suspended', () => {
  it('is said in the thread, once, and so is that it is back', async () => {
    const version = await deployed('payments');
    await act('suspend', 'payments', { location: WEST, suspend: true });
    const asleep = await see('payments', `${version}/suspended`);
    await act('suspend', 'payments', { location: WEST, suspend: false });
    const awake = await see('payments', `${version}/resumed`);

    expect(asleep.text).toContain('suspended in aws-us-west-2 · switched off on purpose');
    expect(awake.text).toContain('resumed in aws-us-west-2 · serving again');
    const told = await toldOf('payments');
    const card = `acme/shop/payments/${version}/card`;
    expect(told).toMatchObject([
      { key: `${version}/card` },
      { key: `${version}/ready`, under: card, broadcast: true },
      { key: `${version}/suspended`, under: card, broadcast: false },
      { key: `${version}/resumed`, under: card, broadcast: false },
    ]);
    expect(told[0]?.text).toContain('ready · live in');
  });

  it('is not told at all where there is no card', async () => {
    await act('suspend', 'search', { suspend: true });
    await world.calm();
    await act('suspend', 'search', { suspend: false });
    await world.calm();

    expect(await toldOf('search')).toEqual([]);
  });
});

describe('a rollout that another one overtakes', () => {
  it('ends with an edit, and only the newer one is told to be ready', async () => {
    const { version: older } = await act('rollout', 'catalog', { seconds: 60 });
    await see('catalog', `${String(older)}/card`);
    const newer = await deployed('catalog');

    const told = await toldOf('catalog');
    expect(keysOf(told)).toEqual([`${String(older)}/card`, `${newer}/card`, `${newer}/ready`]);
    expect(told[0]?.text).toBe(`shop/catalog v${String(older)} superseded by v${newer}`);
  });
});

describe('a location that stays at its version', () => {
  it('waits in the card, which does not end', async () => {
    // The change has not come to it at all: it goes on expecting what it has.
    const status = { expectedDeploymentVersion: 11, lastProcessedVersion: 11 };
    await act('patch', 'cart', { location: WEST, status });
    const { version } = await act('rollout', 'cart', {
      location: WEST,
      outcome: 'lag',
      seconds: 2,
    });
    const card = await see('cart', `${String(version)}/card`, ({ text }) =>
      text.includes('2 of 3 locations ready'),
    );

    expect(rowsOf(card)).toContainEqual([WEST, 'waiting', '–', 'v11 3/3']);
    expect(keysOf(await toldOf('cart'))).toEqual([`${String(version)}/card`]);
  });
});

describe('containers that restart again and again', () => {
  it('are failed once, and a crash loop in the thread', async () => {
    const { version } = await act('rollout', 'checkout', { outcome: 'crash-loop', seconds: 4 });
    const loop = await see('checkout', `${String(version)}/crashloop`);

    expect(loop.text).toMatch(/keeps crashing in .*: \S+, \d+ restarts in 1 min, Completed/);
    const told = await toldOf('checkout');
    // Which of the two is first depends on when the platform gives up.
    expect(keysOf(told).toSorted()).toEqual(
      ['card', 'crashloop', 'failed'].map((word) => `${String(version)}/${word}`),
    );
    for (const { key, broadcast } of told) expect(broadcast).toBe(key.endsWith('/failed'));
  });
});

describe('a record that is no longer listed', () => {
  it('is gone in the thread, and silent when it is back', async () => {
    const version = await deployed('orders-db');
    await act('vanish', 'orders-db', { location: WEST, vanished: true });
    const gone = await see('orders-db', `${version}/gone`);
    await act('vanish', 'orders-db', { location: WEST, vanished: false });

    expect(gone.text).toContain('gone in aws-us-west-2 · no longer listed');
    const told = await toldOf('orders-db');
    expect(keysOf(told)).toEqual(['card', 'ready', 'gone'].map((word) => `${version}/${word}`));
    expect(told[2]).toMatchObject({ broadcast: false });
  });
});

describe('a cron workload', () => {
  it('tells of runs that failed or were invalid, once each, and of no others', async () => {
    const run = (status: string) => act('cron', 'nightly-report', { location: WEST, status });
    await run('successful');
    await run('removed');
    const [failed] = (await run('failed'))['executions'] as { name: string }[];
    const [invalid] = (await run('invalid'))['executions'] as { name: string }[];

    await see('nightly-report', `@job/${WEST}/${failed?.name}/failed`);
    await see('nightly-report', `@job/${WEST}/${invalid?.name}/invalid`);
    const told = await toldOf('nightly-report');
    expect(told).toHaveLength(2);
    expect(told.map(({ under }) => under)).toEqual([undefined, undefined]);
    expect(told[0]?.text).toContain('shop/nightly-report run ');
  });
});

function covers({ metadata }: SeenMessage): string {
  return metadata?.event_payload.covers ?? '';
}

function rowsOf({ blocks }: SeenMessage): string[][] {
  const table = blocks.find((block) => block['type'] === 'table') as
    { rows: { text: string }[][] } | undefined;
  return table?.rows.map((row) => row.map((cell) => cell.text)) ?? [];
}
