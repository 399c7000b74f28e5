import { textOf } from '../answer.ts';
import { add, lookAt, nextOf, pageOf } from './list.ts';
import type { Look, SeenList } from './list.ts';
import { walkPage } from './page-text.ts';

/** What the next list of the same GVC is held against. */
export interface LastList {
  /** In the order of the list. */
  readonly items: readonly LastItem[];
  /** Of the texts of the items, in bytes. */
  readonly size: number;
}

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
  const expected = createExpectation(before.items);
  const items: LastItem[] = [];
  let size = 0;
  return {
    list,
    see(body) {
      const found: LastItem[] = [];
      const rest = unlessOdd(() => walkPage(body, readerOf(body, expected, found)));
      if (rest === undefined) {
        // Whatever is odd about the text, the parser has the last word.
        const page = pageOf(JSON.parse(textOf(body)));
        for (const item of page.items ?? []) add(lookAt(item, undefined), list);
        return nextOf(page);
      }
      const next = nextOf(pageOf(rest));
      for (const item of found) {
        add(item.look, list);
        items.push(item);
        size += item.text.length;
      }
      return next;
    },
    last: () => ({ items, size }),
  };
}

function unlessOdd(walk: () => unknown): unknown {
  try {
    return walk();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function readerOf(body: Buffer, expected: Expectation, found: LastItem[]) {
  let same: { item: LastItem; end: number } | undefined;
  return {
    endOf(start: number): number | undefined {
      const item = expected.item();
      if (item === undefined) return undefined;
      const { text } = item;
      const end = start + text.length;
      const isSame = end <= body.length && body.compare(text, 0, text.length, start, end) === 0;
      same = isSame ? { item, end } : undefined;
      return same?.end;
    },
    take({ start, end }: { start: number; end: number }): void {
      const item = same?.end === end ? same.item : itemOf(body.subarray(start, end));
      expected.came(item);
      found.push(item);
    },
  };
}

/** The text is a copy: the page as a whole is not kept for the sake of an item. */
function itemOf(span: Buffer): LastItem {
  const text = Buffer.from(span);
  return { text, look: lookAt(JSON.parse(text.toString()), undefined, text) };
}

type Expectation = ReturnType<typeof createExpectation>;

/** Which item of the last list is likely to come next: the one behind that which came. */
function createExpectation(last: readonly LastItem[]) {
  let next = 0;
  let places: ReadonlyMap<string, number> | undefined;
  return {
    item: (): LastItem | undefined => last[next],
    came(item: LastItem): void {
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
