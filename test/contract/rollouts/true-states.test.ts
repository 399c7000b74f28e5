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

/** What the channel was told of a rollout: key, and whether it is shown in the channel. */
const toldOf = async (rollout: string): Promise<[string, boolean][]> =>
  (await movable.told(CHANNEL, `acme/shop/${rollout}/`)).map(({ key, broadcast }) => [
    key.slice(key.lastIndexOf('/') + 1),
    broadcast,
  ]);

describe('a platform that goes on trying', () => {
  it.each<[string, string, string]>([
    ['web', 'held-secret', 'a secret is missing'],
    ['cart', 'held-image', 'the image cannot be pulled'],
    ['search', 'held-quota', 'a quota is used up'],
  ])('%s, %s: the card says why at once, and the channel after three minutes', async (...row) => {
    const [workload, outcome, words] = row;
    const rollout = await begin(workload, outcome);
    await movable.see(`${rollout}/card`, ({ blocks }) => JSON.stringify(blocks).includes(words));
    expect(await toldOf(rollout)).toEqual([['card', false]]);

    await movable.later(3);
    const told = await movable.see(`${rollout}/blocked`);

    expect(told.text).toMatch(
      /^Rollout blocked, nobody affected · .* in all 3 locations · v\d+ serves /,
    );
    expect(told.text).toContain(`: ${words}`);
    await movable.later(10);
    expect(await toldOf(rollout)).toEqual([
      ['card', false],
      ['blocked', true],
    ]);
  });
});

describe('a platform that says ready', () => {
  it('with none of the replicas ready: the rollout is not over, and is stuck in the end', async () => {
    const rollout = await begin('payments', 'ready-at-none');
    await movable.see(`${rollout}/card`);
    await movable.later(9);
    expect(await toldOf(rollout)).toEqual([['card', false]]);

    await movable.later(2);
    expect(await toldOf(rollout)).toEqual([
      ['card', false],
      ['lagging', true],
    ]);
  });

  it('of a version that nobody had seen before: one post, which is its card', async () => {
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
    expect(await toldOf('checkout/99')).toEqual([['ready', false]]);
  });
});

describe('containers that crash again and again', () => {
  it('are told of a workload that was there before anybody looked, without a card', async () => {
    const crashed = async (count: number) => {
      const restarts = { count, reason: 'OOMKilled', exitCode: 137 };
      const resources = { replicas: 2, replicasReady: 0, memory: 512 };
      const containers = { main: { name: 'main', ready: false, resources, restarts } };
      const versions = [{ workload: CATALOG, gvc: 12, ready: true, containers }];
      await movable.act('patch', 'catalog', { location: WEST, status: { ready: true, versions } });
      await movable.world.calm();
    };
    for (const count of [1, 6, 11, 15]) await crashed(count);
    const told = await movable.see(`catalog/${CATALOG}/crashloop`);

    expect(told.text).toBe(
      `Unstable, users are served · shop/catalog v${CATALOG} keeps crashing in ${WEST} · 8 of 10 replicas ready: out of memory: main, 14 restarts in 1 min, OOMKilled (exit code 137), limit 512 MiB`,
    );
    expect(await movable.told(CHANNEL, 'acme/shop/catalog')).toMatchObject([{ under: undefined }]);
  });
});
