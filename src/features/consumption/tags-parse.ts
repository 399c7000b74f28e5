import { keywordAt, rangeAt, typed, unreadable } from '../../figures/query-cursor.ts';
import type { Cursor } from '../../figures/query-cursor.ts';
import { properName, unknownName } from '../../figures/query-names.ts';
import { parseQuery, writeQuery } from '../../figures/query.ts';
import type { FigureQuery } from '../../figures/query.ts';
import { refuseSingleQuotes } from '../../figures/single-quotes.ts';
import { KNOWN_TAGS } from '../../figures/tags.ts';
import { nearest } from '../../lib/nearest.ts';
import { Unreadable } from '../../lib/refusal.ts';
import type { Word } from '../../lib/words.ts';

/**
 * Reads `TAG [query]`: a known tag in any spelling, in quotes any tag (design section 3).
 * @param words those after `tags`
 * @param command with its slash
 * @throws Unreadable with the whole command that was probably meant
 */
export function parseTags(
  words: readonly Word[],
  command: string,
): { tag: string; query: FigureQuery } {
  const cursor: Cursor = { words, command: `${command} tags`, at: 0 };
  refuseSingleQuotes(words, cursor.command);
  const tag = readTag(cursor);
  const start = `${command} tags ${typed({ text: tag, quoted: words[0]?.quoted ?? false })}`;
  const query = parseQuery(words.slice(1), { command: start });
  const misplaced = query.by ? 'by' : query.step && 'step';
  if (misplaced !== undefined) {
    const meant = writeQuery({ ...query, by: undefined, step: undefined });
    throw new Unreadable(
      `"${misplaced}" makes no sense for the values of a tag: leave it out.`,
      `${start} ${meant}`,
    );
  }
  if (query.items.length > 0) {
    throw new Unreadable(
      'The values of a tag cannot be asked for by chargeable item: leave "item" out.',
      `${start} ${writeQuery({ ...query, items: [] })}`,
    );
  }
  return { tag, query };
}

function readTag(cursor: Cursor): string {
  const [word] = cursor.words;
  const text = word?.text.trim() ?? '';
  const tag = word?.quoted === true ? text : properName(text, KNOWN_TAGS);
  if (tag !== undefined && tag !== '') return tag;
  if (text === '' || keywordAt(cursor) !== undefined || rangeAt(cursor) !== undefined) {
    throw new Unreadable(`After "tags" comes a tag: ${KNOWN_TAGS.join(', ')}.`);
  }
  const meant = nearest(text, KNOWN_TAGS);
  const words = typed({ text: meant ?? text, quoted: meant === undefined });
  throw unreadable(cursor, unknownName('tag', text, meant), { at: 0, count: 1, words });
}
