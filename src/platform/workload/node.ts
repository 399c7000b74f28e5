/**
 * A manifest as a tree of mappings, lists and values with their lines. Members are kept as a list, so that no
 * name (`__proto__`) has a special meaning.
 */
export type ManifestNode = MapNode | ListNode | ValueNode;

export interface Place {
  /** `spec.containers[0].cpu`, `tags["svc/protocol"]`; empty for the whole document. */
  readonly path: string;
  /** Of the name, if any; from 1. */
  readonly line: number;
}

export interface MapNode extends Place {
  readonly kind: 'map';
  /** Each name once, the last one wins; in the order of the text. */
  readonly members: readonly Member[];
}

export interface Member {
  readonly name: string;
  readonly node: ManifestNode;
  /** The line of an earlier occurrence of the same name. */
  readonly earlier?: number | undefined;
}

interface ListNode extends Place {
  readonly kind: 'list';
  readonly items: readonly ManifestNode[];
}

export interface ValueNode extends Place {
  readonly kind: 'value';
  readonly value: string | number | boolean | null;
  /** As written, without quotes; `TRUE` as `true`. */
  readonly text: string;
}

type Maybe = ManifestNode | undefined;

export function membersOf(node: Maybe): readonly Member[] {
  return node?.kind === 'map' ? node.members : [];
}

export function itemsOf(node: Maybe): readonly ManifestNode[] {
  return node?.kind === 'list' ? node.items : [];
}

/** By a name that may have dots. */
export function member(node: Maybe, name: string): Maybe {
  return membersOf(node).find((one) => one.name === name)?.node;
}

/** Stands for all that a template may put below a node. */
const OPEN: ValueNode = { kind: 'value', path: '', line: 1, value: '{{ }}', text: '{{ }}' };

/** The node below a path, or a template that may put one there. */
export function get(node: Maybe, path: string): Maybe {
  return path.split('.').reduce((at, name) => (isTemplate(at) ? OPEN : below(at, name)), node);
}

function below(node: Maybe, name: string): Maybe {
  const isOpen = membersOf(node).some((one) => isTemplateName(one.name));
  return member(node, name) ?? (isOpen ? OPEN : undefined);
}

/** The items below a path; a template counts as one. */
export function list(node: Maybe, path: string): readonly ManifestNode[] {
  const found = get(node, path);
  return found !== undefined && isTemplate(found) ? [found] : itemsOf(found);
}

/** The text below a path; undefined when it is absent, empty, a group, or left to a template. */
export function value(node: Maybe, path?: string): string | undefined {
  const found = path === undefined ? node : get(node, path);
  return isTemplate(found) ? undefined : textOf(found)?.trim();
}

export function number(node: Maybe, path?: string): number | undefined {
  const text = value(node, path);
  const known = text === undefined || text.length > 30 ? Number.NaN : Number(text);
  return text === '' || Number.isNaN(known) ? undefined : known;
}

/** Whether there is something below a path, whatever a template may add. */
export function has(node: Maybe, path: string): boolean {
  return get(node, path) !== OPEN && !lacks(node, path);
}

/** Whether nothing is below a path, and no template may add it. */
export function lacks(node: Maybe, path: string): boolean {
  const found = get(node, path);
  return !isStated(found) || isEmptyList(found);
}

/** Whether a value is below a path, or may be. */
export function mayBe(node: Maybe, path: string, wanted: string): boolean {
  const found = get(node, path);
  return isTemplate(found) || value(found) === wanted;
}

export function isEmptyList(node: ManifestNode): boolean {
  return node.kind === 'list' && node.items.length === 0;
}

/** Undefined for a mapping, a list, and null. */
export function textOf(node: Maybe): string | undefined {
  return node?.kind === 'value' && node.value !== null ? node.text : undefined;
}

export function isStated(node: Maybe): node is ManifestNode {
  return node !== undefined && !(node.kind === 'value' && node.value === null);
}

export function* everyNode(node: ManifestNode): Generator<ManifestNode> {
  yield node;
  for (const each of itemsOf(node)) yield* everyNode(each);
  for (const each of membersOf(node)) yield* everyNode(each.node);
}

/** The name of a member whose key is a mapping or a list: `{{ .Values.x }}` without quotes. */
export const NO_NAME = '?';

/**
 * A template has an unknown value: a value with `{{ .Values.x }}`, `$NAME` or `${NAME}` anywhere in it.
 * Braces without quotes are a mapping whose only key is a mapping.
 */
export function isTemplate(node: Maybe): boolean {
  if (node?.kind === 'value') return isOpen(node.text);
  const [first, ...others] = membersOf(node);
  return first?.name === NO_NAME && others.length === 0;
}

export function isTemplateName(name: string): boolean {
  // A name is looked at often, and a hostile text must not take seconds.
  return name === NO_NAME || isOpen(name.slice(0, 500));
}

/** A lone dollar is plain text. */
function isOpen(text: string): boolean {
  return /\{\{|\$[{\w]/.test(text);
}

export function kindOf(document: ManifestNode): string {
  return value(document, 'kind')?.toLowerCase() ?? '';
}

export function nameOf(document: ManifestNode): string | undefined {
  return (textOf(get(document, 'name')) ?? textOf(get(document, 'metadata.name')))?.trim();
}
