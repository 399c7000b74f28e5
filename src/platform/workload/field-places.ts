import { WORKLOAD_FIELDS } from './fields.ts';
import type { Fields } from './fields.ts';

/** Its members are those of the default options, which are named in its place. */
const LOCAL = 'localOptions';

/**
 * Where a field of that name belongs, as paths: `spec.defaultOptions`, '' for the top of a workload. Of
 * several places those nearest to the top count, and of these those nearest to where the field stands.
 * @param above the names that lead to where it stands
 */
export function placesOf(name: string, above: readonly string[]): readonly string[] {
  const isLocal = above.includes(LOCAL);
  const all = (PLACES.get(name) ?? []).filter((place) => isLocal || !place.includes(LOCAL));
  const highest = least(all, (place) => place.length);
  const closest = least(highest, (place) => -shared(place, above));
  return closest.map((place) => place.join('.'));
}

type Place = readonly string[];

function least(places: readonly Place[], measure: (place: Place) => number): readonly Place[] {
  const lowest = Math.min(...places.map(measure));
  return places.filter((place) => measure(place) === lowest);
}

/** How many names two paths begin with alike. */
function shared(place: Place, other: Place): number {
  const differs = place.findIndex((name, at) => name !== other[at]);
  return differs === -1 ? place.length : differs;
}

/** What people write at the top; the other names there come from an export, or from another form. */
const AT_THE_TOP: ReadonlySet<string> = new Set(['name', 'gvc', 'description', 'tags', 'spec']);

/** Of each name the places where it is known. */
const PLACES: ReadonlyMap<string, readonly Place[]> = placesIn(WORKLOAD_FIELDS);

function placesIn(root: Fields): ReadonlyMap<string, readonly Place[]> {
  const places = new Map<string, Place[]>();
  const walk = (fields: Fields, path: Place): void => {
    for (const [name, below] of fields) {
      const isWritten = path.length > 0 || AT_THE_TOP.has(name);
      if (isWritten) places.set(name, [...(places.get(name) ?? []), path]);
      if (below !== null) walk(below, [...path, name]);
    }
  };
  walk(root, []);
  return places;
}
