import { isIP, isIPv4 } from 'node:net';
import { nearest } from '../../lib/text.ts';
import {
  copied,
  either,
  error,
  type Finding,
  found,
  isOneLetterOff,
  type Judgment,
  note,
  shortened,
  spoken,
  warning,
} from './finding.ts';
import {
  everyNode,
  isStated,
  isTemplate,
  isTemplateName,
  itemsOf,
  type ManifestNode,
  membersOf,
  textOf,
  type ValueNode,
  within,
} from './node.ts';

import { listedValues, tagName, type TagRule, TAGS, type TagValue, valueText } from './tags.ts';

/** Findings about the special tags of a workload (spec 2.16). @param prefix of the brand */
export function tagFindings(workload: ManifestNode, prefix: string): readonly Finding[] {
  const tags = within(workload, 'tags');
  if (!isStated(tags) || isTemplate(tags)) return [];
  if (tags.kind !== 'map') {
    const fix = `write tags below it, each as ${copied('name: value')}`;
    return [found(tags, error(`is ${spoken(tags)}, but takes names with values`, fix))];
  }
  const judge = (name: string, node: ManifestNode): Judgment[] => {
    if (isTemplateName(name)) return [];
    if (!name.startsWith(`${prefix}/`)) return ofOthers(name, prefix);
    const rule = TAGS.find((one) => tagName(prefix, one) === name);
    return rule
      ? oneTag(rule, node, workload, prefix)
      : noSpecialTag(name.slice(prefix.length + 1), prefix);
  };
  const single = tags.members.flatMap(({ name, node }) =>
    judge(name, node).map((judgment) => found(node, judgment)),
  );
  return [...single, ...FAMILIES.flatMap((family) => familyFindings(tags, family, prefix))];
}

/** Tags of another prefix are not checked, unless the prefix seems to be mistyped. */
function ofOthers(name: string, prefix: string): Judgment[] {
  const [, behind = ''] = /^[^/]+\/(.+)$/s.exec(name) ?? [];
  const meant = TAGS.find((rule) => rule.name.toLowerCase() === behind.toLowerCase());
  if (meant === undefined) return [];
  const { insteadUse } = meant;
  const instead =
    insteadUse === undefined
      ? `write ${copied(tagName(prefix, meant))}`
      : `use ${copied(insteadUse)}`;
  const what = `has the name of a special tag, and another prefix than ${copied(`${prefix}/`)}`;
  return [note(what, `${instead} if that is meant`)];
}

/** A tag with the prefix that is no tag of workloads. @param name without the prefix */
function noSpecialTag(name: string, prefix: string): Judgment[] {
  if (isMadeTag(name)) return [];
  const kind = kindOfTag(name);
  if (kind !== undefined) {
    const fix = `remove it here, or set it on ${kind} if that is meant`;
    return [warning(`is a tag of ${kind}, and does nothing on a workload`, fix)];
  }
  const meant = TAGS.find(
    (rule) => rule.insteadUse === undefined && isOneLetterOff(name, rule.name),
  );
  const what = 'is not a special tag that is known here';
  if (meant === undefined) return [note(what)];
  return [note(what, `write ${copied(tagName(prefix, meant))} if that is meant`)];
}

function oneTag(
  rule: TagRule,
  node: ManifestNode,
  workload: ManifestNode,
  prefix: string,
): Judgment[] {
  if (isTemplate(node)) return [];
  if (node.kind !== 'value') {
    return [error(`is ${spoken(node)}, but takes text`, 'write one value')];
  }
  if (node.value === null) {
    return [error('is empty', 'fill it in, or remove the tag')];
  }
  const judged = tagValueJudgment(node, rule.value);
  const isTaken = judged === undefined || judged.severity === 'note';
  return [
    ...(judged === undefined ? [] : [judged]),
    ...deprecation(rule, node.text.trim(), workload),
    ...(isTaken ? besides(rule, node.text.trim(), workload, prefix) : []),
  ];
}

/** Valid in itself, and likely not intended. */
function besides(
  { name, restriction, effect }: TagRule,
  text: string,
  workload: ManifestNode,
  prefix: string,
): Judgment[] {
  const judgments: Judgment[] = [];
  const isMet = FOR_DIRECT.has(name) && hasDirectBalancer(workload);
  if (restriction !== undefined && !isMet) {
    judgments.push(warning(`is ${restriction}: ${effect}`, 'remove the tag everywhere else'));
  }
  if (name === 'timeoutSecondsOverride' && Number(text) <= MAX_TIMEOUT_SECONDS) {
    const instead = `use ${copied('spec.defaultOptions.timeoutSeconds')} in place of ${copied(`${prefix}/${name}`)}`;
    const what = `is ${text}, and up to ${MAX_TIMEOUT_SECONDS} seconds there is an option for it`;
    judgments.push(warning(what, instead));
  }
  if (name === DESCRIPTORS && text === UNLIMITED) {
    judgments.push(warning('is the default, which limits nothing', `write ${LIMITED}`));
  }
  return judgments;
}

