import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import {
  copied,
  createNearest,
  either,
  error,
  type Fields,
  type Finding,
  found,
  type Judgment,
  note,
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
  type ManifestNode,
  within,
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

/** Findings by the schema; values of templates are not judged. */
export function valueFindings(workload: ManifestNode): readonly Finding[] {
  const data = plain(workload);
  const first = errorsOf(data);
  const quoted = first.filter(isNumberIn);
  for (const { instancePath, data: value } of quoted) put(data, instancePath, Number(value));
  const errors = quoted.length === 0 ? first : errorsOf(data);
  const nearest = createNearest();
  const seen = new Set<string>();
  const judge = (one: ErrorObject): Finding[] => {
    const names = namesOf(one.instancePath);
    const node = at(workload, names);
    if (node === undefined || isTemplate(node)) return [];
    if (one.keyword === 'additionalProperties') {
      const name = (one.params as { additionalProperty: string }).additionalProperty;
      const member = within(node, name) ?? node;
      if (isTemplateName(name)) return [];
      const above = names.filter((part) => !/^\d+$/.test(part));
      const known = Object.keys((one.parentSchema as Schema).properties ?? {});
      return [found(member, unknownName(name, known, above, nearest))];
    }
    if (one.keyword === 'required') {
      const { missingProperty: name } = one.params as { missingProperty: string };
      const isOpen =
        node.kind === 'map' && node.members.some((member) => isTemplateName(member.name));
      return isOpen
        ? []
        : [found(node, error(`has no ${copied(name)}, which is required`, `add ${copied(name)}`))];
    }
    if (seen.has(one.instancePath)) return [];
    seen.add(one.instancePath);
    const judgment = inWords(node, one);
    return judgment === undefined ? [] : [found(node, judgment)];
  };
  const quotes = quoted.flatMap((one) => {
    const node = at(workload, namesOf(one.instancePath));
    // Replicas are numbers or texts.
    if (node === undefined || one.keyword === 'pattern') return [];
    const what = `is the text ${spoken(node)}, where a number is meant`;
    return [found(node, note(what, 'leave the quotes out'))];
  });
  return [...quotes, ...errors.slice(0, MAX_ERRORS).toSorted(byKeyword).flatMap(judge)];
}

/** A hostile text must not take seconds. */
const MAX_ERRORS = 500;

/** The list of values says more than the type. */
function byKeyword(a: ErrorObject, b: ErrorObject): number {
  return Number(b.keyword === 'enum') - Number(a.keyword === 'enum');
}

function errorsOf(data: unknown): readonly ErrorObject[] {
  const validate = validator();
  validate(data);
  return validate.errors ?? [];
}

/** The specification requires numbers, but many working charts quote them. */
function isNumberIn({ keyword, parentSchema, data }: ErrorObject): boolean {
  const types = [(parentSchema as Schema).type ?? []].flat();
  const takesNumbers = types.some((type) => type === 'number' || type === 'integer');
  return (
    (keyword === 'type' || keyword === 'pattern') &&
    takesNumbers &&
    typeof data === 'string' &&
    NUMBER.test(data.trim())
  );
}

/** Linear: a text of thousands of digits would block the process otherwise. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

function inWords(
  node: ManifestNode,
  { keyword, parentSchema, data }: ErrorObject,
): Judgment | undefined {
  const schema = parentSchema as Schema;
  if (keyword === 'maxItems') {
    return error(`holds ${countOf(node)}, but takes at most ${schema.maxItems}`, 'leave some out');
  }
  if (keyword === 'minItems') return error('holds nothing', 'fill it in, or leave it out');
  const isGroup = schema.type === 'object';
  if (!isStated(node)) {
    if (isGroup || schema.type === 'array') return undefined;
    return warning(`is empty, but takes ${takes(schema)}`, 'fill it in, or leave it out');
  }
  if (isGroup) return noGroup(node, schema);
  if (schema.type === 'array') {
    const what = `is ${spoken(node)}, but takes a list`;
    return error(what, 'write a line for each, which begins with a hyphen');
  }
  if (schema.type === 'string' && (typeof data === 'number' || typeof data === 'boolean')) {
    const judge = schema.strict ? error : warning;
    const fix = `put it in quotes: ${copied(`"${shortened('text' in node ? node.text : '')}"`)}`;
    return judge(`is ${spoken(node)}, but takes text`, fix);
  }
  if (schema.type === 'boolean') return noBoolean(node);
  if (keyword === 'maxLength') {
    return error(
      `is longer than ${schema.maxLength} characters`,
      `shorten it to ${schema.maxLength} characters`,
    );
  }
  if (schema.enum !== undefined) return noneOf(node, schema.enum);
  const compact = 'text' in node ? node.text.slice(0, 20).replace(/\s+/g, '') : '';
  const isPercentage = Array.isArray(schema.type) && /^\d+(\.\d+)?%$/.test(compact);
  return error(
    `is ${spoken(node)}, but takes ${takes(schema)}`,
    `write ${isPercentage ? copied(`"${compact}"`) : (schema.eg ?? takes(schema))}`,
  );
}

function takes({ takes: words, enum: values, minimum, maximum }: Schema): string {
  if (words !== undefined) return words;
  if (values !== undefined) return either(values);
  const range = maximum === undefined ? `, ${minimum} or more` : ` from ${minimum} to ${maximum}`;
  return minimum === undefined ? 'true or false' : `a whole number${range}`;
}

function countOf(node: ManifestNode): number {
  return node.kind === 'list' ? node.items.length : 0;
}

/** `multiZone: true` means its only option. */
function noGroup(node: ManifestNode, { properties = {} }: Schema): Judgment {
  const names = Object.keys(properties);
  const isSwitch = node.kind === 'value' && typeof node.value === 'boolean';
  const only = names.length === 1 ? names[0] : undefined;
  const fix =
    only === undefined
      ? either(names.slice(0, 8).map(copied))
      : copied(isSwitch ? `${only}: ${node.text}` : only);
  return error(
    `is ${spoken(node)}, but takes options with values`,
    fix === '' ? 'write names with values below it' : `write ${fix} below it`,
  );
}

function noBoolean(node: ManifestNode): Judgment {
  const text = node.kind === 'value' ? node.text : '';
  const meant = /^(true|yes|on)$/i.test(text) ? 'true' : 'false';
  const isMeant = /^(true|false|yes|no|on|off)$/i.test(text);
  const fix = isMeant ? copied(meant) : either(['true', 'false'].map(copied));
  const isText = node.kind === 'value' && typeof node.value === 'string';
  return error(
    `is ${isText ? 'the text ' : ''}${spoken(node)}, but takes true or false`,
    `write ${fix}, without quotes`,
  );
}

function noneOf(node: ManifestNode, values: readonly string[]): Judgment {
  const meant = node.kind === 'value' ? createNearest()(node.text, values) : undefined;
  const fix = meant === undefined ? either(values.map(copied)) : copied(meant);
  return error(`is ${spoken(node)}, but takes ${either(values)}`, `write ${fix}`);
}

/** Fields below `spec`, and which of them the schema does not judge. */
export function countFields(workload: ManifestNode): Fields {
  const unchecked: string[] = [];
  let total = 0;
  const count = (node: ManifestNode, isChecked: boolean): void => {
    total += 1;
    if (!isChecked) unchecked.push(node.path.slice(workload.path.length).replace(/^\./, ''));
  };
  const below = (node: ManifestNode, schema: Schema | undefined): void => {
    const isFree = schema !== undefined && isFreeSchema(schema);
    if (!isFree && !isTemplate(node) && node.kind === 'map' && node.members.length > 0) {
      const { properties, additionalProperties: others } = schema ?? {};
      for (const { name, node: each } of node.members) {
        below(each, properties?.[name] ?? (others === false ? undefined : others));
      }
    } else if (!isFree && node.kind === 'list' && node.items.some(({ kind }) => kind !== 'value')) {
      for (const item of node.items) below(item, schema?.items);
    } else {
      const isSwitch = node.kind === 'value' && typeof node.value === 'boolean';
      const isKnown = schema !== undefined && (!isFree || isSwitch);
      count(node, isKnown && ![...everyNode(node)].some(isTemplate));
    }
  };
  const spec = within(workload, 'spec');
  const isEmpty = spec?.kind === 'map' && spec.members.length === 0;
  if (isStated(spec) && !isEmpty) below(spec, WORKLOAD_SCHEMA.properties?.['spec']);
  return { total, unchecked };
}

function isFreeSchema(schema: Schema): boolean {
  return schema.type === undefined && schema.enum === undefined;
}

type Plain = Record<string, unknown>;

/** Objects without a prototype, so that no name (`__proto__`) has a special meaning. */
function plain(node: ManifestNode): unknown {
  if (node.kind === 'value') return node.value;
  if (node.kind === 'list') return node.items.map(plain);
  const object = Object.create(null) as Plain;
  for (const { name, node: each } of node.members) object[name] = plain(each);
  return object;
}

function namesOf(pointer: string): string[] {
  const parts = pointer.split('/').slice(1);
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function at(root: ManifestNode, names: readonly string[]): ManifestNode | undefined {
  return names.reduce(
    (node: ManifestNode | undefined, name) =>
      node?.kind === 'list' ? node.items[Number(name)] : within(node, name),
    root,
  );
}

function put(root: unknown, pointer: string, value: number): void {
  const names = namesOf(pointer);
  const last = names.pop() ?? '';
  const holder = names.reduce((data, name) => (data as Plain)[name], root) as Plain;
  holder[last] = value;
}
