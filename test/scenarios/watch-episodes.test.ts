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

/** All that was reported of a workload, when nothing more is to come: without org, GVC, and name. */
async function reportedOf(workload: Name) {
  await world.calm();
  const beginning = `acme/shop/${workload}/`;
  const short = (key: string): string => key.replace(beginning, '');
  return (await world.reported(CHANNELS[workload], beginning)).map(({ key, covers, ...rest }) => ({
    ...rest,
    key: short(key),
    covers: covers.map(short),
  }));
}
const keysOf = (reported: readonly { key: string }[]): string[] => reported.map(({ key }) => key);

describe('a flapping workload', () => {
  it('is called three times, the third time as flapping, and then ends later', async () => {
    const ill = (seconds: number) => act('sicken', 'web', { seconds });
    await ill(600);
    await see('web', '58/unhealthy');
    await ill(0.001);
    await see('web', '58/recovered');
    await ill(600);
    await see('web', '58/unhealthy/2');
    await ill(0.001);
    await see('web', '58/recovered/2');
    await ill(600);
    const flapping = await see('web', '58/unhealthy/3');
    await ill(0.001);
    const end = await see('web', '58/recovered/3');

    expect(flapping.text).toContain('🔴 Outage · shop/web v58 unhealthy in ');
    expect(flapping.text).toContain('flapping: 3 times in an hour');
    expect(end.text).toContain('✅ No impact · shop/web v58 recovered in ');
    const reported = await reportedOf('web');
    expect(keysOf(reported)).toEqual([
      '58/unhealthy',
      '58/recovered',
      '58/unhealthy/2',
      '58/recovered/2',
      '58/unhealthy/3',
      '58/recovered/3',
    ]);
    // The first call has no card, so it serves as one.
    expect(reported[0]).toMatchObject({ under: undefined });
    for (const reply of reported.slice(1)) {
      expect(reply).toMatchObject({ under: 'acme/shop/web/58/unhealthy', broadcast: true });
    }
  });
});

describe('a suspended workload', () => {
  it('is one message when it is suspended in all locations, and a reply when it serves again', async () => {
    const version = await deployed('payments');
    await act('suspend', 'payments', { suspend: true });
    const asleep = await see('payments', `${version}/suspended`);
    await act('suspend', 'payments', { suspend: false });
    const awake = await see('payments', `${version}/resumed`);

    expect(asleep.text).toContain(
      `Nothing to serve · shop/payments v${version} No longer serving: suspended`,
    );
    expect(awake.text).toContain(`shop/payments v${version} resumed in `);
    const reported = await reportedOf('payments');
    const card = `acme/shop/payments/${version}/card`;
    expect(reported).toMatchObject([
      { key: `${version}/card` },
      { key: `${version}/ready`, under: card, broadcast: true },
      { key: `${version}/suspended`, under: card, broadcast: true },
      { key: `${version}/resumed`, under: card, broadcast: false },
    ]);
    expect(reported[0]?.text).toMatch(/^ready · No impact · .* · live in/);
  });

  it('is shown by the card alone where it is one location of several', async () => {
    const version = await deployed('search');
    await act('suspend', 'search', { location: WEST, suspend: true });
    await see('search', `${version}/card`, ({ text }) => text.includes(`${WEST} suspended`));
    await act('suspend', 'search', { location: WEST, suspend: false });
    await see('search', `${version}/card`, ({ text }) => text.includes(`${WEST} ready`));

    expect(keysOf(await reportedOf('search'))).toEqual([`${version}/card`, `${version}/ready`]);
  });
});

describe('a rollout that another one overtakes', () => {
  it('ends with an edit, and only the newer one becomes ready', async () => {
    const { version: older } = await act('rollout', 'catalog', { seconds: 60 });
    await see('catalog', `${String(older)}/card`);
    const newer = await deployed('catalog');

    const reported = await reportedOf('catalog');
    expect(keysOf(reported)).toEqual([`${String(older)}/card`, `${newer}/card`, `${newer}/ready`]);
    expect(reported[0]?.text).toContain(
      `superseded by v${newer} · No impact · shop/catalog v${String(older)}`,
    );
  });
});

