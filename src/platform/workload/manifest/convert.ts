import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import type { Document, Node, Pair, YAMLMap } from 'yaml';
import { truncate } from '../../../lib/text.ts';
import { MAX_DEPTH, TOO_DEEP, NoManifest } from './depth.ts';
import { NO_NAME } from './node.ts';
import type { ManifestNode, MapNode, Member } from './node.ts';

/** Of a whole text, aliases and merges written out: a few lines of them can stand for more than any memory. */
const MAX_NODES = 100_000;
const MAX_NAME = 80;

/** A document's nodes as a tree of ours. @throws NoManifest */
export type Convert = (document: Document) => ManifestNode | undefined;

/** What is known on the way down. */
interface Way {
  readonly path: string;
  /** Of the name that leads here; undefined where none does. */
  readonly line: number | undefined;
  readonly depth: number;
  readonly anchors: Map<string, Node>;
  /** The anchors that are being written out: an alias of one of them would never end. */
  readonly open: readonly Node[];
}

/** @param lineAt the line of an offset in the text, from 1. All documents share one allowance of nodes */
export function createConvert(lineAt: (offset: number) => number): Convert {
  const lineOf = (node: Node): number => lineAt(node.range?.[0] ?? 0);

  const count = createCount();

  const convert = (node: Node | null, way: Way): ManifestNode => {
    const line = way.line ?? (node === null ? 1 : lineOf(node));
    count(line);
    if (way.depth > MAX_DEPTH) throw new NoManifest(line, TOO_DEEP);
    const place = { path: way.path, line };
    if (isAlias(node)) return convertAlias(node.source, way, place);
    if (node !== null && 'anchor' in node && node.anchor) way.anchors.set(node.anchor, node);
    const below = { ...way, depth: way.depth + 1, open: node ? [...way.open, node] : way.open };
    if (isMap<Node | null, Node | null>(node)) return convertMap(node, below, place);
    if (isSeq<Node | null>(node)) {
      const items = node.items.map((item, index) =>
        convert(item, { ...below, path: `${way.path}[${index}]`, line: undefined }),
      );
      return { kind: 'list', ...place, items };
    }
    return { kind: 'value', ...place, ...scalarOf(node) };
  };

  const convertAlias = (source: string, way: Way, place: Placed): ManifestNode => {
    const target = way.anchors.get(source);
    if (target === undefined) throw new NoManifest(place.line, NO_ANCHOR);
    if (way.open.includes(target)) throw new NoManifest(place.line, ENDLESS);
    return convert(target, { ...way, line: place.line });
  };

  const convertMap = (
    map: YAMLMap<Node | null, Node | null>,
    way: Way,
    place: Placed,
  ): ManifestNode => {
    const own = new Map<string, Member>();
    const merged: Member[] = [];
    for (const pair of map.items) {
      const name = nameOf(pair);
      const line = lineOf(pair.key ?? pair.value ?? map);
      if (pair.key !== null && 'anchor' in pair.key && pair.key.anchor) {
        way.anchors.set(pair.key.anchor, pair.key);
      }
      const node = convert(pair.value, { ...way, path: pathTo(way.path, name), line });
      if (isMerge(pair)) {
        merged.push(...mergedInto(place.path, node, () => count(line)));
        continue;
      }
      const earlier = own.get(name)?.node.line;
      // The last one stands where it is written.
      own.delete(name);
      own.set(name, { name, node, ...(earlier === undefined ? {} : { earlier }) });
    }
    for (const member of merged) if (!own.has(member.name)) own.set(member.name, member);
    return { kind: 'map', ...place, members: [...own.values()] };
  };

  return (document) => {
    const { contents } = document;
    if (contents === null) return undefined;
    return convert(contents, { path: '', line: undefined, depth: 0, anchors: new Map(), open: [] });
  };
}

/** Counts nodes: those that are written, and those that an alias or a merge copies to another place. */
function createCount(): (line: number) => void {
  let left = MAX_NODES;
  return (line) => {
    left -= 1;
    if (left < 0) throw new NoManifest(line, TOO_MANY);
  };
}

type Placed = Pick<MapNode, 'path' | 'line'>;

const NO_ANCHOR = 'has an alias, a name behind an asterisk, whose anchor does not stand before it';
const ENDLESS = 'has an alias, a name behind an asterisk, that stands for itself';
const TOO_MANY = `holds more than ${MAX_NODES.toLocaleString('en-US')} values, its aliases and merges written out: check a part of it`;

function scalarOf(node: Node | null) {
  if (!isScalar(node)) return { value: null, text: '' };
  const { value, source } = node;
  if (typeof value === 'string') return { value, text: value };
  // `TRUE` is written in one way only: what a tag says is not what YAML was written like.
  if (typeof value === 'boolean') return { value, text: String(value) };
  const isPlain = typeof value === 'number' || value === null;
  // Of older YAML there are times and bytes: what is written says it.
  const text = source ?? (isPlain ? String(value) : '');
  return { value: isPlain ? value : text, text };
}

/** Names may be anything in YAML: numbers are as they are written, mappings have none. */
function nameOf({ key }: Pair<Node | null, Node | null>): string {
  if (!isScalar(key)) return key === null ? '' : NO_NAME;
  return scalarOf(key).text;
}

/** `<<: *defaults`, and not the quoted text. */
function isMerge({ key }: Pair<Node | null, Node | null>): boolean {
  return isScalar(key) && key.type === 'PLAIN' && key.source === '<<';
}

/** The members of what is merged, the first of several counting; their paths are those of the place. */
function mergedInto(path: string, node: ManifestNode, count: () => void): Member[] {
  const maps = node.kind === 'list' ? node.items : [node];
  return maps.flatMap((map) =>
    map.kind === 'map'
      ? map.members.map(({ name, node: of }) => ({
          name,
          node: moved(of, { from: of.path, to: pathTo(path, name), count }),
        }))
      : [],
  );
}

interface Move {
  readonly from: string;
  readonly to: string;
  /** Called for each node that is copied. */
  readonly count: () => void;
}

function moved(node: ManifestNode, move: Move): ManifestNode {
  const { from, to } = move;
  move.count();
  const path = to + node.path.slice(from.length);
  if (node.kind === 'value') return { ...node, path };
  if (node.kind === 'list') {
    return { ...node, path, items: node.items.map((item) => moved(item, move)) };
  }
  const members = node.members.map((one) => ({ ...one, node: moved(one.node, move) }));
  return { ...node, path, members };
}

function pathTo(path: string, name: string): string {
  const short = truncate(name, MAX_NAME);
  if (!/^[A-Za-z_][\w-]*$/.test(short)) return `${path}[${JSON.stringify(short)}]`;
  return path === '' ? short : `${path}.${short}`;
}
