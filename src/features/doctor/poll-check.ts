import { watchedGvcs } from '../../rollouts/schedule.ts';
import type { Pulse } from '../../rollouts/gvc-store.ts';
import type { Watch } from '../../rollouts/watches.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Check } from './check.ts';
import { judgePolls } from './poll-judge.ts';

export interface PollCheckDeps {
  readonly watches: () => Promise<readonly Watch[]>;
  readonly readPulse: (org: string, gvc: string) => Promise<Pulse>;
  /** POLL_IDLE_SECONDS in milliseconds. */
  readonly idleMs: number;
  readonly clock: Clock;
}

/** Whether every watched GVC is read as often as it is to be. */
export function createPollCheck({ watches, readPulse, idleMs, clock }: PollCheckDeps): Check {
  return {
    area: 'Watches',
    async look() {
      const gvcs = watchedGvcs(await watches());
      const polled = await Promise.all(
        gvcs.map(async ({ org, gvc }) => ({ org, gvc, pulse: await readPulse(org, gvc) })),
      );
      return judgePolls(polled, idleMs, clock.now());
    },
  };
}
