import { randomUUID } from 'node:crypto';
import { parseExact } from './json.ts';

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

  /**
   * Parses it unless that was done: unread parts have to be valid JSON, too. @throws SyntaxError, RangeError
   */
  check(): void {
    if (!this.#isParsed) this.parse();
  }
}

const [TAB, LINE_FEED, RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20];
const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x7b, 0x7d];

/**
 * Parses a JSON document as `parseExact` does, except for the objects in lists of one name: each is a `Part`,
 * which the caller reads one after another. A parsed answer takes five times the size of its text.
 * @param name only letters
 * @param parts gets every part, at any depth
 * @throws SyntaxError, RangeError; for the content of a part, its `parse` does
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
    // A repeated name is valid if both values are equal: only the whole document shows that.
    if (!(error instanceof SyntaxError) || parts.length === 0) throw error;
    return parseExact(document.toString().replace(/^\uFEFF/, ''));
  }
}

/** Replaces the placeholders in lists by their parts. */
function place(node: object, byText: (text: string) => unknown): void {
  const members = node as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (typeof value === 'string' && Array.isArray(node)) members[name] = byText(value);
    else if (typeof value === 'object' && value !== null) place(value, byText);
  }
}

/** Offsets of the objects at the beginning of lists of that name. */
function* objectsIn(document: Buffer, name: string): Generator<readonly [number, number]> {
  const quoted = Buffer.from(`"${name}"`);
  let at = document.indexOf(quoted);
  while (at !== -1) {
    const isName = document[at - 1] !== BACKSLASH;
    at = afterBlanks(document, at + quoted.length);
    const list = document[at] === COLON ? afterBlanks(document, at + 1) : -1;
    if (isName && document[list] === OPEN_LIST) {
      at = afterBlanks(document, list + 1);
      while (document[at] === OPEN_OBJECT) {
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
  for (;;) {
    const sign = document[at];
    if (sign !== SPACE && sign !== LINE_FEED && sign !== RETURN && sign !== TAB) return at;
    at += 1;
  }
}

/** @throws SyntaxError when it is not closed */
function endOfObject(document: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < document.length; at += 1) {
    const sign = document[at];
    if (sign === QUOTE) at = endOfString(document, at);
    else if (sign === OPEN_OBJECT) depth += 1;
    else if (sign === CLOSE_OBJECT) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  throw new SyntaxError('an object has no end');
}

/** Offset of the closing quote of the string that starts here; without one, the document's end. */
function endOfString(document: Buffer, start: number): number {
  for (let at = start + 1; at < document.length; at += 1) {
    const sign = document[at];
    if (sign === QUOTE) return at;
    if (sign === BACKSLASH) at += 1;
  }
  return document.length;
}
