import { nearest } from '../../lib/words.ts';
import { copied, either, error, isOneLetterOff, type Judgment, warning } from './finding.ts';
import { type Schema, WORKLOAD_SCHEMA } from './manifest/schema.ts';

const STORAGE_NAME = /^ephemeral[-_ ]?(?:storage|disk)/i;

/**
 * A name that is no field of its place. Fields get added, so that only names of Kubernetes, and two that
 * sources contradict, are errors.
 * @param names the fields of that place @param above the names above it
 */
export function unknownName(
  name: string,
  names: readonly string[],
  above: readonly string[],
): Judgment {
  const elsewhere = ELSEWHERE.get(`${above.at(-1) ?? ''}.${name}`);
  if (elsewhere !== undefined) {
    return error(
      `is not a field of ${copied(above.at(-1) ?? '')}`,
      `write ${copied(elsewhere)} in its place`,
    );
  }
  const kubernetes = KUBERNETES.get(name);
  if (kubernetes !== undefined) {
    return error('is a field of Kubernetes that no workload has', kubernetes);
  }
  const close = names.find((known) => isOneLetterOff(name, known));
  const places = close === undefined ? placesOf(name, above) : [];
  if (places.length > 0) {
    const where = places.includes('')
      ? 'at the top of the workload'
      : `under ${either(places.map(copied))}`;
    return warning(`is in the wrong place: it belongs ${where}`, 'move it there, or leave it out');
  }
  const meant = close ?? likely(name, names);
  const unknown = 'is not a field that is known here';
  if (meant !== undefined) return warning(unknown, `write ${copied(meant)} if that is meant`);
  if (STORAGE_NAME.test(name)) {
    return warning(
      `${unknown}: a replica may use 1 GB of ephemeral storage per core, and 1 GB at least; one that uses more is replaced`,
      'leave it out; for more raise `cpu`, add the tag `svc/largeDisk`, or use a volume',
    );
  }
  return warning(
    unknown,
    'leave it out, unless it is newer than what is known here: the platform takes only what it knows',
  );
}

/** Shorter words are prefixes of too many names. */
const MIN_WORD = 5;

function likely(word: string, names: readonly string[]): string | undefined {
  const start = word.toLowerCase();
  const whole = names.find((name) => name.toLowerCase().startsWith(start));
  return (word.length >= MIN_WORD ? whole : undefined) ?? nearest(word, names);
}

const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['job.suspend', 'spec.defaultOptions.suspend'],
  ['firewallConfig.http', 'spec.firewallConfig.external.http'],
]);

const KUBERNETES: ReadonlyMap<string, string> = new Map([
  ['resources', 'write `cpu` and `memory` of the container in its place'],
  ['containerPort', 'write `number` in its place'],
  ['volumeMounts', 'write `volumes` of the container, each with its `uri` and `path`'],
  ['valueFrom', 'write `value` in its place, for a secret `svc://secret/NAME.KEY`'],
  ['envFrom', 'write each variable below `env`'],
  [
    'startupProbe',
    'write `initialDelaySeconds` of `readinessProbe` or `livenessProbe` in its place',
  ],
  ['securityContext', 'write `spec.securityOptions` in its place'],
  ['initContainers', 'leave it out: a workload has `containers` alone'],
  ['replicas', 'write `minScale` and `maxScale` of `spec.defaultOptions.autoscaling` in its place'],
  ['imagePullPolicy', 'leave it out'],
]);

type Place = readonly string[];

/** Suggestions name the default options instead, which have the same members. */
const LOCAL = 'localOptions';

/** The paths nearest to the top where such a field belongs, of these the nearest to its place. */
function placesOf(name: string, above: Place): readonly string[] {
  const isLocal = above.includes(LOCAL);
  const all = (PLACES.get(name) ?? []).filter((place) => isLocal || !place.includes(LOCAL));
  const highest = least(all, (place) => place.length);
  return least(highest, (place) => -shared(place, above)).map((place) => place.join('.'));
}

function least(places: readonly Place[], measure: (place: Place) => number): readonly Place[] {
  const lowest = Math.min(...places.map(measure));
  return places.filter((place) => measure(place) === lowest);
}

function shared(place: Place, other: Place): number {
  const differs = place.findIndex((name, at) => name !== other[at]);
  return differs === -1 ? place.length : differs;
}

/** Top-level names that users write; the others come from an export, or from the operator's form. */
const AT_THE_TOP: ReadonlySet<string> = new Set(['name', 'gvc', 'description', 'tags', 'spec']);

const PLACES = placesIn(WORKLOAD_SCHEMA);

function placesIn(root: Schema): ReadonlyMap<string, readonly Place[]> {
  const places = new Map<string, Place[]>();
  const walk = ({ properties, items }: Schema, path: Place): void => {
    if (items !== undefined) walk(items, path);
    for (const [name, below] of Object.entries(properties ?? {})) {
      const isWritten = path.length > 0 || AT_THE_TOP.has(name);
      if (isWritten) places.set(name, [...(places.get(name) ?? []), path]);
      walk(below, [...path, name]);
    }
  };
  walk(root, []);
  return places;
}
