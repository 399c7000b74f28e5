import type { Clock } from '../../lib/clock.ts';
import { nearest } from '../../lib/nearest.ts';
import { Refusal, Unreadable } from '../../lib/refusal.ts';
import type { DeploymentsClient } from '../../platform/deployments/client.ts';
import type { Deployment } from '../../platform/deployments/deployment.ts';
import { PlatformError } from '../../platform/errors.ts';
import type { GvcState } from '../../rollouts/engine/advance.ts';
import { statusOf } from '../../rollouts/engine/status.ts';
import type { DetailedDeployment } from './details-view.ts';
import { SUBCOMMANDS } from './options.ts';
import { nameOf } from './place.ts';
import type { Target } from './place.ts';

export interface ReadDeps {
  client: DeploymentsClient;
  /** What the watch engine knows of a GVC. */
  readGvc: (org: string, gvc: string) => Promise<GvcState>;
  clock: Clock;
  /** Aborted when the process is asked to stop: calls to the platform end then. */
  stopping: AbortSignal;
}

/**
 * Deployments of a place, each judged as the watch engine judges it.
 * @throws Refusal or Unreadable when there is no such place, PlatformError
 */
export async function readDetailed(
  deps: ReadDeps,
  org: string,
  target: Target,
): Promise<{ entries: DetailedDeployment[]; skipped: number }> {
  const [list, state] = await Promise.all([
    readTargeted(deps, org, target),
    deps.readGvc(org, target.gvc),
  ]);
  const now = deps.clock.now();
  const entries = list.deployments.map((deployment) => {
    const memory = state.records[`${deployment.workload}/${deployment.location}`];
    return { deployment, status: statusOf(deployment, memory, now), since: memory?.since };
  });
  return { entries, skipped: list.skipped };
}

/** The smallest call that answers the question (spec 4.4). @throws as {@link readDetailed} */
export async function readTargeted(
  { client, stopping }: Pick<ReadDeps, 'client' | 'stopping'>,
  org: string,
  target: Target,
): Promise<{ deployments: Deployment[]; skipped: number }> {
  const { gvc, workload, location } = target;
  const options = { signal: stopping };
  try {
    if (workload !== undefined && location !== undefined) {
      return { deployments: [await client.get(org, gvc, workload, location, options)], skipped: 0 };
    }
    const list =
      workload === undefined
        ? await client.listGvc(org, gvc, options)
        : await client.listWorkload(org, gvc, workload, options);
    return {
      deployments: list.deployments,
      skipped: list.unreadable.length + list.unidentified,
    };
  } catch (error) {
    throw notFound(error, org, target);
  }
}

function notFound(error: unknown, org: string, target: Target): unknown {
  if (!(error instanceof PlatformError) || error.reason !== 'not-found') return error;
  const typo = target.workload === undefined ? nearest(target.gvc, SUBCOMMANDS) : undefined;
  const sentence = `There is no ${nameOf(target)} in org ${org}, or Purser’s key may not view it: check the spelling, or name another org with "org NAME".`;
  return typo === undefined
    ? new Refusal(sentence)
    : new Unreadable(sentence, `/deployments ${typo}`);
}
