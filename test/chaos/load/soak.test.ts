import { expect, it } from 'vitest';
import { seedOf } from '../fleets.ts';
import { printSoak, soak } from '../soak.ts';

it('10,000 deployments for ten minutes: every poll in its slot, memory flat, all told', async () => {
  const plan = { seed: seedOf(), ms: 600_000, pollSeconds: 10 };
  const report = await soak(plan);
  printSoak(plan, report);

  expect(report.count).toMatchObject({ lost: [], doubled: [], ghost: [], disorder: [] });
  expect(report.inSlot).toBeGreaterThanOrEqual(0.999);
  expect(report.memory.after).toBeLessThan(report.memory.before * 1.1);
});
