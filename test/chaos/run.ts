import { Redis } from 'ioredis';
import { until } from '../support/until.ts';
import type { Count } from './count.ts';
import type { GvcScript } from './fleet.ts';
import { PLANS } from './plans.ts';
import { PLATFORM_FAULTS } from './platform.ts';
import type { PlatformFault } from './platform.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import { createDurableRedis } from './redis.ts';
import type { DurableRedis } from './redis.ts';
import type { SlackFault } from './slack.ts';
import { createChaosWorld } from './world.ts';
import type { ChaosWorld, Moment } from './world.ts';

/** One run: how much happens, and how much goes wrong meanwhile. */
export interface RunPlan {
  seed: number;
  gvcs: readonly GvcScript[];
  plans?: readonly string[];
  transitions: number;
  kills: number;
  /** Workers that sleep for longer than their locks last, one after every so many kills. */
  sleepEvery: number;
  /** Each at its share of the transitions. */
  outages: readonly { at: number; ms: number; signal: 'SIGTERM' | 'SIGKILL' }[];
  /** Share of the calls that go wrong. */
  slackFaults: { share: number; kinds: readonly SlackFault[] };
  platformFaults: number;
  /** For the transitions, and again for what is told after the last. Milliseconds. */
  deadlineMs: number;
}

export interface RunReport {
  count: Count;
  transitions: number;
  kills: Readonly<Record<string, number>>;
  sleeps: Readonly<Record<string, number>>;
  slackFaults: Readonly<Record<string, number>>;
  platformFaults: Readonly<Record<string, number>>;
  outages: number;
  posts: number;
  seconds: number;
  /** Of the logs, when something went wrong. */
  troubles: string[];
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
/** After the answer, and between the mark of a post and the post: then somebody else may have taken over. */
const SLEEPY: readonly Moment[] = ['script done', 'poll answered'];
const WORKERS = 2;
/** A moment that does not come by then is not waited for: the worker dies anyhow. */
const DOOM_MS = 3_000;
/** Of what is to be told, before the next worker dies. */
const TOLD_SHARE = 0.6;

/** Plays the script under kills, outages and faults, and counts what came of it. */
export async function run(plan: RunPlan): Promise<RunReport> {
  const random = createRandom(plan.seed);
  const redis = await createDurableRedis();
  const began = Date.now();
  let faulty: 'none' | 'both' | 'slack' = 'none';
  const world = await createChaosWorld({
    random,
    redisPort: redis.port,
    gvcs: plan.gvcs,
    plans: plan.plans ?? Object.keys(PLANS),
    workers: WORKERS,
    slackFault: () =>
      faulty !== 'none' && random.next() < plan.slackFaults.share
        ? random.pick(plan.slackFaults.kinds)
        : undefined,
    platformFault: () =>
      faulty === 'both' && random.next() < plan.platformFaults ? random.pick(FAULTS) : undefined,
  });
  try {
    await world.begin();
    faulty = 'both';
    await Promise.all([kill(world, random, plan), outages(world, redis, plan)]);
    await until('all has happened', () => world.fleet.done() >= plan.transitions, plan.deadlineMs);
    // What waits is told through a Slack that goes on failing; the last polls have to succeed.
    faulty = 'slack';
    await world.quiet(plan.deadlineMs);
    const report = reportOf(world, plan, began);
    const kept = await keptOf(redis.port, report.count.lost.slice(0, 5));
    return { ...report, troubles: [...kept, ...report.troubles] };
  } finally {
    await world.close();
    await redis.close();
  }
}

const FAULTS: readonly PlatformFault[] = PLATFORM_FAULTS;

/** Kills workers, spread over the transitions and over the moments; the next transitions wait for it. */
async function kill(world: ChaosWorld, random: Random, plan: RunPlan): Promise<void> {
  for (let done = 0; done < plan.kills; done += 1) {
    const due = Math.round(((done + 1) / (plan.kills + 1)) * plan.transitions);
    world.fleet.allow(due);
    const isDue = (): boolean => world.fleet.done() >= due && toldShare(world) >= TOLD_SHARE;
    await until('the next kill is due', isDue, plan.deadlineMs);
    if (done % plan.sleepEvery === 1) {
      world.lull(SLEEPY[Math.floor(done / plan.sleepEvery) % SLEEPY.length] ?? 'script done');
    }
    const worker = random.whole(WORKERS);
    await until('the worker lives', () => world.alive(worker), plan.deadlineMs);
    const moment = MOMENTS[done % (MOMENTS.length + 1)];
    if (moment === undefined) {
      world.kill(worker);
      continue;
    }
    const before = total(world.kills);
    world.doom(moment);
    await until('it dies', () => total(world.kills) > before, DOOM_MS).catch(() => undefined);
    if (world.spare()) world.kill(worker);
  }
  world.fleet.allow(plan.transitions);
}

async function outages(world: ChaosWorld, redis: DurableRedis, plan: RunPlan): Promise<void> {
  for (const { at, ms, signal } of plan.outages) {
    const due = at * plan.transitions;
    await until('the next outage is due', () => world.fleet.done() >= due, plan.deadlineMs);
    await redis.stop(signal);
    world.fleet.unsettle();
    const back = Date.now() + ms;
    await until('the outage is over', () => Date.now() >= back, 2 * ms);
    await redis.start();
  }
}

/** Posts are slower than polls, and a worker has to die while it posts, too. */
function toldShare({ slack, fleet }: ChaosWorld): number {
  return slack.told.length / Math.max(1, fleet.expected.length);
}

/** What the bot itself keeps of messages that were lost: whether it thinks that they were told. */
async function keptOf(port: number, lost: readonly string[]): Promise<string[]> {
  const redis = new Redis(port);
  try {
    const lines: string[] = [];
    for (const name of lost) {
      const [, key = ''] = name.split(' ');
      for (const kept of await redis.keys(`*${key}`)) {
        const { body: _body, ...fields } = await redis.hgetall(kept);
        lines.push(`${kept} ${JSON.stringify(fields)}`);
      }
    }
    return lines;
  } finally {
    redis.disconnect();
  }
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, one) => sum + one, 0);
}

