import type { Rule } from './rule.ts';

const FIELDS = 'contract/platform/deployment-fields.test.ts';
const VERSIONS = 'contract/platform/deployment-versions.test.ts';
const ROLLOUTS = 'contract/platform/deployment-rollouts.test.ts';
const REPORTS = 'contract/platform/deployment-reports.test.ts';
const JOBS = 'contract/platform/deployment-jobs.test.ts';

/** Spec 2.12: the status of one workload in one location, and of its versions. */
export const SECTION_2_DEPLOYMENT: readonly Rule[] = [
  {
    id: '2.12/top-level',
    says: 'kind is deployment, name is the location; lastModified, status and links',
    test: [
      FIELDS,
      'a deployment belongs to the workload of its link, absolute or relative; names alone repeat',
    ],
  },
  {
    id: '2.12/links',
    says: 'links have href and a rel of self, workload or location',
    test: [
      FIELDS,
      'a deployment belongs to the workload of its link, absolute or relative; names alone repeat',
    ],
  },
  {
    id: '2.12/links-absolute',
    says: 'href may be absolute or relative',
    test: [
      FIELDS,
      'a deployment belongs to the workload of its link, absolute or relative; names alone repeat',
    ],
  },
  {
    id: '2.12/endpoint',
    says: 'endpoint is the location’s own address of the workload',
    test: [FIELDS, 'each location has an endpoint and a control endpoint of its own'],
  },
  {
    id: '2.12/remote',
    says: 'remote is the location’s control endpoint',
    test: [FIELDS, 'each location has an endpoint and a control endpoint of its own'],
  },
  {
    id: '2.12/ready',
    says: 'ready: the expected version is fully up in the location, DNS included',
    test: [ROLLOUTS, 'is expected, then applied and deploying until all is up, DNS included'],
  },
  {
    id: '2.12/ready-during-rollout',
    says: 'ready is false during a rollout until the new version serves',
    test: [ROLLOUTS, 'is expected, then applied and deploying until all is up, DNS included'],
  },
  {
    id: '2.12/ready-probes',
    says: 'ready is false while replicas fail readiness probes',
    test: [ROLLOUTS, 'by %s stops deploying, says why, and leaves the old one serving'],
  },
  {
    id: '2.12/ready-suspended',
    says: 'ready is false while the location is suspended',
    test: [REPORTS, 'is not ready, and says that suspend is set to true'],
  },
  {
    id: '2.12/previous-serves',
    says: 'the previous version may keep serving',
    test: [ROLLOUTS, 'by %s stops deploying, says why, and leaves the old one serving'],
  },
  {
    id: '2.12/deploying',
    says: 'deploying is true from when the version is applied until it is fully ready',
    test: [ROLLOUTS, 'is expected, then applied and deploying until all is up, DNS included'],
  },
  {
    id: '2.12/deploying-failure',
    says: 'deploying becomes false on failure',
    test: [ROLLOUTS, 'by %s stops deploying, says why, and leaves the old one serving'],
  },
  {
    id: '2.12/message',
    says: 'message is a free diagnosis',
    test: [ROLLOUTS, 'says so in the message of the status too, where the platform gives one'],
  },
  {
    id: '2.12/message-empty',
    says: 'message is empty when healthy',
    test: [FIELDS, 'a deployment at rest is read with all that the specification says of it'],
  },
  {
    id: '2.12/last-processed',
    says: 'lastProcessedVersion is the version most recently acted on',
    test: [ROLLOUTS, 'comes to one location after the other'],
  },
  {
    id: '2.12/expected',
    says: 'expectedDeploymentVersion is the version to converge to',
    test: [FIELDS, 'a version written as %s is that version'],
  },
  {
    id: '2.12/desired-scale',
    says: 'desiredScale is the replica count that is targeted now',
    test: [VERSIONS, 'are scaled without a new version, down to nothing and up again'],
  },
  {
    id: '2.12/versions',
    says: 'versions has one entry per version that is present, two during a rolling update',
    test: [
      VERSIONS,
      'are one at rest and two while one replaces the other, each with its own image',
    ],
  },
  {
    id: '2.12/job-executions',
    says: 'jobExecutions are of cron workloads only',
    test: [JOBS, 'is of cron workloads only, and of each location by itself'],
  },
  {
    id: '2.12/internal',
    says: 'internal must not be read',
    test: [
      FIELDS,
      'status.internal changes from call to call, contradicts the rest, and is not read',
    ],
  },
  {
    id: '2.12/absent-members',
    says: 'members of a status, and the status itself, may be absent',
    test: [FIELDS, 'what the platform leaves out is false, empty or unknown, never a guess'],
  },
  {
    id: '2.12/version/workload',
    says: 'workload is the version of the workload that the entry was rendered from',
    test: [
      VERSIONS,
      'are one at rest and two while one replaces the other, each with its own image',
    ],
  },
  {
    id: '2.12/version/gvc',
    says: 'gvc is the version of the GVC in effect',
    test: [
      VERSIONS,
      'carry the version of the GVC: a new one rolls each workload at the version it has',
    ],
  },
  {
    id: '2.12/version/created',
    says: 'created is when this version began here',
    test: [VERSIONS, 'say when they began in their location, one location after the other'],
  },
  {
    id: '2.12/version/ready',
    says: 'ready is whether it serves',
    test: [VERSIONS, 'are ready, or say why they are not'],
  },
  {
    id: '2.12/version/message',
    says: 'message is why it is not ready',
    test: [VERSIONS, 'are ready, or say why they are not'],
  },
  {
    id: '2.12/version/zone',
    says: 'zone is the availability zone, with multi-zone',
    test: [
      VERSIONS,
      'have a zone and a share of the replicas each where the workload has many zones',
    ],
  },
  {
    id: '2.12/version/desired-scale',
    says: 'desiredScale is the replica count of this version',
    test: [
      VERSIONS,
      'have a zone and a share of the replicas each where the workload has many zones',
    ],
  },
  {
    id: '2.12/version/containers',
    says: 'containers is a map by container name',
    test: [VERSIONS, 'are all there by name, each with its image and resources'],
  },
];
