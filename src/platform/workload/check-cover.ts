import { namesIn } from './check-options.ts';
import { isStorage } from './check-storage.ts';
import { everyNode, itemsOf, membersOf, textOf, within } from './manifest/node.ts';
import type { ManifestNode, Member } from './manifest/node.ts';

/** What is not said to be unknown: the names, and what is looked into. */
const TOP: readonly string[] = ['kind', 'name', 'tags', 'spec'];
/** What the storage of a replica depends on, and what tells containers apart. */
const OF_A_CONTAINER: readonly string[] = ['name', 'cpu'];

/**
 * Paths of a workload of which nothing is known here, the highest ones alone (spec 2.13); and the tags
 * of other prefixes, which may be meant to do something. Pure. @param prefix of the brand
 */
export function notCoveredIn(workload: ManifestNode, prefix: string): readonly string[] {
  const spec = within(workload, 'spec');
  const groups = namesIn(['spec']);
  return [
    ...others(workload, TOP),
    ...membersOf(within(workload, 'tags'))
      .filter(({ name }) => name.includes('/') && !name.startsWith(`${prefix}/`))
      .map(({ node }) => node.path),
    ...unlooked(spec, [...groups, 'containers']),
    ...groups.flatMap((group) => others(within(spec, group), namesIn(['spec', group]))),
    ...others(within(spec, 'defaultOptions', 'multiZone'), ['enabled']),
    ...itemsOf(within(spec, 'containers')).flatMap((container) =>
      unlooked(container, OF_A_CONTAINER),
    ),
  ];
}

/** The same field of all that a list holds, once: `spec.containers[].image`. */
export function ofEach(path: string): string {
  return path.replace(/\[\d+\]/g, '[]');
}

function others(node: ManifestNode | undefined, known: readonly string[]): string[] {
  return unknownIn(node, known).map(({ node: at }) => at.path);
}

function unknownIn(node: ManifestNode | undefined, known: readonly string[]): Member[] {
  return membersOf(node).filter(({ name }) => !known.includes(name));
}

/** As `others`; of what has ephemeral storage somewhere below it, only what is beside that. */
function unlooked(node: ManifestNode | undefined, known: readonly string[] = []): string[] {
  const below = [...itemsOf(node), ...unknownIn(node, known).flatMap(besideStorage)];
  return below.flatMap((each) => (holdsStorage(each) ? unlooked(each) : [each.path]));
}

function besideStorage(member: Member): ManifestNode[] {
  return isStorage(member) ? [] : [member.node];
}

function holdsStorage(node: ManifestNode): boolean {
  return [...everyNode(node)].some((each) => membersOf(each).some(isStorage));
}

/** A document that is no workload, in a few words: `gvc shop`. */
export function otherDocument(document: ManifestNode): string {
  const kind = textOf(within(document, 'kind'));
  const name = textOf(within(document, 'name'));
  return [kind ?? 'a document without kind', name ?? ''].join(' ').trim();
}
