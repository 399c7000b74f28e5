/**
 * A manifest as it was written: a tree of mappings, lists and values that knows where each of them
 * stands. Members are kept as a list, so that no name (`__proto__`) means anything.
 */
export type ManifestNode = MapNode | ListNode | ValueNode;

interface Place {
  /** `spec.containers[0].cpu`, `tags["svc/protocol"]`; empty for the whole document. */
  readonly path: string;
  /** Of the name where there is one; from 1. */
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
  /** The line where the same name stood before. */
  readonly earlier?: number | undefined;
}

interface ListNode extends Place {
  readonly kind: 'list';
  readonly items: readonly ManifestNode[];
}

export interface ValueNode extends Place {
  readonly kind: 'value';
  readonly value: string | number | boolean | null;
  /** As it was written, without its quotes; `TRUE` as `true`. */
  readonly text: string;
}

/** What stands at these names below a node; undefined when there is nothing. */
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

/** No members for what is no mapping. */
export function membersOf(node: ManifestNode | undefined): readonly Member[] {
  return node?.kind === 'map' ? node.members : [];
}

/** No items for what is no list. */
export function itemsOf(node: ManifestNode | undefined): readonly ManifestNode[] {
  return node?.kind === 'list' ? node.items : [];
}

/** The text of a value; undefined for a mapping, a list, nothing and null. */
export function textOf(node: ManifestNode | undefined): string | undefined {
  return node?.kind === 'value' && node.value !== null ? node.text : undefined;
}

/** Whether something is there, and not left empty. */
export function isStated(node: ManifestNode | undefined): node is ManifestNode {
  return node !== undefined && !(node.kind === 'value' && node.value === null);
}

/** A node with all that is below it. */
export function* everyNode(node: ManifestNode): Generator<ManifestNode> {
  yield node;
  if (node.kind === 'value') return;
  const below = node.kind === 'list' ? node.items : node.members.map((member) => member.node);
  for (const each of below) yield* everyNode(each);
}

/** The name of a member whose name is a mapping or a list: `{{ .Values.x }}` without quotes. */
export const NO_NAME = '?';

/**
 * Whether its value is not known yet: a template, that is a value with `{{ .Values.x }}`, `$NAME` or `${NAME}`
 * anywhere in it. Braces without quotes are a mapping whose only name is a mapping.
 */
export function isTemplate(node: ManifestNode | undefined): boolean {
  if (node?.kind === 'value') return isOpen(node.text);
  const [first, ...others] = membersOf(node);
  return first?.name === NO_NAME && others.length === 0;
}

/** Whether the name of a member is a template. */
export function isTemplateName(name: string): boolean {
  return name === NO_NAME || isOpen(name);
}

/** A dollar alone is plain text. */
function isOpen(text: string): boolean {
  return /\{\{|\$[{\w]/.test(text);
}
