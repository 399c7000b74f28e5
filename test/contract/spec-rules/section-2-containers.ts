import type { Rule } from './rule.ts';

const STAND_IN_DEPLOYMENTS = 'contract/sandbox-platform/deployments.test.ts';
const STAND_IN_ROLLOUTS = 'contract/sandbox-platform/rollouts.test.ts';
const FACTS = 'unit/rollouts/facts.test.ts';
const DETAILS = 'unit/features/details-view.test.ts';
const STAND_IN_CRON = 'contract/sandbox-platform/cron.test.ts';
const LIST = 'unit/platform/list.test.ts';

/** Spec 2.12: containers and job executions of a deployment. */
export const SECTION_2_CONTAINERS: readonly Rule[] = [
  {
    id: '2.12/container/name',
    says: 'name is the container’s name in the workload',
    test: [STAND_IN_DEPLOYMENTS, 'a deployment has the fields of the specification'],
  },
  {
    id: '2.12/container/image',
    says: 'image is what really runs',
    test: [STAND_IN_ROLLOUTS, 'image-pull: the container names the image'],
  },
  {
    id: '2.12/container/ready',
    says: 'ready is whether it passes its readiness probe',
    test: [STAND_IN_ROLLOUTS, 'probe: fewer replicas ready than there are'],
  },
  {
    id: '2.12/container/message',
    says: 'message is gathered from events of the cluster',
    test: [STAND_IN_ROLLOUTS, 'image-pull: the container names the image'],
  },
  {
    id: '2.12/container/replicas',
    says: 'resources.replicas are the replicas in the location',
    test: [FACTS, 'ready and wanted replicas, by the least ready container'],
  },
  {
    id: '2.12/container/replicas-ready',
    says: 'resources.replicasReady are those that are ready; a gap is a failing probe or a crash loop',
    test: [STAND_IN_ROLLOUTS, 'probe: fewer replicas ready than there are'],
  },
  {
    id: '2.12/container/cpu',
    says: 'resources.cpu is in millicores',
    test: [DETAILS, 'name its zones, containers, images, resources and restarts'],
  },
  {
    id: '2.12/container/memory',
    says: 'resources.memory is in MiB',
    test: [DETAILS, 'name its zones, containers, images, resources and restarts'],
  },
  {
    id: '2.12/container/restarts',
    says: 'restarts.count is how many there were',
    test: [STAND_IN_ROLLOUTS, 'crash-loop: exit code 0, Completed, and restarts that climb'],
  },
  {
    id: '2.12/container/exit-code',
    says: 'restarts.exitCode is that of the last failure',
    test: [
      STAND_IN_ROLLOUTS,
      'oom: OOMKilled with exit code 137, the memory, and restarts that climb',
    ],
  },
  {
    id: '2.12/container/reason',
    says: 'restarts.reason is that of the last restart, for example OOMKilled',
    test: [
      STAND_IN_ROLLOUTS,
      'oom: OOMKilled with exit code 137, the memory, and restarts that climb',
    ],
  },
  {
    id: '2.12/container/last-restart',
    says: 'restarts.lastRestartTime is when the last restart was',
    test: [
      STAND_IN_ROLLOUTS,
      'oom: OOMKilled with exit code 137, the memory, and restarts that climb',
    ],
  },
  {
    id: '2.12/job/limit',
    says: 'executions are capped at the workload’s job.historyLimit',
    test: [STAND_IN_CRON, 'the history has the last five nights, newest first'],
  },
  {
    id: '2.12/job/name',
    says: 'name is the name of the job',
    test: [STAND_IN_CRON, 'a nightly run is due without a status, then active, then successful'],
  },
  {
    id: '2.12/job/replica',
    says: 'replica is what ran it',
    test: [STAND_IN_CRON, 'an execution can be %s'],
  },
  {
    id: '2.12/job/status',
    says: 'status is pending, active, successful, failed, invalid or removed',
    test: [STAND_IN_CRON, 'an execution can be %s'],
  },
  {
    id: '2.12/job/workload-version',
    says: 'workloadVersion is the version that was used',
    test: [LIST, 'of an execution everything but name and status may be absent'],
  },
  {
    id: '2.12/job/start',
    says: 'startTime is when the run became active',
    test: [STAND_IN_CRON, 'a nightly run is due without a status, then active, then successful'],
  },
  {
    id: '2.12/job/completion',
    says: 'completionTime is when it finished, failures included',
    test: [STAND_IN_CRON, 'an execution can be %s'],
  },
  {
    id: '2.12/job/conditions',
    says: 'conditions have type, status, reason, message, lastDetectionTime and lastTransitionTime',
    test: [STAND_IN_CRON, 'an execution has the fields of the specification'],
  },
  {
    id: '2.12/job/containers',
    says: 'containers are the status of each container of the run, by name',
    test: [STAND_IN_CRON, 'an execution has the fields of the specification'],
  },
  {
    id: '2.12/job/message',
    says: 'message is gathered from events, semicolon-separated',
    test: [STAND_IN_CRON, 'a failed execution says why'],
  },
];
