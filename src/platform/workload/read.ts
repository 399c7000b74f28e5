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
  type YAMLParseError,
} from 'yaml';
import { truncate } from '../../lib/text.ts';
import type { UnreadableText } from './finding.ts';
import { type ManifestNode, type Member, membersOf, NO_NAME } from './node.ts';

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

type Problem = Pick<YAMLParseError, 'code' | 'message' | 'pos'>;

interface Broken {
  readonly errors: readonly [Problem, ...Problem[]];
  readonly tokens: readonly CST.Token[];
  readonly text: string;
}

interface Located {
  /** The offset of the mistake, which may be far from where the parser noticed it. */
  readonly at: number;
  /** A sentence without subject and full stop. */
  readonly says: string;
}

/** Explains a text that is neither YAML nor JSON to users who do not know their grammar. Pure. */
function whyBroken({ errors, tokens, text }: Broken): Located {
  const { code, message, pos } = errors[0];
  const [from] = pos;
  // An error for a missing part is at the end of the text, after which there may be empty lines.
  const within = (offset: number) => Math.max(0, Math.min(offset, text.trimEnd().length - 1));
  const at = within(from);
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const [line = ''] = text.slice(start).split('\n', 1);
  // A guess: YAML may begin with a bracket as well, and seldom does.
  const isJson = /^[\s#]*[{[]/.test(text);
  const characters = ofCharacters(line, isJson, code);
  if (characters !== undefined) return { at, says: characters };
  const flows = tokens.filter((token) => isAround(token, from));
  const elsewhere =
    (message.startsWith('Missing closing') && openQuote(tokens, from)) ||
    (message.startsWith('Flow ') && openBracket(flows, code, text)) ||
    (code === 'BLOCK_AS_IMPLICIT_KEY' && flows.length === 0 && tooFarRight(errors, from));
  if (elsewhere) return { ...elsewhere, at: within(elsewhere.at) };
  const known = SENTENCES.find(
    ({ sign, flow = flows.length > 0 }) =>
      flow === flows.length > 0 && sign.test(`${code} ${message}`),
  );
  const kind = isJson ? 'no JSON' : 'neither YAML nor JSON';
  const says =
    known?.says({ character: text.slice(from, from + 1), before: text.slice(start, from) }) ??
    `is ${kind} from here on: look at it, and at the line before it`;
  return { at, says };
}

function ofCharacters(line: string, isJson: boolean, code: string): string | undefined {
  const language = isJson ? 'JSON' : 'YAML';
  // JSON may be indented by tabs.
  if (!isJson && (code === 'TAB_AS_INDENT' || /^ *\t/.test(line))) {
    return 'is indented by a tab, where YAML takes spaces';
  }
  if (line.includes('\u00A0'))
    return `holds a no-break space, where ${language} takes plain spaces`;
  if (/[“”„]/.test(line)) return `holds typographic quotes, where ${language} takes straight ones`;
  return line.includes('{{')
    ? 'is part of a template ({{ … }}): check the manifest that is made of it'
    : undefined;
}

function openQuote(tokens: readonly CST.Token[], end: number): Located | undefined {
  for (const token of tokens) {
    if ('source' in token && 'offset' in token && token.offset + token.source.length === end) {
      const says = `opens a quote (${token.source.slice(0, 1)}) that is not closed`;
      return { at: token.offset, says };
    }
  }
  return undefined;
}

function openBracket(flows: readonly CST.FlowCollection[], code: string, text: string) {
  const [flow] = flows
    .filter((one) => one.end[0]?.source !== closing(one))
    .toSorted((a, b) => b.start.offset - a.start.offset);
  if (flow === undefined) return undefined;
  const { offset, source } = flow.start;
  // It may be there, and yet not count: the lines up to it must be indented.
  const isLost = code === 'BAD_INDENT' && text.includes(closing(flow), offset);
  const or = isLost ? `, or the lines up to its ${closing(flow)} are not indented` : '';
  return { at: offset, says: `opens a ${source} that is not closed${or}` };
}

function closing({ start }: CST.FlowCollection): string {
  return start.type === 'flow-map-start' ? '}' : ']';
}

function isAround(token: CST.Token, offset: number): token is CST.FlowCollection {
  return (
    token.type === 'flow-collection' &&
    token.start.offset <= offset &&
    token.end.every((end) => end.offset >= offset)
  );
}

/** The parser took the lines from there for one name. */
function tooFarRight(errors: Broken['errors'], from: number): Located | undefined {
  const name = errors.find(({ code, pos }) => code === 'MULTILINE_IMPLICIT_KEY' && pos[0] === from);
  const says = 'is indented further than the line before it, which has its value already';
  return name === undefined ? undefined : { at: name.pos[1] - 1, says };
}

interface Sentence {
  readonly sign: RegExp;
  /** Whether it applies between brackets only, or outside of them only; absent: everywhere. */
  readonly flow?: boolean;
  /** @param place the character where it was noticed, and the line up to it */
  says(place: { readonly character: string; readonly before: string }): string;
}

const MISALIGNED = 'is not indented like the lines that it belongs to';

// One line for each.
// prettier-ignore
const SENTENCES: readonly Sentence[] = [
  { sign: /flow-(map|seq)-end/, says: ({ character }) => `has a ${character} that nothing opens` },
  { sign: /^MULTILINE_IMPLICIT_KEY|Missing ,|scalar token/, flow: true, says: () => 'lacks a comma' },
  { sign: /^BLOCK_IN_FLOW/, says: () => 'lacks a comma, or has list items (-) between brackets' },
  { sign: /^MULTILINE_IMPLICIT_KEY|followed by map values/, says: () => 'lacks a colon with a space after it' },
  { sign: /Nested mappings/, says: () => 'has two colons: put its value in quotes, or the second name into a line of its own' },
  { sign: /block-seq-ind on same line/, says: () => 'has a list item after a name: put it into a line of its own' },
  { sign: /without - indicator/, says: () => `${MISALIGNED}, or lacks its -` },
  { sign: /^BAD_INDENT|block sequence may not/, flow: false, says: () => MISALIGNED },
  { sign: /^BAD_SCALAR_START/, says: ({ character }) => `has a value that starts with ${character}: put it in quotes` },
  { sign: /^BAD_DQ_ESCAPE/, says: () => 'has a lone backslash in double quotes: double it, or use single quotes' },
  { sign: /at node end/, says: ({ before }) => /["']/.test(before) ? 'goes on after the end of a text in quotes: look for a quote too many, or one too few' : MISALIGNED },
];
