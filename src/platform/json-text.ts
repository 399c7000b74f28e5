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
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

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

/** A value in the text of a page; `end` is exclusive. */
interface Span {
  start: number;
  end: number;
}

interface ItemReader {
  /** The end of the item that starts here, if known without reading it. */
  endOf(start: number): number | undefined;
  take(item: Span): void;
}

/** Replaces the items. If a later member of that name wins, it is not found. */
const PLACEHOLDER = 'the items of the page';
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Walks through the items of a page without parsing them: most items of a polled list are unchanged, byte by
 * byte. It only finds where values begin and end; whether they are valid JSON shows when they are parsed.
 * @returns the page without its items (`[]` in their place); undefined for a text that is not clearly a
 *   page. Then JSON.parse of the whole decides.
 */
export function walkPage(body: Buffer, reader: ItemReader): unknown {
  const items = itemsOf(body);
  if (items === undefined) return undefined;
  const end = walkItems(body, items + 1, reader);
  if (end === undefined) return undefined;
  const rest =
    body.toString('utf8', afterMark(body), items) +
    JSON.stringify(PLACEHOLDER) +
    body.toString('utf8', end);
  const page = JSON.parse(rest) as { items?: unknown };
  return page.items === PLACEHOLDER ? { ...page, items: [] } : undefined;
}

function afterMark(body: Buffer): number {
  const { length } = BYTE_ORDER_MARK;
  return body.subarray(0, length).equals(BYTE_ORDER_MARK) ? length : 0;
}

function itemsOf(body: Buffer): number | undefined {
  let at = afterBlanks(body, afterMark(body));
  if (body[at] !== OPEN_OBJECT) return undefined;
  for (;;) {
    at = afterBlanks(body, at + 1);
    if (body[at] !== QUOTE) return undefined;
    const name = { start: at + 1, end: endOfString(body, at) };
    at = afterBlanks(body, name.end + 1);
    if (body[at] !== COLON) return undefined;
    at = afterBlanks(body, at + 1);
    const isItems = body.toString('latin1', name.start, name.end) === 'items';
    if (isItems) return body[at] === OPEN_LIST ? at : undefined;
    at = afterBlanks(body, endOfValue(body, at));
    if (body[at] !== COMMA) return undefined;
  }
}

/** @returns the offset after the list */
function walkItems(body: Buffer, from: number, reader: ItemReader): number | undefined {
  let start = afterBlanks(body, from);
  if (body[start] === CLOSE_LIST) return start + 1;
  for (;;) {
    const same = reader.endOf(start);
    const end = same !== undefined && endsItem(body, same) ? same : endOfValue(body, start);
    reader.take({ start, end });
    const next = afterBlanks(body, end);
    if (body[next] === CLOSE_LIST) return next + 1;
    if (body[next] !== COMMA) return undefined;
    start = afterBlanks(body, next + 1);
  }
}

function endsItem(body: Buffer, at: number): boolean {
  const sign = body[afterBlanks(body, at)];
  return sign === COMMA || sign === CLOSE_LIST;
}

/** The offset after the value that starts here, if its brackets and quotes match. */
function endOfValue(body: Buffer, from: number): number {
  let depth = 0;
  for (let at = from; at < body.length; at += 1) {
    const sign = body[at];
    if (sign === QUOTE) at = endOfString(body, at);
    else if (sign === OPEN_OBJECT || sign === OPEN_LIST) depth += 1;
    else if (sign === CLOSE_OBJECT || sign === CLOSE_LIST) {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (sign === COMMA && depth === 0) return at;
  }
  return body.length;
}
