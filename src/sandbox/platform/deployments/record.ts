import type { LocationRecord } from './model.ts';

/** A record to which nothing but its rollout happens yet. */
export function createRecord(
  given: Pick<LocationRecord, 'location' | 'index' | 'reportsFrom' | 'rollout'>,
): LocationRecord {
  return {
    ...given,
    patches: [],
    executions: [],
    serving: undefined,
    suspended: false,
    heldVersion: undefined,
    warmUp: undefined,
    silence: undefined,
    sickness: undefined,
    absence: undefined,
    diverged: false,
  };
}
