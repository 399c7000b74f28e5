import type { Rule } from './rule.ts';

const VERSIONS = 'contract/platform/deployment-versions.test.ts';
const TAGS = 'unit/features/workload/tags-general.test.ts';
const VARIABLES = 'unit/features/workload/env-view.test.ts';

/** Spec 9: versions. */
export const SECTION_9: readonly Rule[] = [
  {
    id: '9/workload-version',
    says: 'deployments report the workload’s version as processed, expected and per entry',
    test: [
      VERSIONS,
      'are one at rest and two while one replaces the other, each with its own image',
    ],
  },
  {
    id: '9/gvc-version',
    says: 'GVC resources carry a version as well',
    test: [
      VERSIONS,
      'carry the version of the GVC: a new one rolls each workload at the version it has',
    ],
  },
  {
    id: '9/scaling',
    says: 'the version does not change for scaling-only changes',
    test: [VERSIONS, 'are scaled without a new version, down to nothing and up again'],
  },
  {
    id: '9/variable',
    says: 'SVC_WORKLOAD_VERSION tracks the workload version',
    test: [VARIABLES, 'WORKLOAD_VERSION tracks the version that deployments report'],
  },
  {
    id: '9/deprecated-tags',
    says: 'svc/protocol and svc/multiZone are deprecated in favor of spec options',
    test: [TAGS, 'only two tags are deprecated: protocol and multiZone'],
  },
];
