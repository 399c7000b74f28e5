import { countFields, nameFindings } from './check-fields.ts';
import { createNearest, found, warning } from './check-found.ts';
import { optionFindings } from './check-options.ts';
import { storageFindings } from './check-storage.ts';
import { tagFindings } from './check-tags.ts';
import { balancersIn, isMultiZone, zoneFindings } from './check-zones.ts';
import type { Checked, Finding } from './finding.ts';
import { everyNode, itemsOf, membersOf, textOf, within } from './manifest/node.ts';
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
  const workloads = single.filter(isWorkload);
  const rest = single.filter((document) => !isWorkload(document));
  const nearest = createNearest();
  const findings = workloads.flatMap((workload) => {
    const name = nameOf(workload);
    const ofOne = [
      ...twiceFindings(workload),
      ...nameFindings(workload, prefix, nearest),
      ...optionFindings(workload, prefix, nearest),
      ...tagFindings(workload, prefix),
      ...storageFindings(workload, prefix),
    ];
    return name === '' ? ofOne : ofOne.map((one) => ({ ...one, workload: name }));
  });
  const zones = zoneFindings(read.documents, workloads, prefix);
  const counts = workloads.map(countFields);
  return {
    findings: [...findings, ...zones].toSorted((a, b) => a.line - b.line),
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
function nameOf(workload: ManifestNode): string {
  const name = within(workload, 'name') ?? within(workload, 'metadata', 'name');
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

/** Documents that are no workload, in a few words. @param hasZones whether their load balancers matter */
function othersOf(documents: readonly ManifestNode[], hasZones: boolean): Checked['others'] {
  const others = documents.map((document) => {
    const kind = textOf(within(document, 'kind')) ?? 'a document without kind';
    const name = `${kind} ${textOf(within(document, 'name')) ?? ''}`.trim();
    const isLooked = hasZones && balancersIn(document).length > 0;
    return { name, ...(isLooked ? { except: 'its load balancer' } : {}) };
  });
  return [...new Map(others.map((other) => [other.name, other])).values()];
}

/** Of a name that stands twice the last one counts, which is seldom what is meant. */
function twiceFindings(workload: ManifestNode): readonly Finding[] {
  return [...everyNode(workload)].flatMap((node) =>
    membersOf(node).flatMap(({ node: at, earlier }) =>
      earlier === undefined
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
