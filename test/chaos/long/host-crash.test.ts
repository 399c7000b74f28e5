import { expect, it, onTestFinished } from 'vitest';
import { until } from '../../support/until.ts';
import { openChaos } from '../world.ts';

const WORKERS = 2;
const CRASHES = 5;
const STEP = 8;
const DEADLINE_MS = 120_000;

it('the host dies and Redis forgets the last seconds: messages that were posted in them are found, not repeated', async () => {
  const world = await openChaos({
    workers: WORKERS,
    gvcs: ['one', 'two'].map((name, index) => ({
      name,
      workloads: 4,
      channels: index === 0 ? ['C0CHAOS', 'C0MORE'] : ['C0CHAOS'],
    })),
    plans: ['location by location', 'breaks later', 'is suspended for a while'],
  });
  onTestFinished(() => world.close());
  const { slack, fleet, redis } = world;
  let forgotten = 0;
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

  const count = world.report('Host crash', {
    crashes: CRASHES,
    'posts that Redis forgot': forgotten,
    'looks into channels': slack.looks(),
  });
  expect(count).toMatchObject({ lost: [], doubled: [], ghost: [] });
});
