import { isIP } from 'node:net';
import {
  copied,
  either,
  error,
  type Judgment,
  noneOf,
  notTaken,
  shortened,
  spoken,
  warning,
} from './finding.ts';
import type { ValueNode } from './node.ts';

/**
 * Values of a special tag (spec 2.16). YAML's `true` and the text `"true"` are the same here, as are `443` and
 * `"443"`: tags are text.
 */
interface TagValue {
  /** Continues "takes": "port number". */
  readonly words: string;
  /** The literal values; absent: values of a kind. */
  readonly listed?: readonly string[];
  readonly example: string;
  /** @param text of the node, without blanks around it */
  judge(text: string, node: ValueNode): Judgment | undefined;
}

function oneOf(...values: readonly [string, ...string[]]): TagValue {
  return {
    words: either(values),
    listed: values,
    example: values[0],
    judge: (text, node) => (values.includes(text) ? undefined : noneOf(node, text, values)),
  };
}

const BOOLEAN = oneOf('true', 'false');

/** Only `true` is published. */
const FLAG: TagValue = {
  words: 'true',
  listed: ['true'],
  example: 'true',
  judge(text, node) {
    if (text === 'true') return undefined;
    return text === 'false'
      ? warning('is false, but true is its only published value', 'remove the tag to be without it')
      : notTaken(node, 'true', `${copied('true')}, or remove the tag`);
  },
};

/**
 * @param takes the values, after "takes"
 * @param near what was likely meant by a text that is not taken
 */
function valuesThat(
  fit: (text: string) => boolean,
  { words, example, takes }: Readonly<Record<'words' | 'example' | 'takes', string>>,
  near: (text: string) => string | undefined = () => undefined,
): TagValue {
  const judge: TagValue['judge'] = (text, node) =>
    fit(text) ? undefined : notTaken(node, takes, near(text) ?? `one such as ${copied(example)}`);
  return { words, example, judge };
}

const isPort = (text: string) => isWhole(text, 1, 65_535);
const A_PORT = { words: 'port number', example: '8080', takes: 'a port number, 1 to 65535' };
const PORT = valuesThat(isPort, A_PORT);

/** One, or a comma-separated list: sources disagree. */
const PORTS = valuesThat((text) => partsOf(text).every(isPort), A_PORT);

function secondsUpTo(max: number): TagValue {
  const takes = `whole seconds, 1 to ${max}`;
  const words = `whole seconds, at most ${max}`;
  return valuesThat((text) => isWhole(text, 1, max), { words, example: String(max), takes });
}

const DURATION = valuesThat(
  (text) => /^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(text),
  { words: 'duration, such as 1s', example: '1s', takes: 'a duration with its unit' },
  (text) => (isWhole(text, 0, 1e9) ? either([copied(`${text}s`), copied(`${text}ms`)]) : undefined),
);

/** One, or a comma-separated list: sources disagree. */
const RANGES = valuesThat((text) => partsOf(text).every(isRange), {
  words: 'CIDR range',
  example: '10.0.0.0/8',
  takes: 'a CIDR range',
});

/** A bare name or address: scheme and port have tags of their own. */
const HOST = valuesThat(
  isHost,
  {
    words: 'hostname or IP',
    example: 'service.example.com',
    takes: 'a hostname or an IP address',
  },
  (text) => {
    const bare = text.replace(/^[a-z][a-z\d+.-]*:\/\//i, '').replace(/[/?#].*$/s, '');
    const host = bare.replace(/:\d*$/, '').replace(/^\[(.*)\]$/s, '$1');
    return isHost(host) ? `${copied(host)}; scheme and port have tags of their own` : undefined;
  },
);

/** Free text: "role name". */
function freeText(words: string): TagValue {
  return {
    words,
    example: words.toUpperCase().replaceAll(' ', '-'),
    judge: (text) =>
      text === '' ? error('is empty', `write the ${words}, or remove the tag`) : undefined,
  };
}

const PATH: TagValue = {
  ...freeText('path'),
  example: '/check',
  judge(text, node) {
    if (text === '' || text.startsWith('/')) return freeText('path').judge(text, node);
    return warning(
      `is ${spoken(node)}, and a path starts with a slash`,
      `write ${copied(`/${shortened(text)}`)}`,
    );
  },
};

/** At most one value is published, and others may work: anything is fine. */
function anything(words: string, example: string): TagValue {
  return { words, example, judge: () => undefined };
}

function partsOf(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

function isWhole(text: string, min: number, max: number): boolean {
  return /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max;
}

const LABEL = /^(?!-)[a-z\d_-]{1,63}(?<!-)$/i;

function isHost(text: string): boolean {
  const name = text.replace(/\.$/, '');
  const isNumbers = /^[\d.]+$/.test(name);
  const isName =
    name.length <= 253 && !isNumbers && name.split('.').every((one) => LABEL.test(one));
  return isIP(text) !== 0 || isName;
}

/** `10.0.0.0/8`, `fd00::/8` */
export function isRange(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/', 3);
  return rest.length === 0 && isWhole(bits, 0, { 4: 32, 6: 128 }[isIP(address)] ?? -1);
}

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

export function variableName(prefix: string, { name }: Pick<Variable, 'name'>): string {
  return `${prefix.toUpperCase()}_${name}`;
}
