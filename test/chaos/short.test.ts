import { expect, it } from 'vitest';
import { mixedFleet, seedOf } from './fleets.ts';
import { print, run } from './run.ts';

it('nothing is lost or doubled while workers die, Redis goes and Slack and the platform fail', async () => {
  const seed = seedOf(191_962);
  const report = await run({
    seed,
    gvcs: mixedFleet(4, 4),
    transitions: 44,
    kills: 4,
    sleepEvery: 3,
    outages: [{ at: 0.6, ms: 2_000, signal: 'SIGKILL' }],
    slackFaults: {
      share: 0.1,
      kinds: ['limited', 'error', 'failed', 'reset before', 'reset after', 'error after'],
    },
    platformFaults: 0.05,
    deadlineMs: 120_000,
  });
  print('Chaos, short', seed, report);

  expect(report.count).toMatchObject({ lost: [], doubled: [], ghost: [], disorder: [] });
  expect(report.count.expected).toBeGreaterThan(30);
});
