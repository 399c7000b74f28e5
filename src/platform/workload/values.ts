import { isIP } from 'node:net';
import { nearest } from '../../lib/words.ts';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import {
  copied,
  either,
  error,
  type Fields,
  type Finding,
  found,
  isOneLetterOff,
  isPrivate,
  type Judgment,
  noneOf,
  note,
  notTaken,
  shortened,
  spoken,
  warning,
} from './finding.ts';
import { type Schema, WORKLOAD_SCHEMA } from './manifest/schema.ts';
import {
  everyNode,
  isStated,
  isTemplate,
  isTemplateName,
  itemsOf,
  type ManifestNode,
  member,
  membersOf,
} from './node.ts';
import { isRange } from './tags.ts';

let compiled: ValidateFunction | undefined;

/** Compiled once, at the first check. */
function validator(): ValidateFunction {
  if (compiled !== undefined) return compiled;
  const ajv = new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true });
  ajv.addVocabulary(['takes', 'eg', 'strict']);
  ajv.addFormat('cidr', (text: string) => isIP(text) !== 0 || isRange(text));
  compiled = ajv.compile(WORKLOAD_SCHEMA);
  return compiled;
}

/** A hostile text must not take seconds. */
const MAX_ERRORS = 500;

/** Findings by the schema; values of templates are not judged. */
export function valueFindings(workload: ManifestNode): readonly Finding[] {
  const quoted = [...fieldsOf(workload, WORKLOAD_SCHEMA)].filter(isQuotedNumber);
  const validate = validator();
  validate(plain(workload, new Set(quoted.map(({ node }) => node))));
  // The list of values says more than the type.
  const errors = (validate.errors ?? [])
    .slice(0, MAX_ERRORS)
    .toSorted((a, b) => Number(b.keyword === 'enum') - Number(a.keyword === 'enum'));
  const seen = new Set<string>();
  return [
    // Replicas are numbers or texts.
    ...quoted
      .filter(({ schema }) => !Array.isArray(schema?.type))
      .map(({ node }) => {
        const what = `is the text ${spoken(node)}, where a number is meant`;
        return found(node, note(what, 'leave the quotes out'));
      }),
    ...errors.flatMap((one) => findingsOf(one, workload, seen)),
  ];
}

/** @param seen the paths that have a finding about their value */
function findingsOf(one: ErrorObject, workload: ManifestNode, seen: Set<string>): Finding[] {
  const names = one.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const node = names.reduce(
    (at: ManifestNode | undefined, name) => itemsOf(at)[Number(name)] ?? member(at, name),
    workload,
  );
  if (node === undefined || isTemplate(node)) return [];
  const { additionalProperty: extra, missingProperty: missing } = one.params as {
    additionalProperty?: string;
    missingProperty?: string;
  };
  if (extra !== undefined) {
    const above = names.filter((part) => !/^\d+$/.test(part));
    const known = Object.keys((one.parentSchema as Schema).properties ?? {});
    const place = member(node, extra) ?? node;
    return isTemplateName(extra) ? [] : [found(place, unknownName(extra, known, above))];
  }
  if (missing !== undefined) {
    const isOpen = membersOf(node).some(({ name }) => isTemplateName(name));
    const judgment = error(
      `has no ${copied(missing)}, which is required`,
      `add ${copied(missing)}`,
    );
    return isOpen ? [] : [found(node, judgment)];
  }
  if (seen.has(one.instancePath)) return [];
  seen.add(one.instancePath);
  const judgment = inWords(node, one);
  return judgment === undefined ? [] : [found(node, judgment)];
}

/** Linear: a text of thousands of digits would block the process otherwise. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** The specification requires numbers, but many working charts quote them. */
function isQuotedNumber({ node, schema }: Field): boolean {
  const takesNumbers = [schema?.type]
    .flat()
    .some((type) => type === 'number' || type === 'integer');
  const text = node.kind === 'value' && typeof node.value === 'string' ? node.value.trim() : '';
  return takesNumbers && NUMBER.test(text);
}

function inWords(
  node: ManifestNode,
  { keyword, parentSchema, data }: ErrorObject,
): Judgment | undefined {
  const schema = parentSchema as Schema;
  const isGroup = schema.type === 'object';
  const text = node.kind === 'value' ? node.text : '';
  if (keyword === 'maxItems') {
    const count = itemsOf(node).length;
    return error(`holds ${count}, but takes at most ${schema.maxItems}`, 'leave some out');
  }
  if (keyword === 'minItems') return error('holds nothing', 'fill it in, or leave it out');
  if (!isStated(node)) {
    if (isGroup || schema.type === 'array') return undefined;
    return warning(`is empty, but takes ${takes(schema)}`, 'fill it in, or leave it out');
  }
  if (isGroup) return noGroup(node, schema);
  if (schema.type === 'array') {
    return notTaken(node, 'a list', 'a line for each, which begins with a hyphen');
  }
  if (schema.type === 'string' && (typeof data === 'number' || typeof data === 'boolean')) {
    const judge = schema.strict ? error : warning;
    const quotes = isPrivate(node) ? '' : `: ${copied(`"${shortened(text)}"`)}`;
    return judge(`is ${spoken(node)}, but takes text`, `put it in quotes${quotes}`);
  }
  if (schema.type === 'boolean') return noBoolean(node, text);
  if (keyword === 'maxLength') {
    const most = `${schema.maxLength} characters`;
    return error(`is longer than ${most}`, `shorten it to ${most}`);
  }
  if (schema.enum !== undefined) return noneOf(node, text, schema.enum);
  const compact = text.slice(0, 20).replace(/\s+/g, '');
  const isPercentage = Array.isArray(schema.type) && /^\d+(\.\d+)?%$/.test(compact);
  const write = isPercentage ? copied(`"${compact}"`) : (schema.eg ?? takes(schema));
  return notTaken(node, takes(schema), write);
}

