import { compareNames } from '../../lib/text.ts';
import type { Deployment } from '../../platform/deployments/deployment.ts';
import { PlatformError } from '../../platform/errors.ts';
import { addressesOf, endpointOf } from '../../platform/workload/addresses.ts';
import { readFacts } from '../../rollouts/engine/facts.ts';
import type { Services } from '../../services.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { readTargeted } from '../../platform/deployments/target.ts';
import { addressesAnswer, notReported } from './addresses-view.ts';
import type { WorkloadCommand } from './parse.ts';

/** What `/workload addresses` answers. @throws Refusal when there is no such workload, PlatformError */
export async function showAddresses(
  services: Pick<Services, 'deployments' | 'config' | 'stopping'>,
  org: string,
  command: Extract<WorkloadCommand, { kind: 'addresses' }>,
): Promise<Answer> {
  const { brand } = services.config;
  const { target, replicas, port } = command;
  const { deployments, skipped } = await readTargeted(services, org, target);
  if (deployments.length === 0) return notReported(org, target, skipped);
  const reported = deployments
    .map((deployment) => ({
      location: deployment.location,
      endpoint: deployment.endpoint,
      replicas: replicasOf(deployment),
    }))
    .toSorted((a, b) => compareNames(a.location, b.location));
  const addresses = addressesOf({
    brand,
    org,
    ...target,
    alias: await findAlias(services, { org, gvc: target.gvc }, deployments),
    reported,
    replicas,
    port,
    containers: containersOf(deployments),
  });
  const cron = deployments.some(({ jobExecutions }) => jobExecutions !== undefined);
  return addressesAnswer({ org, target, addresses, cron, replicas, port, skipped });
}

/** Undefined: the platform states none. */
function replicasOf(deployment: Deployment): number | undefined {
  const { entry, wanted } = readFacts(deployment);
  return entry !== undefined && entry.replicas.wanted > 0 ? entry.replicas.wanted : wanted;
}

/** Of all versions that are still there; most often each has the same. */
function containersOf(deployments: readonly Deployment[]): string[] {
  const names = deployments.flatMap(({ versions }) =>
    versions.flatMap(({ containers }) => containers.map(({ name }) => name)),
  );
  return [...new Set(names)].toSorted(compareNames);
}

/**
 * The alias of a GVC (spec 2.14): as the deployments show it that are there already, else as those of any
 * workload in the GVC do, because all have the same. Undefined: none shows it, or the GVC cannot be read.
 * @throws PlatformError when the process is asked to stop
 */
export async function findAlias(
  { deployments: client, stopping }: Pick<Services, 'deployments' | 'stopping'>,
  { org, gvc }: { org: string; gvc: string },
  deployments: readonly Deployment[],
): Promise<string | undefined> {
  const known = aliasIn(deployments);
  if (known !== undefined) return known;
  try {
    return aliasIn((await client.listGvc(org, gvc, { signal: stopping })).deployments);
  } catch (error) {
    if (!(error instanceof PlatformError) || stopping.aborted) throw error;
    return undefined;
  }
}

function aliasIn(deployments: readonly Deployment[]): string | undefined {
  for (const { endpoint = '', workload, location } of deployments) {
    const alias = endpointOf(endpoint, { workload, location })?.alias;
    if (alias !== undefined) return alias;
  }
  return undefined;
}
