import { isIP } from 'node:net';
import { isOneLetterOff } from '../finding.ts';
import {
  get,
  has,
  isStated,
  isTemplate,
  isTemplateName,
  kindOf,
  lacks,
  list,
  type ManifestNode,
  mayBe,
  member,
  membersOf,
  nameOf,
  number,
  textOf,
  value,
} from '../node.ts';

/** The context of a rule besides its own place. */
export interface At {
  /** The mappings above the place, the nearest first. */
  readonly up: readonly ManifestNode[];
  readonly document: ManifestNode;
  /** `unset`: absent. `open`: left to a template. */
  readonly type: string;
  /** Of the document, or the one in force there. */
  readonly gvc: string | undefined;
  readonly file: readonly ManifestNode[];
  readonly prefix: string;
}

/**
 * Mistakes of a manifest beyond the shape of its fields. `svc` in the texts is the prefix of the brand,
 * `{it}` the value at the place, `{0}` and `{1}` what `when` gives.
 */
export interface Rule {
  /** `spec.containers[].ports[].number`; `{a,b}` stands for both. */
  readonly path: string;
  readonly severity: 'error' | 'warning' | 'note';
  /** Separated by spaces; absent: all. */
  readonly types?: string;
  /** Of the document; absent: a workload. */
  readonly kind?: 'policy' | 'gvc' | 'kubernetes';
  readonly says: string;
  readonly fix: string;
  /** Absent: whatever is there is wrong. */
  when?(node: ManifestNode, at: At): boolean | readonly (string | number)[];
}

export function other(at: At, kind: string, name: string | undefined): ManifestNode | undefined {
  return at.file.find((one) => kindOf(one) === kind && nameOf(one) === name);
}

export function containers(at: At): readonly ManifestNode[] {
  return list(at.document, 'spec.containers');
}

/** Millicores; undefined when absent or unreadable. */
export function millicores(node: ManifestNode | undefined, path?: string): number | undefined {
  const parts = /^(\d{1,9}|\d{0,9}\.\d{1,9})(m?)$/.exec(value(node, path) ?? '');
  return parts === null ? undefined : Number(parts[1]) * (parts[2] === 'm' ? 1 : 1_000);
}

/** MiB; undefined when absent or unreadable. */
export function mebibytes(node: ManifestNode | undefined, path?: string): number | undefined {
  const parts = /^(\d{1,15}(?:\.\d{1,9})?)(?:([kKMGT])(i?))?$/.exec(value(node, path) ?? '');
  if (parts === null) return undefined;
  const [, digits, unit = '-', binary] = parts;
  return (
    (Number(digits) * (binary ? 1_024 : 1_000) ** '-KMGT'.indexOf(unit.toUpperCase())) / 2 ** 20
  );
}

/** `number` of `ports`, and the deprecated `port`. */
function portsOf(container: ManifestNode | undefined): readonly number[] {
  const numbers = list(container, 'ports')
    .slice(0, 50)
    .map((port) => number(port, 'number'));
  return [...numbers, number(container, 'port')].filter((port) => port !== undefined);
}

/** A port other than those that the container states. */
export function isUnexposed(node: ManifestNode, container: ManifestNode | undefined): boolean {
  const [own, ports] = [number(node), portsOf(container)];
  return own !== undefined && ports.length > 0 && !ports.includes(own);
}

export function allPorts(at: At): readonly number[] {
  return containers(at).flatMap(portsOf);
}

/** Whether a tag of the brand is switched on, or left to a template. */
export function hasTag(at: At, name: string): boolean {
  const tag = get(at.document, `tags.${at.prefix}/${name}`);
  return isTemplate(tag) || /^(true|yes|on|1)$/i.test(textOf(tag)?.trim() ?? '');
}

