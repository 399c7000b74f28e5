import { namesIn } from './check-options.ts';
import { itemsOf, membersOf, textOf, within } from './manifest/node.ts';
import type { ManifestNode, Member } from './manifest/node.ts';

/** What is not said to be unknown: the names, and what is looked into. */
const TOP: readonly string[] = ['kind', 'name', 'tags', 'spec'];
/** What the storage of a replica depends on, and what tells containers apart. */
const OF_A_CONTAINER: readonly string[] = ['name', 'cpu'];

/** Paths of a workload of which nothing is known here, the highest ones alone (spec 2.13). Pure. */
export function notCoveredIn(workload: ManifestNode): readonly string[] {
  const spec = within(workload, 'spec');
  const groups = namesIn(['spec']);
  return [
    ...others(workload, TOP),
    ...others(spec, [...groups, 'containers']),
    ...groups.flatMap((group) => others(within(spec, group), namesIn(['spec', group]))),
    ...others(within(spec, 'defaultOptions', 'multiZone'), ['enabled']),
    ...itemsOf(within(spec, 'containers')).flatMap((container) =>
      others(container, OF_A_CONTAINER).map(
        (path) => container.path.replace(/\d+\]$/, ']') + path.slice(container.path.length),
      ),
    ),
  ];
}

/** The same field of all that a list holds, once. */
export function ofEach(path: string): string {
  return path.replace(/^(items)?\[\d+\]/, '$1[]');
}

function others(node: ManifestNode | undefined, known: readonly string[]): string[] {
  return membersOf(node)
    .filter(({ name }: Member) => !known.includes(name))
    .map(({ node: at }) => at.path);
}

/** A document that is no workload, in a few words: `gvc shop`. */
export function otherDocument(document: ManifestNode): string {
  const kind = textOf(within(document, 'kind'));
  const name = textOf(within(document, 'name'));
  return [kind ?? 'a document without kind', name ?? ''].join(' ').trim();
}
