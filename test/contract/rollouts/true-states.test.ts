import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHANNEL, openMovable, WEST } from './movable.ts';

/** The version of the workload in the stand-in's data. */
const CATALOG = 27;

type Movable = Awaited<ReturnType<typeof openMovable>>;

let movable: Movable;
beforeAll(async () => {
  movable = await openMovable();
});
afterAll(() => movable.close());

const begin = async (workload: string, outcome: string): Promise<string> => {
  const { version } = await movable.act('rollout', workload, { outcome, seconds: 1 });
  return `${workload}/${String(version)}`;
};

/** Messages about a rollout: the end of the key, and whether a reply is shown in the channel. */
const reportedOf = async (rollout: string): Promise<[string, boolean][]> =>
  (await movable.reported(CHANNEL, `acme/shop/${rollout}/`)).map(({ key, broadcast }) => [
    key.slice(key.lastIndexOf('/') + 1),
    broadcast,
  ]);

describe('a platform that goes on trying', () => {
  it.each<[string, string, string]>([
    ['web', 'held-secret', 'A secret is missing'],
    ['cart', 'held-image', 'The image cannot be pulled'],
    ['search', 'held-quota', 'A quota is used up'],
  ])('%s, %s: the rollout is stuck after three minutes, and why', async (...row) => {
    const [workload, outcome, words] = row;
    const rollout = await begin(workload, outcome);
    await movable.see(`${rollout}/card`);
    expect(await reportedOf(rollout)).toEqual([['card', false]]);

    await movable.later(4);
    const stuck = await movable.see(`${rollout}/stuck`);

    expect(stuck.text).toMatch(/No impact · \S+ v\d+ rollout stuck in .* · \d+ of \d+ serve · /);
    expect(stuck.text).toContain(words);
    await movable.later(10);
    expect(await reportedOf(rollout)).toEqual([
      ['card', false],
      ['stuck', true],
    ]);
  });
});

describe('a platform that says ready', () => {
  it('with none of the replicas ready: the rollout has failed', async () => {
    const rollout = await begin('payments', 'ready-at-none');
    await movable.see(`${rollout}/failed`);

    await movable.later(4);
    expect(await reportedOf(rollout)).toEqual([
      ['card', false],
      ['failed', true],
    ]);
  });

  it('of a version that is first seen ready: one post, which is its card', async () => {
    const status = {
      expectedDeploymentVersion: 99,
      lastProcessedVersion: 99,
      ready: true,
      deploying: false,
      message: '',
      versions: [{ workload: 99, gvc: 40, ready: true, message: '' }],
    };
    await movable.act('patch', 'checkout', { status });
    const { metadata } = await movable.see('checkout/99/ready');

    expect(metadata?.event_payload.covers).toBe('acme/shop/checkout/99/card');
    expect(await reportedOf('checkout/99')).toEqual([['ready', false]]);
  });
});

describe('containers that crash again and again', () => {
  it('are posted for a workload that was there at the first poll, without a card', async () => {
    const crashed = async (count: number) => {
      const restarts = { count, reason: 'OOMKilled', exitCode: 137 };
      const resources = { replicas: 2, replicasReady: 0, memory: 512 };
      const containers = { main: { name: 'main', ready: false, resources, restarts } };
      const versions = [{ workload: CATALOG, gvc: 4, ready: true, containers }];
      await movable.act('patch', 'catalog', { location: WEST, status: { ready: true, versions } });
      await movable.world.calm();
    };
    for (const count of [1, 6, 11, 15]) await crashed(count);
    const crashing = await movable.see(`catalog/${CATALOG}/crashloop`);

    expect(crashing.text).toMatch(
      new RegExp(
        `shop/catalog v${CATALOG} keeps crashing in ${WEST} · 8 of \\d+ serve · Out of memory`,
      ),
    );
    expect(await movable.reported(CHANNEL, 'acme/shop/catalog')).toMatchObject([
      { under: undefined },
    ]);
  });
});
