import { expect, it, onTestFinished } from 'vitest';
import { until } from '../../support/until.ts';
import { createRedisCluster } from '../cluster.ts';
import { openChaos } from '../world.ts';

const PREFIX = 'cluster';
const TRANSITIONS = 60;
const DEADLINE_MS = 180_000;

it('a primary of a Redis Cluster dies in the middle of 20 rollouts: nothing is lost or doubled', async () => {
  const cluster = await createRedisCluster();
  onTestFinished(() => cluster.close());
  const world = await openChaos({
    gvcs: ['C0ONE', 'C0TWO', 'C0THREE', 'C0FOUR'].map((channel, index) => ({
      name: `gvc${index}`,
      workloads: 5,
      channels: [channel],
    })),
    plans: ['location by location', 'breaks later', 'fails, then comes up'],
    environment: { REDIS_URL: cluster.url, REDIS_PREFIX: PREFIX },
  });
  onTestFinished(() => world.close());
  await world.begin();
  world.fleet.allow(TRANSITIONS);
  const half = TRANSITIONS / 2;
  await until('half of the script has happened', () => world.fleet.done() >= half, DEADLINE_MS);
  const struck = performance.now();
  await cluster.killPrimaryOf(PREFIX);
  const failedOver = Math.round(performance.now() - struck);
  const lists = world.fleet.leastServed();
  await until('every GVC is polled again', () => world.fleet.leastServed() > lists, DEADLINE_MS);
  const polled = Math.round(performance.now() - struck);
  await world.quiet(DEADLINE_MS);

  const count = world.report('Cluster', {
    'a replica has taken over after, in ms': failedOver,
    'every GVC is polled again after, in ms': polled,
  });
  expect(count).toMatchObject({ lost: [], doubled: [], ghost: [] });
});
