import type { Quota } from './model.ts';

const DEFAULTS: readonly Omit<Quota, 'id' | 'current' | 'origin'>[] = [
  { name: 'gvcs', description: 'GVCs in the org', unit: 'count', max: 20 },
  { name: 'workloads', description: 'Workloads in the org', unit: 'count', max: 100 },
  { name: 'cpu', description: 'CPU over all workloads', unit: 'cores', max: 128 },
  { name: 'memory', description: 'Memory over all workloads', unit: 'GiB', max: 512 },
  { name: 'volume-sets', description: 'Volume sets in the org', unit: 'count', max: 20 },
  { name: 'domains', description: 'Custom domains', unit: 'count', max: 50 },
];

/** Raises up to this many times the present maximum are granted at once, … */
const APPROVED_UP_TO = 2;
/** … and above this one they are denied at once; a person decides between the two. */
const DENIED_ABOVE = 10;

export type QuotaDecision = 'approved' | 'pending' | 'denied';

/** The quotas that an org starts with. @param used name -> the used quantity; absent: 0 */
export function openQuotas(org: string, used: Readonly<Record<string, number>> = {}): Quota[] {
  return DEFAULTS.map((quota) => ({
    id: `${org}-${quota.name}`,
    ...quota,
    current: used[quota.name] ?? 0,
    origin: 'default',
  }));
}

/** How a raise to `requestedMax` is answered; an approved one holds from now on. */
export function requestRaise(quota: Quota, requestedMax: number): QuotaDecision {
  if (requestedMax > quota.max * DENIED_ABOVE) return 'denied';
  if (requestedMax > quota.max * APPROVED_UP_TO) return 'pending';
  quota.max = requestedMax;
  quota.origin = 'increase-request';
  return 'approved';
}
