import {
  type Alias,
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  type YAMLMap,
} from 'yaml';
import { truncate } from '../../lib/text.ts';
import type { UnreadableText } from './finding.ts';
import { type ManifestNode, type Member, membersOf, NO_NAME } from './node.ts';
import { whyBroken } from './unreadable.ts';

/** Larger texts are refused. Bytes. */
const MAX_MANIFEST_BYTES = 512 * 1024;
/** Enough for the largest normal texts; odd ones exceed it, and would take seconds to read. */
const MAX_PIECES = 150_000;
/** For a whole text with expanded aliases and merges: a few lines of them can exhaust any memory. */
const MAX_NODES = 100_000;
const MAX_DEPTH = 60;
const MAX_NAME = 80;

const TOO_LONG = 'is where the manifest gets too long: check a part of it';
const TOO_DEEP = `is nested more than ${MAX_DEPTH} levels deep, which no manifest is`;
const TOO_MANY = `holds more than ${MAX_NODES.toLocaleString('en-US')} values, its aliases and merges written out: check a part of it`;
const NO_ANCHOR = 'has an alias, a name behind an asterisk, without an anchor before it';
const ENDLESS = 'has an alias, a name behind an asterisk, that stands for itself';
const PROSE =
  'is plain text, and a manifest has names with values, such as kind: workload or spec:';

class NoManifest extends Error {
  readonly line: number;

  /** @param line from 1 @param says a sentence without subject and full stop */
  constructor(line: number, says: string) {
    super(says);
    this.line = line;
  }
}

/**
 * Reads YAML or JSON, one document or several, into trees with lines. Hostile texts (aliases of aliases,
 * depth, names like `__proto__`) end in a sentence; it never throws. Repeated names are recorded in the tree.
 */
export function readManifest(
  text: string,
): { documents: readonly ManifestNode[] } | { unreadable: UnreadableText } {
  try {
    return { documents: documentsOf(text) };
  } catch (error) {
    const isKnown = error instanceof NoManifest;
    return {
      unreadable: isKnown
        ? { line: error.line, says: error.message }
        : { line: 1, says: 'cannot be read as YAML or JSON' },
    };
  }
}

/** @throws NoManifest */
function documentsOf(text: string): readonly ManifestNode[] {
  if (text.trim() === '') throw new NoManifest(1, 'is empty');
  if (Buffer.byteLength(text) > MAX_MANIFEST_BYTES) {
    throw new NoManifest(1, 'is the first of more than 512 KB: check a part of it');
  }
  const odd = text.search(/[\0\uFFFE\uFFFF]/);
  if (odd !== -1) {
    const line = text.slice(0, odd).split('\n').length;
    throw new NoManifest(line, 'holds characters that no text has: save it as UTF-8');
  }
  const yaml = plainYaml(text);
  const lines = new LineCounter();
  const lineAt = (offset: number): number =>
    Math.max(1, lines.linePos(Math.max(0, Math.min(offset, text.length))).line);
  const tokens = tokensOf(yaml, lines);
  checkDepth(tokens, lineAt);
  // The library's check for repeated names is quadratic; the tree does it.
  const parsed = [...new Composer({ uniqueKeys: false }).compose(tokens, true, yaml.length)];
  // JSON has no limit for the length of names.
  const [error, ...others] = parsed
    .flatMap((document) => document.errors)
    .filter(({ code }) => code !== 'KEY_OVER_1024_CHARS');
  if (error !== undefined) {
    const { at, says } = whyBroken({
      errors: [error, ...others],
      tokens: everyToken(tokens),
      text: yaml,
    });
    throw new NoManifest(lineAt(at), says);
  }
  const reader = new TreeReader(lineAt);
  const documents = parsed.flatMap((document) => reader.read(document));
  if (documents.every(({ kind }) => kind === 'value')) throw new NoManifest(1, PROSE);
  return documents;
}

