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
  get,
  isStated,
  isTemplate,
  isTemplateName,
  list,
  type ManifestNode,
  mayBe,
  member,
  membersOf,
  value,
} from './node.ts';
import { OWN_ENTRANCE, tagName, type TagRule, TAGS } from './tags.ts';

/** Findings about the special tags of a workload (spec 2.16). @param prefix of the brand */
export function tagFindings(workload: ManifestNode, prefix: string): readonly Finding[] {
  const tags = member(workload, 'tags');
  if (!isStated(tags) || isTemplate(tags)) return [];
  if (tags.kind !== 'map') {
    const fix = `write tags below it, each as ${copied('name: value')}`;
    return [found(tags, error(`is ${spoken(tags)}, but takes names with values`, fix))];
  }
  return [
    ...tags.members.flatMap(({ name, node }) =>
      judgmentsOf(name, node, workload, prefix).map((judgment) => found(node, judgment)),
    ),
    ...FAMILIES.flatMap((family) => familyFindings(tags, family, prefix)),
  ];
}

function judgmentsOf(name: string, node: ManifestNode, workload: ManifestNode, prefix: string) {
  if (isTemplateName(name)) return [];
  if (!name.startsWith(`${prefix}/`)) return ofOthers(name, prefix);
  const rule = TAGS.find((one) => tagName(prefix, one) === name);
  return rule === undefined
    ? noSpecialTag(name.slice(prefix.length + 1), prefix)
    : ofRule(rule, node, workload, prefix);
}

/** Tags of another prefix are not checked, unless the prefix seems to be mistyped. */
function ofOthers(name: string, prefix: string): Judgment[] {
  const behind = name.slice(name.indexOf('/') + 1).toLowerCase();
  const meant = TAGS.find((rule) => rule.name.toLowerCase() === behind);
  if (meant === undefined || !name.includes('/')) return [];
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
  if (OF_TOOLS.includes(name) || OF_PLATFORM.test(name)) return [];
  const [first = ''] = name.split(':', 1);
  const kind = Object.entries(OF_OTHER_KINDS).find(([, names]) => names.includes(first))?.[0];
  if (kind !== undefined) {
    const fix = `remove it here, or set it on ${kind} if that is meant`;
    return [warning(`is a tag of ${kind}, and does nothing on a workload`, fix)];
  }
  const meant = TAGS.find(
    (rule) => rule.insteadUse === undefined && isOneLetterOff(name, rule.name),
  );
  const fix = meant && `write ${copied(tagName(prefix, meant))} if that is meant`;
  return [note('is not a special tag that is known here', fix)];
}

function ofRule(rule: TagRule, node: ManifestNode, workload: ManifestNode, prefix: string) {
  if (isTemplate(node)) return [];
  if (node.kind !== 'value')
    return [error(`is ${spoken(node)}, but takes text`, 'write one value')];
  if (node.value === null) return [error('is empty', 'fill it in, or remove the tag')];
  const text = node.text.trim();
  const judged = rule.value.judge(text, node);
  const isTaken = judged === undefined || judged.severity === 'note';
  return [
    ...(judged === undefined ? [] : [judged]),
    ...deprecation(rule, text, workload),
    ...(isTaken ? besides(rule, text, workload, prefix) : []),
  ];
}

const LIMITED = `a value such as ${either(['authorization', 'host', 'path'].map(copied))}`;

/** Valid in itself, and likely not intended. */
function besides(
  { name, restriction, effect }: TagRule,
  text: string,
  workload: ManifestNode,
  prefix: string,
): Judgment[] {
  const isDirect = mayBe(workload, 'spec.loadBalancer.direct.enabled', 'true');
  if (restriction !== undefined && !(restriction === OWN_ENTRANCE && isDirect)) {
    return [warning(`is ${restriction}: ${effect}`, 'remove the tag everywhere else')];
  }
  if (name === 'timeoutSecondsOverride' && Number(text) <= 600) {
    const instead = `use ${copied('spec.defaultOptions.timeoutSeconds')} in place of ${copied(`${prefix}/${name}`)}`;
    return [warning(`is ${text}, and up to 600 seconds there is an option for it`, instead)];
  }
  return name === 'rateLimitDescriptors' && text === 'authority'
    ? [warning('is the default, which limits nothing', `write ${LIMITED}`)]
    : [];
}

