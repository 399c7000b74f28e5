import { readFile } from 'node:fs/promises';
import { until } from '../support/until.ts';
import type { Count } from './count.ts';
import { createRandom } from './random.ts';
import { createDurableRedis } from './redis.ts';
import { createChaosWorld } from './world.ts';
import type { ChaosWorld } from './world.ts';

export interface SoakPlan {
  seed: number;
  /** How long things change. */
  ms: number;
  pollSeconds: number;
}

export interface SoakReport {
  count: Count;
  polls: number;
  /** Share of the polls that came neither late nor not at all. */
  inSlot: number;
  /** MiB: the middle of the second quarter, and of the last. */
  memory: { before: number; after: number };
  transitions: number;
}

const GVCS = 100;
const WORKLOADS = 20;
const LOCATIONS = 5;
/** So many that none has more to tell than it may post. */
const CHANNELS = 50;
const SAMPLE_MS = 1_000;
/** A poll that is later than this share of its slot has missed it. */
const SLOT = 1.5;
/** Of plans whose steps are minutes apart, flapping would be none, and laggards would lag. */
const PLANS = ['breaks later', 'fails, then comes up', 'is not heard of', 'is superseded broken'];

/** 10,000 deployments, of which one workload of each GVC changes at every poll. */
export async function soak(plan: SoakPlan): Promise<SoakReport> {
  const redis = await createDurableRedis();
  const seconds = String(plan.pollSeconds);
  const world = await createChaosWorld({
    random: createRandom(plan.seed),
    redisPort: redis.port,
    gvcs: Array.from({ length: GVCS }, (_, index) => ({
      name: `gvc${index}`,
      workloads: WORKLOADS,
      locations: LOCATIONS,
      channels: [`C0SOAK${index % CHANNELS}`],
    })),
    plans: PLANS,
    pace: 1,
    workers: 1,
    environment: { POLL_ACTIVE_SECONDS: seconds, POLL_IDLE_SECONDS: seconds },
  });
  try {
    await world.begin();
    const began = Date.now();
    world.fleet.allow(Infinity);
    const memory = await sampled(world, plan.ms);
    const ended = Date.now();
    world.fleet.allow(world.fleet.done());
    await world.quiet(plan.ms);
    return {
      count: world.count(),
      ...slotsOf(world, { began, ended, everyMs: plan.pollSeconds * 1_000 }),
      memory: { before: middle(memory, 0.25, 0.5), after: middle(memory, 0.75, 1) },
      transitions: world.fleet.done(),
    };
  } finally {
    await world.close();
    await redis.close();
  }
}

async function sampled(world: ChaosWorld, ms: number): Promise<number[]> {
  const samples: number[] = [];
  const began = Date.now();
  await until(
    'the soak is over',
    async () => {
      const now = Date.now();
      if (now - began > samples.length * SAMPLE_MS) samples.push(await memoryOf(world));
      return now - began > ms;
    },
    2 * ms,
  );
  return samples;
}

/** Resident memory of the bot in MiB. */
async function memoryOf(world: ChaosWorld): Promise<number> {
  const status = await readFile(`/proc/${world.bot(0)?.child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
}

function middle(samples: readonly number[], from: number, to: number): number {
  const part = samples
    .slice(Math.floor(samples.length * from), Math.floor(samples.length * to))
    .toSorted((left, right) => left - right);
  return Math.round(part[part.length >> 1] ?? 0);
}

function slotsOf(
  { platform }: ChaosWorld,
  time: { began: number; ended: number; everyMs: number },
): { polls: number; inSlot: number } {
  let polls = 0;
  let missed = 0;
  for (const all of platform.asked.values()) {
    const times = all.filter((at) => at >= time.began && at <= time.ended);
    polls += times.length;
    for (const [index, at] of [...times, time.ended].entries()) {
      const gap = at - (times[index - 1] ?? time.began);
      if (gap > SLOT * time.everyMs) missed += Math.round(gap / time.everyMs) - 1 || 1;
    }
  }
  return { polls, inSlot: polls / (polls + missed) };
}

export function printSoak(plan: SoakPlan, report: SoakReport): void {
  const { count, memory } = report;
  process.stdout.write(
    `Soak, seed ${plan.seed}: ${report.transitions} transitions, ${report.polls} polls, in their slot ${(report.inSlot * 100).toFixed(2)} %, memory ${memory.before} then ${memory.after} MiB; expected ${count.expected}: lost ${count.lost.length}, doubled ${count.doubled.length}, ghost ${count.ghost.length}; told after ${count.late.median} ms in the middle, ${count.late.most} ms at most\n${[...count.lost.slice(0, 5), ...count.doubled.slice(0, 5), ...count.ghost.slice(0, 5)].join('\n')}\n`,
  );
}
