import { nearest } from '../../lib/nearest.ts';
import { either, error, found, note, spoken, warning } from './check-found.ts';
import type { Judgment } from './check-found.ts';
import { tagValueJudgment } from './check-tag-values.ts';
import type { Finding } from './finding.ts';
import { isStated, itemsOf, membersOf, textOf, within } from './manifest/node.ts';
import type { ManifestNode } from './manifest/node.ts';
import { MAX_TIMEOUT_SECONDS } from './options.ts';
import { TAGS, tagName } from './tags.ts';
import type { TagRule } from './tag-rule.ts';

/** What is to be said of the special tags of a workload (spec 2.16). Pure. @param prefix of the brand */
export function tagFindings(workload: ManifestNode, prefix: string): readonly Finding[] {
  const tags = within(workload, 'tags');
  if (!isStated(tags)) return [];
  if (tags.kind !== 'map') {
    const fix = 'write names with values below it';
    return [found(tags, error(`is ${spoken(tags)}, but takes names with values`, fix))];
  }
  const single = tags.members.flatMap(({ name, node }) => {
    if (!name.startsWith(`${prefix}/`)) return [];
    const rule = TAGS.find((one) => tagName(prefix, one) === name);
    const judgments = rule ? oneTag(rule, node, workload, prefix) : [unknown(name, prefix)];
    return judgments.map((judgment) => found(node, judgment));
  });
  return [...single, ...FAMILIES.flatMap((family) => familyFindings(tags, family, prefix))];
}

function unknown(name: string, prefix: string): Judgment {
  const meant = nearest(
    name,
    TAGS.map((rule) => tagName(prefix, rule)),
  );
  const fix =
    meant === undefined
      ? `look the name up with /workload tags, or use another prefix than ${prefix}/`
      : `write ${meant}`;
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
    return [error('is empty', 'fill it in, or leave the tag out')];
  }
  const judged = tagValueJudgment(node, rule.value);
  return [
    ...(judged === undefined ? [] : [judged]),
    ...deprecation(rule, node.text.trim(), workload),
    ...(judged === undefined ? besides(rule, node.text.trim(), prefix) : []),
  ];
}

/** What is right by itself, and likely not meant. */
function besides({ name, restriction, effect }: TagRule, text: string, prefix: string): Judgment[] {
  const judgments: Judgment[] = [];
  if (restriction !== undefined) {
    judgments.push(warning(`is ${restriction}: ${effect}`, 'leave it out everywhere else'));
  }
  if (name === 'timeoutSecondsOverride' && Number(text) <= MAX_TIMEOUT_SECONDS) {
    const instead = `use spec.defaultOptions.timeoutSeconds in place of ${prefix}/${name}`;
    judgments.push(warning(`is ${text}, which the option for it takes, too`, instead));
  }
  return judgments;
}

function deprecation(rule: TagRule, text: string, workload: ManifestNode): Judgment[] {
  const { insteadUse } = rule;
  if (insteadUse === undefined) return [];
  const stated = replacementsOf(rule, workload);
  if (stated.length === 0) return [warning('is deprecated', `use ${insteadUse} in its place`)];
  if (stated.includes(text)) {
    return [warning(`is deprecated, and ${insteadUse} says the same`, 'remove the tag')];
  }
  return [
    error(
      `is ${JSON.stringify(text.slice(0, 60))}, but ${insteadUse}, which replaces it, is ${either(stated)}`,
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
      const fix = `add ${name} with a hostname or an IP address, or remove the tags of ${family}`;
      return found(first.node, error(`is a tag of ${family}, which needs ${name}`, fix));
    });
  const failureAllow = `${prefix}/externalAuthFailureAllow`;
  if (lacks.length > 0 || !names.has(failureAllow) || has(failureAllow)) return lacks;
  const open = 'lets requests pass while the service fails, because the default allows it';
  return [found(first.node, note(open, `set ${failureAllow} to "false" where that is not meant`))];
}
