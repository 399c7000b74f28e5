/**
 * A manifest as a tree of mappings, lists and values with their lines. Members are kept as a list, so that no
 * name (`__proto__`) has a special meaning.
 */
export type ManifestNode = MapNode | ListNode | ValueNode;

interface Place {
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

/** The node at a path; undefined when absent. */
export function within(
  node: ManifestNode | undefined,
  ...names: readonly string[]
): ManifestNode | undefined {
  return names.reduce(
    (at: ManifestNode | undefined, name) =>
      membersOf(at).find((member) => member.name === name)?.node,
    node,
  );
}

/** Empty for anything but a mapping. */
export function membersOf(node: ManifestNode | undefined): readonly Member[] {
  return node?.kind === 'map' ? node.members : [];
}

/** Empty for anything but a list. */
export function itemsOf(node: ManifestNode | undefined): readonly ManifestNode[] {
  return node?.kind === 'list' ? node.items : [];
}

/** Undefined for a mapping, a list, and null. */
export function textOf(node: ManifestNode | undefined): string | undefined {
  return node?.kind === 'value' && node.value !== null ? node.text : undefined;
}

export function isStated(node: ManifestNode | undefined): node is ManifestNode {
  return node !== undefined && !(node.kind === 'value' && node.value === null);
}

export function* everyNode(node: ManifestNode): Generator<ManifestNode> {
  yield node;
  if (node.kind === 'value') return;
  const below = node.kind === 'list' ? node.items : node.members.map((member) => member.node);
  for (const each of below) yield* everyNode(each);
}

/** The name of a member whose key is a mapping or a list: `{{ .Values.x }}` without quotes. */
export const NO_NAME = '?';

/**
 * A template has an unknown value: a value with `{{ .Values.x }}`, `$NAME` or `${NAME}` anywhere in it.
 * Braces without quotes are a mapping whose only key is a mapping.
 */
export function isTemplate(node: ManifestNode | undefined): boolean {
  if (node?.kind === 'value') return isOpen(node.text);
  const [first, ...others] = membersOf(node);
  return first?.name === NO_NAME && others.length === 0;
}

export function isTemplateName(name: string): boolean {
  return name === NO_NAME || isOpen(name);
}

/** A lone dollar is plain text. */
function isOpen(text: string): boolean {
  return /\{\{|\$[{\w]/.test(text);
}