/** Removes a byte order mark and code fences, and keeps the line numbers. */
function plainYaml(text: string): string {
  const withoutMark = text.replace(/^\uFEFF/, '');
  if (!withoutMark.trimStart().startsWith('```')) return withoutMark;
  return withoutMark.replaceAll(/^[ \t]*```[^\n\r]*/gm, '#');
}

/** @throws NoManifest */
function tokensOf(text: string, lines: LineCounter): CST.Token[] {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  const tokens: CST.Token[] = [];
  let pieces = 0;
  for (const piece of new Lexer().lex(text)) {
    tokens.push(...parser.next(piece));
    pieces += 1;
    if (pieces > MAX_PIECES) throw new NoManifest(lines.lineStarts.length, TOO_LONG);
  }
  return [...tokens, ...parser.end()];
}

/**
 * The parser is recursive, and a stack overflow inside it can end the process: so the levels are counted
 * before, without recursion. @throws NoManifest
 */
function checkDepth(tokens: readonly CST.Token[], lineAt: (offset: number) => number): void {
  let level: readonly CST.Token[] = tokens;
  // The document is a level, too.
  for (let depth = 0; level.length > 0; depth += 1) {
    const [first] = level;
    if (depth > MAX_DEPTH + 1 && first !== undefined && 'offset' in first) {
      throw new NoManifest(lineAt(first.offset), TOO_DEEP);
    }
    level = level.flatMap(below);
  }
}

function everyToken(tokens: readonly CST.Token[]): CST.Token[] {
  return tokens.flatMap((token) => [token, ...everyToken(below(token))]);
}

function below(token: CST.Token): CST.Token[] {
  const found =
    'items' in token
      ? token.items.flatMap(({ key, value }) => [key, value])
      : token.type === 'document' && [token.value];
  return found ? found.filter((one) => one !== null && one !== undefined) : [];
}

type Piece = Node | null;

/** Reads documents as trees. All share one allowance of nodes, with those that an alias or a merge copies. */
class TreeReader {
  readonly #lineAt: (offset: number) => number;
  readonly #anchors = new Map<string, Node>();
  /** The pieces around the current one: an alias of one of them would never end. */
  readonly #open: Piece[] = [];
  #left = MAX_NODES;

  /** @param lineAt the line of an offset in the text, from 1 */
  constructor(lineAt: (offset: number) => number) {
    this.#lineAt = lineAt;
  }

  /** @throws NoManifest */
  read({ contents }: Document): ManifestNode[] {
    this.#anchors.clear();
    return contents === null ? [] : [this.#tree(contents, '')];
  }

  /** @param line of the name that leads here, if any */
  #tree(node: Piece, path: string, line = this.#lineOf(node)): ManifestNode {
    this.#count(1, line);
    if (this.#open.length > MAX_DEPTH) throw new NoManifest(line, TOO_DEEP);
    if (isAlias(node)) return this.#tree(this.#target(node, line), path, line);
    this.#note(node);
    this.#open.push(node);
    const tree = this.#withParts(node, { path, line });
    this.#open.pop();
    return tree;
  }

  #withParts(node: Piece, place: { path: string; line: number }): ManifestNode {
    const { path } = place;
    if (isMap<Piece, Piece>(node)) {
      return { kind: 'map', ...place, members: this.#members(node, path) };
    }
    if (!isSeq<Piece>(node)) return { kind: 'value', ...place, ...scalarOf(node) };
    const items = node.items.map((item, at) => this.#tree(item, `${path}[${at}]`));
    return { kind: 'list', ...place, items };
  }

  #members(map: YAMLMap<Piece, Piece>, path: string): Member[] {
    const own = new Map<string, Member>();
    const merged: Member[] = [];
    for (const { key, value } of map.items) {
      const line = this.#lineOf(key ?? value ?? map);
      this.#note(key);
      if (isMergeKey(key)) {
        merged.push(...this.#merged(value, path, line));
        continue;
      }
      const name = nameOf(key);
      const node = this.#tree(value, pathTo(path, name), line);
      const earlier = own.get(name)?.node.line;
      // The last one keeps its own position.
      own.delete(name);
      own.set(name, { name, node, earlier });
    }
    for (const one of merged) if (!own.has(one.name)) own.set(one.name, one);
    return [...own.values()];
  }

  /** The members of merged mappings, at the place of the merge; the first of several wins. */
  #merged(value: Piece, path: string, line: number): Member[] {
    const source = isAlias(value) ? this.#target(value, line) : value;
    const maps = isSeq<Piece>(source) ? source.items : [value];
    return maps.flatMap((map) => {
      const members = membersOf(this.#tree(map, path, line));
      this.#count(members.length, line);
      return members.map(({ name, node }) => ({ name, node }));
    });
  }

  #count(pieces: number, line: number): void {
    this.#left -= pieces;
    if (this.#left < 0) throw new NoManifest(line, TOO_MANY);
  }

  #target({ source }: Alias, line: number): Node {
    const node = this.#anchors.get(source);
    if (node === undefined) throw new NoManifest(line, NO_ANCHOR);
    if (this.#open.includes(node)) throw new NoManifest(line, ENDLESS);
    return node;
  }

  #note(node: Piece): void {
    if (node !== null && 'anchor' in node && node.anchor) this.#anchors.set(node.anchor, node);
  }

  #lineOf(node: Piece): number {
    return node === null ? 1 : this.#lineAt(node.range?.[0] ?? 0);
  }
}

function scalarOf(node: Piece) {
  if (!isScalar(node)) return { value: null, text: '' };
  const { value, source } = node;
  if (typeof value === 'string') return { value, text: value };
  // `TRUE` is normalized: the value of a tag is independent of YAML's spelling.
  if (typeof value === 'boolean') return { value, text: String(value) };
  const isPlain = typeof value === 'number' || value === null;
  // Older YAML has times and bytes: their source is used.
  const text = source ?? (isPlain ? String(value) : '');
  return { value: isPlain ? value : text, text };
}

/** Keys may be anything in YAML: numbers keep their spelling, mappings have no name. */
function nameOf(key: Piece): string {
  if (!isScalar(key)) return key === null ? '' : NO_NAME;
  return scalarOf(key).text;
}

/** `<<: *defaults`, but not the quoted text. */
function isMergeKey(key: Piece): boolean {
  return isScalar(key) && key.type === 'PLAIN' && key.source === '<<';
}

function pathTo(path: string, name: string): string {
  const short = truncate(name, MAX_NAME);
  if (!/^[A-Za-z_][\w-]*$/.test(short)) return `${path}[${JSON.stringify(short)}]`;
  return path === '' ? short : `${path}.${short}`;
}
