/** Values of a special tag (spec 2.16). */
export type TagValue =
  /** Only `true` is listed. */
  | { readonly kind: 'flag' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  /** `several`: or a comma-separated list. */
  | { readonly kind: 'port'; readonly several?: true }
  /** Whole seconds up to `max`. */
  | { readonly kind: 'seconds'; readonly max: number }
  /** Such as `1s`. */
  | { readonly kind: 'duration' }
  /** One, or a comma-separated list. */
  | { readonly kind: 'cidr' }
  | { readonly kind: 'host' }
  /** Free text: "role name", "path". */
  | { readonly kind: 'text'; readonly what: string }
  /** At most one value is published, and others may work: anything is fine. */
  | { readonly kind: 'open'; readonly what: string };

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
  /** A value to start from; absent: one of its kind. `none`: the tag should not be used. */
  readonly example?: string | { readonly none: true };
}

type Extras = Omit<TagRule, 'name' | 'family' | 'value' | 'effect'>;

const FLAG: TagValue = { kind: 'flag' };
const BOOLEAN: TagValue = { kind: 'boolean' };
const PORT: TagValue = { kind: 'port' };
const PORTS: TagValue = { kind: 'port', several: true };
const HOST: TagValue = { kind: 'host' };

/** For tags that take all traffic, or a range, out of the mesh. */
const OWN_ENTRANCE = 'only for BYOK clusters or workloads with a direct load balancer';

const NO_EXAMPLE = { example: { none: true } } as const;

/**
 * The special tags of a workload, in the order and, shortened, in the words of spec 2.16; after the general
 * ones those of public sources.
 */
export const TAGS: readonly TagRule[] = [
  general(
    'publishNotReadyAddresses',
    FLAG,
    'internal endpoint includes replicas that have not passed readiness (for peer discovery at startup)',
  ),
  general('protocol', oneOf('http', 'http2', 'grpc', 'tcp'), 'overrides protocol detection', {
    insteadUse: 'ports[].protocol',
    ...NO_EXAMPLE,
  }),
  general('bypassProxyOutbound', FLAG, 'outbound traffic bypasses the mesh proxy'),
  general('disableServiceMeshInboundPort', PORTS, 'excludes an inbound port from the mesh'),
  general('disableServiceMeshOutboundPort', PORTS, 'excludes an outbound port from the mesh'),
  general('multiZone', FLAG, 'multi-zone', {
    insteadUse: 'spec.defaultOptions.multiZone',
    ...NO_EXAMPLE,
  }),
  general(
    'skipLocationEndpointHeaders',
    FLAG,
    'no location endpoint headers in redirect responses',
  ),
  general('discoverCrossGvcReplicas', FLAG, 'discovery of replicas in other GVCs via mutual TLS'),
  general('tracingDisabled', FLAG, 'disables distributed tracing'),
  general('largeDisk', FLAG, 'large ephemeral disk'),
  general(
    'timeoutSecondsOverride',
    { kind: 'seconds', max: 3_600 },
    'timeout beyond the normal limit',
    { hint: 'For values up to 600 use spec.defaultOptions.timeoutSeconds' },
  ),
  general('disableServiceMesh', FLAG, 'disables the mesh', { restriction: OWN_ENTRANCE }),
  general(
    'disableServiceMeshOutboundCIDR',
    { kind: 'cidr' },
    'excludes a range from mesh outbound',
    { restriction: OWN_ENTRANCE },
  ),
  general(
    'k8sClusterRole',
    text('role name'),
    'binds a cluster role to the workload’s service account',
    { restriction: 'only for BYOK clusters' },
  ),
  general('ignore', FLAG, 'scheduler ignores the workload', {
    restriction: 'only for internal testing',
    ...NO_EXAMPLE,
  }),
  general('protected', FLAG, 'deletion of the workload is refused'),
  general(
    'checksum',
    { kind: 'open', what: 'any text' },
    'hash of a configuration, as charts write it: when it changes, the workload gets a new version',
    { example: '5b1c9f0a' },
  ),
  general(
    'relaxMemoryToCpuRatio',
    { kind: 'open', what: 'probably true' },
    'allows 32 MiB of memory per millicore of CPU, in place of 8',
  ),
  general(
    'relaxGracePeriodMax',
    { kind: 'open', what: 'probably true' },
    'allows a termination grace period of 3600 seconds, in place of 900',
  ),

  authorization('Address', HOST, { required: true }),
  authorization('Port', PORT, { default: '443' }),
  authorization('Protocol', oneOf('grpc', 'http'), { default: 'grpc' }),
  authorization('Scheme', oneOf('https', 'http'), { default: 'https' }),
  authorization('Timeout', { kind: 'duration' }, { default: '1s' }),
  authorization('FailureAllow', BOOLEAN, {
    default: 'true',
    hint: 'With true, requests pass while the service fails; set false where they should not',
    example: 'false',
  }),
  authorization('PackAsBytes', BOOLEAN, { default: 'false' }),
  authorization('RemoveRequestBody', BOOLEAN, { default: 'false' }),
  authorization('IncludePeerCert', BOOLEAN, { default: 'false' }),
  authorization('PathPrefix', text('path'), { example: '/check' }),
  authorization('UpstreamHeaderPrefixes', text('prefixes')),
  authorization('ListenPort', PORT),

  rateLimiting('Address', HOST, { required: true }),
  rateLimiting('Port', PORT, { default: '443' }),
  rateLimiting('Domain', text('domain identifier'), {
    default: 'the platform’s short brand name',
  }),
  rateLimiting('Scheme', oneOf('https', 'http'), { default: 'https' }),
  rateLimiting('Descriptors', text('string'), {
    default: 'authority',
    hint: 'By public accounts the default limits nothing; authorization, host and path do',
    example: 'authorization',
  }),
];

