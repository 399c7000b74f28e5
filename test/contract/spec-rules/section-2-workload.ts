import type { Rule } from './rule.ts';

/** Spec 2.13 and 2.14: runtime options and addresses of a workload. */
export const SECTION_2_WORKLOAD: readonly Rule[] = [
  {
    id: '2.13/min-ready-seconds',
    says: 'minReadySeconds is how long a replica must run before the rollout goes on',
    later: 'workload knowledge',
  },
  {
    id: '2.13/max-unavailable',
    says: 'maxUnavailableReplicas is a number or percentage, in a rollout and in rescheduling',
    later: 'workload knowledge',
  },
  {
    id: '2.13/max-surge',
    says: 'maxSurgeReplicas is a number or percentage added per batch: 4 with 50 % adds 2, then removes 2 and adds 2',
    later: 'workload knowledge',
  },
  {
    id: '2.13/max-surge-all',
    says: 'maxSurgeReplicas of 100 % is a short cutover',
    later: 'workload knowledge',
  },
  {
    id: '2.13/scaling-policy',
    says: 'scalingPolicy is OrderedReady by default, or Parallel, which does not affect updates',
    later: 'workload knowledge',
  },
  {
    id: '2.13/termination-grace',
    says: 'terminationGracePeriodSeconds is in seconds',
    later: 'workload knowledge',
  },
  {
    id: '2.13/retry-attempts',
    says: 'requestRetryPolicy.attempts is an integer, 2 by default',
    later: 'workload knowledge',
  },
  {
    id: '2.13/retry-on',
    says: 'requestRetryPolicy.retryOn are strings with a default of six conditions',
    later: 'workload knowledge',
  },
  {
    id: '2.13/suspend',
    says: 'defaultOptions.suspend true stops serving at once, false resumes',
    later: 'workload knowledge',
  },
  {
    id: '2.13/timeout',
    says: 'defaultOptions.timeoutSeconds is an integer from 1 to 600',
    later: 'workload knowledge',
  },
  {
    id: '2.13/multi-zone',
    says: 'defaultOptions.multiZone.enabled is false by default; not every location supports it',
    later: 'workload knowledge',
  },
  {
    id: '2.13/debug',
    says: 'defaultOptions.debug is a switch whose path is stated as an option only',
    later: 'workload knowledge',
  },
  {
    id: '2.13/health',
    says: 'health is Loading, Healthy, Unhealthy, Deleting or Unknown',
    later: 'workload knowledge',
  },
  {
    id: '2.13/multi-zone-balancer',
    says: 'multi-zone with a dedicated load balancer should be enabled there, too',
    later: 'workload knowledge',
  },
  {
    id: '2.13/mounter',
    says: 'mounted object stores are metered to the workload, under a container named svc-mounter',
    later: 'workload knowledge',
  },
  {
    id: '2.14/canonical',
    says: 'the canonical address is workload-alias.global domain',
    later: 'workload knowledge',
  },
  {
    id: '2.14/canonical-prefix',
    says: 'with an org prefix it is workload-alias.prefix.global domain',
    later: 'workload knowledge',
  },
  {
    id: '2.14/location',
    says: 'the address in a location is workload-alias.location.location domain',
    later: 'workload knowledge',
  },
  {
    id: '2.14/replica-direct',
    says: 'that of a replica is workload-alias-index.location.location domain',
    later: 'workload knowledge',
  },
  {
    id: '2.14/custom-domain',
    says: 'custom domains appear in the status of a workload for every route that uses it',
    later: 'workload knowledge',
  },
  {
    id: '2.14/internal',
    says: 'the internal address is workload.gvc.internal domain and port',
    later: 'workload knowledge',
  },
  {
    id: '2.14/internal-replica',
    says: 'that of a replica is replica-index.workload.location.gvc.internal domain and port',
    later: 'workload knowledge',
  },
  {
    id: '2.14/replica-index',
    says: 'indexes run from 0 to the replica count less one',
    later: 'workload knowledge',
  },
  {
    id: '2.14/constructed',
    says: 'replica hostnames are constructed, not discovered',
    later: 'workload knowledge',
  },
  {
    id: '2.14/containers',
    says: 'containers of one workload reach each other at http://container:port',
    later: 'workload knowledge',
  },
];
