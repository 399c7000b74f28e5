import type { Rule } from './rule.ts';

const OPTIONS = 'unit/platform/workload/check-options.test.ts';
const PLAN = 'unit/platform/workload/plan.test.ts';
const REMARKS = 'unit/features/workload/lookup.test.ts';

/** Spec 2.13 and 2.14: runtime options and addresses of a workload. */
export const SECTION_2_WORKLOAD: readonly Rule[] = [
  {
    id: '2.13/min-ready-seconds',
    says: 'minReadySeconds is how long a replica must run before the rollout goes on',
    test: [OPTIONS, 'minReadySeconds is a number of seconds, 0 or more'],
  },
  {
    id: '2.13/max-unavailable',
    says: 'maxUnavailableReplicas is a number or percentage, in a rollout and in rescheduling',
    test: [OPTIONS, 'maxUnavailableReplicas is a number or a percentage'],
  },
  {
    id: '2.13/max-surge',
    says: 'maxSurgeReplicas is a number or percentage added per batch: 4 with 50 % adds 2, then removes 2 and adds 2',
    test: [PLAN, 'maxSurgeReplicas of 50 % adds 2 of 4, then removes 2 and adds 2'],
  },
  {
    id: '2.13/max-surge-all',
    says: 'maxSurgeReplicas of 100 % is a short cutover',
    test: [PLAN, 'maxSurgeReplicas of 100 % is a short cutover'],
  },
  {
    id: '2.13/scaling-policy',
    says: 'scalingPolicy is OrderedReady by default, or Parallel, which does not affect updates',
    test: [
      OPTIONS,
      'scalingPolicy is OrderedReady, which is the default, or Parallel, which changes no update',
    ],
  },
  {
    id: '2.13/termination-grace',
    says: 'terminationGracePeriodSeconds is in seconds',
    test: [OPTIONS, 'terminationGracePeriodSeconds is a number of seconds, 0 or more'],
  },
  {
    id: '2.13/retry-attempts',
    says: 'requestRetryPolicy.attempts is an integer, 2 by default',
    test: [OPTIONS, 'attempts is a whole number'],
  },
  {
    id: '2.13/retry-on',
    says: 'requestRetryPolicy.retryOn are strings with a default of six conditions',
    test: [OPTIONS, 'attempts without retryOn apply to the six conditions of the default'],
  },
  {
    id: '2.13/suspend',
    says: 'defaultOptions.suspend true stops serving at once, false resumes',
    test: [
      OPTIONS,
      'suspend true stops serving at once, false says nothing, anything else is wrong',
    ],
  },
  {
    id: '2.13/timeout',
    says: 'defaultOptions.timeoutSeconds is an integer from 1 to 600',
    test: [
      OPTIONS,
      'timeoutSeconds is a whole number from 1 to 600, and the fix for more is the tag',
    ],
  },
  {
    id: '2.13/multi-zone',
    says: 'defaultOptions.multiZone.enabled is false by default; not every location supports it',
    test: [OPTIONS, 'multiZone.enabled is off by default, and not for every location'],
  },
  {
    id: '2.13/debug',
    says: 'defaultOptions.debug is a switch whose path is stated as an option only',
    test: [OPTIONS, 'debug is a switch that takes effect with the next deployment'],
  },
  {
    id: '2.13/health',
    says: 'health is Loading, Healthy, Unhealthy, Deleting or Unknown',
    test: [REMARKS, 'health has five values, which no endpoint gives'],
  },
  {
    id: '2.13/multi-zone-balancer',
    says: 'multi-zone with a dedicated load balancer should be enabled there, too',
    test: [OPTIONS, 'multi-zone with a dedicated load balancer wants zones of that, too'],
  },
  {
    id: '2.13/mounter',
    says: 'mounted object stores are metered to the workload, under a container named svc-mounter',
    test: [
      REMARKS,
      'mounted object stores are metered to the workload, under a container of their own',
    ],
  },
  {
    id: '2.14/canonical',
    says: 'the canonical address is workload-alias.global domain',
    test: ['unit/platform/workload/addresses.test.ts', 'canonical: workload-alias.global domain'],
  },
  {
    id: '2.14/canonical-prefix',
    says: 'with an org prefix it is workload-alias.prefix.global domain',
    test: [
      'unit/platform/workload/addresses.test.ts',
      'canonical with an org prefix: workload-alias.prefix.global domain',
    ],
  },
  {
    id: '2.14/location',
    says: 'the address in a location is workload-alias.location.location domain',
    test: [
      'unit/platform/workload/addresses.test.ts',
      'of a location: workload-alias.location.location domain, one for each',
    ],
  },
  {
    id: '2.14/replica-direct',
    says: 'that of a replica is workload-alias-index.location.location domain',
    test: [
      'unit/platform/workload/addresses.test.ts',
      'of a replica: workload-alias-index.location.location domain',
    ],
  },
  {
    id: '2.14/custom-domain',
    says: 'custom domains appear in the status of a workload for every route that uses it',
    test: [
      'unit/features/workload/addresses-view.test.ts',
      'custom domains stand in the status of the workload, which no endpoint here lists',
    ],
  },
  {
    id: '2.14/internal',
    says: 'the internal address is workload.gvc.internal domain and port',
    test: [
      'unit/platform/workload/addresses.test.ts',
      'internal: workload.gvc.internal domain and port',
    ],
  },
  {
    id: '2.14/internal-replica',
    says: 'that of a replica is replica-index.workload.location.gvc.internal domain and port',
    test: [
      'unit/platform/workload/addresses.test.ts',
      'of a replica, internally: replica-index.workload.location.gvc.internal domain and port',
    ],
  },
  {
    id: '2.14/replica-index',
    says: 'indexes run from 0 to the replica count less one',
    test: [
      'unit/features/workload/addresses-view.test.ts',
      'replica indexes run from 0 to the replica count less one',
    ],
  },
  {
    id: '2.14/constructed',
    says: 'replica hostnames are constructed, not discovered',
    test: [
      'unit/features/workload/addresses-view.test.ts',
      'replica hostnames are constructed, not discovered',
    ],
  },
  {
    id: '2.14/containers',
    says: 'containers of one workload reach each other at http://container:port',
    test: [
      'unit/platform/workload/addresses.test.ts',
      'of containers of one workload: http://container:port',
    ],
  },
];
