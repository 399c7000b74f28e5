import type { Rule } from './rule.ts';

const VERSIONS = 'contract/platform/deployment-versions.test.ts';
const JOBS = 'contract/platform/deployment-jobs.test.ts';

/** Spec 2.12: containers and job executions of a deployment. */
export const SECTION_2_CONTAINERS: readonly Rule[] = [
  {
    id: '2.12/container/name',
    says: 'name is the container’s name in the workload',
    test: [VERSIONS, 'are all there by name, each with its image and resources'],
  },
  {
    id: '2.12/container/image',
    says: 'image is what really runs',
    test: [
      VERSIONS,
      'are one at rest and two while one replaces the other, each with its own image',
    ],
  },
  {
    id: '2.12/container/ready',
    says: 'ready is whether it passes its readiness probe',
    test: [VERSIONS, 'that fail a probe are not ready: fewer replicas ready than there are'],
  },
  {
    id: '2.12/container/message',
    says: 'message is gathered from events of the cluster',
    test: [VERSIONS, 'that fail a probe are not ready: fewer replicas ready than there are'],
  },
  {
    id: '2.12/container/replicas',
    says: 'resources.replicas are the replicas in the location',
    test: [VERSIONS, 'are scaled without a new version, down to nothing and up again'],
  },
  {
    id: '2.12/container/replicas-ready',
    says: 'resources.replicasReady are those that are ready; a gap is a failing probe or a crash loop',
    test: [VERSIONS, 'that fail a probe are not ready: fewer replicas ready than there are'],
  },
  {
    id: '2.12/container/cpu',
    says: 'resources.cpu is in millicores',
    test: [VERSIONS, 'are all there by name, each with its image and resources'],
  },
  {
    id: '2.12/container/memory',
    says: 'resources.memory is in MiB',
    test: [VERSIONS, 'are all there by name, each with its image and resources'],
  },
  {
    id: '2.12/container/restarts',
    says: 'restarts.count is how many there were',
    test: [VERSIONS, 'in %s restart with exit code %i, %s, again and again'],
  },
  {
    id: '2.12/container/exit-code',
    says: 'restarts.exitCode is that of the last failure',
    test: [VERSIONS, 'in %s restart with exit code %i, %s, again and again'],
  },
  {
    id: '2.12/container/reason',
    says: 'restarts.reason is that of the last restart, for example OOMKilled',
    test: [VERSIONS, 'in %s restart with exit code %i, %s, again and again'],
  },
  {
    id: '2.12/container/last-restart',
    says: 'restarts.lastRestartTime is when the last restart was',
    test: [VERSIONS, 'in %s restart with exit code %i, %s, again and again'],
  },
  {
    id: '2.12/job/limit',
    says: 'executions are capped at the workload’s job.historyLimit',
    test: [JOBS, 'has the last runs, newest first, up to the limit of the workload'],
  },
  {
    id: '2.12/job/name',
    says: 'name is the name of the job',
    test: [JOBS, 'is pending when it is due, active from its start, and successful in the end'],
  },
  {
    id: '2.12/job/replica',
    says: 'replica is what ran it',
    test: [JOBS, 'can be %s'],
  },
  {
    id: '2.12/job/status',
    says: 'status is pending, active, successful, failed, invalid or removed',
    test: [JOBS, 'can be %s'],
  },
  {
    id: '2.12/job/workload-version',
    says: 'workloadVersion is the version that was used',
    test: [JOBS, 'can be %s'],
  },
  {
    id: '2.12/job/start',
    says: 'startTime is when the run became active',
    test: [JOBS, 'is pending when it is due, active from its start, and successful in the end'],
  },
  {
    id: '2.12/job/completion',
    says: 'completionTime is when it finished, failures included',
    test: [JOBS, 'can be %s'],
  },
  {
    id: '2.12/job/conditions',
    says: 'conditions have type, status, reason, message, lastDetectionTime and lastTransitionTime',
    test: [JOBS, 'that fails is read with all that the specification says of it'],
  },
  {
    id: '2.12/job/containers',
    says: 'containers are the status of each container of the run, by name',
    test: [JOBS, 'that fails is read with all that the specification says of it'],
  },
  {
    id: '2.12/job/message',
    says: 'message is gathered from events, semicolon-separated',
    test: [JOBS, 'that fails is read with all that the specification says of it'],
  },
];
