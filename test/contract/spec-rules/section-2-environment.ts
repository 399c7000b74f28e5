import type { Rule } from './rule.ts';

const QUOTAS = 'contract/platform/quotas.test.ts';
const VARIABLES = 'unit/features/workload/env-view.test.ts';
const TAGS = 'unit/features/workload/tags-general.test.ts';
const FAMILIES = 'unit/features/workload/tags-families.test.ts';

/** Spec 2.15 to 2.17: variables and special tags of a workload, quota records. */
export const SECTION_2_ENVIRONMENT: readonly Rule[] = [
  {
    id: '2.15/global-endpoint',
    says: 'SVC_GLOBAL_ENDPOINT is the canonical Host header',
    test: [VARIABLES, 'GLOBAL_ENDPOINT is the canonical Host header, with the configured domain'],
  },
  {
    id: '2.15/gvc',
    says: 'SVC_GVC is the name of the GVC',
    test: [VARIABLES, 'GVC is the name of the GVC'],
  },
  {
    id: '2.15/gvc-alias',
    says: 'SVC_GVC_ALIAS is an alias of 13 letters and digits',
    test: [VARIABLES, 'GVC_ALIAS is an alias of 13 letters and digits'],
  },
  {
    id: '2.15/location',
    says: 'SVC_LOCATION is the serving location',
    test: [VARIABLES, 'LOCATION is the serving location'],
  },
  {
    id: '2.15/namespace',
    says: 'SVC_NAMESPACE is a generated random string',
    test: [VARIABLES, 'NAMESPACE is a generated random string'],
  },
  {
    id: '2.15/provider',
    says: 'SVC_PROVIDER is the cloud provider of the location',
    test: [VARIABLES, 'PROVIDER is the cloud provider of the location'],
  },
  {
    id: '2.15/org',
    says: 'SVC_ORG is the name of the org',
    test: [VARIABLES, 'ORG is the name of the org'],
  },
  {
    id: '2.15/workload',
    says: 'SVC_WORKLOAD is the name of the workload',
    test: [VARIABLES, 'WORKLOAD is the name of the workload'],
  },
  {
    id: '2.15/workload-version',
    says: 'SVC_WORKLOAD_VERSION changes only when a change has to be applied',
    test: [VARIABLES, 'WORKLOAD_VERSION changes only when a change has to be applied'],
  },
  {
    id: '2.15/token',
    says: 'SVC_TOKEN is the token for the API and the CLI',
    test: [
      VARIABLES,
      'TOKEN is for the API and the CLI, sent plain, and good in its workload alone',
    ],
  },
  {
    id: '2.15/image',
    says: 'SVC_IMAGE is the image as defined for the container',
    test: [VARIABLES, 'IMAGE is the image as defined for the container'],
  },
  {
    id: '2.16/publish-not-ready',
    says: 'svc/publishNotReadyAddresses: the internal endpoint includes replicas that are not ready',
    test: [
      TAGS,
      'publishNotReadyAddresses puts replicas that are not ready into the internal endpoint',
    ],
  },
  {
    id: '2.16/protocol',
    says: 'svc/protocol: http, http2, grpc or tcp; deprecated in favor of ports[].protocol',
    test: [
      TAGS,
      'protocol takes four values and is deprecated in favor of the protocol of the port',
    ],
  },
  {
    id: '2.16/bypass-proxy',
    says: 'svc/bypassProxyOutbound: outbound traffic bypasses the mesh proxy',
    test: [TAGS, 'bypassProxyOutbound sends outbound traffic past the mesh proxy'],
  },
  {
    id: '2.16/inbound-port',
    says: 'svc/disableServiceMeshInboundPort excludes an inbound port',
    test: [TAGS, 'disableServiceMeshInboundPort excludes an inbound port'],
  },
  {
    id: '2.16/outbound-port',
    says: 'svc/disableServiceMeshOutboundPort excludes an outbound port',
    test: [TAGS, 'disableServiceMeshOutboundPort excludes an outbound port'],
  },
  {
    id: '2.16/multi-zone',
    says: 'svc/multiZone: deprecated in favor of spec.defaultOptions.multiZone',
    test: [TAGS, 'multiZone is deprecated in favor of the option'],
  },
  {
    id: '2.16/skip-headers',
    says: 'svc/skipLocationEndpointHeaders: no location headers in redirects',
    test: [TAGS, 'skipLocationEndpointHeaders leaves location headers out of redirects'],
  },
  {
    id: '2.16/cross-gvc',
    says: 'svc/discoverCrossGvcReplicas: discovery of replicas in other GVCs',
    test: [TAGS, 'discoverCrossGvcReplicas finds replicas in other GVCs'],
  },
  {
    id: '2.16/tracing',
    says: 'svc/tracingDisabled disables tracing',
    test: [TAGS, 'tracingDisabled disables tracing'],
  },
  {
    id: '2.16/large-disk',
    says: 'svc/largeDisk: a large ephemeral disk',
    test: [TAGS, 'largeDisk gives a large ephemeral disk'],
  },
  {
    id: '2.16/timeout-override',
    says: 'svc/timeoutSecondsOverride: up to 3600; for up to 600 the option is used',
    test: [TAGS, 'timeoutSecondsOverride goes up to 3600, and up to 600 the option is better'],
  },
  {
    id: '2.16/no-mesh',
    says: 'svc/disableServiceMesh: BYOK clusters or workloads with a direct load balancer only',
    test: [
      TAGS,
      'disableServiceMesh is for BYOK clusters or workloads with a direct load balancer only',
    ],
  },
  {
    id: '2.16/outbound-cidr',
    says: 'svc/disableServiceMeshOutboundCIDR excludes a range, with the same restriction',
    test: [TAGS, 'disableServiceMeshOutboundCIDR excludes a range, with the same restriction'],
  },
  {
    id: '2.16/cluster-role',
    says: 'svc/k8sClusterRole binds a cluster role; BYOK only',
    test: [TAGS, 'k8sClusterRole binds a cluster role, on BYOK clusters only'],
  },
  {
    id: '2.16/ignore',
    says: 'svc/ignore: the scheduler ignores the workload; internal testing only',
    test: [TAGS, 'ignore hides a workload from the scheduler, for internal testing only'],
  },
  {
    id: '2.16/auth/address',
    says: 'svc/externalAuthAddress is required: hostname or IP',
    test: [FAMILIES, 'externalAuthAddress is required: a hostname or an IP'],
  },
  {
    id: '2.16/auth/port',
    says: 'svc/externalAuthPort is 443 by default',
    test: [FAMILIES, 'externalAuthPort is 443 by default'],
  },
  {
    id: '2.16/auth/protocol',
    says: 'svc/externalAuthProtocol is grpc by default, or http',
    test: [FAMILIES, 'externalAuthProtocol is grpc by default, or http'],
  },
  {
    id: '2.16/auth/scheme',
    says: 'svc/externalAuthScheme is https by default, or http',
    test: [FAMILIES, 'externalAuthScheme is https by default, or http'],
  },
  {
    id: '2.16/auth/timeout',
    says: 'svc/externalAuthTimeout is 1s by default',
    test: [FAMILIES, 'externalAuthTimeout is 1s by default'],
  },
  {
    id: '2.16/auth/failure-allow',
    says: 'svc/externalAuthFailureAllow is true by default',
    test: [FAMILIES, 'externalAuthFailureAllow is true by default'],
  },
  {
    id: '2.16/auth/pack-as-bytes',
    says: 'svc/externalAuthPackAsBytes is false by default',
    test: [FAMILIES, 'externalAuthPackAsBytes is false by default'],
  },
  {
    id: '2.16/auth/remove-body',
    says: 'svc/externalAuthRemoveRequestBody is false by default',
    test: [FAMILIES, 'externalAuthRemoveRequestBody is false by default'],
  },
  {
    id: '2.16/auth/peer-cert',
    says: 'svc/externalAuthIncludePeerCert is false by default',
    test: [FAMILIES, 'externalAuthIncludePeerCert is false by default'],
  },
  {
    id: '2.16/auth/path-prefix',
    says: 'svc/externalAuthPathPrefix has no default',
    test: [FAMILIES, 'externalAuthPathPrefix has no default'],
  },
  {
    id: '2.16/auth/upstream-prefixes',
    says: 'svc/externalAuthUpstreamHeaderPrefixes has no default',
    test: [FAMILIES, 'externalAuthUpstreamHeaderPrefixes has no default'],
  },
  {
    id: '2.16/auth/listen-port',
    says: 'svc/externalAuthListenPort has no default',
    test: [FAMILIES, 'externalAuthListenPort has no default'],
  },
  {
    id: '2.16/rate-limit/address',
    says: 'svc/rateLimitAddress is required: hostname or IP',
    test: [FAMILIES, 'rateLimitAddress is required: a hostname or an IP'],
  },
  {
    id: '2.16/rate-limit/port',
    says: 'svc/rateLimitPort is 443 by default',
    test: [FAMILIES, 'rateLimitPort is 443 by default'],
  },
  {
    id: '2.16/rate-limit/domain',
    says: 'svc/rateLimitDomain is the platform’s short brand name by default',
    test: [FAMILIES, 'rateLimitDomain is the short brand name of the platform by default'],
  },
  {
    id: '2.16/rate-limit/scheme',
    says: 'svc/rateLimitScheme is https by default, or http',
    test: [FAMILIES, 'rateLimitScheme is https by default, or http'],
  },
  {
    id: '2.16/rate-limit/descriptors',
    says: 'svc/rateLimitDescriptors is authority by default',
    test: [FAMILIES, 'rateLimitDescriptors is authority by default'],
  },
  {
    id: '2.17/open-fields',
    says: 'fields of quotas and of requests to raise them are not shown: whatever comes is shown',
    test: [QUOTAS, 'quotas are shown with whatever fields come'],
  },
];
