import {
  Composer,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  Parser,
  type CST,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml';
import { truncate } from '../../../lib/text.ts';
import type { UnreadableText } from '../finding.ts';
import { NO_NAME, type ManifestNode, type MapNode, type Member } from './node.ts';
import { inWords } from './unreadable.ts';

/** Larger texts are not read, in bytes. */
const MAX_MANIFEST_BYTES = 512 * 1024;

/**
 * Reads YAML or JSON, one document or several, into trees that know their lines. What a text can do
 * to its reader (aliases of aliases, depth, names like `__proto__`) ends in a sentence, and nothing
 * is thrown. Names that occur twice are kept, and the tree says so.
 */
export function readManifest(
  text: string,
): { documents: readonly ManifestNode[] } | { unreadable: UnreadableText } {
  const flaw = flawOf(text);
  if (flaw !== undefined) return { unreadable: flaw };
  const lineCounter = new LineCounter();
  const lineAt = (offset: number): number =>
    Math.max(1, lineCounter.linePos(Math.max(0, Math.min(offset, text.length))).line);
  try {
    const yaml = plainYaml(text);
    const { tokens, documents: parsed } = parse(yaml, lineCounter);
    const [error, ...others] = parsed
      .flatMap(({ errors }) => errors)
      .filter(({ code }) => !HARMLESS.has(code));
    if (error !== undefined) {
      return {
        unreadable: inWords({ error, others, tokens: everyToken(tokens), text: yaml, lineAt }),
      };
    }
    const convert = createConvert(lineAt);
    const documents = parsed.flatMap((document) => convert(document) ?? []);
    return documents.every(({ kind }) => kind === 'value') ? noManifest() : { documents };
  } catch (error) {
    if (error instanceof NoManifest)
      return { unreadable: { line: error.line, says: error.message } };
    return { unreadable: { line: 1, says: 'cannot be read as YAML or JSON' } };
  }
}

/** JSON has no such limit of its names. */
const HARMLESS: ReadonlySet<string> = new Set(['KEY_OVER_1024_CHARS']);

/** As large as texts may be; it is the odd ones that have more, and take seconds to read. */
const MAX_PIECES = 150_000;

const TOO_LONG = 'is where the manifest gets too long to be read: check a part of it';

/** @throws NoManifest */
function parse(text: string, lineCounter: LineCounter) {
  const parser = new Parser(lineCounter.addNewLine);
  lineCounter.addNewLine(0);
  const tokens: CST.Token[] = [];
  let pieces = 0;
  for (const piece of new Lexer().lex(text)) {
    tokens.push(...parser.next(piece));
    pieces += 1;
    if (pieces > MAX_PIECES) throw new NoManifest(lineCounter.lineStarts.length, TOO_LONG);
  }
  tokens.push(...parser.end());
  checkDepth(tokens, (offset) => lineCounter.linePos(offset).line);
  // Looking for names that stand twice is quadratic there; the tree does it.
  const documents = [...new Composer({ uniqueKeys: false }).compose(tokens, true, text.length)];
  return { tokens, documents };
}

function flawOf(text: string): UnreadableText | undefined {
  if (text.trim() === '') return { line: 1, says: 'is empty' };
  if (Buffer.byteLength(text) > MAX_MANIFEST_BYTES) {
    return { line: 1, says: 'is the first of more than 512 KB: check a part of it' };
  }
  const odd = text.search(/[\0\uFFFE\uFFFF]/);
  if (odd === -1) return undefined;
  const line = text.slice(0, odd).split('\n').length;
  return { line, says: 'holds characters that no text has: save it as UTF-8' };
}

function noManifest() {
  const says =
    'is plain text, and a manifest has names with values, such as kind: workload or spec:';
  return { unreadable: { line: 1, says } };
}

/** Line by line as before, without what comes along out of a file, a chat or a page. */
function plainYaml(text: string): string {
  const withoutMark = text.replace(/^\uFEFF/, '');
  if (!withoutMark.trimStart().startsWith('```')) return withoutMark;
  return withoutMark.replaceAll(/^[ \t]*```[^\n\r]*/gm, '#');
}

/** Of a whole text, aliases and merges written out: a few lines of them can stand for more than any memory. */
const MAX_NODES = 100_000;

const MAX_NAME = 80;

/** A text is not taken apart, although it may be YAML. */
class NoManifest extends Error {
  readonly line: number;

  /** @param line from 1 @param says one sentence without its end and its subject */
  constructor(line: number, says: string) {
    super(says);
    this.line = line;
  }
}

/** No manifest is as deep. */
const MAX_DEPTH = 60;

const TOO_DEEP = `is nested more than ${MAX_DEPTH} levels deep, which no manifest is`;

/** A document's nodes as a tree of ours. @throws NoManifest */
type Convert = (document: Document) => ManifestNode | undefined;

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
function createConvert(lineAt: (offset: number) => number): Convert {
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
      own.set(name, { name, node, earlier });
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

/**
 * The parser calls itself for each level, and a stack overflow in the middle of it
 * can end the process: so the levels are counted before, without a call. @throws NoManifest
 */
function checkDepth(tokens: readonly CST.Token[], lineAt: (offset: number) => number): void {
  let level: readonly CST.Token[] = tokens;
  // The document is a level, too.
  for (let depth = 0; level.length > 0; depth += 1) {
    const [first] = level;
    if (depth > MAX_DEPTH + 1 && first !== undefined && 'offset' in first) {
      throw new NoManifest(Math.max(1, lineAt(first.offset)), TOO_DEEP);
    }
    level = level.flatMap(below);
  }
}

/** What stands in a token: names, values, items. */
function below(token: CST.Token): CST.Token[] {
  if ('items' in token)
    return token.items.flatMap(({ key, value }) => [...some(key), ...some(value)]);
  return token.type === 'document' ? some(token.value) : [];
}

function some(token: CST.Token | null | undefined): CST.Token[] {
  return token ? [token] : [];
}

function everyToken(tokens: readonly CST.Token[]): CST.Token[] {
  return tokens.flatMap((token) => [token, ...everyToken(below(token))]);
}
