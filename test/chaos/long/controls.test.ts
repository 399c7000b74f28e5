import { describe, expect, it } from 'vitest';
import { until } from '../../support/until.ts';
import type { Count } from '../count.ts';
import { openChaos, type ChaosWorld } from '../world.ts';
import type { Guard } from '../worker.ts';

const DEADLINE_MS = 90_000;
/** Longer than the pause until a person looks again whether there is something to deliver. */
const SLOW_MS = 2_500;

describe.concurrent('each guard', () => {
  it('with every guard, a death after the post doubles nothing', async () => {
    expect(await deathAfterThePost()).toMatchObject({ lost: [], doubled: [], ghost: [] });
  });

  it('without the pending mark, it doubles a message', async () => {
    expect((await deathAfterThePost('pending mark')).doubled).not.toEqual([]);
  });

  it('without the check of the channel, it doubles a message', async () => {
    expect((await deathAfterThePost('reconcile')).doubled).not.toEqual([]);
  });

  it('with every guard, two workers and a slow Slack double nothing', async () => {
    expect(await twoWorkers()).toMatchObject({ lost: [], doubled: [], ghost: [] });
  });

  it('without the fence, two workers double messages', async () => {
    expect((await twoWorkers('fencing')).doubled).not.toEqual([]);
  });

  it('with every guard, a start reports nothing that it finds', async () => {
    expect(await start()).toMatchObject({ reported: 0, ghost: [] });
  });

  it('without the silent adoption, a start reports the state that it finds as news', async () => {
    expect((await start('silent adoption')).ghost).not.toEqual([]);
  });
});

/** Slack has the post, and the worker dies before it gets the answer. */
function deathAfterThePost(without?: Guard): Promise<Count> {
  return story({ without, workers: 1, transitions: 4 }, async (world) => {
    world.doom('post accepted');
    await until('the worker dies', () => world.kills.length > 0, DEADLINE_MS);
  });
}

function twoWorkers(without?: Guard): Promise<Count> {
  return story({ without, workers: 2, transitions: 4, slowness: () => SLOW_MS });
}

function start(without?: Guard): Promise<Count> {
  return story({ without, workers: 1, transitions: 0 });
}

async function story(
  options: {
    without: Guard | undefined;
    workers: number;
    transitions: number;
    slowness?: () => number;
  },
  meanwhile: (world: ChaosWorld) => Promise<void> = () => Promise.resolve(),
): Promise<Count> {
  const { transitions, ...rest } = options;
  const world = await openChaos({
    ...rest,
    gvcs: ['one', 'two'].map((name) => ({ name, workloads: 2, channels: ['C0CHAOS'] })),
    plans: ['breaks later'],
  });
  try {
    await world.begin();
    world.fleet.allow(transitions);
    await meanwhile(world);
    await world.quiet(DEADLINE_MS);
    return world.count();
  } finally {
    await world.close();
  }
}
