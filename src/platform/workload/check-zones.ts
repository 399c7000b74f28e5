import { found, warning } from './check-found.ts';
import type { Finding } from './finding.ts';
import { everyNode, membersOf, textOf, within } from './manifest/node.ts';
import type { ManifestNode, Member } from './manifest/node.ts';

/**
 * Multi-zone with a dedicated load balancer costs traffic between the zones as long as the load
 * balancer of the GVC has none (spec 2.13). A text may hold both, in several documents. Pure.
 */
export function zoneFindings(
  documents: readonly ManifestNode[],
  workloads: readonly ManifestNode[],
  prefix: string,
): readonly Finding[] {
  if (!workloads.some((workload) => isMultiZone(workload, prefix))) return [];
  return documents
    .flatMap(balancersIn)
    .filter(({ node }) => textOf(within(node, 'dedicated')) === 'true' && !hasZones(node))
    .map(({ node }) =>
      found(
        node,
        warning(
          'is dedicated and has no multi-zone, while a workload here has: traffic between the zones costs more than it must',
          'enable multi-zone in the load balancer settings of the GVC, too',
        ),
      ),
    );
}

/** The load balancers that a document states, wherever they stand. */
export function balancersIn(document: ManifestNode): readonly Member[] {
  return [...everyNode(document)].flatMap((node) =>
    membersOf(node).filter(({ name }) => name === 'loadBalancer'),
  );
}

/** Whether a workload asks for multi-zone, by its option or by the tag for it. */
export function isMultiZone(workload: ManifestNode, prefix: string): boolean {
  const option = textOf(within(workload, 'spec', 'defaultOptions', 'multiZone', 'enabled'));
  return (option ?? textOf(within(workload, 'tags', `${prefix}/multiZone`))) === 'true';
}

function hasZones(balancer: ManifestNode): boolean {
  const zones = within(balancer, 'multiZone');
  return textOf(zones) === 'true' || textOf(within(zones, 'enabled')) === 'true';
}
