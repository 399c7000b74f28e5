import { expect, it } from 'vitest';
import { until } from '../../support/until.ts';
import { seedOf } from '../fleets.ts';
import { createRandom } from '../random.ts';
import { createDurableRedis } from '../redis.ts';
import { printCount } from '../run.ts';
import { createChaosWorld } from '../world.ts';

const WORKERS = 2;
const CRASHES = 5;
const STEP = 8;
const DEADLINE_MS = 120_000;

it('the host dies and Redis forgets the last seconds: what was posted in them is found, not repeated', async () => {
  const seed = seedOf();
  const redis = await createDurableRedis();
  const world = await createChaosWorld({
    random: createRandom(seed),
    redisPort: redis.port,
    workers: WORKERS,
    gvcs: ['one', 'two'].map((name, index) => ({
      name,
      workloads: 4,
      channels: index === 0 ? ['C0CHAOS', 'C0MORE'] : ['C0CHAOS'],
    })),
    plans: ['location by location', 'breaks later', 'is suspended for a while'],
  });
  const { slack, fleet } = world;
  let forgotten = 0;
  try {
    await world.begin();
    for (let crash = 1; crash <= CRASHES; crash += 1) {
      await redis.remember();
      const before = slack.posts.length;
      fleet.allow(crash * STEP);
      // Enough that something is posted, and something else is not yet.
      await until('something is posted', () => slack.posts.length >= before + 3, DEADLINE_MS);
      forgotten += slack.posts.length - before;
      for (let worker = 0; worker < WORKERS; worker += 1) world.kill(worker);
      await redis.loseTheRest();
      fleet.unsettle();
      await world.quiet(DEADLINE_MS);
    }

    const count = world.count();
    printCount('Host crash', seed, count, {
      crashes: CRASHES,
      'posts that Redis forgot': forgotten,
      'looks into channels': slack.looks(),
    });
    expect(count).toMatchObject({ lost: [], doubled: [], ghost: [] });
  } finally {
    await world.close();
    await redis.close();
  }
});
