import { createCarryOut } from './carry-out.ts';
import type { ChangeState } from './change.ts';
import { createClearAway } from './clear-away.ts';
import type { OfficeDeps } from './office.ts';
import { dueOf } from './states.ts';
import type { Step } from './step.ts';

/** What a worker does for changes, without anybody asking. */
export interface Clerk {
  /**
   * Does what is due for a change: reminds, expires, carries out, settles, clears away. Once at a time.
   * @throws when the store does not answer: then the next sweep takes it up
   */
  advance(id: string): Promise<void>;
  /** Asks for `advance` of every change for which something is due. */
  sweep(): Promise<void>;
}

export function createClerk(deps: OfficeDeps): Clerk {
  const { changes, clock } = deps;
  const carryOut = createCarryOut(deps);

  const remind: Step = (change) => {
    const at = clock.now();
    return changes.move(change, { kind: at < change.expiresAt ? 'remind' : 'expire', at });
  };

  const steps: Partial<Record<ChangeState, Step>> = {
    pending: remind,
    approved: carryOut.begin,
    executing: carryOut.goOn,
    succeeded: createClearAway(deps),
  };

  return {
    async advance(id) {
      await deps.alone(id, async (held) => {
        let change = await changes.get(id);
        // Every step puts off what is due, or ends it.
        while (change !== undefined && (dueOf(change) ?? Infinity) <= clock.now()) {
          change = await steps[change.state]?.(change, held);
        }
      });
    },
    async sweep() {
      for (const id of await changes.due(clock.now())) await deps.advance(id);
    },
  };
}
