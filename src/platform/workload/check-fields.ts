import { copied, either, error, found, isOneLetterOff, warning } from './check-found.ts';
import type { Judgment, Nearest } from './check-found.ts';
import type { Fields as Counted, Finding } from './finding.ts';
import { placesOf } from './field-places.ts';
import { WORKLOAD_FIELDS } from './fields.ts';
import type { Fields } from './fields.ts';
import { foreignField } from './foreign-fields.ts';
import { everyNode, isStated, isTemplate, isTemplateName, within } from './manifest/node.ts';
import type { ManifestNode, Member } from './manifest/node.ts';
import { OPTIONS } from './options.ts';

/** What is to be said of the names of a workload's fields, wherever those are known. */
export function nameFindings(
  workload: ManifestNode,
  prefix: string,
  nearest: Nearest,
): readonly Finding[] {
  const below = (node: ManifestNode, fields: Fields, above: readonly string[]): Finding[] => {
    if (node.kind === 'value' || isTemplate(node)) return [];
    if (node.kind === 'list') return node.items.flatMap((item) => below(item, fields, above));
    return node.members.flatMap((member) => {
      const known = fields.get(member.name);
      if (known) return below(member.node, known, [...above, member.name]);
      if (known === null || isTemplateName(member.name)) return [];
      return [unknown(member, fields, above)];
    });
  };
  const unknown = ({ name, node }: Member, fields: Fields, above: readonly string[]): Finding => {
    const foreign = foreignField(name, above.at(-1) ?? '', prefix);
    if (foreign !== undefined) return found(node, error(foreign.what, foreign.fix));
    const names = [...fields.keys()];
    const close = names.find((known) => isOneLetterOff(name, known));
    const places = close === undefined ? placesOf(name, above) : [];
    if (places.length > 0) return found(node, misplaced(places));
    const meant = close ?? likely(name, names, nearest);
    const fix =
      meant === undefined
        ? 'leave it out, unless it is newer than what is known here: the platform refuses what it does not know'
        : `write ${copied(meant)} if that is meant`;
    return found(node, warning('is no field that is known here', fix));
  };
  return below(workload, WORKLOAD_FIELDS, []);
}

/** A field that is known, and not here. @param places where it belongs, '' for the top */
function misplaced(places: readonly string[]): Judgment {
  const where = places.includes('')
    ? 'at the top of the workload'
    : `under ${either(places.map(copied))}`;
  return warning(
    `stands in the wrong place: it belongs ${where}`,
    'move it there, or leave it out',
  );
}

/** Shorter words are the beginning of anything. */
const MIN_WORD = 5;

/** A name that was mistyped, or not written to its end. */
function likely(word: string, names: readonly string[], nearest: Nearest): string | undefined {
  const start = word.toLowerCase();
  const whole = names.find((name) => name.toLowerCase().startsWith(start));
  return (word.length >= MIN_WORD ? whole : undefined) ?? nearest(word, names);
}

/** Counts the fields below `spec`, and names those of whose values nothing is known here. */
export function countFields(workload: ManifestNode): Counted {
  const looked = lookedAt(workload);
  const unchecked: string[] = [];
  let total = 0;
  const count = (node: ManifestNode, isChecked: boolean): void => {
    total += 1;
    if (!isChecked) unchecked.push(node.path.slice(workload.path.length).replace(/^\./, ''));
  };
  const below = (node: ManifestNode, fields: Fields | null | undefined): void => {
    const isGroup = node.kind === 'map' ? node.members.length > 0 : holdsMore(node);
    if (looked.has(node) || fields === null || !isGroup || isTemplate(node)) {
      count(node, looked.has(node) && ![...everyNode(node)].some(isTemplate));
    } else if (node.kind === 'list') {
      for (const item of node.items) below(item, fields);
    } else if (node.kind === 'map') {
      for (const member of node.members) below(member.node, fields?.get(member.name));
    }
  };
  const spec = within(workload, 'spec');
  const isEmpty = spec?.kind === 'map' && spec.members.length === 0;
  if (isStated(spec) && !isEmpty) below(spec, WORKLOAD_FIELDS.get('spec'));
  return { total, unchecked };
}

/** Whether a list has more in it than plain values. */
function holdsMore(node: ManifestNode): boolean {
  return node.kind === 'list' && node.items.some(({ kind }) => kind !== 'value');
}

/** The values that are judged, and what stands where a mapping of options belongs. */
function lookedAt(workload: ManifestNode): ReadonlySet<ManifestNode> {
  const nodes = OPTIONS.flatMap(({ path, value }) =>
    path.map((_, at) => {
      const node = within(workload, ...path.slice(0, at + 1));
      const isOption = at === path.length - 1;
      const isEmpty = node?.kind === 'map' ? node.members.length === 0 : true;
      // Of what takes anything, only a switch is understood.
      const isUnderstood =
        value.kind !== 'anything' || (node?.kind === 'value' && typeof node.value === 'boolean');
      return (isOption ? isUnderstood : isEmpty) ? node : undefined;
    }),
  );
  return new Set(nodes.filter((node) => node !== undefined));
}
