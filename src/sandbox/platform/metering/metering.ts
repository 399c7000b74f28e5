import type { Org } from '../deployments/model.ts';
import type { SandboxClock } from '../clock.ts';
import type { Books } from './books.ts';

/** What every workload used, hour by hour, and what it costs. */
export interface Metering {
  readonly books: Books;
}

/** @param deps.orgs the workloads that are metered */
export function createMetering(deps: {
  orgs: ReadonlyMap<string, Org>;
  clock: SandboxClock;
}): Metering {
  return { books: { firstMonth: deps.clock.now(), monthLines: () => [] } };
}
