import type { WatchedGvc } from './schedule.ts';

export interface PollTurnsDeps {
  /** One tick of a GVC. */
  poll: (org: string, gvc: string) => Promise<void>;
  /** Asks for a tick of a GVC, by whichever worker is free. */
  again: (place: WatchedGvc) => Promise<void>;
}

/**
 * Polls of one org that run at once in one process: a quarter of what a worker takes, and fewer than the
 * calls that an org may have, so that what people ask for has its turn beside polls that hang.
 */
const PER_ORG = 12;

interface OrgTurns {
  running: number;
  /** GVCs that came when there was no turn, in their order. */
  readonly waiting: Set<string>;
}

/**
 * Polls of one org take the places of a worker only up to a share, so that up to three that hang delay no
 * other.
 * A tick beyond it holds no place: it ends at once, and the GVC has the next turn of its org that becomes
 * free. So every GVC of an org that is only slow has its turn, too.
 */
export function createPollTurns(deps: PollTurnsDeps): PollTurnsDeps['poll'] {
  const orgs = new Map<string, OrgTurns>();

  function of(org: string): OrgTurns {
    const turns = orgs.get(org) ?? { running: 0, waiting: new Set() };
    orgs.set(org, turns);
    return turns;
  }

  return async (org, gvc) => {
    const turns = of(org);
    if (turns.running >= PER_ORG) {
      turns.waiting.add(gvc);
      return;
    }
    turns.waiting.delete(gvc);
    turns.running += 1;
    try {
      await deps.poll(org, gvc);
    } finally {
      turns.running -= 1;
      const [next] = turns.waiting;
      if (next !== undefined) {
        turns.waiting.delete(next);
        // Where Redis does not take it, its own beat brings it again.
        await deps.again({ org, gvc: next }).catch(() => undefined);
      }
    }
  };
}
