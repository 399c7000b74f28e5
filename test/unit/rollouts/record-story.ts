import { classify } from '../../../src/rollouts/engine/classify.ts';
import type { RecordMemory, RecordState } from '../../../src/rollouts/engine/classify.ts';
import { readFacts } from '../../../src/rollouts/engine/facts.ts';
import { deployment, NOON, SECOND } from './platform-json.ts';
import type { Json } from './platform-json.ts';

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
