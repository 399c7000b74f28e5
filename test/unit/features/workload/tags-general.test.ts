import { describe, expect, test } from 'vitest';
import { checkManifest } from '../../../../src/platform/workload/check.ts';
import { TAGS } from '../../../../src/platform/workload/tags.ts';
import { tag, tagLines } from './lookup-support.ts';

describe('the general tags of a workload', () => {
  test('publishNotReadyAddresses puts replicas that are not ready into the internal endpoint', () => {
    expect(tag('publishNotReadyAddresses')).toEqual([
      '• `svc/publishNotReadyAddresses` `true` – internal endpoint includes replicas that have not passed readiness (for peer discovery at startup)',
      '*`svc/publishNotReadyAddresses`* – internal endpoint includes replicas that have not passed readiness (for peer discovery at startup)',
      '• *Values:* `true`',
      '• *Default:* not published',
      '• *To copy* into `tags`: `svc/publishNotReadyAddresses: "true"`',
    ]);
  });

  test('protocol takes four values and is deprecated in favor of the protocol of the port', () => {
    expect(tag('protocol')).toEqual([
      '• `svc/protocol` `http`, `http2`, `grpc` or `tcp` – overrides protocol detection · *deprecated*: use `ports[].protocol` instead',
      '*`svc/protocol`* – overrides protocol detection',
      '• *Values:* `http`, `http2`, `grpc` or `tcp`',
      '• *Default:* not published',
      '• *Deprecated:* use `ports[].protocol` instead',
    ]);
  });

  test('bypassProxyOutbound sends outbound traffic past the mesh proxy', () => {
    expect(tag('bypassProxyOutbound')).toEqual([
      '• `svc/bypassProxyOutbound` `true` – outbound traffic bypasses the mesh proxy',
      '*`svc/bypassProxyOutbound`* – outbound traffic bypasses the mesh proxy',
      '• *Values:* `true`',
      '• *Default:* not published',
      '• *To copy* into `tags`: `svc/bypassProxyOutbound: "true"`',
    ]);
  });

  test('disableServiceMeshInboundPort excludes an inbound port', () => {
    expect(tag('disableServiceMeshInboundPort')).toEqual([
      '• `svc/disableServiceMeshInboundPort` port number – excludes an inbound port from the mesh',
      '*`svc/disableServiceMeshInboundPort`* – excludes an inbound port from the mesh',
      '• *Values:* port number',
      '• *Default:* not published',
      '• *To copy* into `tags`: `svc/disableServiceMeshInboundPort: "8080"`',
    ]);
  });

  test('disableServiceMeshOutboundPort excludes an outbound port', () => {
    expect(tag('disableServiceMeshOutboundPort')).toEqual([
      '• `svc/disableServiceMeshOutboundPort` port number – excludes an outbound port from the mesh',
      '*`svc/disableServiceMeshOutboundPort`* – excludes an outbound port from the mesh',
      '• *Values:* port number',
      '• *Default:* not published',
      '• *To copy* into `tags`: `svc/disableServiceMeshOutboundPort: "8080"`',
    ]);
  });

  test('multiZone is deprecated in favor of the option', () => {
    expect(tag('multiZone')).toEqual([
      '• `svc/multiZone` `true` – multi-zone · *deprecated*: use `spec.defaultOptions.multiZone` instead',
      '*`svc/multiZone`* – multi-zone',
      '• *Values:* `true`',
      '• *Default:* not published',
      '• *Deprecated:* use `spec.defaultOptions.multiZone` instead',
    ]);
  });

  test('skipLocationEndpointHeaders leaves location headers out of redirects', () => {
    expect(tag('skipLocationEndpointHeaders')).toEqual([
      '• `svc/skipLocationEndpointHeaders` `true` – no location endpoint headers in redirect responses',
      '*`svc/skipLocationEndpointHeaders`* – no location endpoint headers in redirect responses',
      '• *Values:* `true`',
      '• *Default:* not published',
      '• *To copy* into `tags`: `svc/skipLocationEndpointHeaders: "true"`',
    ]);
  });

  test('discoverCrossGvcReplicas finds replicas in other GVCs', () => {
    expect(tag('discoverCrossGvcReplicas')).toEqual([
      '• `svc/discoverCrossGvcReplicas` `true` – discovery of replicas in other GVCs via mutual TLS',
      '*`svc/discoverCrossGvcReplicas`* – discovery of replicas in other GVCs via mutual TLS',
      '• *Values:* `true`',
      '• *Default:* not published',
      '• *To copy* into `tags`: `svc/discoverCrossGvcReplicas: "true"`',
    ]);
  });

  test('tracingDisabled disables tracing', () => {
    expect(tag('tracingDisabled')).toEqual([
      '• `svc/tracingDisabled` `true` – disables distributed tracing',
      '*`svc/tracingDisabled`* – disables distributed tracing',
      '• *Values:* `true`',
      '• *Default:* not published',
      '• *To copy* into `tags`: `svc/tracingDisabled: "true"`',
    ]);
  });

  test('largeDisk gives a large ephemeral disk', () => {
    expect(tag('largeDisk')).toEqual([
      '• `svc/largeDisk` `true` – large ephemeral disk',
      '*`svc/largeDisk`* – large ephemeral disk',
      '• *Values:* `true`',
      '• *Default:* not published',
      '• *To copy* into `tags`: `svc/largeDisk: "true"`',
    ]);
  });

  test('timeoutSecondsOverride goes up to 3600, and up to 600 the option is better', () => {
    expect(tag('timeoutSecondsOverride')).toEqual([
      '• `svc/timeoutSecondsOverride` whole seconds, at most 3600 – timeout beyond the normal limit · For values up to 600 use `spec.defaultOptions.timeoutSeconds`',
      '*`svc/timeoutSecondsOverride`* – timeout beyond the normal limit',
      '• *Values:* whole seconds, at most 3600',
      '• *Default:* not published',
      '• *Note:* For values up to 600 use `spec.defaultOptions.timeoutSeconds`',
      '• *To copy* into `tags`: `svc/timeoutSecondsOverride: "3600"`',
    ]);
  });

  test('disableServiceMesh is for BYOK clusters or workloads with a direct load balancer only', () => {
    expect(tag('disableServiceMesh')).toEqual([
      '• `svc/disableServiceMesh` `true` – disables the mesh · *only for BYOK clusters or workloads with a direct load balancer*',
      '*`svc/disableServiceMesh`* – disables the mesh',
      '• *Values:* `true`',
      '• *Default:* not published',
      '• *Restriction:* only for BYOK clusters or workloads with a direct load balancer',
      '• *To copy* into `tags`: `svc/disableServiceMesh: "true"`',
    ]);
  });

  test('disableServiceMeshOutboundCIDR excludes a range, with the same restriction', () => {
    expect(tag('disableServiceMeshOutboundCIDR')).toEqual([
      '• `svc/disableServiceMeshOutboundCIDR` CIDR range – excludes a range from mesh outbound · *only for BYOK clusters or workloads with a direct load balancer*',
      '*`svc/disableServiceMeshOutboundCIDR`* – excludes a range from mesh outbound',
      '• *Values:* CIDR range',
      '• *Default:* not published',
      '• *Restriction:* only for BYOK clusters or workloads with a direct load balancer',
      '• *To copy* into `tags`: `svc/disableServiceMeshOutboundCIDR: "10.0.0.0/8"`',
    ]);
  });

  test('k8sClusterRole binds a cluster role, on BYOK clusters only', () => {
    expect(tag('k8sClusterRole')).toEqual([
      '• `svc/k8sClusterRole` role name – binds a cluster role to the workload’s service account · *only for BYOK clusters*',
      '*`svc/k8sClusterRole`* – binds a cluster role to the workload’s service account',
      '• *Values:* role name',
      '• *Default:* not published',
      '• *Restriction:* only for BYOK clusters',
      '• *To copy* into `tags`: `svc/k8sClusterRole: "ROLE-NAME"`',
    ]);
  });

  test('ignore hides a workload from the scheduler, for internal testing only', () => {
    expect(tag('ignore')).toEqual([
      '• `svc/ignore` `true` – scheduler ignores the workload · *only for internal testing*',
      '*`svc/ignore`* – scheduler ignores the workload',
      '• *Values:* `true`',
      '• *Default:* not published',
      '• *Restriction:* only for internal testing',
    ]);
  });

  test('protected refuses the deletion of the workload', () => {
    expect(tag('protected')).toEqual([
      '• `svc/protected` `true` – deletion of the workload is refused',
      '*`svc/protected`* – deletion of the workload is refused',
      '• *Values:* `true`',
      '• *Default:* not published',
      '• *To copy* into `tags`: `svc/protected: "true"`',
    ]);
  });

  test('checksum is the hash of a configuration that charts write', () => {
    const effect =
      'hash of a configuration, as charts write it: when it changes, the workload gets a new version';

    expect(tag('checksum')).toEqual([
      `• \`svc/checksum\` any text – ${effect}`,
      `*\`svc/checksum\`* – ${effect}`,
      '• *Values:* any text',
      '• *Default:* not published',
      '• *To copy* into `tags`: `svc/checksum: "5b1c9f0a"`',
    ]);
  });

  test('relaxMemoryToCpuRatio and relaxGracePeriodMax raise a limit', () => {
    const ratio = 'allows 32 MiB of memory per millicore of CPU, in place of 8';

    expect(tag('relaxMemoryToCpuRatio')).toEqual([
      `• \`svc/relaxMemoryToCpuRatio\` probably true – ${ratio}`,
      `*\`svc/relaxMemoryToCpuRatio\`* – ${ratio}`,
      '• *Values:* probably true',
      '• *Default:* not published',
      '• *To copy* into `tags`: `svc/relaxMemoryToCpuRatio: "true"`',
    ]);
    expect(tag('relaxGracePeriodMax')[0]).toBe(
      '• `svc/relaxGracePeriodMax` probably true – allows a termination grace period of 3600 seconds, in place of 900',
    );
  });
});

