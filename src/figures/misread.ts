import { nearest } from '../lib/nearest.ts';
import type { Unreadable } from '../lib/refusal.ts';
import type { Word } from '../lib/words.ts';
import { KEYWORDS, NO_EXCLUSION, isExclusion, shown, typed, unreadable } from './query-cursor.ts';
import type { Cursor, Fix, Keyword } from './query-cursor.ts';
import { properName } from './query-names.ts';
import { RANGE_WORDS, readRange } from './range-words.ts';
import { KNOWN_METRICS, KNOWN_TAGS } from './tags.ts';

/** What a mistyped word may have been, alone. */
const candidates = [...KEYWORDS, 'last', 'this', ...RANGE_WORDS] as const;

/** Of a shorter word every other one is near. */
const shortestTypo = 3;

/**
 * What to say of a word at the cursor that begins no part of a query, with what was probably meant.
 * @param after the part that ends just before it
 */
export function misread(cursor: Cursor, after: Keyword | undefined): Unreadable {
  const { words, at } = cursor;
  const word = words[at] ?? { text: '', quoted: false };
  if (word.text.includes('=')) {
    if (!word.quoted && isExclusion(word.text.slice(0, word.text.indexOf('=')))) {
      return unreadable(cursor, NO_EXCLUSION);
    }
    const fix = { at, count: 1, words: `where ${typed(word)}` };
    return unreadable(cursor, `${shown(word.text)} is a filter: it needs "where" before it.`, fix);
  }
  const sentence = `${shown(word.text)} is neither a range nor one of ${KEYWORDS.join(', ')}.`;
  const fix =
    rangeFix(cursor, word) ?? wordFix(cursor, word, after) ?? partFix(cursor, word, after);
  return unreadable(cursor, sentence, fix);
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

/** A word that means something, where it is known what, or that is near to one. */
function wordFix(cursor: Cursor, { text }: Word, after: Keyword | undefined): Fix | undefined {
  const alone = (words: string): Fix => ({ at: cursor.at, count: 1, words });

  const tag = properName(text, KNOWN_TAGS);
  if (tag !== undefined) return after === 'by' ? onePlace(cursor, ',') : alone(`by ${tag}`);
  const metric = properName(text, KNOWN_METRICS);
  if (metric !== undefined) return after === 'of' ? onePlace(cursor, ',') : alone(`of ${metric}`);
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
    return { at, count: 1, words: `org ${typed(word)}` };
  }
  if (after === 'org') return onePlace(cursor, ',');
  // "where gvc=my shop": a value with a space, without quotes.
  if (after === 'where') return onePlace(cursor, previous.endsWith('=') ? '' : ' ');
  return undefined;
}

/** The word at the cursor and the one before it as one word. */
function onePlace({ words, at }: Cursor, between: string): Fix | undefined {
  const [previous, word] = [words[at - 1], words[at]];
  if (!previous || !word) return undefined;
  const text = `${previous.text}${between}${word.text}`;
  return { at: at - 1, count: 2, words: typed({ text, quoted: previous.quoted }) };
}
