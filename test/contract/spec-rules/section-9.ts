import type { Rule } from './rule.ts';

const STAND_IN_DEPLOYMENTS = 'contract/sandbox-platform/deployments.test.ts';
const STAND_IN_ROLLOUTS = 'contract/sandbox-platform/rollouts.test.ts';

/** Spec 9: versions. */
export const SECTION_9: readonly Rule[] = [
  {
    id: '9/workload-version',
    says: 'deployments report the workload’s version as processed, expected and per entry',
    test: [STAND_IN_DEPLOYMENTS, 'a deployment has the fields of the specification'],
  },
  {
    id: '9/gvc-version',
    says: 'GVC resources carry a version as well',
    test: [STAND_IN_ROLLOUTS, 'a new GVC version rolls every workload again at the version it has'],
  },
  {
    id: '9/scaling',
    says: 'the version does not change for scaling-only changes',
    test: [
      STAND_IN_ROLLOUTS,
      'scaling keeps the version: down to 0/0, and up again replica by replica',
    ],
  },
  {
    id: '9/variable',
    says: 'SVC_WORKLOAD_VERSION tracks the workload version',
    later: 'workload knowledge',
  },
  {
    id: '9/deprecated-tags',
    says: 'svc/protocol and svc/multiZone are deprecated in favor of spec options',
    later: 'workload knowledge',
  },
];
