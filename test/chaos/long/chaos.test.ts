import { expect, it } from 'vitest';
import { seedOf } from '../random.ts';
import { mixedFleet, run } from '../run.ts';

it('1,000 transitions under 50 kills and four outages of Redis: lost 0, doubled 0, ghost 0', async () => {
  const { count, kills, transitions } = await run('Chaos', {
    seed: seedOf(),
    gvcs: mixedFleet(20, 20),
    transitions: 1_000,
    kills: 50,
    sleepEvery: 8,
    outages: [
      { at: 0.2, ms: 2_000, signal: 'SIGTERM' },
      { at: 0.4, ms: 2_000, signal: 'SIGKILL' },
      { at: 0.6, ms: 20_000, signal: 'SIGTERM' },
      { at: 0.8, ms: 20_000, signal: 'SIGKILL' },
    ],
    slackFaults: {
      share: 0.08,
      kinds: [
        ...(['limited', 'error', 'failed', 'reset before', 'reset after', 'error after'] as const),
        ...(['limited', 'error', 'failed', 'reset before', 'reset after', 'error after'] as const),
        'late',
      ],
    },
    platformFaults: 0.04,
    deadlineMs: 180_000,
  });

  expect(count).toMatchObject({ lost: [], doubled: [], ghost: [], disorder: [] });
  expect(kills).toHaveLength(50);
  expect(transitions).toBeGreaterThanOrEqual(1_000);
  expect(new Set(kills).size).toBe(8);
});
