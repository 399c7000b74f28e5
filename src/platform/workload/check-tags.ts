import { copied, either, error, found, note, shortened, spoken, warning } from './check-found.ts';
import type { Judgment, Nearest } from './check-found.ts';
import { tagValueJudgment } from './check-tag-values.ts';
import type { Finding } from './finding.ts';
import { everyNode, isStated, itemsOf, membersOf, textOf, within } from './manifest/node.ts';
import type { ManifestNode } from './manifest/node.ts';
import { MAX_TIMEOUT_SECONDS } from './options.ts';
import { TAGS, tagName } from './tags.ts';
import type { TagRule } from './tag-rule.ts';

/** What is to be said of the special tags of a workload (spec 2.16). @param prefix of the brand */
export function tagFindings(
  workload: ManifestNode,
  prefix: string,
  nearest: Nearest,
): readonly Finding[] {
  const tags = within(workload, 'tags');
  if (!isStated(tags)) return [];
  if (tags.kind !== 'map') {
    const fix = `write tags below it, each as ${copied('name: value')}`;
    return [found(tags, error(`is ${spoken(tags)}, but takes names with values`, fix))];
  }
  const judge = (name: string, node: ManifestNode): Judgment[] => {
    if (!name.startsWith(`${prefix}/`)) return ofOthers(name, prefix);
    const rule = TAGS.find((one) => tagName(prefix, one) === name);
    return rule ? oneTag(rule, node, workload, prefix) : [unknown(name, prefix, nearest)];
  };
  const single = tags.members.flatMap(({ name, node }) =>
    judge(name, node).map((judgment) => found(node, judgment)),
  );
  return [...single, ...FAMILIES.flatMap((family) => familyFindings(tags, family, prefix))];
}

/** Tags of another prefix are nobody’s business, unless it is the prefix that is wrong. */
function ofOthers(name: string, prefix: string): Judgment[] {
  const [, behind = ''] = /^[^/]+\/(.+)$/s.exec(name) ?? [];
  const meant = TAGS.find((rule) => rule.name.toLowerCase() === behind.toLowerCase());
  if (meant === undefined) return [];
  const fix = `write ${copied(tagName(prefix, meant))} if that is meant`;
  return [
    note(`has the name of a special tag, and another prefix than ${copied(`${prefix}/`)}`, fix),
  ];
}

function unknown(name: string, prefix: string, nearest: Nearest): Judgment {
  const names = TAGS.map((rule) => tagName(prefix, rule));
  const meant = nearest(name, names);
  const fix =
    meant === undefined
      ? `look the name up with ${copied('/workload tags')}; a tag of your own takes another prefix than ${copied(`${prefix}/`)}`
      : `write ${copied(meant)}`;
  return warning('is no special tag that is known', fix);
}

function oneTag(
  rule: TagRule,
  node: ManifestNode,
  workload: ManifestNode,
  prefix: string,
): Judgment[] {
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

/** What is right by itself, and likely not meant. */
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
  return judgments;
}

/** What a direct load balancer is reason enough for. */
const FOR_DIRECT: ReadonlySet<string> = new Set([
  'disableServiceMesh',
  'disableServiceMeshOutboundCIDR',
]);

/** Where it is stated is not specified: below any `loadBalancer`. */
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

/** What the options say that replace a deprecated tag. */
function replacementsOf({ name }: TagRule, workload: ManifestNode): string[] {
  const spec = within(workload, 'spec');
  if (name === 'multiZone') {
    return some(textOf(within(spec, 'defaultOptions', 'multiZone', 'enabled')));
  }
  return itemsOf(within(spec, 'containers'))
    .flatMap((container) => itemsOf(within(container, 'ports')))
    .flatMap((port) => some(textOf(within(port, 'protocol'))));
}

function some(text: string | undefined): string[] {
  return text === undefined ? [] : [text];
}

const FAMILIES = ['external authorization', 'rate limiting'] as const;

/** The tags of external authorization, and those of rate limiting, do nothing without an address. */
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
  const failureAllow = `${prefix}/externalAuthFailureAllow`;
  if (lacks.length > 0 || !names.has(failureAllow) || has(failureAllow)) return lacks;
  const open = `is a tag of external authorization: requests pass while its service fails, because ${copied(failureAllow)} is true by default`;
  const fix = `set ${copied(failureAllow)} to ${copied('"false"')} where they should not`;
  return [found(first.node, note(open, fix))];
}