/** Maximum of `spec.defaultOptions.timeoutSeconds`. */
const MAX_TIMEOUT_SECONDS = 600;

const DESCRIPTORS = 'rateLimitDescriptors';

/** By public accounts this default limits nothing. */
const UNLIMITED = 'authority';

const LIMITED = `a value such as ${either(['authorization', 'host', 'path'].map(copied))}`;

/** Tags that a direct load balancer justifies. */
const FOR_DIRECT: ReadonlySet<string> = new Set([
  'disableServiceMesh',
  'disableServiceMeshOutboundCIDR',
]);

/** Its place is not specified: below any `loadBalancer`. */
function hasDirectBalancer(workload: ManifestNode): boolean {
  const named = (node: ManifestNode, wanted: string): ManifestNode[] =>
    [...everyNode(node)].flatMap((each) =>
      membersOf(each).flatMap((member) => (member.name === wanted ? [member.node] : [])),
    );
  return named(within(workload, 'spec') ?? workload, 'loadBalancer')
    .flatMap((balancer) => named(balancer, 'direct'))
    .some((direct) => (textOf(direct) ?? textOf(within(direct, 'enabled'))) === 'true');
}

function deprecation(rule: TagRule, text: string, workload: ManifestNode): Judgment[] {
  if (rule.insteadUse === undefined) return [];
  const insteadUse = copied(rule.insteadUse);
  const stated = replacementsOf(rule, workload);
  if (stated.length === 0) return [warning('is deprecated', `use ${insteadUse} in its place`)];
  if (stated.includes(text)) {
    return [warning(`is deprecated, and ${insteadUse} says the same`, 'remove the tag')];
  }
  return [
    error(
      `is "${shortened(text)}", but ${insteadUse}, which replaces it, is ${either(stated.map(shortened))}`,
      'remove the tag',
    ),
  ];
}

/** The values of the options that replace a deprecated tag. */
function replacementsOf({ name }: TagRule, workload: ManifestNode): string[] {
  const spec = within(workload, 'spec');
  if (name === 'multiZone') {
    return known(within(spec, 'defaultOptions', 'multiZone', 'enabled'));
  }
  return itemsOf(within(spec, 'containers'))
    .flatMap((container) => itemsOf(within(container, 'ports')))
    .flatMap((port) => known(within(port, 'protocol')));
}

function known(node: ManifestNode | undefined): string[] {
  const text = isTemplate(node) ? undefined : textOf(node);
  return text === undefined ? [] : [text];
}

const FAMILIES = ['external authorization', 'rate limiting'] as const;

/** The tags of external authorization, and those of rate limiting, have no effect without an address. */
function familyFindings(
  tags: ManifestNode,
  family: TagRule['family'],
  prefix: string,
): readonly Finding[] {
  const rules = TAGS.filter((rule) => rule.family === family);
  const names = new Map(rules.map((rule) => [tagName(prefix, rule), rule]));
  const stated = membersOf(tags).filter(({ name }) => names.has(name));
  const [first] = stated;
  if (first === undefined) return [];
  const has = (wanted: string): boolean => stated.some(({ name }) => name === wanted);
  const missing = rules.filter(({ required }) => required).map((rule) => tagName(prefix, rule));
  const lacks = missing
    .filter((name) => !has(name))
    .map((name) => {
      const what = `is a tag of ${family}, for which ${copied(name)} is required and missing`;
      const fix = `add ${copied(name)} with a hostname or an IP address, or remove the tags of ${family}`;
      return found(first.node, error(what, fix));
    });
  if (lacks.length > 0) return lacks;
  return family === 'rate limiting'
    ? limitsNothing(first.node, prefix, has)
    : isOpen(first.node, prefix, has);
}

function limitsNothing(
  node: ManifestNode,
  prefix: string,
  has: (name: string) => boolean,
): readonly Finding[] {
  const name = `${prefix}/${DESCRIPTORS}`;
  if (has(name)) return [];
  const what = `is a tag of rate limiting, for which ${copied(name)} is missing: its default, ${copied(UNLIMITED)}, limits nothing`;
  return [found(node, warning(what, `add ${copied(name)} with ${LIMITED}`))];
}

