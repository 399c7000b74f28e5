import { parseQuery, writeQuery } from '../../figures/query.ts';
import type { FigureQuery } from '../../figures/query.ts';
import { RANGE_WORDS, readRange } from '../../figures/range-words.ts';
import { nearest } from '../../lib/nearest.ts';
import { Unreadable } from '../../lib/refusal.ts';
import { splitWords } from '../../lib/words.ts';
import type { TagFilter } from '../../platform/consumption/query.ts';
import { LIMITS, tidy } from '../../slack/kit/index.ts';

/** Nothing but the default range. */
export const PLAIN_QUERY = parseQuery([]);

/** A word of a command is read up to 4 KB; escaped, a letter has up to five. */
const MOST_BYTES = 4_000;

/** Reads what was typed into a field as the words of a command are read. @throws Unreadable */
function readTyped(text: string): FigureQuery {
  // A field arrives as it was typed, a command escaped; tokens of Slack's are in neither of them.
  const split = splitWords(escaped(text));
  if ('problem' in split) throw new Unreadable(split.problem);
  return parseQuery(split.words);
}

/** Reads a range as a command has it, and nothing else. @throws Unreadable about ranges alone */
export function readTypedRange(text: string): string {
  const query = queryIn(text);
  const rest = { ...query, range: PLAIN_QUERY.range };
  if (query && JSON.stringify(rest) === JSON.stringify(PLAIN_QUERY)) return query.range;

  const reading = readRange(text.split(/\s+/));
  if (reading && 'problem' in reading) throw new Unreadable(reading.problem, reading.fix);
  throw new Unreadable(
    'Only a range can stand here, such as 2026-10 or last 3 weeks.',
    nearest(text.toLowerCase(), RANGE_WORDS),
  );
}

/** Reads filters with or without the "where" before them. @throws Unreadable */
export function readTypedFilters(text: string): TagFilter {
  const query = readTyped(/^\s*where\s/i.test(text) ? text : `where ${text}`);
  const isMore = Object.entries(query).some(
    ([part, value]) =>
      part !== 'where' &&
      JSON.stringify(value) !== JSON.stringify(PLAIN_QUERY[part as keyof FigureQuery]),
  );
  if (isMore)
    throw new Unreadable('Only filters can stand here: write TAG=VALUE, such as gvc=shop.');
  return query.where;
}

/** The filters as a field has them, as far as they can be typed and find room. */
export function typeFilters(filters: readonly (readonly [tag: string, value: string])[]): {
  readonly text: string;
  /** The tags of `text`. */
  readonly tags: readonly string[];
} {
  let text = '';
  const tags: string[] = [];
  for (const [tag, value] of filters) {
    const longer = `${text} ${typeFilter(tag, value)}`.trim();
    const fits =
      longer.length <= LIMITS.inputText && Buffer.byteLength(escaped(longer)) < MOST_BYTES;
    if (!fits || !isTypable(tag, value)) continue;
    text = longer;
    tags.push(tag);
  }
  return { text, tags };
}

function typeFilter(tag: string, value: string): string {
  const before = `${PLAIN_QUERY.range} where `;
  return writeQuery({ ...PLAIN_QUERY, where: { [tag]: value } }).slice(before.length);
}

/** A quotation mark, for one, cannot be typed, and a field shows nothing that cannot be seen. */
function isTypable(tag: string, value: string): boolean {
  const typed = typeFilter(tag, value);
  if (tidy(typed) !== typed) return false;
  try {
    const [read, ...others] = Object.entries(readTypedFilters(typed));
    return others.length === 0 && read?.[0] === tag && read[1] === value;
  } catch {
    return false;
  }
}

function queryIn(text: string): FigureQuery | undefined {
  try {
    return readTyped(text);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** As Slack escapes the text of a command. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
