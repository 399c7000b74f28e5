import { documentText } from '../answer.ts';
import { add, lookAt, nextOf, pageOf } from './list.ts';
import type { Look, SeenList } from './list.ts';
import { walkPage } from './page-text.ts';

/** What the next list of the same GVC is held against. */
export interface LastList {
  /** In the order of the list. */
  readonly items: readonly LastItem[];
  /** What it takes in memory, in bytes, roughly. */
  readonly size: number;
}

/** Bytes of an item beside its text. */
const OVERHEAD = 500;

interface LastItem {
  readonly text: Buffer;
  readonly look: Look;
}

/** Takes the pages of one list as they come. */
export interface ListLooker {
  readonly list: SeenList;
  /**
   * @returns the link to the next page
   * @throws PlatformError `malformed` when it is no page; SyntaxError
   */
  see(page: Buffer): string | undefined;
  /** For the next time. */
  last(): LastList;
}

/**
 * Looks at a list whose items are read when they are asked for. An item whose text is that of the last
 * list, byte by byte, is the very object that was seen there: a poll mostly says what the one before
 * said, and to parse that again is nearly all that it would cost.
 */
export function createLooker(before: LastList = { items: [], size: 0 }): ListLooker {
  const list: SeenList = { seen: [], unreadable: [], unidentified: 0 };
  const cursor = createCursor(before.items);
  const items: LastItem[] = [];
  let size = 0;
  return {
    list,
    see(body) {
      const found: LastItem[] = [];
      const rest = undefinedIfOdd(() => walkPage(body, readerOf(body, cursor, found)));
      if (rest === undefined) return seeWhole(body, list);
      const next = nextOf(pageOf(rest));
      for (const item of found) {
        add(item.look, list);
        items.push(item);
        size += item.text.length + OVERHEAD;
      }
      return next;
    },
    last: () => ({ items, size }),
  };
}

/** Whatever is odd about a text, the parser has the last word. */
function seeWhole(body: Buffer, list: SeenList): string | undefined {
  const page = pageOf(JSON.parse(documentText(body)));
  for (const item of page.items ?? []) add(lookAt(item, undefined), list);
  return nextOf(page);
}

function undefinedIfOdd(walk: () => unknown): unknown {
  try {
    return walk();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function readerOf(body: Buffer, cursor: Cursor, found: LastItem[]) {
  let same: { item: LastItem; end: number } | undefined;
  return {
    endOf(start: number): number | undefined {
      const item = cursor.expected();
      if (item === undefined) return undefined;
      const { text } = item;
      const end = start + text.length;
      const isSame = end <= body.length && body.compare(text, 0, text.length, start, end) === 0;
      same = isSame ? { item, end } : undefined;
      return same?.end;
    },
    take({ start, end }: { start: number; end: number }): void {
      const item = same?.end === end ? same.item : itemOf(body.subarray(start, end));
      cursor.passed(item);
      found.push(item);
    },
  };
}

/** The text is a copy, and of its own memory: neither its page nor its neighbours are kept with it. */
function itemOf(span: Buffer): LastItem {
  const text = Buffer.allocUnsafeSlow(span.length);
  span.copy(text);
  return { text, look: lookAt(JSON.parse(text.toString()), undefined, text) };
}

type Cursor = ReturnType<typeof createCursor>;

/** Which item of the last list is likely to come next: the one behind that which came last. */
function createCursor(last: readonly LastItem[]) {
  let next = 0;
  let places: ReadonlyMap<string, number> | undefined;
  return {
    expected: (): LastItem | undefined => last[next],
    passed(item: LastItem): void {
      const name = nameOf(item);
      if (last[next] === item || nameOf(last[next]) === name) {
        next += 1;
        return;
      }
      places ??= new Map(last.map((one, place) => [nameOf(one), place]));
      next = (places.get(name) ?? next - 1) + 1;
    },
  };
}

/** Of those that do not say who they are, one is as good as the other. */
function nameOf(item: LastItem | undefined): string {
  if (item?.look.is === 'seen') return item.look.deployment.key;
  return item?.look.is === 'unreadable' ? item.look.key : '';
}
