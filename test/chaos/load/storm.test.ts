import { expect, it, onTestFinished } from 'vitest';
import { askForHelp } from '../acks.ts';
import type { GvcScript } from '../fleet.ts';
import { openChaos, type ChaosWorld } from '../world.ts';

const POLL_S = 5;
const DEADLINE_MS = 120_000;
const REPORTED_WITHIN_MS = 60_000;
const ACK_MS = 1_000;
/** One a second, less the difference of another process's clock. */
const BETWEEN_POSTS_MS = 950;
const channels = ['C0STORM'];

it.each([
  ['100 GVCs', gvcs(100, 20)],
  ['one GVC', gvcs(1, 2_000)],
])('10,000 deployments in %s fail in one poll', async (name, fleet) => {
  const world = await openChaos({
    gvcs: fleet,
    plans: [],
    opening: [{ phases: ['broken', 'broken'], trigger: ['unhealthy'] }],
    workers: 1,
    environment: {
      ROLE: 'all',
      POLL_ACTIVE_SECONDS: String(POLL_S),
      POLL_IDLE_SECONDS: String(POLL_S),
    },
  });
  onTestFinished(() => world.close());
  await world.begin();
  const stopAsking = askForHelp(world.bots[0]?.port ?? 0, world.slack.apiUrl('0'));
  world.fleet.allow(2_000);
  await world.quiet(DEADLINE_MS);
  const waits = await stopAsking();
  const gap = shortestGap(world);
  const most = waits.at(-1) ?? Infinity;
  const count = world.report(`Storm, ${name}`, { gap, acks: waits.length, most });

  expect(count).toMatchObject({ expected: 2_000, lost: [], doubled: [], ghost: [] });
  expect(count.late).toBeLessThan(REPORTED_WITHIN_MS);
  expect(most).toBeLessThan(ACK_MS);
  expect(gap).toBeGreaterThan(BETWEEN_POSTS_MS);
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
