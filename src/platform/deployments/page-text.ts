/** A value in the text of a page, from its first byte to behind its last. */
export interface Span {
  start: number;
  end: number;
}

/** What is to be known of the items of a page, one after the other. */
interface ItemReader {
  /** Where the item that starts here ends, when that is known without reading it. */
  endOf(start: number): number | undefined;
  take(item: Span): void;
}

const [TAB, LINE_FEED, RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20];
const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
/** In place of the items. If a later member of that name wins, this is not what is found. */
const PLACEHOLDER = 'the items of the page';
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Walks through the items of a page without making anything of them: a list that is polled says
 * mostly what it said before, byte by byte. It only tells values apart; whether they are JSON is for
 * who parses them.
 * @returns the page without its items (`[]` in their place); undefined for a text that is not plainly
 * a page. Then only JSON.parse of the whole can say what it is.
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

/** Where the list of items begins. */
function itemsOf(body: Buffer): number | undefined {
  let at = spaceFrom(body, afterMark(body));
  if (body[at] !== OPEN_OBJECT) return undefined;
  for (;;) {
    at = spaceFrom(body, at + 1);
    if (body[at] !== QUOTE) return undefined;
    const name = { start: at + 1, end: endOfString(body, at) };
    at = spaceFrom(body, name.end + 1);
    if (body[at] !== COLON) return undefined;
    at = spaceFrom(body, at + 1);
    const isItems = body.toString('latin1', name.start, name.end) === 'items';
    if (isItems) return body[at] === OPEN_LIST ? at : undefined;
    at = spaceFrom(body, endOfValue(body, at));
    if (body[at] !== COMMA) return undefined;
  }
}

/** @returns where the list has ended */
function walkItems(body: Buffer, from: number, reader: ItemReader): number | undefined {
  let start = spaceFrom(body, from);
  if (body[start] === CLOSE_LIST) return start + 1;
  for (;;) {
    const same = reader.endOf(start);
    const end = same !== undefined && endsItem(body, same) ? same : endOfValue(body, start);
    reader.take({ start, end });
    const next = spaceFrom(body, end);
    if (body[next] === CLOSE_LIST) return next + 1;
    if (body[next] !== COMMA) return undefined;
    start = spaceFrom(body, next + 1);
  }
}

function endsItem(body: Buffer, at: number): boolean {
  const sign = body[spaceFrom(body, at)];
  return sign === COMMA || sign === CLOSE_LIST;
}

function spaceFrom(body: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const sign = body[at];
    if (sign !== SPACE && sign !== LINE_FEED && sign !== RETURN && sign !== TAB) return at;
    at += 1;
  }
}

/** Behind the value that starts here, as long as its brackets and quotes are in order. */
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

/** Where the string that starts here has its last quote. */
function endOfString(body: Buffer, from: number): number {
  for (let at = from + 1; at < body.length; at += 1) {
    const sign = body[at];
    if (sign === QUOTE) return at;
    if (sign === BACKSLASH) at += 1;
  }
  return body.length;
}
