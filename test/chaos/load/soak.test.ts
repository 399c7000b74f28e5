import { expect, it, onTestFinished } from 'vitest';
import { until } from '../../support/until.ts';
import { openChaos, type ChaosWorld } from '../world.ts';

/** How long things change. */
const SOAK_MS = 600_000;
const POLL_S = 10;
const GVCS = 100;
/** So many that none has more to show than it may post. */
const CHANNELS = 50;
const SAMPLE_MS = 1_000;
/** A poll that is later than this share of its slot has missed it. */
const SLOT = 1.5;

// 10,000 deployments, of which one workload of each GVC changes at every poll.
it('10,000 deployments for ten minutes: every poll in its slot, memory flat, all reported', async () => {
  const world = await openChaos({
    gvcs: Array.from({ length: GVCS }, (_, index) => ({
      name: `gvc${index}`,
      workloads: 20,
      locations: 5,
      channels: [`C0SOAK${index % CHANNELS}`],
    })),
    // Of plans whose steps are minutes apart, flapping would be none, and laggards would lag.
    plans: ['breaks later', 'fails, then comes up', 'is not heard of', 'is superseded broken'],
    pace: 1,
    workers: 1,
    environment: { POLL_ACTIVE_SECONDS: String(POLL_S), POLL_IDLE_SECONDS: String(POLL_S) },
  });
  onTestFinished(() => world.close());
  await world.begin();
  const began = Date.now();
  world.fleet.allow(Infinity);
  const memory = await sampled(world);
  const ended = Date.now();
  world.fleet.allow(world.fleet.done());
  await world.quiet(SOAK_MS);

  const inSlot = shareInSlot(world, began, ended);
  const [before, after] = [middle(memory, 0.25, 0.5), middle(memory, 0.75, 1)];
  const count = world.report('Soak', { inSlot, before, after, transitions: world.fleet.done() });
  expect(count).toMatchObject({ lost: [], doubled: [], ghost: [], disorder: [] });
  expect(inSlot).toBeGreaterThanOrEqual(0.999);
  expect(after).toBeLessThan(before * 1.1);
});

/** Resident memory of the bot in MiB, second by second. */
async function sampled({ bots }: ChaosWorld): Promise<number[]> {
  const samples: number[] = [];
  const began = Date.now();
  await until(
    'the soak is over',
    async () => {
      const now = Date.now();
      if (now - began > samples.length * SAMPLE_MS) samples.push((await bots[0]?.memory()) ?? NaN);
      return now - began > SOAK_MS;
    },
    2 * SOAK_MS,
  );
  return samples;
}

function middle(samples: readonly number[], from: number, to: number): number {
  const part = samples
    .slice(Math.floor(samples.length * from), Math.floor(samples.length * to))
    .toSorted((left, right) => left - right);
  return Math.round(part[part.length >> 1] ?? 0);
}

/** Share of the polls that came neither late nor not at all. */
function shareInSlot({ platform }: ChaosWorld, began: number, ended: number): number {
  const everyMs = POLL_S * 1_000;
  let [polls, missed] = [0, 0];
  for (const all of platform.asked.values()) {
    const times = all.filter((at) => at >= began && at <= ended);
    polls += times.length;
    for (const [index, at] of [...times, ended].entries()) {
      const gap = at - (times[index - 1] ?? began);
      if (gap > SLOT * everyMs) missed += Math.round(gap / everyMs) - 1 || 1;
    }
  }
  return polls / (polls + missed);
}
