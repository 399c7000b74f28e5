import { randomUUID } from 'node:crypto';

import { parseExact } from './exact-json.ts';

/** An object of a JSON document that is not parsed yet. */
export class Part {
  readonly #document: Buffer;
  readonly #start: number;
  readonly #end: number;
  #isParsed = false;

  constructor(document: Buffer, start: number, end: number) {
    this.#document = document;
    this.#start = start;
    this.#end = end;
  }

  /** As `parseExact`. @throws SyntaxError, RangeError */
  parse(): unknown {
    const value = parseExact(this.#document.toString('utf8', this.#start, this.#end));
    this.#isParsed = true;
    return value;
  }

  /** What nobody has read has to be JSON, too. @throws SyntaxError, RangeError */
  check(): void {
    if (!this.#isParsed) this.parse();
  }
}

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [LIST, OBJECT, OBJECT_END] = [0x5b, 0x7b, 0x7d];
const BLANKS: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Parses a JSON document as `parseExact` does, but for the objects in lists of one name: each is a `Part`,
 * for whoever reads them one after another. A whole answer of the platform takes five times its size.
 * @param name in letters alone
 * @param parts gets every part, wherever it stands
 * @throws SyntaxError, RangeError; of what a part holds, its `parse` does
 */
export function parseInParts(document: Buffer, name: string, parts: Part[] = []): unknown {
  const mark = `${randomUUID()} `;
  const texts: string[] = [];
  let kept = 0;
  for (const [start, end] of objectsIn(document, name)) {
    texts.push(document.toString('utf8', kept, start), JSON.stringify(`${mark}${parts.length}`));
    parts.push(new Part(document, start, end));
    kept = end;
  }
  texts.push(document.toString('utf8', kept));
  const skeleton = texts.join('').replace(/^\uFEFF/, '');
  if (skeleton.trim() === '') return undefined;
  try {
    const root = [parseExact(skeleton)];
    place(root, (text) => (text.startsWith(mark) ? parts[Number(text.slice(mark.length))] : text));
    return root[0];
  } catch (error) {
    // A list may be said twice, which is right if both are equal: only the whole shows that.
    if (!(error instanceof SyntaxError) || parts.length === 0) throw error;
    return parseExact(document.toString().replace(/^\uFEFF/, ''));
  }
}

/** Puts into lists what stands for their texts. */
function place(node: object, byText: (text: string) => unknown): void {
  const members = node as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (typeof value === 'string' && Array.isArray(node)) members[name] = byText(value);
    else if (typeof value === 'object' && value !== null) place(value, byText);
  }
}

/** Where the objects stand that lists of that name begin with. */
function* objectsIn(document: Buffer, name: string): Generator<readonly [number, number]> {
  const quoted = Buffer.from(`"${name}"`);
  let at = document.indexOf(quoted);
  while (at !== -1) {
    const isName = document[at - 1] !== BACKSLASH;
    at = afterBlanks(document, at + quoted.length);
    const list = document[at] === COLON ? afterBlanks(document, at + 1) : -1;
    if (isName && document[list] === LIST) {
      at = afterBlanks(document, list + 1);
      while (document[at] === OBJECT) {
        const end = endOfObject(document, at);
        yield [at, end];
        at = afterBlanks(document, end);
        if (document[at] === COMMA) at = afterBlanks(document, at + 1);
      }
    }
    at = document.indexOf(quoted, at);
  }
}

function afterBlanks(document: Buffer, start: number): number {
  let at = start;
  while (BLANKS.has(document[at])) at += 1;
  return at;
}

/** @throws SyntaxError when it does not end */
function endOfObject(document: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < document.length; at += 1) {
    const sign = document[at];
    if (sign === QUOTE) at = endOfString(document, at);
    else if (sign === OBJECT) depth += 1;
    else if (sign === OBJECT_END) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  throw new SyntaxError('an object has no end');
}

/** Where the quote stands that ends a string. */
function endOfString(document: Buffer, start: number): number {
  for (let at = start + 1; at < document.length; at += 1) {
    if (document[at] === QUOTE) return at;
    if (document[at] === BACKSLASH) at += 1;
  }
  return document.length;
}