/** Places with a reference to a secret, in variables and in volumes. */
export function secretsIn(
  at: At,
): readonly { node: ManifestNode; name: string; key?: string | undefined }[] {
  const nodes = containers(at).flatMap((container) => [
    ...list(container, 'env').map((one) => get(one, 'value')),
    ...list(container, 'volumes').map((one) => get(one, 'uri')),
  ]);
  return nodes.flatMap((node) => {
    const parts = secretOf(node, at.prefix);
    return node === undefined || parts === undefined ? [] : [{ node, ...parts }];
  });
}

export function secretOf(
  node: ManifestNode | undefined,
  prefix: string,
): { name: string; key?: string | undefined } | undefined {
  const start = `${prefix}://secret/`;
  const text = value(node);
  if (text?.startsWith(start) !== true) return undefined;
  const [name = '', ...key] = text.slice(start.length).split('.');
  return { name, key: key.length === 0 ? undefined : key.join('.') };
}

export function lastOf(link: string | undefined): string | undefined {
  return link?.split('/').at(-1);
}

/** No more are compared with each other: a hostile text must not take seconds. */
const MAX_LOOKED = 300;

export function isRepeated(
  items: readonly ManifestNode[],
  node: ManifestNode,
  read: (item: ManifestNode) => string | number | undefined,
): boolean {
  const all = items.slice(0, MAX_LOOKED).map(read);
  const at = items.findIndex(
    (item) => item === node || membersOf(item).some((one) => one.node === node),
  );
  return at > 0 && all[at] !== undefined && all.indexOf(all[at]) < at;
}

export const MADE = 'id version created lastModified links status alias origin health'.split(' ');

export const REFERENCES =
  'metadata.name metadata.namespace spec.nodeName status.hostIP status.podIP status.podIPs'.split(
    ' ',
  );

const CONDITIONS =
  'connect-failure refused-stream unavailable cancelled resource-exhausted retriable-status-codes'.split(
    ' ',
  );

/** Nearly a condition: its signs and its case do not count. */
export function nearCondition(text: string): string | undefined {
  const bare = (word: string) => word.toLowerCase().replaceAll(/[^a-z]/g, '');
  const own = bare(text.slice(0, 40));
  const isNear = (one: string) => text !== one && own.length > 4 && isOneLetterOff(own, bare(one));
  return CONDITIONS.find(isNear);
}

/** A pasted part of a manifest often lacks its kind. */
export function isWorkload(document: ManifestNode): boolean {
  if (member(document, 'kind') !== undefined) return kindOf(document) === 'workload';
  return membersOf(document).some(({ name }) => name === 'spec' || name === 'tags');
}

/** Whether a workload of the text runs, or may run, in several zones of a location. */
export function isZoned({ file, prefix }: At): boolean {
  return file
    .filter(isWorkload)
    .some((workload) =>
      [
        get(workload, 'spec.defaultOptions.multiZone.enabled') ??
          member(get(workload, 'tags'), `${prefix}/multiZone`),
        ...list(workload, 'spec.localOptions').map((local) => get(local, 'multiZone.enabled')),
      ].some((node) => value(node) === 'true'),
    );
}

/** How many of these a mapping has; undefined where a template leaves it open. */
export function countOf(node: ManifestNode, ...names: string[]): number | undefined {
  const isOpen = names.some((name) => !has(node, name) && !lacks(node, name));
  return isOpen ? undefined : names.filter((name) => has(node, name)).length;
}

/** The default is 50m. */
export function cpuOf(container: ManifestNode | undefined): number | undefined {
  return lacks(container, 'cpu') ? 50 : millicores(container, 'cpu');
}

/** The default is 128 MiB. */
export function memoryOf(container: ManifestNode | undefined): number | undefined {
  return lacks(container, 'memory') ? 128 : mebibytes(container, 'memory');
}

export function usesGpu(container: ManifestNode | undefined): boolean {
  return ['gpu.nvidia', 'gpu.custom'].some(
    (path) => has(container, path) && number(container, `${path}.quantity`) !== 0,
  );
}

