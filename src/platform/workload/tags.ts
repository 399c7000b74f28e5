import {
  anything,
  BOOLEAN,
  DURATION,
  FLAG,
  freeText,
  HOST,
  oneOf,
  PATH,
  PORT,
  PORTS,
  RANGES,
  secondsUpTo,
  type TagValue,
} from './tag-values.ts';

/**
 * One row of spec 2.16, or another common tag. Names and texts without the brand's prefix: `prefix/` is
 * added.
 */
export interface TagRule {
  /** Without the prefix: `largeDisk`. */
  readonly name: string;
  readonly family: 'general' | 'external authorization' | 'rate limiting';
  readonly value: TagValue;
  /** A fragment: "internal endpoint includes replicas that …". */
  readonly effect: string;
  /** As text; absent: no default in the specification. */
  readonly default?: string;
  /** Required if another tag of its family is present. */
  readonly required?: true;
  /** Path of the option that replaces it: `ports[].protocol`. */
  readonly insteadUse?: string;
  /** Its only allowed use: "only for BYOK clusters". */
  readonly restriction?: string;
  /** A better alternative in some cases, as a sentence without a full stop. */
  readonly hint?: string;
  /** In place of the default, or of the value's example. `none`: the tag should not be used. */
  readonly example?: string | { readonly none: true };
}

type Row = Omit<TagRule, 'family'>;

/** For tags that take all traffic, or a range, out of the mesh. */
export const OWN_ENTRANCE = 'only for BYOK clusters or workloads with a direct load balancer';

const NO_EXAMPLE = { example: { none: true } } as const;

// One line for each tag.
// prettier-ignore
const GENERAL: readonly Row[] = [
  { name: 'publishNotReadyAddresses', value: FLAG, effect: 'internal endpoint includes replicas that have not passed readiness (for peer discovery at startup)' },
  { name: 'protocol', value: oneOf('http', 'http2', 'grpc', 'tcp'), effect: 'overrides protocol detection', insteadUse: 'ports[].protocol', ...NO_EXAMPLE },
  { name: 'bypassProxyOutbound', value: FLAG, effect: 'outbound traffic bypasses the mesh proxy' },
  { name: 'disableServiceMeshInboundPort', value: PORTS, effect: 'excludes an inbound port from the mesh' },
  { name: 'disableServiceMeshOutboundPort', value: PORTS, effect: 'excludes an outbound port from the mesh' },
  { name: 'multiZone', value: FLAG, effect: 'multi-zone', insteadUse: 'spec.defaultOptions.multiZone', ...NO_EXAMPLE },
  { name: 'skipLocationEndpointHeaders', value: FLAG, effect: 'no location endpoint headers in redirect responses' },
  { name: 'discoverCrossGvcReplicas', value: FLAG, effect: 'discovery of replicas in other GVCs via mutual TLS' },
  { name: 'tracingDisabled', value: FLAG, effect: 'disables distributed tracing' },
  { name: 'largeDisk', value: FLAG, effect: 'large ephemeral disk' },
  { name: 'timeoutSecondsOverride', value: secondsUpTo(3_600), effect: 'timeout beyond the normal limit', hint: 'For values up to 600 use spec.defaultOptions.timeoutSeconds' },
  { name: 'disableServiceMesh', value: FLAG, effect: 'disables the mesh', restriction: OWN_ENTRANCE },
  { name: 'disableServiceMeshOutboundCIDR', value: RANGES, effect: 'excludes a range from mesh outbound', restriction: OWN_ENTRANCE },
  { name: 'k8sClusterRole', value: freeText('role name'), effect: 'binds a cluster role to the workload’s service account', restriction: 'only for BYOK clusters' },
  { name: 'ignore', value: FLAG, effect: 'scheduler ignores the workload', restriction: 'only for internal testing', ...NO_EXAMPLE },
  // Of public sources.
  { name: 'protected', value: FLAG, effect: 'deletion of the workload is refused' },
  { name: 'checksum', value: anything('any text', '5b1c9f0a'), effect: 'hash of a configuration, as charts write it: when it changes, the workload gets a new version' },
  { name: 'relaxMemoryToCpuRatio', value: anything('probably true', 'true'), effect: 'allows 32 MiB of memory per millicore of CPU, in place of 8' },
  { name: 'relaxGracePeriodMax', value: anything('probably true', 'true'), effect: 'allows a termination grace period of 3600 seconds, in place of 900' },
];

/** The effect of each is not published, only that of the family. */
const SETTING = 'setting of external authorization';

