import { until } from '../support/until.ts';
import type { GvcScript } from './fleet.ts';
import { PLANS, type PlanName } from './plans.ts';
import { PLATFORM_FAULTS } from './platform.ts';
import { createRandom, type Random } from './random.ts';
import type { SlackFault } from './slack.ts';
import { openChaos, type ChaosWorld, type Moment } from './world.ts';

/** One run: how much happens, and how much goes wrong meanwhile. */
interface RunPlan {
  seed: number;
  gvcs: readonly GvcScript[];
  transitions: number;
  kills: number;
  /** Workers that sleep for longer than their locks last, one after every so many kills. */
  sleepEvery: number;
  /** Each at its share of the transitions. */
  outages: readonly { at: number; ms: number; signal: 'SIGTERM' | 'SIGKILL' }[];
  /** Share of the calls that go wrong. */
  slackFaults: { share: number; kinds: readonly SlackFault[] };
  platformFaults: number;
  /** For the transitions, and again for the messages after the last. Milliseconds. */
  deadlineMs: number;
}

/**
 * GVCs of four workloads each, too few for trouble of a location; one in which everything does the same
 * at once; and one in which nothing happens. Every fourth reports to two channels.
 */
export function mixedFleet(gvcs: number, channels: number): GvcScript[] {
  const channelOf = (index: number): string => `C0CHAOS${index % channels}`;
  const mixed = Array.from({ length: gvcs }, (_, index) => ({
    name: `gvc${index}`,
    workloads: 4,
    channels: index % 4 === 0 ? [channelOf(index), channelOf(index + 1)] : [channelOf(index)],
  }));
  return [
    ...mixed,
    { name: 'unison', workloads: 8, unison: true, channels: [channelOf(gvcs)] },
    { name: 'still', workloads: 6, still: true, channels: [channelOf(0)] },
  ];
}

const MOMENTS: readonly Moment[] = [
  'post arrived',
  'post accepted',
  'post answered',
  'poll arrived',
  'poll answered',
  'script asked',
  'script done',
];
/** After the answer, and between the mark of a post and the post: another may have taken over then. */
const SLEEPY: readonly Moment[] = ['script done', 'poll answered'];
const WORKERS = 2;
/** A moment that does not come by then is not waited for: the worker dies anyhow. */
const DOOM_MS = 3_000;
/** The share of the messages to be posted before the next worker dies. */
const REPORTED_SHARE = 0.6;

/** Plays the script under kills, outages and faults, and counts the results. */
export async function run(title: string, plan: RunPlan) {
  const random = createRandom(plan.seed);
  let faulty: 'none' | 'both' | 'slack' = 'none';
  const world = await openChaos({
    seed: plan.seed,
    random,
    gvcs: plan.gvcs,
    plans: Object.keys(PLANS) as PlanName[],
    workers: WORKERS,
    slackFault: () =>
      faulty !== 'none' && random.next() < plan.slackFaults.share
        ? random.pick(plan.slackFaults.kinds)
        : undefined,
    platformFault: () =>
      faulty === 'both' && random.next() < plan.platformFaults
        ? random.pick(PLATFORM_FAULTS)
        : undefined,
  });
  const { fleet, slack, platform, kills } = world;
  try {
    await world.begin();
    faulty = 'both';
    await Promise.all([kill(world, random, plan), breakRedis(world, plan)]);
    await until('all has happened', () => fleet.done() >= plan.transitions, plan.deadlineMs);
    // Waiting messages go through a Slack that goes on failing; the last polls have to succeed.
    faulty = 'slack';
    await world.quiet(plan.deadlineMs);
    const count = world.report(title, {
      transitions: fleet.done(),
      kills,
      slackFaults: [...slack.faults],
      platformFaults: [...platform.faults],
      outages: plan.outages.length,
    });
    return { count, transitions: fleet.done(), kills };
  } finally {
    await world.close();
  }
}

/** Kills workers, spread over the transitions and over the moments; the next transitions wait for it. */
async function kill(world: ChaosWorld, random: Random, plan: RunPlan): Promise<void> {
  const { fleet, slack, kills } = world;
  for (let done = 0; done < plan.kills; done += 1) {
    const due = Math.round(((done + 1) / (plan.kills + 1)) * plan.transitions);
    fleet.allow(due);
    // Posts are slower than polls, and a worker has to die while it posts, too.
    const isDue = (): boolean =>
      fleet.done() >= due &&
      slack.reported.length >= REPORTED_SHARE * Math.max(1, fleet.expected.length);
    await until('the next kill is due', isDue, plan.deadlineMs);
    if (done % plan.sleepEvery === 1) {
      world.lull(SLEEPY[Math.floor(done / plan.sleepEvery) % SLEEPY.length] ?? 'script done');
    }
    const worker = random.whole(WORKERS);
    await until('the worker lives', () => world.bots[worker]?.alive() === true, plan.deadlineMs);
    const moment = MOMENTS[done % (MOMENTS.length + 1)];
    if (moment === undefined) {
      world.kill(worker);
      continue;
    }
    const before = kills.length;
    world.doom(moment);
    await until('it dies', () => kills.length > before, DOOM_MS).catch(() => undefined);
    if (world.spare()) world.kill(worker);
  }
  fleet.allow(plan.transitions);
}

async function breakRedis({ fleet, redis }: ChaosWorld, plan: RunPlan): Promise<void> {
  for (const { at, ms, signal } of plan.outages) {
    const due = at * plan.transitions;
    await until('the next outage is due', () => fleet.done() >= due, plan.deadlineMs);
    await redis.stop(signal);
    fleet.unsettle();
    const back = Date.now() + ms;
    await until('the outage is over', () => Date.now() >= back, 2 * ms);
    await redis.start();
  }
}
