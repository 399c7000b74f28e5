import { classify } from '../../../../src/rollouts/engine/classify.ts';
import type { RecordMemory } from '../../../../src/rollouts/engine/classify.ts';
import { readFacts } from '../../../../src/rollouts/engine/facts.ts';
import type { Outcome, RolloutState } from '../../../../src/rollouts/engine/rollout.ts';
import type { RecordState } from '../../../../src/rollouts/engine/states.ts';
import { deployment, NOON, ready, SECOND } from '../platform-json.ts';
import type { Json } from '../platform-json.ts';
import { gvcScenario } from './gvc-scenario.ts';
import type { Listing } from './gvc-scenario.ts';

const POLL_MS = 10 * SECOND;

/** A record over several polls, ten seconds apart unless a number of milliseconds stands between. */
export function memories(
  polls: readonly (Json | number | undefined)[],
  start: { adopting?: boolean } = {},
): RecordMemory[] {
  const seen: RecordMemory[] = [];
  let memory: RecordMemory | undefined;
  let now = NOON;
  let wait = 0;
  for (const poll of polls) {
    if (typeof poll === 'number') {
      wait = poll;
      continue;
    }
    now += wait;
    const adopting = seen.length === 0 && (start.adopting ?? false);
    memory = classify(readFacts(deployment(poll)), memory, { now, adopting });
    seen.push(memory);
    wait = POLL_MS;
  }
  return seen;
}

export function states(...polls: (Json | number | undefined)[]): RecordState[] {
  return memories(polls).map((memory) => memory.state);
}

export function last(...polls: (Json | number | undefined)[]): RecordMemory {
  const memory = memories(polls).at(-1);
  if (memory === undefined) throw new Error('a story needs a poll');
  return memory;
}

/** A restart that the version has had since it began. */
export function restarted(count: number, over: Json = {}): Json {
  return {
    restarts: {
      count,
      exitCode: 1,
      reason: 'Error',
      lastRestartTime: new Date(NOON).toISOString(),
      ...over,
    },
  };
}

export interface RolloutScenario {
  /** The next poll, ten seconds later: what changed against the one before; gives the outcomes. */
  poll(changes?: Listing, options?: { after?: number }): string[];
  /** As many polls, ten seconds apart, that say the same; gives what all of them tell. */
  polls(count: number): string[];
  rollout(): RolloutState;
}

/**
 * The rollout of one workload, without what is told of the GVC around it. What is absent is gone at
 * once, as if the list before had lacked it, too.
 * @param first what its first poll sees, which is adopted in silence
 */
export function rolloutScenario(first: Listing): RolloutScenario {
  // Another workload stays: the end of this one is not that of the GVC.
  const gvc = gvcScenario({ ...first, 'other/lima': ready(1) });
  const story: RolloutScenario = {
    poll(changes = {}, options = {}) {
      gvc.poll(changes, { ...options, gone: true });
      return gvc.told().flatMap(({ outcome }) => (outcome === undefined ? [] : [line(outcome)]));
    },
    polls: (count) => Array.from({ length: count }, () => story.poll()).flat(),
    rollout: () => gvc.state().rollouts['cart'] as RolloutState,
  };
  return story;
}

/** `unhealthy/2 in lima, oslo`; of flapping also what it stands for and how it settled. */
function line({ kind, n, locations, covers = [], settled }: Outcome): string {
  const standsFor = covers.length === 0 ? '' : ` for ${covers.map(named).join(' ')}`;
  const end = settled === undefined ? '' : `: ${settled}`;
  return `${named({ kind, n })} in ${locations.join(', ')}${standsFor}${end}`;
}

function named({ kind, n }: { kind: string; n: number }): string {
  return n > 1 ? `${kind}/${n}` : kind;
}
