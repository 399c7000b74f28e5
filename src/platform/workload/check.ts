import { tagFindings } from './check-tags.ts';
import {
  error,
  found,
  spoken,
  warning,
  type Checked,
  type Finding,
  type UnreadableText,
} from './finding.ts';
import { get, kindOf, list, nameOf, value, type At, type Rule } from './manifest/facts.ts';
import { POLICY_RULES } from './manifest/policy-rules.ts';
import { RULES } from './manifest/rules.ts';
import {
  everyNode,
  isStated,
  isTemplate,
  itemsOf,
  membersOf,
  NO_NAME,
  within,
  type ManifestNode,
} from './node.ts';
import { readManifest } from './read.ts';
import { countFields, valueFindings } from './values.ts';

/**
 * Checks a manifest in YAML or JSON: the shape of its fields against the schema, then the table of rules,
 * then the tags (spec 2.16). Several documents, and lists in `items`, are read in order. Never throws;
 * `unreadable` means neither YAML nor JSON.
 * @param prefix of the brand, without its slash: `svc`
 */
export function checkManifest(
  text: string,
  prefix: string,
): Checked | { unreadable: UnreadableText } {
  const read = readManifest(text);
  if ('unreadable' in read) return read;
  const file = read.documents.flatMap(unwrapped);
  const foreign = foreignIn(file, prefix);
  const workloads = new Set(file.filter((one) => !foreign.has(one) && isLikeWorkload(one)));
  const isZoned = [...workloads].some((one) => hasZones(one, prefix));
  let gvc: string | undefined;
  const judged = file.map((document) => {
    // A GVC stays in force for the documents after it.
    gvc = value(document, 'gvc') ?? gvc;
    const at = { document, type: typeOf(document), gvc, file, prefix };
    const isWorkload = workloads.has(document);
    const name = isWorkload ? (nameOf(document) ?? '') : titleOf(document);
    const all = isWorkload
      ? workloadFindings(at)
      : [
          ...(foreign.get(document) ?? []),
          ...ruleFindings(at, kindOf(document)),
          ...(isZoned ? zoneFindings(document) : []),
        ];
    const findings = name === '' ? all : all.map((one) => ({ ...one, document: name }));
    return { name, isWorkload, findings };
  });
  const counts = [...workloads].map(countFields);
  const findings = judged.flatMap((one) => one.findings);
  const worst = (['error', 'warning'] as const).find((severity) => hasAny(findings, severity));
  const flawed = judged.filter((one) => worst !== undefined && hasAny(one.findings, worst));
  return {
    findings: findings.toSorted((a, b) => a.line - b.line),
    workloads: namesOf(judged, true),
    flawed: { workloads: namesOf(flawed, true), others: [...new Set(namesOf(flawed, false))] },
    fields: {
      total: counts.reduce((sum, { total }) => sum + total, 0),
      unchecked: counts.flatMap(({ unchecked }) => unchecked),
    },
    others: [...new Set(namesOf(judged, false))],
  };
}

function hasAny(findings: readonly Finding[], severity: Finding['severity']): boolean {
  return findings.some((one) => one.severity === severity);
}

function namesOf(
  documents: readonly { readonly name: string; readonly isWorkload: boolean }[],
  areWorkloads: boolean,
): string[] {
  return documents.filter(({ isWorkload }) => isWorkload === areWorkloads).map(({ name }) => name);
}

function workloadFindings(at: Omit<At, 'up'>): readonly Finding[] {
  const { document, prefix } = at;
  return [
    ...twiceFindings(document),
    ...valueFindings(document),
    ...ruleFindings(at, undefined),
    ...tagFindings(document, prefix),
  ].map((one) => branded(one, prefix));
}

function typeOf(document: ManifestNode): string {
  const type = get(document, 'spec.type');
  const open = isTemplate(type) || isTemplate(get(document, 'spec'));
  return open ? 'open' : (value(type) ?? 'unset');
}

/** The texts of rules have the prefix `svc`. */
function branded(finding: Finding, prefix: string): Finding {
  const write = (text: string) => text.replaceAll(/`svc(?=[/:])/g, `\`${prefix}`);
  const { what, fix } = finding;
  return { ...finding, what: write(what), fix: fix === undefined ? undefined : write(fix) };
}

/** No manifest has more of a field, and a hostile text must not take seconds. */
const MAX_PLACES = 500;

/** @param kind undefined: a workload */
function ruleFindings(at: Omit<At, 'up'>, kind: string | undefined): readonly Finding[] {
  return PREPARED.filter(({ rule }) => rule.kind === kind)
    .filter(({ types }) => types === undefined || types.includes(at.type))
    .flatMap(({ rule, paths }) =>
      paths.flatMap((path) =>
        placesIn(at.document, path)
          .slice(0, MAX_PLACES)
          .flatMap(({ node, up }) => judged(rule, node, { ...at, up })),
      ),
    );
}

const PREPARED = [...RULES, ...POLICY_RULES].map((rule) => ({
  rule,
  types: rule.types?.split(' '),
  paths: pathsOf(rule.path).map((path) => path.split('.').map(stepOf)),
}));

interface Step {
  readonly name: string;
  /** `[]`: each item. `[0]`: the first. */
  readonly items: string | undefined;
}

