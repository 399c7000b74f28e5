import type { Rule } from './rule.ts';

const QUOTAS = 'contract/platform/quotas.test.ts';

/** Spec 2.15 to 2.17: variables and special tags of a workload, quota records. */
export const SECTION_2_ENVIRONMENT: readonly Rule[] = [
  {
    id: '2.15/global-endpoint',
    says: 'SVC_GLOBAL_ENDPOINT is the canonical Host header',
    later: 'workload knowledge',
  },
  { id: '2.15/gvc', says: 'SVC_GVC is the name of the GVC', later: 'workload knowledge' },
  {
    id: '2.15/gvc-alias',
    says: 'SVC_GVC_ALIAS is an alias of 13 letters and digits',
    later: 'workload knowledge',
  },
  {
    id: '2.15/location',
    says: 'SVC_LOCATION is the serving location',
    later: 'workload knowledge',
  },
  {
    id: '2.15/namespace',
    says: 'SVC_NAMESPACE is a generated random string',
    later: 'workload knowledge',
  },
  {
    id: '2.15/provider',
    says: 'SVC_PROVIDER is the cloud provider of the location',
    later: 'workload knowledge',
  },
  { id: '2.15/org', says: 'SVC_ORG is the name of the org', later: 'workload knowledge' },
  {
    id: '2.15/workload',
    says: 'SVC_WORKLOAD is the name of the workload',
    later: 'workload knowledge',
  },
  {
    id: '2.15/workload-version',
    says: 'SVC_WORKLOAD_VERSION changes only when a change has to be applied',
    later: 'workload knowledge',
  },
  {
    id: '2.15/token',
    says: 'SVC_TOKEN is the token for the API and the CLI',
    later: 'workload knowledge',
  },
  {
    id: '2.15/image',
    says: 'SVC_IMAGE is the image as defined for the container',
    later: 'workload knowledge',
  },
  {
    id: '2.16/publish-not-ready',
    says: 'svc/publishNotReadyAddresses: the internal endpoint includes replicas that are not ready',
    later: 'workload knowledge',
  },
  {
    id: '2.16/protocol',
    says: 'svc/protocol: http, http2, grpc or tcp; deprecated in favor of ports[].protocol',
    later: 'workload knowledge',
  },
  {
    id: '2.16/bypass-proxy',
    says: 'svc/bypassProxyOutbound: outbound traffic bypasses the mesh proxy',
    later: 'workload knowledge',
  },
  {
    id: '2.16/inbound-port',
    says: 'svc/disableServiceMeshInboundPort excludes an inbound port',
    later: 'workload knowledge',
  },
  {
    id: '2.16/outbound-port',
    says: 'svc/disableServiceMeshOutboundPort excludes an outbound port',
    later: 'workload knowledge',
  },
  {
    id: '2.16/multi-zone',
    says: 'svc/multiZone: deprecated in favor of spec.defaultOptions.multiZone',
    later: 'workload knowledge',
  },
  {
    id: '2.16/skip-headers',
    says: 'svc/skipLocationEndpointHeaders: no location headers in redirects',
    later: 'workload knowledge',
  },
  {
    id: '2.16/cross-gvc',
    says: 'svc/discoverCrossGvcReplicas: discovery of replicas in other GVCs',
    later: 'workload knowledge',
  },
  { id: '2.16/tracing', says: 'svc/tracingDisabled disables tracing', later: 'workload knowledge' },
  {
    id: '2.16/large-disk',
    says: 'svc/largeDisk: a large ephemeral disk',
    later: 'workload knowledge',
  },
  {
    id: '2.16/timeout-override',
    says: 'svc/timeoutSecondsOverride: up to 3600; for up to 600 the option is used',
    later: 'workload knowledge',
  },
  {
    id: '2.16/no-mesh',
    says: 'svc/disableServiceMesh: BYOK clusters or workloads with a direct load balancer only',
    later: 'workload knowledge',
  },
  {
    id: '2.16/outbound-cidr',
    says: 'svc/disableServiceMeshOutboundCIDR excludes a range, with the same restriction',
    later: 'workload knowledge',
  },
  {
    id: '2.16/cluster-role',
    says: 'svc/k8sClusterRole binds a cluster role; BYOK only',
    later: 'workload knowledge',
  },
  {
    id: '2.16/ignore',
    says: 'svc/ignore: the scheduler ignores the workload; internal testing only',
    later: 'workload knowledge',
  },
  {
    id: '2.16/auth/address',
    says: 'svc/externalAuthAddress is required: hostname or IP',
    later: 'workload knowledge',
  },
  {
    id: '2.16/auth/port',
    says: 'svc/externalAuthPort is 443 by default',
    later: 'workload knowledge',
  },
  {
    id: '2.16/auth/protocol',
    says: 'svc/externalAuthProtocol is grpc by default, or http',
    later: 'workload knowledge',
  },
  {
    id: '2.16/auth/scheme',
    says: 'svc/externalAuthScheme is https by default, or http',
    later: 'workload knowledge',
  },
  {
    id: '2.16/auth/timeout',
    says: 'svc/externalAuthTimeout is 1s by default',
    later: 'workload knowledge',
  },
  {
    id: '2.16/auth/failure-allow',
    says: 'svc/externalAuthFailureAllow is true by default',
    later: 'workload knowledge',
  },
  {
    id: '2.16/auth/pack-as-bytes',
    says: 'svc/externalAuthPackAsBytes is false by default',
    later: 'workload knowledge',
  },
  {
    id: '2.16/auth/remove-body',
    says: 'svc/externalAuthRemoveRequestBody is false by default',
    later: 'workload knowledge',
  },
  {
    id: '2.16/auth/peer-cert',
    says: 'svc/externalAuthIncludePeerCert is false by default',
    later: 'workload knowledge',
  },
  {
    id: '2.16/auth/path-prefix',
    says: 'svc/externalAuthPathPrefix has no default',
    later: 'workload knowledge',
  },
  {
    id: '2.16/auth/upstream-prefixes',
    says: 'svc/externalAuthUpstreamHeaderPrefixes has no default',
    later: 'workload knowledge',
  },
  {
    id: '2.16/auth/listen-port',
    says: 'svc/externalAuthListenPort has no default',
    later: 'workload knowledge',
  },
  {
    id: '2.16/rate-limit/address',
    says: 'svc/rateLimitAddress is required: hostname or IP',
    later: 'workload knowledge',
  },
  {
    id: '2.16/rate-limit/port',
    says: 'svc/rateLimitPort is 443 by default',
    later: 'workload knowledge',
  },
  {
    id: '2.16/rate-limit/domain',
    says: 'svc/rateLimitDomain is the platform’s short brand name by default',
    later: 'workload knowledge',
  },
  {
    id: '2.16/rate-limit/scheme',
    says: 'svc/rateLimitScheme is https by default, or http',
    later: 'workload knowledge',
  },
  {
    id: '2.16/rate-limit/descriptors',
    says: 'svc/rateLimitDescriptors is authority by default',
    later: 'workload knowledge',
  },
  {
    id: '2.17/open-fields',
    says: 'fields of quotas and of requests to raise them are not shown: whatever comes is shown',
    test: [QUOTAS, 'quotas are shown with whatever fields come'],
  },
];
