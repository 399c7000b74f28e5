/** The health values of a workload (spec 2.13). No endpoint of the three APIs gives them. */
export const HEALTH_VALUES = ['Loading', 'Healthy', 'Unhealthy', 'Deleting', 'Unknown'] as const;

/** The container under which usage has the object stores that a workload mounts (spec 2.13): `svc-mounter`. */
export function mounterName(prefix: string): string {
  return `${prefix}-mounter`;
}