function reportOf(world: ChaosWorld, plan: RunPlan, began: number): RunReport {
  const count = world.count();
  const wrong = count.lost.length + count.doubled.length + count.ghost.length;
  return {
    count,
    transitions: world.fleet.done(),
    kills: Object.fromEntries(world.kills),
    sleeps: Object.fromEntries(world.sleeps),
    slackFaults: Object.fromEntries(world.slack.faults),
    platformFaults: Object.fromEntries(world.platform.faults),
    outages: plan.outages.length,
    posts: world.slack.posts.length,
    seconds: Math.round((Date.now() - began) / 1_000),
    troubles: wrong === 0 ? [] : world.troubles(),
  };
}

/** The figures of a count, with the seed of its run. */
export function printCount(
  title: string,
  seed: number,
  { expected, told, lost, doubled, ghost, late }: Count,
  more: Readonly<Record<string, unknown>>,
): void {
  const others = Object.entries(more).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`);
  const lines = [
    `${title}, seed ${seed}: expected ${expected}, told ${told}: lost ${lost.length}, doubled ${doubled.length}, ghost ${ghost.length}`,
    `  told after ${late.median} ms in the middle, ${late.most} ms at most`,
    ...others,
    ...[...lost, ...doubled, ...ghost].slice(0, 10).map((one) => `  wrong: ${one}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** The figures of a run, with its seed, for whoever reads the output of the tests. */
export function print(title: string, seed: number, report: RunReport): void {
  const { count } = report;
  const lines = [
    `${title}, seed ${seed}: ${report.transitions} transitions, ${report.posts} posts, ${report.seconds} s`,
    `  kills ${JSON.stringify(report.kills)}, sleeps ${JSON.stringify(report.sleeps)}, Redis away ${report.outages} times`,
    `  Slack ${JSON.stringify(report.slackFaults)}`,
    `  platform ${JSON.stringify(report.platformFaults)}`,
    `  expected ${count.expected}, told ${count.told}: lost ${count.lost.length}, doubled ${count.doubled.length}, ghost ${count.ghost.length}, disorder ${count.disorder.length}`,
    `  told after ${count.late.median} ms in the middle, ${count.late.most} ms at most`,
    ...(['lost', 'doubled', 'ghost', 'disorder'] as const).flatMap((kind) =>
      count[kind].slice(0, 10).map((one) => `  ${kind}: ${one}`),
    ),
    ...report.troubles.map((line) => `  log: ${line.slice(0, 300)}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
