import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const CHANNEL = 'C0DEPLOYS';
const WORKLOADS = 2_500;
/** Of all workloads: five. */
const SHARE = 0.002;

let world: World;

beforeAll(async () => {
  world = await openWorld({ platform: { fleet: { gvcs: 1, workloads: WORKLOADS, locations: 4 } } });
  await world.startBot({
    environment: {
      ROLE: 'all',
      WATCHES: 'fleet/g000;fleet/g000/w0000=C0APPROVE',
      POLL_ACTIVE_SECONDS: '1',
      POLL_IDLE_SECONDS: '1',
    },
  });
  await world.calm();
});

afterAll(() => world?.close());

interface Changed {
  changed: { workload: string; version: number }[];
}
const change = async (body: object): Promise<string[]> => {
  const { changed } = (await world.platform('fleet/change', body)) as unknown as Changed;
  return changed.map(({ workload, version }) => `fleet/g000/${workload}/${version}`);
};

it('beside 10,000 deployments a second, Slack is answered in time', async () => {
  const before = await world.polls();
  for (let asked = 0; asked < 10 || (await world.polls()) < before + 4; asked += 1) {
    const answer = await world.command('U0DANA', CHANNEL, '/purser help');
    expect(answer.text).toContain('Purser answers questions about costs');
  }

  const deliveries = await deliveriesOf(world);
  expect(deliveries.length).toBeGreaterThanOrEqual(10);
  expect(deliveries.filter(({ ok, retry }) => !ok || retry > 0)).toEqual([]);
});

it('every rollout is posted once; when these fail, a message of a location stands for all', async () => {
  const rolled = await change({ share: SHARE, state: 'ready' });
  const keys = rolled.flatMap((one) => [`${one}/card`, `${one}/ready`]);
  await until('all of them', async () => (await keysIn(CHANNEL)).length >= keys.length);
  await world.calm();

  expect(rolled).toHaveLength(WORKLOADS * SHARE);
  expect((await keysIn(CHANNEL)).toSorted()).toEqual(keys.toSorted());
  const own = keys.filter((key) => key.includes('/w0000/'));
  expect((await keysIn('C0APPROVE')).toSorted()).toEqual(own.toSorted());
  // They were ready when they were first seen, so each is one post.
  const posts = (await world.reported(CHANNEL)).length;
  expect(posts).toBe(rolled.length);

  const failed = await change({ state: 'failed' });
  const since = async () => (await world.reported(CHANNEL)).slice(posts);
  await until('all of them', async () => {
    const covered = (await since()).flatMap(({ covers }) => covers);
    return failed.every((one) => covered.includes(`${one}/unhealthy`));
  });
  await world.calm();

  const reported = await since();
  expect(reported.flatMap(({ covers }) => covers).toSorted()).toEqual(
    failed.map((one) => `${one}/unhealthy`).toSorted(),
  );
  const [replies, calls] = [
    reported.filter(({ key }) => key.endsWith('/crashloop')),
    reported.filter(({ key }) => !key.endsWith('/crashloop')),
  ];
  for (const { key } of calls) expect(key).toMatch(/^fleet\/@location\/[^/]+\/unhealthy\/1$/);
  // Each stays in the thread of its workload.
  for (const reply of replies) {
    expect(reply).toMatchObject({
      under: reply.key.replace('crashloop', 'ready'),
      broadcast: false,
    });
  }
});

/** By posts and by the keys that these cover. */
async function keysIn(channel: string): Promise<string[]> {
  return (await world.reported(channel)).flatMap(({ key, covers }) => [key, ...covers]);
}

async function deliveriesOf({ slackUrl }: World) {
  const answer = await fetch(`${slackUrl}/_sandbox/deliveries`);
  const { deliveries } = (await answer.json()) as {
    deliveries: { name: string; ok: boolean; retry: number }[];
  };
  return deliveries.filter(({ name }) => name === '/purser');
}