describe('a location that stays at its version', () => {
  it('is stuck after a while, and serves its old version', async () => {
    // The change has not reached it at all: its expected version is still the current one.
    const status = { expectedDeploymentVersion: 11, lastProcessedVersion: 11 };
    await act('patch', 'cart', { location: WEST, status });
    const { version } = await act('rollout', 'cart', {
      location: WEST,
      outcome: 'lag',
      seconds: 2,
    });
    const stuck = await see('cart', `${String(version)}/stuck`);

    expect(stuck.text).toContain(
      `🟠 No impact · shop/cart v${String(version)} rollout stuck in ${WEST}`,
    );
    const card = await see('cart', `${String(version)}/card`);
    expect(rowsOf(card)).toContainEqual([WEST, 'ready', '–', 'v11 3/3']);
    expect(keysOf(await reportedOf('cart'))).toEqual([
      `${String(version)}/card`,
      `${String(version)}/stuck`,
    ]);
  });
});

describe('containers that restart again and again', () => {
  it('are failed once, and a crash loop in the thread', async () => {
    const { version } = await act('rollout', 'checkout', { outcome: 'crash-loop', seconds: 4 });
    const loop = await see('checkout', `${String(version)}/crashloop`);

    expect(loop.text).toMatch(/ · shop\/checkout v\d+ keeps crashing in /);
    const reported = await reportedOf('checkout');
    // Which of the two is first depends on when the platform gives up.
    expect(keysOf(reported).toSorted()).toEqual(
      ['card', 'crashloop', 'failed'].map((word) => `${String(version)}/${word}`),
    );
    for (const { key, broadcast } of reported) expect(broadcast).toBe(key.endsWith('/failed'));
  });
});

describe('a workload that is no longer listed', () => {
  it('is gone, and serves again in the thread', async () => {
    const version = await deployed('orders-db');
    await act('vanish', 'orders-db', { vanished: true });
    const gone = await see('orders-db', `${version}/gone`);
    await act('vanish', 'orders-db', { vanished: false });
    await see('orders-db', `${version}/resumed`);

    expect(gone.text).toContain(`shop/orders-db v${version} No longer serving: deleted`);
    const reported = await reportedOf('orders-db');
    expect(keysOf(reported)).toEqual(
      ['card', 'ready', 'gone', 'resumed'].map((word) => `${version}/${word}`),
    );
    expect(reported[2]).toMatchObject({ broadcast: true });
    expect(reported[3]).toMatchObject({ broadcast: false });
  });
});

describe('a cron workload', () => {
  it('posts the first failed run of a row, and the end of the row below it', async () => {
    const run = (status: string) => act('cron', 'nightly-report', { location: WEST, status });
    const nameOf = async (status: string): Promise<string> => {
      const [latest] = (await run(status))['executions'] as { name: string }[];
      return String(latest?.name);
    };
    await run('successful');
    await run('removed');
    const failed = await nameOf('failed');
    const root = `@job/${WEST}/${failed}/failed`;
    await see('nightly-report', root);
    await run('invalid');
    await see('nightly-report', root, ({ text }) => text.includes('runs fail: 2 in a row'));
    const good = await nameOf('successful');
    await see('nightly-report', `@job/${WEST}/${good}/successful`);

    const reported = await reportedOf('nightly-report');
    expect(reported).toMatchObject([
      { key: root, under: undefined },
      {
        key: `@job/${WEST}/${good}/successful`,
        under: `acme/shop/nightly-report/${root}`,
        broadcast: true,
      },
    ]);
  });
});

function rowsOf({ blocks }: SeenMessage): string[][] {
  const table = blocks.find((block) => block['type'] === 'table') as
    { rows: { text: string }[][] } | undefined;
  return table?.rows.map((row) => row.map((cell) => cell.text)) ?? [];
}