function isOpen(
  node: ManifestNode,
  prefix: string,
  has: (name: string) => boolean,
): readonly Finding[] {
  const name = `${prefix}/externalAuthFailureAllow`;
  if (has(name)) return [];
  const what = `is a tag of external authorization: requests pass while its service fails, because ${copied(name)} is true by default`;
  return [
    found(node, note(what, `set ${copied(name)} to ${copied('"false"')} where they should not`)),
  ];
}

/** Whether the platform or one of its tools writes the tag. @param name without the prefix */
function isMadeTag(name: string): boolean {
  return OF_TOOLS.has(name) || OF_PLATFORM.test(name);
}

/** The only kind of resource on which the tag has an effect: "a GVC". @param name without the prefix */
function kindOfTag(name: string): string | undefined {
  const [first = ''] = name.split(':', 1);
  return OF_OTHER_KINDS.find(([, names]) => names.includes(first))?.[0];
}

/** Names that the platform and its tools write, without the brand's prefix: no findings. */
const OF_TOOLS: ReadonlySet<string> = new Set([
  'deployTimestamp',
  'release',
  'run',
  'run-identity',
  'helm',
  'cli-generated',
  'managedByTerraform',
  'terraformProviderVersion',
  'marketplace',
  'marketplace-template',
  'marketplace-template-version',
  'marketplace-gvc',
]);

/** Prefixes of names that the platform derives from a cloud provider or a registry. */
const OF_PLATFORM = /^(?:aws|azure|docker|gcp|tls)(?![a-z\d])/;

/** Tags of other kinds of resources; a name may have a free part after a colon. */
const OF_OTHER_KINDS: readonly (readonly [kind: string, names: readonly string[]])[] = [
  ['a GVC', ['sessionCookie', 'sessionDuration', 'passthruAnnotation', 'terraformReplace']],
  ['a domain', ['skipDNSCheck', 'wildcard', 'clientCertificateValidation', 'routeLimitOverride']],
  ['a location', ['city', 'country', 'continent', 'state']],
  ['an image', ['trivy-scan', 'trivy-scan-time']],
  ['an org', ['custom-logo', 'custom-logo-dark', 'console.tagColumns']],
];

/**
 * Checks the value of a special tag against spec 2.16. YAML's `true` and the text `"true"` are the same here,
 * as are `443` and `"443"`: tags are text. Pure.
 */
function tagValueJudgment(node: ValueNode, takes: TagValue): Judgment | undefined {
  const text = node.text.trim();
  switch (takes.kind) {
    case 'flag':
      return flagJudgment(node, text);
    case 'boolean':
    case 'enum':
      return listedJudgment(node, text, listedValues(takes) ?? []);
    case 'port':
      return (takes.several ? partsOf(text) : [text]).every((one) => isWhole(one, 1, 65_535))
        ? undefined
        : notTaken(node, 'a port number, 1 to 65535', `a number such as ${copied('8080')}`);
    case 'seconds':
      return isWhole(text, 1, takes.max)
        ? undefined
        : notTaken(node, `whole seconds, 1 to ${takes.max}`, `a number up to ${takes.max}`);
    case 'duration':
      return durationJudgment(node, text);
    case 'cidr':
      return cidrsJudgment(node, text);
    case 'host':
      return hostJudgment(node, text);
    case 'text':
      if (text === '') return error('is empty', `write the ${valueText(takes)}, or remove the tag`);
      return takes.what === 'path' ? pathJudgment(node, text) : undefined;
    case 'open':
      return undefined;
  }
}

function pathJudgment(node: ValueNode, text: string): Judgment | undefined {
  if (text.startsWith('/')) return undefined;
  return warning(
    `is ${spoken(node)}, and a path starts with a slash`,
    `write ${copied(`/${shortened(text)}`)}`,
  );
}

function notTaken(node: ValueNode, what: string, example: string): Judgment {
  return error(`is ${spoken(node)}, but takes ${what}`, `write ${example}`);
}

function flagJudgment(node: ValueNode, text: string): Judgment | undefined {
  if (text === 'true') return undefined;
  if (text === 'false') {
    return warning(
      'is false, but true is its only published value',
      'remove the tag to be without it',
    );
  }
  return notTaken(node, 'true', `${copied('true')}, or remove the tag`);
}

function listedJudgment(
  node: ValueNode,
  text: string,
  values: readonly string[],
): Judgment | undefined {
  if (values.includes(text)) return undefined;
  const meant = nearest(text, values);
  return notTaken(
    node,
    either(values),
    either((meant === undefined ? values : [meant]).map(copied)),
  );
}

function isWhole(text: string, min: number, max: number): boolean {
  return /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max;
}