export function gpuLimits(
  nvidia: ManifestNode,
  container: ManifestNode | undefined,
): false | string[] {
  const [cpu, memory] = [millicores(container, 'cpu'), mebibytes(container, 'memory')];
  const count = number(nvidia, 'quantity') ?? 1;
  if (cpu === undefined || memory === undefined || count === 0) return false;
  const [cores, gib] = [cpu / 1_000, memory / 1_024];
  if (value(nvidia, 'model') === 'a10g') {
    const isFit = count === 1 && cores >= 6 && gib >= 8 && gib <= 62;
    return isFit ? false : ['one a10g with 6 cores or more and 8 to 62 GiB'];
  }
  if (value(nvidia, 'model') !== 't4') return false;
  const least = count > 1 || gib > 14 ? 4 : 2;
  const isFit =
    cores >= least * count && gib >= 7 * count && cores <= 8 * count && gib <= 31 * count;
  return isFit ? false : [`${least} to 8 cores and 7 to 31 GiB for each t4`];
}

export function servesHttp(at: At): boolean {
  return containers(at).some(
    (one) =>
      has(one, 'port') ||
      list(one, 'ports').some((port) => has(port, 'number') && value(port, 'protocol') !== 'tcp'),
  );
}

export const OWN_ADDRESS =
  /PUBLIC|ORIGIN|CORS|CALLBACK|REDIRECT|(ROOT|SITE|EXTERNAL)_URL$|^(APP|BASE)_URL$/i;

