import {
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
  type Pair,
  Parser,
  type YAMLMap,
  type YAMLParseError,
} from 'yaml';
import { truncate } from '../../lib/text.ts';
import type { UnreadableText } from './finding.ts';
import { type ManifestNode, type MapNode, type Member, NO_NAME } from './node.ts';

/** Larger texts are refused. Bytes. */
const MAX_MANIFEST_BYTES = 512 * 1024;

/**
 * Reads YAML or JSON, one document or several, into trees with lines. Hostile texts (aliases of aliases,
 * depth, names like `__proto__`) end in a sentence; it never throws. Repeated names are recorded in the tree.
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

/** JSON has no such limit for names. */
const HARMLESS: ReadonlySet<string> = new Set(['KEY_OVER_1024_CHARS']);

/** Enough for the largest normal texts; odd ones exceed it, and would take seconds to read. */
const MAX_PIECES = 150_000;

const TOO_LONG = 'is where the manifest gets too long: check a part of it';

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
  // The library's check for repeated names is quadratic; the tree does it.
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

/** Removes a byte order mark and code fences, and keeps the line numbers. */
function plainYaml(text: string): string {
  const withoutMark = text.replace(/^\uFEFF/, '');
  if (!withoutMark.trimStart().startsWith('```')) return withoutMark;
  return withoutMark.replaceAll(/^[ \t]*```[^\n\r]*/gm, '#');
}

/** For a whole text with expanded aliases and merges: a few lines of them can exhaust any memory. */
const MAX_NODES = 100_000;

const MAX_NAME = 80;

class NoManifest extends Error {
  readonly line: number;

  /** @param line from 1 @param says a sentence without subject and full stop */
  constructor(line: number, says: string) {
    super(says);
    this.line = line;
  }
}

const MAX_DEPTH = 60;

const TOO_DEEP = `is nested more than ${MAX_DEPTH} levels deep, which no manifest is`;

/** @throws NoManifest */
type Convert = (document: Document) => ManifestNode | undefined;

interface Way {
  readonly path: string;
  /** Of the name that leads here, if any. */
  readonly line: number | undefined;
  readonly depth: number;
  readonly anchors: Map<string, Node>;
  /** Anchors being expanded: an alias of one of them would never end. */
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
      // The last one keeps its own position.
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

/** Counts written nodes, and those that an alias or a merge copies. */
function createCount(): (line: number) => void {
  let left = MAX_NODES;
  return (line) => {
    left -= 1;
    if (left < 0) throw new NoManifest(line, TOO_MANY);
  };
}

type Placed = Pick<MapNode, 'path' | 'line'>;

const NO_ANCHOR = 'has an alias, a name behind an asterisk, without an anchor before it';

const ENDLESS = 'has an alias, a name behind an asterisk, that stands for itself';

const TOO_MANY = `holds more than ${MAX_NODES.toLocaleString('en-US')} values, its aliases and merges written out: check a part of it`;

function scalarOf(node: Node | null) {
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
function nameOf({ key }: Pair<Node | null, Node | null>): string {
  if (!isScalar(key)) return key === null ? '' : NO_NAME;
  return scalarOf(key).text;
}

/** `<<: *defaults`, but not the quoted text. */
function isMerge({ key }: Pair<Node | null, Node | null>): boolean {
  return isScalar(key) && key.type === 'PLAIN' && key.source === '<<';
}

/** The members of merged mappings, the first of several wins; their paths are those of the place. */
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
 * The parser is recursive, and a stack overflow inside it can end the process: so the levels are counted
 * before, without recursion. @throws NoManifest
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

interface Broken {
  readonly error: Pick<YAMLParseError, 'code' | 'message' | 'pos'>;
  readonly others: readonly Pick<YAMLParseError, 'code' | 'pos'>[];
  readonly tokens: readonly CST.Token[];
  readonly text: string;
  readonly lineAt: (offset: number) => number;
}

/** Explains a text that is neither YAML nor JSON to users who do not know their grammar. Pure. */
function inWords(broken: Broken): UnreadableText {
  const { error, lineAt } = broken;
  const offset = withinText(error.pos[0], broken);
  const line = broken.text.split('\n')[lineAt(offset) - 1] ?? '';
  const problem = ofCharacters(line, broken) ?? elsewhere(broken) ?? ofStructure(broken, line);
  if (typeof problem === 'object')
    return { line: lineAt(withinText(problem.at, broken)), says: problem.says };
  const kind = isJson(broken) ? 'no JSON' : 'neither YAML nor JSON';
  const unknown = `is ${kind} from here on: look at it, and at the line before it`;
  return { line: lineAt(offset), says: problem ?? unknown };
}

/** A guess: YAML may begin with a bracket as well, and seldom does. */
function isJson({ text }: Broken): boolean {
  return /^[\s#]*[{[]/.test(text);
}

/** An error for a missing part is at the end of the text, after which there may be empty lines. */
function withinText(offset: number, { text }: Broken): number {
  return Math.max(0, Math.min(offset, text.trimEnd().length - 1));
}

function ofCharacters(line: string, broken: Broken): string | undefined {
  const language = isJson(broken) ? 'JSON' : 'YAML';
  // JSON may be indented by tabs.
  if (language === 'YAML' && (broken.error.code === 'TAB_AS_INDENT' || /^ *\t/.test(line))) {
    return 'is indented by a tab, where YAML takes spaces';
  }
  if (line.includes('\u00A0'))
    return `holds a no-break space, where ${language} takes plain spaces`;
  if (/[“”„]/.test(line)) return `holds typographic quotes, where ${language} takes straight ones`;
  return line.includes('{{')
    ? 'is part of a template ({{ … }}): check the manifest that is made of it'
    : undefined;
}

interface Located {
  /** The offset of the mistake, which may be far from where the parser noticed it. */
  readonly at: number;
  readonly says: string;
}

function elsewhere(broken: Broken): Located | undefined {
  const { error, others } = broken;
  const [from] = error.pos;
  if (error.message.startsWith('Missing closing')) return openQuote(broken);
  if (error.message.startsWith('Flow ')) return openBracket(broken);
  // The parser took its lines for one name.
  const whole = others.find(
    ({ code, pos }) => code === 'MULTILINE_IMPLICIT_KEY' && pos[0] === from,
  );
  const isFlow = flowsAround(broken, from).length > 0;
  if (error.code !== 'BLOCK_AS_IMPLICIT_KEY' || whole === undefined || isFlow) return undefined;
  return {
    at: whole.pos[1] - 1,
    says: 'is indented further than the line before it, which has its value already',
  };
}

function openQuote({ error, tokens }: Broken): Located | undefined {
  const [end] = error.pos;
  const quoted = tokens.find(
    (token) => 'source' in token && 'offset' in token && token.offset + token.source.length === end,
  );
  if (quoted === undefined || !('source' in quoted)) return undefined;
  const mark = quoted.source.slice(0, 1);
  return { at: quoted.offset, says: `opens a quote (${mark}) that is not closed` };
}

function openBracket(broken: Broken): Located | undefined {
  const { error, text } = broken;
  const [flow] = flowsAround(broken, error.pos[0])
    .filter((one) => !isClosed(one))
    .toSorted((a, b) => b.start.offset - a.start.offset);
  if (flow === undefined) return undefined;
  const { offset, source } = flow.start;
  const end = closing(flow);
  // It may be there, and yet not count: the lines up to it must be indented.
  const isLost = error.code === 'BAD_INDENT' && text.includes(end, offset);
  const or = isLost ? `, or the lines up to its ${end} are not indented` : '';
  return { at: offset, says: `opens a ${source} that is not closed${or}` };
}

function ofStructure(broken: Broken, line: string): string | undefined {
  const { error, text } = broken;
  const [from] = error.pos;
  const before = line.slice(0, from - text.lastIndexOf('\n', from - 1) - 1);
  const isFlow = flowsAround(broken, from).length > 0;
  return SENTENCES.find(
    ({ sign, flow }) =>
      (flow === undefined || flow === isFlow) && sign.test(`${error.code} ${error.message}`),
  )?.says({ character: text.slice(from, from + 1), before });
}

interface Sentence {
  readonly sign: RegExp;
  /** Whether it applies between brackets only; absent: everywhere. */
  readonly flow?: boolean;
  /** @param place the character where it was noticed, and the line up to it */
  says(place: { readonly character: string; readonly before: string }): string;
}

const MISALIGNED = 'is not indented like the lines that it belongs to';

const SENTENCES: readonly Sentence[] = [
  { sign: /flow-(map|seq)-end/, says: ({ character }) => `has a ${character} that nothing opens` },
  {
    sign: /^MULTILINE_IMPLICIT_KEY|Missing ,|scalar token/,
    flow: true,
    says: () => 'lacks a comma',
  },
  { sign: /^BLOCK_IN_FLOW/, says: () => 'lacks a comma, or has list items (-) between brackets' },
  {
    sign: /^MULTILINE_IMPLICIT_KEY|followed by map values/,
    says: () => 'lacks a colon with a space after it',
  },
  {
    sign: /Nested mappings/,
    says: () =>
      'has two colons: put its value in quotes, or the second name into a line of its own',
  },
  {
    sign: /block-seq-ind on same line/,
    says: () => 'has a list item after a name: put it into a line of its own',
  },
  {
    sign: /without - indicator/,
    says: () => `${MISALIGNED}, or lacks its -`,
  },
  { sign: /^BAD_INDENT|block sequence may not/, flow: false, says: () => MISALIGNED },
  {
    sign: /^BAD_SCALAR_START/,
    says: ({ character }) => `has a value that starts with ${character}: put it in quotes`,
  },
  {
    sign: /^BAD_DQ_ESCAPE/,
    says: () => 'has a lone backslash in double quotes: double it, or use single quotes',
  },
  {
    sign: /at node end/,
    says: ({ before }) =>
      /["']/.test(before)
        ? 'goes on after the end of a text in quotes: look for a quote too many, or one too few'
        : MISALIGNED,
  },
];

function flowsAround({ tokens }: Broken, offset: number): CST.FlowCollection[] {
  return tokens.filter(
    (token): token is CST.FlowCollection =>
      token.type === 'flow-collection' &&
      token.start.offset <= offset &&
      token.end.every((end) => end.offset >= offset),
  );
}

function isClosed(flow: CST.FlowCollection): boolean {
  return flow.end[0]?.source === closing(flow);
}

function closing({ start }: CST.FlowCollection): string {
  return start.type === 'flow-map-start' ? '}' : ']';
}