/** `svc/largeDisk`. */
export function tagName(prefix: string, { name }: Pick<TagRule, 'name'>): string {
  return `${prefix}/${name}`;
}

/** The literal values of a tag; undefined: it takes values of a kind. */
export function listedValues(value: TagValue): readonly string[] | undefined {
  if (value.kind === 'flag') return ['true'];
  if (value.kind === 'boolean') return ['true', 'false'];
  return value.kind === 'enum' ? value.values : undefined;
}

/** Continues "takes": "port number", "http, http2, grpc or tcp". */
export function valueText(value: TagValue): string {
  switch (value.kind) {
    case 'flag':
    case 'boolean':
    case 'enum':
      return either(listedValues(value) ?? []);
    case 'port':
      return 'port number';
    case 'seconds':
      return `whole seconds, at most ${value.max}`;
    case 'duration':
      return 'duration, such as 1s';
    case 'cidr':
      return 'CIDR range';
    case 'host':
      return 'hostname or IP';
    case 'text':
    case 'open':
      return value.what;
  }
}

function either(values: readonly string[]): string {
  const last = values.slice(-1);
  const others = values.slice(0, -1).join(', ');
  return [others, ...last].filter((part) => part !== '').join(' or ');
}

function general(name: string, value: TagValue, effect: string, extras: Extras = {}): TagRule {
  return { name, family: 'general', value, effect, ...extras };
}

/** The effect of each is not published, only that of the family. */
function authorization(part: string, value: TagValue, extras: Extras = {}): TagRule {
  const effect = 'setting of external authorization';
  return {
    name: `externalAuth${part}`,
    family: 'external authorization',
    value,
    effect,
    ...extras,
  };
}

function rateLimiting(part: string, value: TagValue, extras: Extras = {}): TagRule {
  const effect = 'setting of external rate limiting';
  return { name: `rateLimit${part}`, family: 'rate limiting', value, effect, ...extras };
}

function oneOf(...values: string[]): TagValue {
  return { kind: 'enum', values };
}

function text(what: string): TagValue {
  return { kind: 'text', what };
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

/** In the order of spec 2.15; facts about the token and the version also from 4.4, 5 and 9. */
export const VARIABLES: readonly Variable[] = [
  {
    name: 'GLOBAL_ENDPOINT',
    meaning: 'canonical Host header',
    form: '<workloadName>-<gvcAlias>.{global_domain}',
  },
  { name: 'GVC', meaning: 'GVC name' },
  { name: 'GVC_ALIAS', meaning: '13-character alphanumeric alias of the GVC' },
  { name: 'LOCATION', meaning: 'serving location, e.g. provider-region form' },
  { name: 'NAMESPACE', meaning: 'generated random string' },
  { name: 'PROVIDER', meaning: 'cloud provider of the serving location' },
  { name: 'ORG', meaning: 'org name' },
  { name: 'WORKLOAD', meaning: 'workload name' },
  {
    name: 'WORKLOAD_VERSION',
    meaning:
      'numeric workload version; changes only when a change has to be applied (a scaling-only change does not change it)',
    notes: ['It tracks the version of the workload, which its deployments report as well'],
  },
  {
    name: 'TOKEN',
    meaning: 'authorization token for the API and CLI',
    notes: [
      'Send it as the plain value of the Authorization header, without Bearer, to the org path of the API',
      'It is valid only when the request comes from the workload it was injected in: from another workload or from outside it yields 403',
      'Without an assigned identity the workload can still read its parent org',
      'A workload identity can be the target of a policy',
    ],
    header: 'Authorization',
  },
  { name: 'IMAGE', meaning: 'the image as defined for the container' },
];

/** `SVC_GVC`. */
export function variableName(prefix: string, { name }: Pick<Variable, 'name'>): string {
  return `${prefix.toUpperCase()}_${name}`;
}
