import { tagFindings } from './check-tags.ts';
import {
  type Checked,
  type Finding,
  found,
  type Judgment,
  spoken,
  type UnreadableText,
  warning,
  withoutTicks,
} from './finding.ts';
import { type At, isWorkload, type Rule } from './manifest/facts.ts';
import { RULES } from './manifest/rules.ts';
import {
  everyNode,
  get,
  isEmptyList,
  isStated,
  isTemplate,
  itemsOf,
  kindOf,
  type ManifestNode,
  member,
  membersOf,
  nameOf,
  NO_NAME,
  value,
} from './node.ts';
import { readManifest } from './read.ts';
import { countFields, valueFindings } from './values.ts';

interface Judged {
  readonly document: ManifestNode;
  readonly name: string;
  readonly isWorkload: boolean;
  readonly findings: readonly Finding[];
}

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
  // Kubernetes documents beside a document in the operator's form are fine.
  const isOperator = file.some((one) => value(one, 'apiVersion')?.startsWith(`${prefix}.`));
  let gvc: string | undefined;
  const all = file.map((document) => {
    // A GVC stays in force for the documents after it.
    gvc = value(document, 'gvc') ?? gvc;
    const version = member(document, 'apiVersion');
    const isForeign = !isOperator && isStated(version) && !isTemplate(version);
    const kind = isForeign ? 'kubernetes' : isWorkload(document) ? 'workload' : kindOf(document);
    return judgedDocument({ document, type: typeOf(document), gvc, file, prefix }, kind);
  });
  const findings = all.flatMap((one) => one.findings);
  const severity = (['error', 'warning'] as const).find((one) => has(findings, one));
  const flawed = all.filter((one) => severity !== undefined && has(one.findings, severity));
  const fields = all.filter((one) => one.isWorkload).map(({ document }) => countFields(document));
  const others = (some: readonly Judged[]) => [
    ...new Set(some.filter((one) => !one.isWorkload).map(({ name }) => name)),
  ];
  const workloads = (some: readonly Judged[]) =>
    some.filter((one) => one.isWorkload).map(({ name }) => name);
  return {
    findings: findings.toSorted((a, b) => a.line - b.line),
    workloads: workloads(all),
    flawed: { workloads: workloads(flawed), others: others(flawed) },
    fields: {
      total: fields.reduce((sum, { total }) => sum + total, 0),
      unchecked: fields.flatMap(({ unchecked }) => unchecked),
    },
    others: others(all),
  };
}

function has(findings: readonly Finding[], severity: Finding['severity']): boolean {
  return findings.some((one) => one.severity === severity);
}

function judgedDocument(at: Omit<At, 'up'>, kind: string): Judged {
  const { document, prefix } = at;
  const isWorkload = kind === 'workload';
  const title = value(document, 'kind') ?? `line ${document.line} (no kind)`;
  const name = isWorkload ? (nameOf(document) ?? '') : `${title} ${nameOf(document) ?? ''}`.trim();
  const findings = [
    ...(isWorkload ? [...twiceFindings(document), ...valueFindings(document)] : []),
    ...ruleFindings(at, kind),
    ...(isWorkload ? tagFindings(document, prefix) : []),
  ];
  // The texts of rules have the prefix `svc`.
  const branded = (words: string) => words.replaceAll(/`svc(?=[/:])/g, `\`${prefix}`);
  return {
    document,
    name,
    isWorkload,
    findings: findings.map(({ what, fix, ...one }) => ({
      ...one,
      ...(name === '' ? {} : { document: name }),
      what: branded(what),
      fix: fix === undefined ? undefined : branded(fix),
    })),
  };
}

function typeOf(document: ManifestNode): string {
  const type = get(document, 'spec.type');
  return isTemplate(type) ? 'open' : (value(type) ?? 'unset');
}

function unwrapped(document: ManifestNode): readonly ManifestNode[] {
  if (document.kind === 'list') return document.items.flatMap(unwrapped);
  const items = member(document, 'items');
  const isList = items?.kind === 'list' && member(document, 'spec') === undefined;
  return isList ? itemsOf(items).flatMap(unwrapped) : [document];
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

/** No manifest has more of a field, and a hostile text must not take seconds. */
const MAX_PLACES = 500;

function ruleFindings(at: Omit<At, 'up'>, kind: string): readonly Finding[] {
  return PREPARED.filter(({ rule }) => (rule.kind ?? 'workload') === kind)
    .filter(({ types }) => types === undefined || types.includes(at.type))
    .flatMap(({ rule, paths }) =>
      paths.flatMap((path) =>
        placesIn(at.document, path)
          .slice(0, MAX_PLACES)
          .flatMap(({ node, up }) => {
            const judgment = judgmentOf(rule, node, { ...at, up });
            return judgment === undefined ? [] : [found(node, judgment)];
          }),
      ),
    );
}

const PREPARED = RULES.map((rule) => ({
  rule,
  types: rule.types?.split(' '),
  paths: pathsOf(rule.path).map((path) => path.split('.')),
}));

/** `a.{b,c}` as `a.b` and `a.c`. */
function pathsOf(path: string): readonly string[] {
  const [whole, choices] = /\{([^{}]*)\}/.exec(path) ?? [];
  if (whole === undefined || choices === undefined) return [path];
  return choices.split(',').flatMap((one) => pathsOf(path.replace(whole, one)));
}

/** All places of a path, with the mappings above, the nearest first. `[]`: each item, `[0]`: the first. */
function placesIn(document: ManifestNode, path: readonly string[]) {
  let places: { readonly node: ManifestNode; readonly up: readonly ManifestNode[] }[] = [
    { node: document, up: [] },
  ];
  for (const part of path) {
    const [name = '', items] = part.split('[');
    places = places.flatMap(({ node, up }) => {
      const below = member(node, name);
      if (below === undefined) return [];
      const all = items === undefined ? [below] : itemsOf(below);
      const some = items === '0]' ? all.slice(0, 1) : all;
      return some.map((one) => ({ node: one, up: [node, ...up] }));
    });
  }
  return places;
}

function judgmentOf(rule: Rule, node: ManifestNode, at: At): Judgment | undefined {
  if (!isStated(node) || (node.kind === 'value' && isTemplate(node))) return undefined;
  const result = rule.when === undefined ? !isEmptyList(node) : rule.when(node, at);
  if (result === false) return undefined;
  const parts = result === true ? [] : result.map(String);
  const write = (text: string) =>
    text.replaceAll(/\{(it|\d)\}/g, (_, name: string) =>
      name === 'it' ? spoken(node) : inText(parts[Number(name)] ?? ''),
    );
  const { severity, says, fix } = rule;
  return { severity, what: write(says), fix: fix === '' ? undefined : write(fix) };
}

/** Lists of names in backticks are ours; a text of the manifest has none. */
function inText(part: string): string {
  return (/^(`[\w.]+`(, )?)+$/.test(part) ? part : withoutTicks(part)).slice(0, 150);
}