function durationJudgment(node: ValueNode, text: string): Judgment | undefined {
  if (/^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined;
  return notTaken(
    node,
    'a duration with its unit',
    isWhole(text, 0, 1e9)
      ? either([copied(`${text}s`), copied(`${text}ms`)])
      : `one such as ${copied('1s')} or ${copied('500ms')}`,
  );
}

/** Sources disagree on whether such a tag takes one value or a comma-separated list: both pass. */
function partsOf(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

function cidrsJudgment(node: ValueNode, text: string): Judgment | undefined {
  for (const part of partsOf(text)) {
    const judgment = cidrJudgment(
      part === text ? node : { ...node, value: part, text: part },
      part,
    );
    if (judgment !== undefined) return judgment;
  }
  return undefined;
}

function cidrJudgment(node: ValueNode, text: string): Judgment | undefined {
  const [address = '', bits, ...rest] = text.split('/', 3);
  const most = { 4: 32, 6: 128 }[isIP(address)];
  if (most === undefined || rest.length > 0)
    return notTaken(node, 'a CIDR range', `one such as ${copied('10.0.0.0/8')}`);
  const single = copied(`${address}/${most}`);
  if (bits === undefined) return notTaken(node, 'a CIDR range', `${single} for this address alone`);
  if (!isWhole(bits, 0, most)) return notTaken(node, `at most /${most}`, single);
  const whole = networkOf(address, Number(bits));
  if (whole === undefined) return undefined;
  return note(
    `is ${spoken(node)}, an address within the range ${copied(whole)}`,
    `write ${copied(whole)} if all of it is meant, or ${single} for this address alone`,
  );
}

const LABEL = /^(?!-)[a-z\d_-]{1,63}(?<!-)$/i;

/** A bare name or address: scheme and port have tags of their own. */
function hostJudgment(node: ValueNode, text: string): Judgment | undefined {
  if (isIP(text) !== 0 || isHostname(text)) return undefined;
  const bare = text.replace(/^[a-z][a-z\d+.-]*:\/\//i, '').replace(/[/?#].*$/s, '');
  const host = bare.replace(/:\d*$/, '').replace(/^\[(.*)\]$/s, '$1');
  const isMeant = host !== text && (isIP(host) !== 0 || isHostname(host));
  const example = isMeant
    ? `${copied(host)}; scheme and port have tags of their own`
    : `one such as ${copied('auth.example.com')}`;
  return notTaken(node, 'a hostname or an IP address', example);
}

function isHostname(text: string): boolean {
  const name = text.replace(/\.$/, '');
  const isNumbers = /^[\d.]+$/.test(name);
  return name.length <= 253 && !isNumbers && name.split('.').every((label) => LABEL.test(label));
}

/**
 * The CIDR range of an address: `10.0.0.0/8` for 10.1.2.3 and 8. Undefined when the address is the first of
 * its range, or belongs to an interface (`fe80::1%eth0`). Pure.
 * @param address of IPv4 or IPv6
 * @param bits length of the range's prefix
 */
function networkOf(address: string, bits: number): string | undefined {
  const isShort = isIPv4(address);
  if (!isShort && !URL.canParse(pageAt(address))) return undefined;
  const own = isShort ? fromParts(address.split('.'), 8) : fromParts(groupsOf(address), 16);
  const free = BigInt((isShort ? 32 : 128) - bits);
  const first = (own >> free) << free;
  if (first === own) return undefined;
  return `${isShort ? digitsOf(first, 4, 8).join('.') : written(first)}/${bits}`;
}

function fromParts(parts: readonly string[], width: number): bigint {
  const base = width === 16 ? '0x' : '';
  return parts.reduce((sum, part) => (sum << BigInt(width)) + BigInt(base + part), 0n);
}

function digitsOf(value: bigint, count: number, width: number): bigint[] {
  const last = 2n ** BigInt(width) - 1n;
  return Array.from(
    { length: count },
    (_, at) => (value >> BigInt((count - 1 - at) * width)) & last,
  );
}

/** URLs normalize IPv6 addresses. */
function pageAt(address: string): string {
  return `http://[${address}]`;
}

function shortest(address: string): string {
  return new URL(pageAt(address)).hostname.slice(1, -1);
}

function groupsOf(address: string): string[] {
  const [before = '', after = ''] = shortest(address).split('::');
  const groups = (half: string): string[] => (half === '' ? [] : half.split(':'));
  const [head, tail] = [groups(before), groups(after)];
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail];
}

function written(value: bigint): string {
  const groups = digitsOf(value, 8, 16).map((group) => group.toString(16));
  return shortest(groups.join(':'));
}
