import type { DeploymentItem } from './schema.ts';

/** Restarts of a container; times in milliseconds since the epoch. */
interface Restarts {
  count: number | undefined;
  exitCode: number | undefined;
  reason: string;
  lastRestartTime: number | undefined;
}

/** One container of one version in one location (spec 2.12); cpu in millicores, memory in MiB. */
export interface Container {
  name: string;
  image: string;
  ready: boolean;
  message: string;
  replicas: number | undefined;
  replicasReady: number | undefined;
  cpu: number | undefined;
  memory: number | undefined;
  restarts: Restarts | undefined;
}

export interface DeploymentVersion {
  workload: number;
  gvc: number;
  created: number | undefined;
  ready: boolean;
  message: string;
  zone: string | undefined;
  desiredScale: number | undefined;
  containers: Container[];
}

interface JobExecution {
  name: string;
  replica: string | undefined;
  /** One of spec 2.12's six, or a word that the platform has added since. The empty string is read as pending. */
  status: string;
  workloadVersion: number;
  startTime: number | undefined;
  completionTime: number | undefined;
  message: string;
}

/** The observed state of one workload in one location (spec 2.12), with absent members filled in. */
export interface Deployment {
  workload: string;
  location: string;
  hasStatus: boolean;
  endpoint: string | undefined;
  ready: boolean;
  deploying: boolean;
  message: string;
  /** 0 = unset. */
  lastProcessedVersion: number;
  /** 0 = unset. */
  expectedDeploymentVersion: number;
  desiredScale: number | undefined;
  versions: DeploymentVersion[];
  /** Present for cron workloads only. */
  jobExecutions: JobExecution[] | undefined;
}

/** The workload that an item belongs to: the last `/workload/<name>` of its `workload` link, absolute or relative. */
export function workloadOfLinks(
  links: readonly { rel: string; href: string }[] | null | undefined,
): string | undefined {
  const href = links?.find((link) => link.rel === 'workload')?.href;
  const name = href?.match(/^.*\/workload\/([^/?#]+)/s)?.[1];
  if (name === undefined) return undefined;
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

/** Builds the deployment of a validated item. */
export function toDeployment(workload: string, item: DeploymentItem): Deployment {
  const status = item.status;
  return {
    workload,
    location: item.name,
    hasStatus: status !== null && status !== undefined,
    endpoint: status?.endpoint,
    ready: status?.ready ?? false,
    deploying: status?.deploying ?? false,
    message: status?.message ?? '',
    lastProcessedVersion: status?.lastProcessedVersion ?? 0,
    expectedDeploymentVersion: status?.expectedDeploymentVersion ?? 0,
    desiredScale: status?.desiredScale,
    versions: (status?.versions ?? []).map((version) => ({
      ...version,
      containers: Object.entries(version.containers ?? {}).map(([name, container]) => ({
        name,
        image: container.image,
        ready: container.ready,
        message: container.message,
        replicas: container.resources?.replicas,
        replicasReady: container.resources?.replicasReady,
        cpu: container.resources?.cpu,
        memory: container.resources?.memory,
        restarts: container.restarts
          ? { ...container.restarts, exitCode: container.restarts.exitCode ?? undefined }
          : undefined,
      })),
    })),
    jobExecutions: status?.jobExecutions?.map((job) => ({
      ...job,
      status: job.status === '' ? 'pending' : job.status,
    })),
  };
}
