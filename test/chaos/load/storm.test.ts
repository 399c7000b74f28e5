import { expect, it } from 'vitest';
import { askForHelp } from '../acks.ts';
import type { GvcScript } from '../fleet.ts';
import { seedOf } from '../fleets.ts';
import { createRandom } from '../random.ts';
import { createDurableRedis } from '../redis.ts';
import { createChaosWorld } from '../world.ts';
import type { ChaosWorld } from '../world.ts';

const POLL_S = 5;
const DEADLINE_MS = 120_000;
const TOLD_WITHIN_MS = 60_000;
const ACK_MS = 1_000;
/** One a second, less what the clock of another process can be off. */
const BETWEEN_POSTS_MS = 950;
const channels = ['C0STORM'];

it.each([
  ['100 GVCs', gvcs(100, 20)],
  ['one GVC', gvcs(1, 2_000)],
])('10,000 deployments in %s fail in one poll', async (name, fleet) => {
  const redis = await createDurableRedis();
  const world = await createChaosWorld({
    random: createRandom(seedOf()),
    redisPort: redis.port,
    gvcs: fleet,
    plans: [],
    opening: [{ phases: ['broken', 'broken'], tells: ['unhealthy'] }],
    workers: 1,
    environment: {
      ROLE: 'all',
      POLL_ACTIVE_SECONDS: String(POLL_S),
      POLL_IDLE_SECONDS: String(POLL_S),
    },
  });
  try {
    await world.begin();
    const acks = askForHelp(world.bot(0)?.port ?? 0, world.slack.apiUrl('0'));
    world.fleet.allow(2_000);
    await world.quiet(DEADLINE_MS);
    const waits = await acks.stop();
    const count = world.count();
    const gap = shortestGap(world);
    process.stdout.write(
      `Storm, ${name}: ${count.expected} to tell, ${world.slack.posts.length} posts, all told after ${count.late.most} ms, shortest gap ${gap} ms; ${waits.length} acks, p99 ${at(waits, 0.99)} ms, most ${at(waits, 1)} ms; lost ${count.lost.length}, doubled ${count.doubled.length}, ghost ${count.ghost.length}\n`,
    );

    expect(count).toMatchObject({ expected: 2_000, lost: [], doubled: [], ghost: [] });
    expect(count.late.most).toBeLessThan(TOLD_WITHIN_MS);
    expect(at(waits, 1)).toBeLessThan(ACK_MS);
    expect(gap).toBeGreaterThan(BETWEEN_POSTS_MS);
  } finally {
    await world.close();
    await redis.close();
  }
});

/** Five locations each. */
function gvcs(many: number, workloads: number): GvcScript[] {
  return Array.from({ length: many }, (_, index) => ({
    name: `gvc${index}`,
    workloads,
    locations: 5,
    unison: true,
    channels,
  }));
}

function shortestGap({ slack }: ChaosWorld): number {
  const times = slack.posts.map((post) => post.at);
  return Math.min(...times.slice(1).map((time, index) => time - (times[index] ?? 0)));
}

function at(sorted: readonly number[], share: number): number {
  return Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0);
}
