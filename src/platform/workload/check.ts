import { notCoveredIn, ofEach, otherDocument } from './check-cover.ts';
import { createNearest, found, warning } from './check-found.ts';
import { namesIn, optionFindings } from './check-options.ts';
import { storageFindings } from './check-storage.ts';
import { tagFindings } from './check-tags.ts';
import { zoneFindings } from './check-zones.ts';
import type { Checked, Finding } from './finding.ts';
import { everyNode, itemsOf, membersOf, textOf, within } from './manifest/node.ts';
import type { ManifestNode } from './manifest/node.ts';
import { readManifest } from './manifest/read.ts';
import type { UnreadableText } from './manifest/words.ts';

/**
 * Checks a manifest in YAML or JSON against what spec 2.13, 2.16 and 8 say of workloads; of every
 * other field nothing is known, and nothing is said but its name. Several documents, and lists in
 * `items`, are read as one after the other. Never throws; `unreadable` is for what is neither.
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
      ...optionFindings(workload, prefix, nearest),
      ...tagFindings(workload, prefix, nearest),
      ...storageFindings(workload, prefix),
    ];
    return name === '' ? ofOne : ofOne.map((one) => ({ ...one, workload: name }));
  });
  const all = [...findings, ...zoneFindings(read.documents, workloads, prefix)];
  const told = new Set(all.map(({ path }) => ofEach(path)));
  const unknown = workloads
    .flatMap((workload) => notCoveredIn(workload, prefix).map(ofEach))
    .filter((path) => !told.has(path));
  return {
    findings: all.toSorted((a, b) => a.line - b.line),
    workloads: workloads.map(nameOf),
    notCovered: [...new Set([...unknown, ...rest.map(otherDocument)])],
  };
}

function nameOf(workload: ManifestNode): string {
  return textOf(within(workload, 'name'))?.trim() ?? '';
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

/** Of a name that stands twice the last one counts, which is seldom what is meant. */
function twiceFindings(workload: ManifestNode): readonly Finding[] {
  const spec = within(workload, 'spec');
  const groups = namesIn(['spec']).map((name) => within(spec, name));
  const zones = within(spec, 'defaultOptions', 'multiZone');
  const containers = itemsOf(within(spec, 'containers')).flatMap((one) => [...everyNode(one)]);
  const looked = [workload, spec, within(workload, 'tags'), ...groups, zones, ...containers];
  return looked.flatMap((node) =>
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
