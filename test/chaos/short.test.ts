import { expect, it } from 'vitest';
import { seedOf } from './random.ts';
import { mixedFleet, run } from './run.ts';

it('nothing is lost or doubled while workers die, Redis goes and Slack and the platform fail', async () => {
  const { count } = await run('Chaos, short', {
    seed: seedOf(191_962),
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

  expect(count).toMatchObject({ lost: [], doubled: [], ghost: [], disorder: [] });
  expect(count.expected).toBeGreaterThan(30);
});
