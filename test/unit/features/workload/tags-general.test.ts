import { describe, expect, test } from 'vitest';
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
      '• *To copy* into `tags`: `svc/protocol: "http"`',
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
      '• *To copy* into `tags`: `svc/multiZone: "true"`',
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
      '• *To copy* into `tags`: `svc/ignore: "true"`',
    ]);
  });
});

test('only two tags are deprecated: protocol and multiZone', () => {
  const deprecated = tagLines().filter((line) => line.includes('deprecated'));

  expect(deprecated).toEqual([
    expect.stringContaining('svc/protocol'),
    expect.stringContaining('svc/multiZone'),
  ]);
});
