import { Unreadable } from '../lib/refusal.ts';
import { truncate } from '../lib/text.ts';
import type { Word } from '../lib/words.ts';
import { MOST_RANGE_WORDS, readRange } from './range-words.ts';
import type { RangeReading } from './range-words.ts';

/** Each begins a part of a query. */
export const KEYWORDS = ['by', 'of', 'item', 'where', 'org', 'step'] as const;
export type Keyword = (typeof KEYWORDS)[number];

/** A longer suggestion helps nobody. */
const longestSuggestion = 300;

/** The words of a query, and how far they are read. */
export interface Cursor {
  readonly words: readonly Word[];
  /** What comes before the words, for suggestions. */
  readonly command: string;
  at: number;
}

/** Words that should stand in the place of `count` words from `at` on. */
export interface Fix {
  readonly at: number;
  readonly count: number;
  readonly words: string;
}

export function keywordAt({ words, at }: Cursor): Keyword | undefined {
  const word = words[at];
  return KEYWORDS.find((keyword) => !word?.quoted && keyword === word?.text.toLowerCase());
}

/** The range that begins at the cursor; `used` counts words of the command, and what is in quotes is one. */
export function rangeAt({ words, at }: Cursor): RangeReading | undefined {
  const first = words[at];
  if (first?.quoted) {
    const inside = first.text.trim().split(/\s+/);
    const reading = readRange(inside);
    return reading?.used === inside.length ? { ...reading, used: 1 } : undefined;
  }
  return readRange(words.slice(at, at + MOST_RANGE_WORDS).map((word) => word.text));
}

/** Whether the part that is being read ends here. */
export function partEndsAt(cursor: Cursor): boolean {
  const word = cursor.words[cursor.at];
  if (word === undefined) return true;
  if (word.quoted) return false;
  return keywordAt(cursor) !== undefined || rangeAt(cursor) !== undefined;
}

/** A no with the whole command as it was probably meant. */
export function unreadable(cursor: Cursor, sentence: string, fix?: Fix): Unreadable {
  if (fix === undefined) return new Unreadable(sentence);

  const before = cursor.words.slice(0, fix.at).map(typed);
  const after = cursor.words.slice(fix.at + fix.count).map(typed);
  const suggestion = [cursor.command, ...before, fix.words, ...after].join(' ').trim();
  return new Unreadable(sentence, suggestion.length > longestSuggestion ? undefined : suggestion);
}

/** What is said of `gvc!=shop` and the like (spec 4.5 rule 2). */
export const NO_EXCLUSION =
  'A filter knows "=" only: it says what matches, and even a regular expression cannot exclude anything.';

/** Whether a name ends with a comparison that there is not, as `gvc!` of `gvc!=shop` does. */
export function isExclusion(name: string): boolean {
  return /[!<>~≠]$/.test(name.trimEnd());
}

/** A word as it can be typed again. */
export function typed({ text, quoted }: Word): string {
  const equals = text.indexOf('=');
  if (quoted || (/\s/.test(text) && equals === -1)) return `"${text}"`;
  return /\s/.test(text) ? `${text.slice(0, equals)}="${text.slice(equals + 1)}"` : text;
}

/** A text of a person's as a sentence repeats it. */
export function shown(text: string): string {
  return `"${truncate(text, 60)}"`;
}