function stepOf(part: string): Step {
  const [, name = '', items] = /^(\w+)(\[\d*\])?$/.exec(part) ?? [];
  return { name, items };
}

function judged(rule: Rule, node: ManifestNode, at: At): Finding[] {
  if (!isStated(node) || (node.kind === 'value' && isTemplate(node))) return [];
  const result = rule.when === undefined || rule.when(node, at);
  if (result === false) return [];
  const parts = result === true ? [] : result.map(String);
  const write = (text: string) =>
    text.replaceAll(/\{(it|\d)\}/g, (_, name: string) =>
      name === 'it' ? spoken(node) : withoutTicks(parts[Number(name)] ?? ''),
    );
  const fix = rule.fix === '' ? undefined : write(rule.fix);
  return [found(node, { severity: rule.severity, what: write(rule.says), fix })];
}

/** Lists of names in backticks are ours; a text of the manifest has none. */
function withoutTicks(text: string): string {
  return (/^(`[\w.]+`(, )?)+$/.test(text) ? text : text.replaceAll('`', 'ˋ')).slice(0, 150);
}

function pathsOf(path: string): readonly string[] {
  return path.startsWith('options')
    ? [`spec.defaultOptions${path.slice(7)}`, `spec.localOptions[]${path.slice(7)}`]
    : [path];
}

interface PlaceIn {
  readonly node: ManifestNode;
  readonly up: readonly ManifestNode[];
}

/** All places of a path, with the mappings above, the nearest first. */
function placesIn(document: ManifestNode, path: readonly Step[]): readonly PlaceIn[] {
  let places: readonly PlaceIn[] = [{ node: document, up: [] }];
  for (const { name, items } of path) {
    places = places.flatMap(({ node, up }) => {
      const below = within(node, name);
      if (below === undefined) return [];
      const all = items === undefined ? [below] : itemsOf(below);
      return (items === '[0]' ? all.slice(0, 1) : all).map((one) => ({
        node: one,
        up: [node, ...up],
      }));
    });
  }
  return places;
}

function unwrapped(document: ManifestNode): readonly ManifestNode[] {
  if (document.kind === 'list') return document.items.flatMap(unwrapped);
  const items = within(document, 'items');
  const isList = items?.kind === 'list' && within(document, 'spec') === undefined;
  return isList ? itemsOf(items).flatMap(unwrapped) : [document];
}

/** A pasted part of a manifest often lacks its kind. */
function isLikeWorkload(document: ManifestNode): boolean {
  if (within(document, 'kind') !== undefined) return kindOf(document) === 'workload';
  return membersOf(document).some(({ name }) => name === 'spec' || name === 'tags');
}

/** Kubernetes documents; beside a document in the operator's form they are fine. */
function foreignIn(
  documents: readonly ManifestNode[],
  prefix: string,
): ReadonlyMap<ManifestNode, readonly Finding[]> {
  const stated = documents.flatMap((document) => {
    const version = within(document, 'apiVersion');
    return isStated(version) && !isTemplate(version) ? [{ document, version }] : [];
  });
  if (stated.some(({ version }) => value(version)?.startsWith(`${prefix}.`))) return new Map();
  const fix = 'convert it first: a workload has `kind: workload` and its own fields';
  return new Map(
    stated.map(({ document, version }) => [
      document,
      [found(version, error(`is ${spoken(version)}, which is Kubernetes`, fix))],
    ]),
  );
}

function titleOf(document: ManifestNode): string {
  const kind = value(document, 'kind') ?? `line ${document.line} (no kind)`;
  return `${kind} ${nameOf(document) ?? ''}`.trim();
}

/** Of a repeated name the last one counts, which is seldom intended. */
function twiceFindings(workload: ManifestNode): readonly Finding[] {
  return [...everyNode(workload)].flatMap((node) =>
    membersOf(node).flatMap(({ name, node: at, earlier }) => {
      if (earlier === undefined || name === NO_NAME) return [];
      const what = `appears here for the second time, the first is in line ${earlier}: at most one of them counts`;
      return [found(at, warning(what, 'leave one of them out'))];
    }),
  );
}

/** Whether it runs, or may run, in several zones of a location. */
function hasZones(workload: ManifestNode, prefix: string): boolean {
  return [
    get(workload, 'spec.defaultOptions.multiZone.enabled') ??
      within(workload, 'tags', `${prefix}/multiZone`),
    ...list(workload, 'spec.localOptions').map((local) => get(local, 'multiZone.enabled')),
  ].some((node) => value(node) === 'true');
}

/** Multi-zone workloads with a dedicated load balancer of the GVC cost traffic between zones (spec 2.13). */
function zoneFindings(document: ManifestNode): readonly Finding[] {
  const balancer = get(document, 'spec.loadBalancer');
  const zones = get(balancer, 'multiZone');
  const isZoned = value(zones) === 'true' || value(zones, 'enabled') === 'true';
  if (balancer === undefined || value(balancer, 'dedicated') !== 'true' || isZoned) return [];
  const what =
    'is dedicated and has no multi-zone, while a workload here has: traffic between the zones costs more than it must';
  const fix = 'enable multi-zone in the load balancer settings of the GVC, too';
  return [found(balancer, warning(what, fix))];
}