function deprecation(
  { name, insteadUse }: TagRule,
  text: string,
  workload: ManifestNode,
): Judgment[] {
  if (insteadUse === undefined) return [];
  const option = copied(insteadUse);
  const options =
    name === 'multiZone'
      ? [value(workload, 'spec.defaultOptions.multiZone.enabled')]
      : list(workload, 'spec.containers')
          .flatMap((container) => list(container, 'ports'))
          .map((port) => value(port, 'protocol'));
  const stated = options.filter((one) => one !== undefined);
  if (stated.length === 0) return [warning('is deprecated', `use ${option} in its place`)];
  if (stated.includes(text)) {
    return [warning(`is deprecated, and ${option} says the same`, 'remove the tag')];
  }
  const others = either(stated.map(shortened));
  const what = `is "${shortened(text)}", but ${option}, which replaces it, is ${others}`;
  return [error(what, 'remove the tag')];
}

interface Family {
  readonly family: TagRule['family'];
  readonly address: string;
  /** A tag that should be stated, because of its default. */
  readonly open: string;
  readonly judge: (name: string) => Judgment;
}

/** The tags of a family have no effect without the address of its service. */
const FAMILIES: readonly Family[] = [
  {
    family: 'external authorization',
    address: 'externalAuthAddress',
    open: 'externalAuthFailureAllow',
    judge: (name) =>
      note(
        `is a tag of external authorization: requests pass while its service fails, because ${name} is true by default`,
        `set ${name} to ${copied('"false"')} where they should not`,
      ),
  },
  {
    family: 'rate limiting',
    address: 'rateLimitAddress',
    open: 'rateLimitDescriptors',
    judge: (name) =>
      warning(
        `is a tag of rate limiting, for which ${name} is missing: its default, ${copied('authority')}, limits nothing`,
        `add ${name} with ${LIMITED}`,
      ),
  },
];

function familyFindings(
  tags: ManifestNode,
  { family, address, open, judge }: Family,
  prefix: string,
): Finding[] {
  const names = TAGS.filter((rule) => rule.family === family).map((rule) => tagName(prefix, rule));
  const first = membersOf(tags).find(({ name }) => names.includes(name))?.node;
  if (first === undefined) return [];
  const [required, stated] = [`${prefix}/${address}`, `${prefix}/${open}`];
  if (get(tags, required) === undefined) {
    const what = `is a tag of ${family}, for which ${copied(required)} is required and missing`;
    const fix = `add ${copied(required)} with a hostname or an IP address, or remove the tags of ${family}`;
    return [found(first, error(what, fix))];
  }
  return get(tags, stated) === undefined ? [found(first, judge(copied(stated)))] : [];
}

/** Names that the platform and its tools write, without the brand's prefix: no findings. */
const OF_TOOLS =
  'deployTimestamp release run run-identity helm cli-generated managedByTerraform terraformProviderVersion marketplace marketplace-template marketplace-template-version marketplace-gvc'.split(
    ' ',
  );

/** Prefixes of names that the platform derives from a cloud provider or a registry. */
const OF_PLATFORM = /^(?:aws|azure|docker|gcp|tls)(?![a-z\d])/;

/** Tags of other kinds of resources; a name may have a free part after a colon. */
const OF_OTHER_KINDS = {
  'a GVC': ['sessionCookie', 'sessionDuration', 'passthruAnnotation', 'terraformReplace'],
  'a domain': ['skipDNSCheck', 'wildcard', 'clientCertificateValidation', 'routeLimitOverride'],
  'a location': ['city', 'country', 'continent', 'state'],
  'an image': ['trivy-scan', 'trivy-scan-time'],
  'an org': ['custom-logo', 'custom-logo-dark', 'console.tagColumns'],
};
