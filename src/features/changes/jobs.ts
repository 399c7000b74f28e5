import type { Clerk } from '../../changes/execute.ts';
import type { JobKind } from '../../jobs/jobs.ts';

/** How soon a change is gone on with whose worker is gone, or for which it is time. Milliseconds. */
const SWEEP_MS = 2_000;

/** The work on changes: at once when something has happened to one, and regularly for what is due. */
export function createChangeJobs(clerk: Clerk): JobKind[] {
  return [
    {
      queue: 'changes',
      name: 'advance',
      run: async ({ id }) => {
        if (id !== undefined) await clerk.advance(id);
      },
    },
    { queue: 'changes', name: 'sweep', every: SWEEP_MS, run: () => clerk.sweep() },
  ];
}
