import { Composer, Lexer, LineCounter, Parser } from 'yaml';
import type { CST } from 'yaml';
import { createConvert } from './convert.ts';
import { checkDepth, NoManifest } from './depth.ts';
import type { ManifestNode } from './node.ts';
import { inWords } from './words.ts';
import type { UnreadableText } from './words.ts';

/** Larger texts are not read, in bytes. */
const MAX_MANIFEST_BYTES = 512 * 1024;

/**
 * Reads YAML or JSON, one document or several, into trees that know their lines. What a text can do
 * to its reader (aliases of aliases, depth, names like `__proto__`) ends in a sentence, and nothing
 * is thrown. Names that stand twice are kept, and told of by the tree.
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
      return { unreadable: inWords({ error, others, tokens, text: yaml, lineAt }) };
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
const TOO_MANY = 'is where the manifest gets too long to be read: check a part of it';

/** @throws NoManifest */
function parse(text: string, lineCounter: LineCounter) {
  const parser = new Parser(lineCounter.addNewLine);
  lineCounter.addNewLine(0);
  const tokens: CST.Token[] = [];
  let pieces = 0;
  for (const piece of new Lexer().lex(text)) {
    tokens.push(...parser.next(piece));
    pieces += 1;
    if (pieces > MAX_PIECES) throw new NoManifest(lineCounter.lineStarts.length, TOO_MANY);
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
