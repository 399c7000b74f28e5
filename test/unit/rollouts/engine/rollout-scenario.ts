import { classify, type RecordMemory } from '../../../../src/rollouts/engine/classify.ts';
import { readFacts } from '../../../../src/rollouts/engine/facts.ts';
import { stepRollout } from '../../../../src/rollouts/engine/outcomes.ts';
import {
  nextNumber,
  type Outcome,
  type RolloutState,
} from '../../../../src/rollouts/engine/rollout.ts';
import { THREAD_ONLY, type RecordState } from '../../../../src/rollouts/engine/states.ts';
import { deployment, NOON, SECOND, type Json } from '../platform-json.ts';

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

/** What a poll says of the locations of one workload; `gone` after two lists that lack it. */
export type Locations = Record<string, Json | 'gone'>;

type Memories = Record<string, RecordMemory>;

export interface RolloutScenario {
  /** The next poll, ten seconds later: what changed against the one before; gives the outcomes. */
  poll(changes?: Locations, options?: { after?: number }): string[];
  /** As many polls, ten seconds apart, that say the same; gives what all of them tell. */
  polls(count: number): string[];
  rollout(): RolloutState;
  now(): number;
}

/**
 * The rollout of one workload, without the GVC around it.
 * @param first what its first poll sees, which is adopted in silence
 */
export function rolloutScenario(first: Locations): RolloutScenario {
  let memories: Memories = {};
  let rollout: RolloutState | undefined;
  let now = NOON;
  const step = (changes: Locations, adopting: boolean): string[] => {
    const previous = memories;
    memories = next(previous, changes, { now, adopting });
    const taken = stepRollout(rollout, memories, { previous, now, adopting });
    if (taken === undefined) throw new Error('the workload states no version');
    const { outcomes } = taken;
    const opens = taken.opened || outcomes.some(({ kind }) => !THREAD_ONLY.has(kind));
    rollout = { ...taken.rollout, told: { ...taken.rollout.told } };
    if (opens && rollout.told[`${rollout.version}/card`] === undefined) nextNumber(rollout, 'card');
    return outcomes.map(line);
  };
  const story: RolloutScenario = {
    poll(changes = {}, { after = 10 * SECOND } = {}) {
      now += after;
      return step(changes, false);
    },
    polls: (count) => Array.from({ length: count }, () => story.poll()).flat(),
    rollout: () => rollout as RolloutState,
    now: () => now,
  };
  if (step(first, true).length > 0) throw new Error('the adoption is not silent');
  return story;
}

/** A location of which nothing is said says what it said before. */
const said = new WeakMap<RecordMemory, Json>();

function next(
  previous: Memories,
  changes: Locations,
  options: { now: number; adopting: boolean },
): Memories {
  const memories: Memories = {};
  for (const location of new Set([...Object.keys(previous), ...Object.keys(changes)])) {
    const before = previous[location];
    const change = changes[location] ?? (before === undefined ? undefined : said.get(before));
    if (change === 'gone' || change === undefined) {
      if (before === undefined) continue;
      memories[location] = before.state === 'gone' ? before : left(before, options.now);
      continue;
    }
    const memory = classify(readFacts(deployment(change, { location })), before, options);
    said.set(memory, change);
    memories[location] = memory;
  }
  return memories;
}

function left(before: RecordMemory, now: number): RecordMemory {
  return { ...before, state: 'gone', since: now, cause: '', grace: null };
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