/** The host of an address outside of the platform, and its port, if stated. */
export function foreignHost(
  text: string | undefined,
  prefix: string,
): { host: string; port: string | undefined } | undefined {
  const [, scheme = '', rest = ''] =
    /^(?:jdbc:)?([a-z][a-z0-9+.-]{0,30}):\/\/([^/?#\s,]{1,300})/i.exec(text?.slice(0, 600) ?? '') ??
    [];
  if ([prefix, '', 's3', 'gs', 'file'].includes(scheme) || rest.includes('$')) return undefined;
  const [, host = '', port] =
    /^(.*?)(?::(\d{1,5}))?:?$/.exec(rest.split('@').at(-1)?.toLowerCase() ?? '') ?? [];
  const isOwn =
    !host.includes('.') ||
    isIP(host) !== 0 ||
    /(^|\.)(local|localhost|internal|cluster|svc)(\.|$)/.test(host) ||
    host.split('.').includes(prefix);
  return isOwn ? undefined : { host, port };
}

export function reaches(pattern: string | undefined, host: string): boolean {
  if (pattern === undefined || pattern === '*') return pattern === '*';
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : pattern === host;
}

/** The keys that a secret of the text has; undefined when they are not known. */
export function keysOf(secret: ManifestNode): readonly string[] | undefined {
  const type = value(secret, 'type') ?? '';
  const data = get(secret, 'data');
  if (type === 'dictionary') {
    const names = membersOf(data).map(({ name }) => name);
    return data?.kind !== 'map' || names.some(isTemplateName) ? undefined : names;
  }
  return KEYS[type]?.split(' ');
}

const AWS = 'accessKey secretKey roleArn externalId';
const KEYS: Readonly<Record<string, string>> = {
  opaque: 'payload',
  userpass: 'username password',
  tls: 'key cert chain',
  keypair: 'secretKey publicKey passphrase',
  aws: AWS,
  ecr: AWS,
};

export function trimmed(path: string | undefined): string | undefined {
  return path?.replace(/(?<=[^/])\/{1,9}$/, '');
}

export function volumeSystem(node: ManifestNode, at: At): string | undefined {
  const start = `${at.prefix}://volumeset/`;
  const text = value(node);
  if (text?.startsWith(start) !== true) return undefined;
  const system = get(other(at, 'volumeset', text.slice(start.length)), 'spec.fileSystemType');
  return isTemplate(system) ? 'open' : value(system);
}

/** Another workload of the text, in the same GVC, that mounts a volume. */
export function otherUser({ file, document }: At, uri: string | undefined): string | undefined {
  const user = file.find(
    (one) =>
      one !== document &&
      value(one, 'gvc') === value(document, 'gvc') &&
      list(one, 'spec.containers').some((container) =>
        list(container, 'volumes').some((volume) => value(volume, 'uri') === uri),
      ),
  );
  return user && (nameOf(user) ?? 'another workload');
}

export function scaleOf(node: ManifestNode, name: string, usual: number): number | undefined {
  return lacks(node, name) ? usual : number(node, name);
}

/** 0 and 0 means off, as `suspend` does (spec 2.13). */
export function isOff([scaling]: readonly (ManifestNode | undefined)[]): boolean {
  return number(scaling, 'maxScale') === 0;
}

const PLATFORM_DEFAULTS: Readonly<Record<string, string>> = {
  capacityAI: 'true',
  timeoutSeconds: '5',
  spot: 'false',
  suspend: 'false',
  debug: 'false',
  'multiZone.enabled': 'false',
  'autoscaling.metric': 'concurrency',
  'autoscaling.minScale': '1',
  'autoscaling.maxScale': '5',
  'autoscaling.target': '95',
  'autoscaling.metricPercentile': 'p50',
  'autoscaling.multi': '',
  'autoscaling.keda': '',
};

/** The default options that an entry does not repeat, and that are not the platform's. */
export function omitted(entry: ManifestNode, defaults: ManifestNode | undefined): false | string[] {
  if (mayBe(entry, 'suspend', 'true') || number(entry, 'autoscaling.maxScale') === 0) return false;
  const metric = value(entry, 'autoscaling.metric');
  // A target belongs to its metric.
  const isOwn = metric !== undefined && metric !== value(defaults, 'autoscaling.metric');
  const names = Object.entries(PLATFORM_DEFAULTS).flatMap(([name, usual]) => {
    const isOther =
      (isOwn && /target|Percentile|multi|keda/.test(name)) ||
      (has(entry, 'autoscaling.multi') && /metric|target|keda/.test(name));
    const isOmitted = has(defaults, name) && lacks(entry, name) && value(defaults, name) !== usual;
    return isOmitted && !isOther ? [name] : [];
  });
  return names.length > 0 && [names.map((name) => `\`${name}\``).join(', ')];
}

export function isZero(node: ManifestNode | undefined): boolean {
  return isStated(node) && /^0+(\.0*)?%?$/.test(value(node) ?? '');
}

export function isSecretPolicy({ document }: At): boolean {
  return value(document, 'targetKind') === 'secret';
}

/** A secret that a workload of the text uses with an identity of the policy, which does not target it. */
export function unmet(policy: At): false | string[] {
  const { document, file, prefix } = policy;
  if (has(document, 'targetQuery') || value(document, 'target') === 'all') return false;
  const links = (one: ManifestNode) => list(one, 'targetLinks').map((link) => lastOf(value(link)));
  const identities = (one: ManifestNode) =>
    list(one, 'bindings')
      .flatMap((binding) => list(binding, 'principalLinks'))
      .map((link) => lastOf(value(link)));
  for (const workload of file.filter((one) => kindOf(one) === 'workload')) {
    const identity = lastOf(value(workload, 'spec.identityLink'));
    if (identity === undefined || !identities(document).includes(identity)) continue;
    const policies = file.filter(
      (one) => kindOf(one) === 'policy' && identities(one).includes(identity),
    );
    if (policies.some((one) => has(one, 'targetQuery') || value(one, 'target') === 'all')) continue;
    const met = policies.flatMap(links);
    const used = secretsIn({ ...policy, document: workload, prefix });
    const missing = used.find(({ name }) => !met.includes(name));
    if (missing !== undefined) return [missing.name, nameOf(workload) ?? 'a workload'];
  }
  return false;
}
