import { countFields, nameFindings } from './check-fields.ts';
import { createNearest, error, found, spoken, warning } from './check-found.ts';
import { optionFindings } from './check-options.ts';
import { storageFindings } from './check-storage.ts';
import { tagFindings } from './check-tags.ts';
import { balancersIn, isMultiZone, zoneFindings } from './check-zones.ts';
import type { Checked, Finding } from './finding.ts';
import {
  everyNode,
  isStated,
  isTemplate,
  itemsOf,
  membersOf,
  NO_NAME,
  textOf,
  within,
} from './manifest/node.ts';
import type { ManifestNode } from './manifest/node.ts';
import { readManifest } from './manifest/read.ts';
import type { UnreadableText } from './manifest/words.ts';

/**
 * Checks a manifest in YAML or JSON: values against what spec 2.13, 2.16 and 8 say of workloads, and
 * the names of all fields against those that are published. Fields whose values are not looked at are
 * counted and named. Several documents, and lists in `items`, are read as one after the other. Never
 * throws; `unreadable` is for what is neither.
 * @param prefix of the brand, without its slash: `svc`
 */
export function checkManifest(
  text: string,
  prefix: string,
): Checked | { unreadable: UnreadableText } {
  const read = readManifest(text);
  if ('unreadable' in read) return read;
  const single = read.documents.flatMap(unwrapped);
  const foreign = foreignIn(single, prefix);
  const workloads = single.filter((document) => !foreign.has(document) && isWorkload(document));
  const isOneOf = new Set(workloads);
  const rest = single.filter((document) => !isOneOf.has(document));
  const nearestName = createNearest();
  const nearestValue = createNearest();
  const findings = workloads.flatMap((workload) => {
    const name = nameOf(workload);
    const ofOne = [
      ...twiceFindings(workload),
      ...nameFindings(workload, prefix, nearestName),
      ...optionFindings(workload, prefix, nearestValue),
      ...tagFindings(workload, prefix),
      ...storageFindings(workload, prefix),
    ];
    return name === '' ? ofOne : ofOne.map((one) => ({ ...one, workload: name }));
  });
  const zones = zoneFindings(read.documents, workloads, prefix);
  const counts = workloads.map(countFields);
  return {
    findings: [...foreign.values(), ...findings, ...zones].toSorted((a, b) => a.line - b.line),
    workloads: workloads.map(nameOf),
    fields: {
      total: counts.reduce((sum, { total }) => sum + total, 0),
      unchecked: counts.flatMap(({ unchecked }) => unchecked),
    },
    others: othersOf(
      rest,
      workloads.some((workload) => isMultiZone(workload, prefix)),
    ),
  };
}

/** Also in the form for the operator. */
function nameOf(document: ManifestNode): string {
  const name = within(document, 'name') ?? within(document, 'metadata', 'name');
  return textOf(name)?.trim() ?? '';
}

/** What an export of several is wrapped in. */
function unwrapped(document: ManifestNode): readonly ManifestNode[] {
  if (document.kind === 'list') return document.items.flatMap(unwrapped);
  const items = within(document, 'items');
  const isList = items?.kind === 'list' && within(document, 'spec') === undefined;
  return isList ? itemsOf(items).flatMap(unwrapped) : [document];
}

/** Who pastes a part of a manifest leaves the kind out. */
function isWorkload(document: ManifestNode): boolean {
  const kind = within(document, 'kind');
  if (kind !== undefined) return textOf(kind)?.toLowerCase() === 'workload';
  return membersOf(document).some(({ name }) => name === 'spec' || name === 'tags');
}

/**
 * Documents of Kubernetes, each with what is to be said of it. Beside a document in the form for the
 * operator they are not: those are applied together.
 */
function foreignIn(
  documents: readonly ManifestNode[],
  prefix: string,
): ReadonlyMap<ManifestNode, Finding> {
  const stated = documents.flatMap((document) => {
    const version = within(document, 'apiVersion');
    return isStated(version) && !isTemplate(version) ? [{ document, version }] : [];
  });
  const isOwn = stated.some(({ version }) => textOf(version)?.startsWith(`${prefix}.`));
  if (isOwn) return new Map();
  const what = (version: ManifestNode) => `is ${spoken(version)}, which is Kubernetes`;
  return new Map(
    stated.map(({ document, version }) => [
      document,
      found(
        version,
        error(what(version), `convert it first: a workload has ${KIND} and its own fields`),
      ),
    ]),
  );
}

const KIND = '`kind: workload`';

/** Documents that are no workload, in a few words. @param hasZones whether their load balancers matter */
function othersOf(documents: readonly ManifestNode[], hasZones: boolean): Checked['others'] {
  const others = documents.map((document) => {
    const kind = textOf(within(document, 'kind')) ?? 'a document without kind';
    const name = `${kind} ${nameOf(document)}`.trim();
    const isLooked = hasZones && balancersIn(document).length > 0;
    return { name, ...(isLooked ? { except: 'its load balancer' } : {}) };
  });
  return [...new Map(others.map((other) => [other.name, other])).values()];
}

/** Of a name that stands twice the last one counts, which is seldom what is meant. */
function twiceFindings(workload: ManifestNode): readonly Finding[] {
  return [...everyNode(workload)].flatMap((node) =>
    membersOf(node).flatMap(({ name, node: at, earlier }) =>
      earlier === undefined || name === NO_NAME
        ? []
        : [
            found(
              at,
              warning(
                `stands here for the second time, the first is in line ${earlier}: at most one of them counts`,
                'leave one of them out',
              ),
            ),
          ],
    ),
  );
}