function takes({ takes: words, enum: values, minimum, maximum }: Schema): string {
  if (words !== undefined) return words;
  if (values !== undefined) return either(values);
  const range = maximum === undefined ? `, ${minimum} or more` : ` from ${minimum} to ${maximum}`;
  return minimum === undefined ? 'true or false' : `a whole number${range}`;
}

/** `multiZone: true` means its only option. */
function noGroup(node: ManifestNode, { properties = {} }: Schema): Judgment {
  const names = Object.keys(properties);
  const [only = ''] = names;
  const isSwitch = node.kind === 'value' && typeof node.value === 'boolean';
  const one = copied(isSwitch ? `${only}: ${node.text}` : only);
  const some = names.length === 1 ? one : either(names.slice(0, 8).map(copied));
  return notTaken(node, 'options with values', `${some || 'names with values'} below it`);
}

function noBoolean(node: ManifestNode, text: string): Judgment {
  const isTrue = /^(true|yes|on)$/i.test(text);
  const isMeant = isTrue || /^(false|no|off)$/i.test(text);
  const fix = isMeant ? copied(String(isTrue)) : either(['true', 'false'].map(copied));
  const isText = node.kind === 'value' && typeof node.value === 'string';
  return error(
    `is ${isText ? 'the text ' : ''}${spoken(node)}, but takes true or false`,
    `write ${fix}, without quotes`,
  );
}

interface Field {
  readonly node: ManifestNode;
  readonly schema: Schema | undefined;
}

/** The fields below a node: values, templates, empty groups, lists of values, and all without a schema. */
function* fieldsOf(node: ManifestNode, schema: Schema | undefined): Generator<Field> {
  const isFree = schema !== undefined && isFreeSchema(schema);
  if (!isFree && !isTemplate(node) && node.kind === 'map' && node.members.length > 0) {
    const { properties, additionalProperties: others } = schema ?? {};
    for (const { name, node: each } of node.members) {
      yield* fieldsOf(each, properties?.[name] ?? (others === false ? undefined : others));
    }
  } else if (!isFree && itemsOf(node).some(({ kind }) => kind !== 'value')) {
    for (const item of itemsOf(node)) yield* fieldsOf(item, schema?.items);
  } else {
    yield { node, schema };
  }
}

function isFreeSchema({ type, enum: values }: Schema): boolean {
  return type === undefined && values === undefined;
}

/** Fields below `spec`, and which of them the schema does not judge. */
export function countFields(workload: ManifestNode): Fields {
  const spec = member(workload, 'spec');
  const isEmpty = spec?.kind === 'map' && spec.members.length === 0;
  if (!isStated(spec) || isEmpty) return { total: 0, unchecked: [] };
  const fields = [...fieldsOf(spec, WORKLOAD_SCHEMA.properties?.['spec'])];
  const isChecked = ({ node, schema }: Field): boolean => {
    const isSwitch = node.kind === 'value' && typeof node.value === 'boolean';
    const isKnown = schema !== undefined && (isSwitch || !isFreeSchema(schema));
    return isKnown && ![...everyNode(node)].some(isTemplate);
  };
  const unchecked = fields
    .filter((field) => !isChecked(field))
    .map(({ node }) => node.path.slice(workload.path.length).replace(/^\./, ''));
  return { total: fields.length, unchecked };
}

/** Objects without a prototype, so that no name (`__proto__`) has a special meaning. */
function plain(node: ManifestNode, numbers: ReadonlySet<ManifestNode>): unknown {
  if (node.kind === 'value') return numbers.has(node) ? Number(node.text) : node.value;
  if (node.kind === 'list') return node.items.map((item) => plain(item, numbers));
  const object = Object.create(null) as Record<string, unknown>;
  for (const { name, node: each } of node.members) object[name] = plain(each, numbers);
  return object;
}

const STORAGE_NAME = /^ephemeral[-_ ]?(?:storage|disk)/i;

/**
 * A name that is no field of its place. Fields get added, so that only names of Kubernetes, and two that
 * sources contradict, are errors.
 * @param names the fields of that place @param above the names above it
 */
function unknownName(name: string, names: readonly string[], above: readonly string[]): Judgment {
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