// prettier-ignore
const AUTHORIZATION: readonly Row[] = [
  { name: 'externalAuthAddress', value: HOST, effect: SETTING, required: true },
  { name: 'externalAuthPort', value: PORT, effect: SETTING, default: '443' },
  { name: 'externalAuthProtocol', value: oneOf('grpc', 'http'), effect: SETTING, default: 'grpc' },
  { name: 'externalAuthScheme', value: oneOf('https', 'http'), effect: SETTING, default: 'https' },
  { name: 'externalAuthTimeout', value: DURATION, effect: SETTING, default: '1s' },
  { name: 'externalAuthFailureAllow', value: BOOLEAN, effect: SETTING, default: 'true', example: 'false', hint: 'With true, requests pass while the service fails; set false where they should not' },
  { name: 'externalAuthPackAsBytes', value: BOOLEAN, effect: SETTING, default: 'false' },
  { name: 'externalAuthRemoveRequestBody', value: BOOLEAN, effect: SETTING, default: 'false' },
  { name: 'externalAuthIncludePeerCert', value: BOOLEAN, effect: SETTING, default: 'false' },
  { name: 'externalAuthPathPrefix', value: PATH, effect: SETTING },
  { name: 'externalAuthUpstreamHeaderPrefixes', value: freeText('prefixes'), effect: SETTING },
  { name: 'externalAuthListenPort', value: PORT, effect: SETTING },
];

const LIMIT = 'setting of external rate limiting';

// prettier-ignore
const LIMITING: readonly Row[] = [
  { name: 'rateLimitAddress', value: HOST, effect: LIMIT, required: true },
  { name: 'rateLimitPort', value: PORT, effect: LIMIT, default: '443' },
  { name: 'rateLimitDomain', value: freeText('domain identifier'), effect: LIMIT, default: 'the platform’s short brand name' },
  { name: 'rateLimitScheme', value: oneOf('https', 'http'), effect: LIMIT, default: 'https' },
  { name: 'rateLimitDescriptors', value: freeText('string'), effect: LIMIT, default: 'authority', example: 'authorization', hint: 'By public accounts the default limits nothing; authorization, host and path do' },
];

/** The special tags of a workload, in the order and, shortened, in the words of spec 2.16. */
export const TAGS: readonly TagRule[] = [
  ...GENERAL.map((row) => ({ ...row, family: 'general' as const })),
  ...AUTHORIZATION.map((row) => ({ ...row, family: 'external authorization' as const })),
  ...LIMITING.map((row) => ({ ...row, family: 'rate limiting' as const })),
];

/** `svc/largeDisk`. */
export function tagName(prefix: string, { name }: Pick<TagRule, 'name'>): string {
  return `${prefix}/${name}`;
}

/** A variable of every container (spec 2.15). Names and texts carry no prefix. */
export interface Variable {
  /** After the prefix and its underscore: `GVC_ALIAS`. */
  readonly name: string;
  readonly meaning: string;
  /** Its form; `{global_domain}` is replaced by the configured one. */
  readonly form?: string;
  /** Sentences without full stops, in which "it" is the variable. */
  readonly notes?: readonly string[];
  /** The request header with this value. */
  readonly header?: string;
}

// In the order of spec 2.15; facts about the token and the version also from 4.4, 5 and 9.
// prettier-ignore
export const VARIABLES: readonly Variable[] = [
  { name: 'GLOBAL_ENDPOINT', meaning: 'canonical Host header', form: '<workloadName>-<gvcAlias>.{global_domain}' },
  { name: 'GVC', meaning: 'GVC name' },
  { name: 'GVC_ALIAS', meaning: '13-character alphanumeric alias of the GVC' },
  { name: 'LOCATION', meaning: 'serving location, e.g. provider-region form' },
  { name: 'NAMESPACE', meaning: 'generated random string' },
  { name: 'PROVIDER', meaning: 'cloud provider of the serving location' },
  { name: 'ORG', meaning: 'org name' },
  { name: 'WORKLOAD', meaning: 'workload name' },
  {
    name: 'WORKLOAD_VERSION', meaning: 'numeric workload version; changes only when a change has to be applied (a scaling-only change does not change it)',
    notes: ['It tracks the version of the workload, which its deployments report as well'],
  },
  {
    name: 'TOKEN', meaning: 'authorization token for the API and CLI', header: 'Authorization',
    notes: [
      'Send it as the plain value of the Authorization header, without Bearer, to the org path of the API',
      'It is valid only when the request comes from the workload it was injected in: from another workload or from outside it yields 403',
      'Without an assigned identity the workload can still read its parent org',
      'A workload identity can be the target of a policy',
    ],
  },
  { name: 'IMAGE', meaning: 'the image as defined for the container' },
];

/** `SVC_GVC`. */
export function variableName(prefix: string, { name }: Pick<Variable, 'name'>): string {
  return `${prefix.toUpperCase()}_${name}`;
}
