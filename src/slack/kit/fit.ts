/**
 * All items in order, in packs that are each as full as possible. Pure.
 * @param sizesOf of an item, each in a unit of its own
 * @param room of a pack, in the same units; an item that is larger has a pack of its own
 */
export function pack<Item>(
  items: readonly Item[],
  sizesOf: (item: Item) => readonly number[],
  room: readonly number[],
): Item[][] {
  const packs: Item[][] = [];
  let left = room;
  for (const item of items) {
    const sizes = sizesOf(item);
    const without = (space: readonly number[]) => space.map((size, at) => size - (sizes[at] ?? 0));
    const last = packs.at(-1);
    const rest = without(left);
    if (last !== undefined && rest.every((size) => size >= 0)) {
      last.push(item);
      left = rest;
    } else {
      packs.push([item]);
      left = without(room);
    }
  }
  return packs;
}

/** The first items that have room together; without room for the first one, none. */
export function thatFit<Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  room: number,
): readonly Item[] {
  let left = room;
  const over = items.findIndex((item) => (left -= sizeOf(item)) < 0);
  return over === -1 ? items : items.slice(0, over);
}

const SHORT = { lines: 12, characters: 900 };

/** Whether lines fit into a message without a button that opens the rest (docs/style.md, "Length"). */
export function isShort(lines: readonly string[]): boolean {
  const characters = lines.reduce((sum, line) => sum + line.length, 0);
  return lines.length <= SHORT.lines && characters <= SHORT.characters;
}

/** `total`: when there are more names than given; `before`: the separator before the count of the rest. */
export interface FirstOptions {
  readonly total?: number;
  readonly before?: ', ' | ' and ';
}

/** The first `max` names: "a, b", or with others "a, b and 3 more". */
export function firstOf(
  names: readonly string[],
  max: number,
  { total = names.length, before = ' and ' }: FirstOptions = {},
): string {
  const shown = names.slice(0, max);
  const more = total - shown.length;
  if (more <= 0) return shown.join(', ');
  return `${shown.join(', ')}${shown.length === 0 ? '' : before}${more} more`;
}

/** "… and 3 more", if there are any. */
export function restLine(shown: number, total: number): string[] {
  return total > shown ? [`… and ${total - shown} more`] : [];
}

/**
 * Mrkdwn of at most `max` UTF-16 units, the last of them an ellipsis if something was cut off. A link, mention or
 * entity that would be divided is left out as a whole; a code span that would be is closed.
 */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = startOf(text, max - 1);
  if (!isInCode(kept)) return `${kept}…`;
  const closed = startOf(text, max - 2);
  return `${closed}…${isInCode(closed) ? '`' : ''}`;
}

/** Foreign text is escaped, so angle brackets and backticks are ours. */
function startOf(text: string, length: number): string {
  return text.slice(0, Math.max(0, length)).replace(/(?:<[^<>]*|&\w*|[\uD800-\uDBFF])$/, '');
}

function isInCode(start: string): boolean {
  return start.split('`').length % 2 === 0;
}
