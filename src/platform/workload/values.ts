import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import {
  copied,
  either,
  error,
  type Fields,
  type Finding,
  found,
  type Judgment,
  noneOf,
  note,
  notTaken,
  shortened,
  spoken,
  warning,
} from './finding.ts';
import { type Schema, WORKLOAD_SCHEMA } from './manifest/schema.ts';
import { unknownName } from './names.ts';
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

let compiled: ValidateFunction | undefined;

/** Compiled once, at the first check. */
function validator(): ValidateFunction {
  if (compiled !== undefined) return compiled;
  const ajv = new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true });
  ajv.addVocabulary(['takes', 'eg', 'strict']);
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
    const fix = `put it in quotes: ${copied(`"${shortened(text)}"`)}`;
    return judge(`is ${spoken(node)}, but takes text`, fix);
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
  /** Undefined: not known. */
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
