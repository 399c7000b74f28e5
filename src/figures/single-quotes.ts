import type { Word } from '../lib/words.ts';
import { typed, unreadable } from './query-cursor.ts';
import { readRange } from './range-words.ts';

/** What people and telephones take for quotation marks, beside the double ones. */
const MARK = "['‘’‚‛`´]";
const OPENING = new RegExp(`^(?<before>[^=]*=)?${MARK}(?<text>.*)$`, 's');
const CLOSING = new RegExp(`^(?<text>.*)${MARK}(?<after>,?)$`, 's');
const BETWEEN = new RegExp(`${MARK},\\s*${MARK}`);

/**
 * Refuses words between single quotation marks, which would stand for themselves: `'last month'`,
 * `gvc='my shop'`. A mark within a word is part of it, and so is everything in double quotes.
 * @param command what comes before the words, for the suggestion
 * @throws Unreadable
 */
export function refuseSingleQuotes(words: readonly Word[], command: string): void {
  const meant: string[] = [];
  let isRefused = false;
  for (let at = 0; at < words.length;) {
    const inside = insideFrom(words, at);
    isRefused ||= inside !== undefined;
    const count = inside?.count ?? 1;
    meant.push(
      inside?.text ??
        words
          .slice(at, at + count)
          .map(typed)
          .join(' '),
    );
    at += count;
  }
  if (!isRefused) return;
  const fix = { at: 0, count: words.length, words: meant.join(' ') };
  throw unreadable({ words, command, at: 0 }, 'Only double quotes ("…") keep words together.', fix);
}

/** Whether a value would be refused unless it is in double quotes. */
export function isSingleQuoted(value: string): boolean {
  return OPENING.test(value);
}

/** What stands between marks from a word on, as it is typed, and how many words that is. */
function insideFrom(
  words: readonly Word[],
  at: number,
): { text: string; count: number } | undefined {
  const { before = '', text: opened } = OPENING.exec(plain(words[at]))?.groups ?? {};
  if (opened === undefined) return undefined;
  const texts: string[] = [];
  for (let place = at; place < words.length; place += 1) {
    const own = place === at ? opened : plain(words[place]);
    const { text, after = '' } = CLOSING.exec(own)?.groups ?? {};
    if (text !== undefined) {
      const meant = typedAgain(before + [...texts, text].join(' '));
      return { text: meant + after, count: place - at + 1 };
    }
    texts.push(own);
  }
  return undefined;
}

/** In double quotes nothing is a mark. */
function plain(word: Word | undefined): string {
  return word === undefined || word.quoted ? '' : word.text;
}

/** The words of a range need no quotes; a name or a value with a space does. */
function typedAgain(text: string): string {
  if (text.includes('=')) return typed({ text, quoted: false });
  return text.split(BETWEEN).map(nameAgain).join(',');
}

function nameAgain(text: string): string {
  const words = text.trim().split(/\s+/);
  return readRange(words)?.used === words.length ? text : typed({ text, quoted: false });
}
