import type { Deployment } from '../../platform/deployments/deployment.ts';
import { classify } from './classify.ts';
import type { RecordMemory, RecordState } from './classify.ts';
import { isInitializing } from './explain.ts';
import { readFacts } from './facts.ts';
import type { Replicas } from './facts.ts';

/** A deployment as a person wants to see it. */
export interface DeploymentStatus {
  workload: string;
  location: string;
  state: RecordState;
  /** Expected version, 0 = none is stated. */
  version: number;
  processed: number;
  replicas: Replicas | undefined;
  outgoing: Replicas | undefined;
  restarts: number;
  /** What is wrong, '' when nothing is. */
  cause: string;
}

/**
 * The state of one deployment now. What the watch engine remembers of it is used, so that the answer
 * and the channel say the same; without a memory the poll is taken at its word.
 * @param now milliseconds since the epoch
 */
export function statusOf(
  deployment: Deployment,
  memory: RecordMemory | undefined,
  now: number,
): DeploymentStatus {
  const facts = readFacts(deployment);
  const known = memory?.state === 'gone' ? undefined : memory;
  // One poll that only says that replicas start is no failure.
  const adopting = known === undefined && !isInitializing(facts);
  const record = classify(facts, known, { now, adopting });
  const stated = facts.entry !== undefined || facts.wanted !== undefined;
  return {
    workload: deployment.workload,
    location: deployment.location,
    state: record.state,
    version: record.version,
    processed: facts.processed,
    replicas: stated ? record.replicas : undefined,
    outgoing: facts.outgoing,
    restarts: record.restarts,
    cause: record.state === 'ready' ? '' : record.cause,
  };
}
