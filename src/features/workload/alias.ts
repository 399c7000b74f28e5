import type { DeploymentsClient } from '../../platform/deployments/client.ts';
import type { Deployment } from '../../platform/deployments/deployment.ts';
import { PlatformError } from '../../platform/errors.ts';
import { endpointOf } from '../../platform/workload/endpoint.ts';

interface AliasDeps {
  client: DeploymentsClient;
  stopping: AbortSignal;
}

/**
 * The alias of a GVC (spec 2.14): as the deployments show it that are there already, else as those of any
 * workload in the GVC do, because all have the same. Undefined: none shows it, or the GVC cannot be read.
 * @throws PlatformError when the process is asked to stop
 */
export async function findAlias(
  { client, stopping }: AliasDeps,
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
