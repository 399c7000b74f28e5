import type { UsageError } from '../lib/errors.ts';
import { nearest, type Word } from '../lib/text.ts';
import {
  isExclusion,
  KEYWORDS,
  KNOWN_METRICS,
  KNOWN_TAGS,
  NO_EXCLUSION,
  partEndsAt,
  properName,
  shown,
  typed,
  unreadable,
  type Cursor,
  type Fix,
  type Keyword,
} from './query-words.ts';
import { RANGE_WORDS, readRange } from './range-words.ts';

/** What a mistyped word may have been, alone. */
const candidates = [...KEYWORDS, 'last', 'this', ...RANGE_WORDS] as const;

/** Of a shorter word every other one is near. */
const shortestTypo = 3;

/**
 * What to say of a word at the cursor that begins no part of a query, with what was probably meant.
 * @param after the part that ends just before it
 */
export function suggest(cursor: Cursor, after: Keyword | undefined): UsageError {
  const { words, at } = cursor;
  const word = words[at] ?? { text: '', quoted: false };
  if (word.text.includes('=')) {
    if (!word.quoted && isExclusion(word.text.slice(0, word.text.indexOf('=')))) {
      return unreadable(cursor, NO_EXCLUSION);
    }
    const keyword = withEquals(cursor, word);
    if (keyword !== undefined) return keyword;
    const fix = { at, count: 1, words: `where ${typed(word)}` };
    return unreadable(cursor, `${shown(word.text)} is a filter: put "where" before it.`, fix);
  }
  const sentence = `${shown(word.text)} is neither a range nor one of ${KEYWORDS.join(', ')}.`;
  const fix =
    rangeFix(cursor, word) ??
    itemFix(cursor, word) ??
    wordFix(cursor, word, after) ??
    partFix(cursor, word, after);
  return unreadable(cursor, sentence, fix);
}

/** "item=cpu": a keyword that is no tag is followed by its names. */
function withEquals(cursor: Cursor, { text, quoted }: Word): UsageError | undefined {
  const [name = '', value = ''] = text.split(/=(.*)/s).map((one) => one.trim());
  const keyword = KEYWORDS.find((one) => one === name.toLowerCase().replace(/^items$/, 'item'));
  if (quoted || keyword === undefined || properName(keyword, KNOWN_TAGS) !== undefined) {
    return undefined;
  }
  const sentence = `After "${keyword}" comes a space, not "=".`;
  const words = `${keyword} ${typed({ text: value, quoted: false })}`;
  return unreadable(
    cursor,
    sentence,
    value === '' ? undefined : { at: cursor.at, count: 1, words },
  );
}

/** "30 days" without "last", and "2026-10-01 to 2026-10-15". */
function rangeFix({ words, at }: Cursor, { text }: Word): Fix | undefined {
  const [previous, next] = [words[at - 1]?.text ?? '', words[at + 1]?.text ?? ''];
  if (/^\d/.test(text)) {
    const reading = readRange(['last', text, next]);
    const fix = reading && ('words' in reading ? reading.words : reading.fix);
    return fix === undefined ? undefined : { at, count: (reading?.used ?? 2) - 1, words: fix };
  }
  if (!/^(?:to|till|until|-|–)$/i.test(text)) return undefined;
  const reading = readRange([`${previous}..${next}`]);
  return reading && 'words' in reading ? { at: at - 1, count: 3, words: reading.words } : undefined;
}

/** "egress item", with the name before the word. */
function itemFix({ words, at, command }: Cursor, word: Word): Fix | undefined {
  const next = words[at + 1];
  const isLast = partEndsAt({ words, command, at: at + 2 });
  if (next?.quoted !== false || !/^items?$/i.test(next.text) || !isLast) return undefined;
  return { at, count: 2, words: `item ${typed(word)}` };
}

/** A word that means something, where it is known what, or that is near to one. */
function wordFix(cursor: Cursor, { text }: Word, after: Keyword | undefined): Fix | undefined {
  const alone = (words: string): Fix => ({ at: cursor.at, count: 1, words });

  const tag = properName(text, KNOWN_TAGS);
  if (tag !== undefined) return after === 'by' ? inOneList(cursor, after) : alone(`by ${tag}`);
  const metric = properName(text, KNOWN_METRICS);
  if (metric !== undefined) {
    // Many an item is named like what it prices.
    const isListed = after === 'of' || after === 'item';
    return isListed ? inOneList(cursor, after) : alone(`of ${metric}`);
  }
  if (/^(?:week|month|year)$/i.test(text)) return alone(`this ${text.toLowerCase()}`);
  if (/^(?:hour|day)$/i.test(text)) return alone(`step ${text.toLowerCase()}`);

  const meant = text.length < shortestTypo ? undefined : nearest(text, candidates);
  return meant === undefined ? undefined : alone(meant);
}

/** A word that belongs to the part before it, or is the rest of one. */
function partFix(cursor: Cursor, word: Word, after: Keyword | undefined): Fix | undefined {
  const { words, at } = cursor;
  const previous = words[at - 1]?.text ?? '';
  // "by org acme" groups by the tag "org", and then there is a name.
  if (after === 'by' && previous.toLowerCase() === 'org') {
    const isAlone = words[at - 2]?.text.toLowerCase() === 'by';
    return isAlone
      ? { at: at - 2, count: 3, words: `org ${typed(word)}` }
      : { at, count: 1, words: `org ${typed(word)}` };
  }
  if (after === 'item' || after === 'org') return inOneList(cursor, after);
  // "where gvc=my shop": a value with a space, without quotes.
  if (after === 'where') return onePlace(cursor, previous.endsWith('=') ? '' : ' ');
  return undefined;
}

/** The word at the cursor and the one before it as names of one list. */
function inOneList(cursor: Cursor, keyword: Keyword): Fix | undefined {
  const { words, at } = cursor;
  const [previous, word] = [words[at - 1], words[at]];
  // In quotes a comma is a part of an item's name.
  const isApart = keyword === 'item' && (previous?.quoted === true || word?.quoted === true);
  if (!previous || !word || !isApart) return onePlace(cursor, ',');
  return { at: at - 1, count: 2, words: `${typed(previous)}, ${typed(word)}` };
}

/** The word at the cursor and the one before it as one word. */
function onePlace({ words, at }: Cursor, between: string): Fix | undefined {
  const [previous, word] = [words[at - 1], words[at]];
  if (!previous || !word) return undefined;
  const text = `${previous.text}${between}${word.text}`;
  return { at: at - 1, count: 2, words: typed({ text, quoted: previous.quoted }) };
}
