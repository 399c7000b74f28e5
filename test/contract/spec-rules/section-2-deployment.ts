import type { Rule } from './rule.ts';

const STAND_IN_DEPLOYMENTS = 'contract/sandbox-platform/deployments.test.ts';
const LIST = 'unit/platform/list.test.ts';
const STAND_IN_ROLLOUTS = 'contract/sandbox-platform/rollouts.test.ts';
const CLASSIFY = 'unit/rollouts/classify.test.ts';
const STAND_IN_REPORTS = 'contract/sandbox-platform/reports.test.ts';
const STATUS = 'unit/rollouts/status.test.ts';
const STAND_IN_CRON = 'contract/sandbox-platform/cron.test.ts';
const HOSTILE_ITEMS = 'unit/platform/hostile-items.test.ts';
const EXPLAIN = 'unit/rollouts/explain.test.ts';
const FACTS = 'unit/rollouts/facts.test.ts';

/** Spec 2.12: the status of one workload in one location, and of its versions. */
export const SECTION_2_DEPLOYMENT: readonly Rule[] = [
  {
    id: '2.12/top-level',
    says: 'kind is deployment, name is the location; lastModified, status and links',
    test: [STAND_IN_DEPLOYMENTS, 'a deployment has the fields of the specification'],
  },
  {
    id: '2.12/links',
    says: 'links have href and a rel of self, workload or location',
    test: [STAND_IN_DEPLOYMENTS, 'a deployment has the fields of the specification'],
  },
  {
    id: '2.12/links-absolute',
    says: 'href may be absolute or relative',
    test: [LIST, 'the workload is the last one in its link: %s'],
  },
  {
    id: '2.12/endpoint',
    says: 'endpoint is the location’s own address of the workload',
    test: [LIST, 'a whole item is read with all that the bot needs of it'],
  },
  {
    id: '2.12/remote',
    says: 'remote is the location’s control endpoint',
    test: [STAND_IN_DEPLOYMENTS, 'a deployment has the fields of the specification'],
  },
  {
    id: '2.12/ready',
    says: 'ready: the expected version is fully up in the location, DNS included',
    test: [
      STAND_IN_ROLLOUTS,
      'expected first, then applied, replicas batch by batch, DNS, ready; one location',
    ],
  },
  {
    id: '2.12/ready-during-rollout',
    says: 'ready is false during a rollout until the new version serves',
    test: [CLASSIFY, 'ready while the entry of the expected version is not is deploying'],
  },
  {
    id: '2.12/ready-probes',
    says: 'ready is false while replicas fail readiness probes',
    test: [STAND_IN_ROLLOUTS, 'probe: fewer replicas ready than there are'],
  },
  {
    id: '2.12/ready-suspended',
    says: 'ready is false while the location is suspended',
    test: [
      STAND_IN_REPORTS,
      'it stops at once, holds new versions back, and resumes with the newest',
    ],
  },
  {
    id: '2.12/previous-serves',
    says: 'the previous version may keep serving',
    test: [
      STAND_IN_ROLLOUTS,
      '%s: deploying falls without ready, and the previous version keeps serving',
    ],
  },
  {
    id: '2.12/deploying',
    says: 'deploying is true from when the version is applied until it is fully ready',
    test: [
      STAND_IN_ROLLOUTS,
      'expected first, then applied, replicas batch by batch, DNS, ready; one location',
    ],
  },
  {
    id: '2.12/deploying-failure',
    says: 'deploying becomes false on failure',
    test: [
      STAND_IN_ROLLOUTS,
      '%s: deploying falls without ready, and the previous version keeps serving',
    ],
  },
  {
    id: '2.12/message',
    says: 'message is a free diagnosis',
    test: [CLASSIFY, 'ready is ready, with or without versions, even with a message'],
  },
  {
    id: '2.12/message-empty',
    says: 'message is empty when healthy',
    test: [STAND_IN_DEPLOYMENTS, 'a deployment has the fields of the specification'],
  },
  {
    id: '2.12/last-processed',
    says: 'lastProcessedVersion is the version most recently acted on',
    test: [LIST, 'the version %j is read as %j'],
  },
  {
    id: '2.12/expected',
    says: 'expectedDeploymentVersion is the version to converge to',
    test: [LIST, 'the version %j is read as %j'],
  },
  {
    id: '2.12/desired-scale',
    says: 'desiredScale is the replica count that is targeted now',
    test: [
      STAND_IN_ROLLOUTS,
      'scaling keeps the version: down to 0/0, and up again replica by replica',
    ],
  },
  {
    id: '2.12/versions',
    says: 'versions has one entry per version that is present, two during a rolling update',
    test: [STATUS, 'shows both versions and their replicas'],
  },
  {
    id: '2.12/job-executions',
    says: 'jobExecutions are of cron workloads only',
    test: [STAND_IN_CRON, 'only cron workloads have executions'],
  },
  {
    id: '2.12/internal',
    says: 'internal must not be read',
    test: [
      HOSTILE_ITEMS,
      'fields outside of the contract change nothing, least of all status.internal',
    ],
  },
  {
    id: '2.12/absent-members',
    says: 'members of a status, and the status itself, may be absent',
    test: [LIST, 'an item whose status is %s is there and says nothing'],
  },
  {
    id: '2.12/version/workload',
    says: 'workload is the version of the workload that the entry was rendered from',
    test: [LIST, 'a whole item is read with all that the bot needs of it'],
  },
  {
    id: '2.12/version/gvc',
    says: 'gvc is the version of the GVC in effect',
    test: [STAND_IN_ROLLOUTS, 'a new GVC version rolls every workload again at the version it has'],
  },
  {
    id: '2.12/version/created',
    says: 'created is when this version began here',
    test: [EXPLAIN, 'restarts from before this version began explain nothing'],
  },
  {
    id: '2.12/version/ready',
    says: 'ready is whether it serves',
    test: [FACTS, 'the newest other version that still serves'],
  },
  {
    id: '2.12/version/message',
    says: 'message is why it is not ready',
    test: [STAND_IN_ROLLOUTS, 'missing-secret: only the version says so'],
  },
  {
    id: '2.12/version/zone',
    says: 'zone is the availability zone, with multi-zone',
    test: [
      STAND_IN_DEPLOYMENTS,
      'a multi-zone workload has one entry per zone that share the replicas',
    ],
  },
  {
    id: '2.12/version/desired-scale',
    says: 'desiredScale is the replica count of this version',
    test: [
      STAND_IN_DEPLOYMENTS,
      'a multi-zone workload has one entry per zone that share the replicas',
    ],
  },
  {
    id: '2.12/version/containers',
    says: 'containers is a map by container name',
    test: [LIST, 'a whole item is read with all that the bot needs of it'],
  },
];
