import { compareNames } from '../../lib/text.ts';
import type { DeploymentsClient } from '../../platform/deployments/client.ts';
import type { Deployment } from '../../platform/deployments/deployment.ts';
import { addressesOf } from '../../platform/workload/addresses.ts';
import type { Brand } from '../../platform/workload/brand.ts';
import { readFacts } from '../../rollouts/engine/facts.ts';
import type { Answer } from '../../slack/routes.ts';
import { readTargeted } from '../deployments/read.ts';
import { findAlias } from './alias.ts';
import { addressesAnswer, notReported } from './addresses-view.ts';
import type { WorkloadCommand } from './parse.ts';

interface AddressesDeps {
  client: DeploymentsClient;
  brand: Brand;
  /** Aborted when the process is asked to stop: calls to the platform end then. */
  stopping: AbortSignal;
}

/** What `/workload addresses` answers. @throws Refusal when there is no such workload, PlatformError */
export async function showAddresses(
  deps: AddressesDeps,
  org: string,
  command: Extract<WorkloadCommand, { kind: 'addresses' }>,
): Promise<Answer> {
  const { brand } = deps;
  const { target, replicas, port } = command;
  const { deployments, skipped } = await readTargeted(deps, org, target);
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
    alias: await findAlias(deps, { org, gvc: target.gvc }, deployments),
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