test('only two tags are deprecated: protocol and multiZone', () => {
  const deprecated = tagLines().filter((line) => line.includes('deprecated'));

  expect(deprecated).toEqual([
    expect.stringContaining('svc/protocol'),
    expect.stringContaining('svc/multiZone'),
  ]);
});

/** Warnings about the tags of a workload that somebody copied there. */
function warningsAbout(tags: readonly string[]): string[] {
  const checked = checkManifest(['tags:', ...tags.map((one) => `  ${one}`)].join('\n'), 'svc');
  if ('unreadable' in checked) throw new Error(checked.unreadable.says);
  return checked.findings.flatMap(({ severity, what }) => (severity === 'note' ? [] : [what]));
}

test.each(TAGS.map(({ name }) => name))('what is offered to copy of %s has no warning', (name) => {
  const copies = (of: string) =>
    tag(of).flatMap((line) => /To copy\* into `tags`: `(.+)`$/.exec(line)?.[1] ?? []);
  const beside = ['externalAuthAddress', 'rateLimitAddress', 'rateLimitDescriptors'].filter(
    (other) => other.slice(0, 4) === name.slice(0, 4) && other !== name,
  );
  const said = warningsAbout([name, ...beside].flatMap(copies));

  // On other clusters it is right.
  expect(said.filter((what) => !what.startsWith('is only for BYOK clusters'))).toEqual([]);
  expect(copies(name)).toHaveLength(['protocol', 'multiZone', 'ignore'].includes(name) ? 0 : 1);
});
