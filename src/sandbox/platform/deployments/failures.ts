import type { ContainerSpec, Outcome, Trouble, Workload } from './model.ts';

const MAX_BACK_OFF_MS = 300_000;

/** The message of a container that runs and does not answer. */
export const PROBE_FAILED: Trouble = {
  message: 'Readiness probe failed: HTTP probe failed with statuscode: 503',
};

/** The image of a container at a workload version. */
export function imageAt(container: ContainerSpec, version: number): string {
  return `${container.image}:v1.${version}.0`;
}

/** The messages of a version whose rollout fails (platform notes, "a missing secret"). */
export function versionMessage(workload: Workload, outcome: Outcome): string {
  if (outcome === 'held-quota') {
    return 'Workload updates are held: the quota "memory" of the org is reached.';
  }
  if (outcome !== 'missing-secret' && outcome !== 'held-secret') return '';
  return `The secret ${workload.name}-credentials no longer exists. Workload updates are paused until the secret is restored or the reference to it is removed.`;
}

/**
 * The status of the failing container.
 *
 * @param crashedAt when it crashed first, ms since the epoch
 * @param pauseMs the pause before the first restart; it doubles up to five minutes
 */
export function troubleAt(
  workload: Workload,
  version: number,
  outcome: Outcome,
  crashedAt: number,
  pauseMs: number,
  now: number,
): Trouble | undefined {
  const container = workload.containers[0];
  if (container === undefined || now < crashedAt) return undefined;

  const image = imageAt(container, version);
  switch (outcome) {
    case 'image-pull':
    case 'held-image':
      return {
        message: `Back-off pulling image "${image}": ErrImagePull: failed to resolve reference "${image}": not found`,
      };
    case 'probe':
      return PROBE_FAILED;
    case 'oom': {
      const restarts = restartsAt(crashedAt, pauseMs, now);
      return {
        message: `Container ${container.name} exceeded its memory limit of ${container.memory}MiB and was terminated`,
        restarts: { ...restarts, exitCode: 137, reason: 'OOMKilled' },
      };
    }
    case 'exec-format': {
      const restarts = restartsAt(crashedAt, pauseMs, now);
      return {
        message: `failed to create containerd task: exec /usr/local/bin/${container.name}: exec format error`,
        restarts: { ...restarts, exitCode: 255, reason: 'StartError' },
      };
    }
    case 'crash-loop': {
      const restarts = restartsAt(crashedAt, pauseMs, now);
      return {
        message: `Back-off restarting failed container ${container.name}`,
        restarts: { ...restarts, exitCode: 0, reason: 'Completed' },
      };
    }
    case 'ready':
    case 'missing-secret':
    case 'hang':
    case 'lag':
    case 'held-secret':
    case 'held-quota':
    case 'ready-at-none':
      break;
  }
  return undefined;
}

/** The restarts so far: each pause is twice as long as the one before, as a cluster does it. */
function restartsAt(crashedAt: number, pauseMs: number, now: number) {
  let count = 1;
  let lastRestartAt = crashedAt;
  let pause = pauseMs;
  while (pause < MAX_BACK_OFF_MS && lastRestartAt + pause <= now) {
    lastRestartAt += pause;
    pause *= 2;
    count += 1;
  }
  const more = pause < MAX_BACK_OFF_MS ? 0 : Math.floor((now - lastRestartAt) / MAX_BACK_OFF_MS);
  return { count: count + more, lastRestartAt: lastRestartAt + more * MAX_BACK_OFF_MS };
}
