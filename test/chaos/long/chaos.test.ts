import { expect, it } from 'vitest';
import { mixedFleet, seedOf } from '../fleets.ts';
import { print, run } from '../run.ts';

it('1,000 transitions under 50 kills and four outages of Redis: lost 0, doubled 0, ghost 0', async () => {
  const seed = seedOf();
  const report = await run({
    seed,
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
  print('Chaos', seed, report);

  expect(report.count).toMatchObject({ lost: [], doubled: [], ghost: [], disorder: [] });
  expect(Object.values(report.kills).reduce((sum, one) => sum + one, 0)).toBe(50);
  expect(report.transitions).toBeGreaterThanOrEqual(1_000);
  expect(Object.keys(report.kills)).toHaveLength(8);
});
