import { UsageError } from '../lib/errors.ts';
import { truncate } from '../lib/text.ts';
import { escapeTyped, splitWords, type Word } from '../lib/words.ts';

/** A word as it can be typed again. */
export function typed({ text, quoted }: Word): string {
  const equals = text.indexOf('=');
  if (quoted || (/\s/.test(text) && equals === -1)) return `"${text}"`;
  return /\s/.test(text) ? `${text.slice(0, equals)}="${text.slice(equals + 1)}"` : text;
}

/** A word or a command in a sentence about a mistake, as code. */
export function coded(text: string): string {
  return `\`${truncate(text.replaceAll('`', 'ˋ'), 60)}\``;
}

/** The one sentence about a word that is not known. */
export function notKnown(text: string): string {
  return `I don’t know ${coded(text)}.`;
}

export function unknownWord(text: string, suggestion?: string): UsageError {
  return new UsageError(notKnown(text), suggestion);
}

/** The one sentence about a part that is there twice. @param todo instead of keeping one */
export function twice(part: string, suggestion?: string, todo = 'keep one'): UsageError {
  return new UsageError(`${coded(part)} is there twice: ${todo}.`, suggestion);
}

/** The one sentence about a part that is missing. @param note about it, with a colon before it */
export function missing(name: string, after: string, note = ''): UsageError {
  return new UsageError(`${coded(name)} is missing after ${coded(after)}${note}.`);
}

/** The one sentence about words that are too many. @param understood the command without them */
export function tooMany(words: readonly Word[], understood: string): UsageError {
  const surplus = coded(words.map(typed).join(' '));
  return new UsageError(`${surplus} is too much here.`, understood);
}

type Readings = readonly [string, string];

/** The one sentence about an amount that is read in two ways. */
export function twoReadings(text: string, [one, other]: Readings): UsageError {
  return new UsageError(`${coded(text)} can be read in two ways.`, one).meaning(one, other);
}

/** The same below the field of a form, which has no buttons and no code. */
export function twoReadingsOfField(text: string, [one, other]: Readings): string {
  return `${truncate(text, 60)} can be read in two ways. Type ${other.replace(',', '')} or ${one}.`;
}

/**
 * A suggestion must be readable itself, so later mistakes are corrected, too.
 * @param command precedes the words in suggestions
 * @throws UsageError
 */
export function correcting<T>(
  words: readonly Word[],
  command: string,
  read: (words: readonly Word[]) => T,
): T {
  try {
    return read(words);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const [one, ...others] = [error.suggestion, error.other].flatMap(
      (meant) => readable(meant, command, read) ?? [],
    );
    throw error.meaning(one, others[0]);
  }
}

/** More mistakes are no typo. */
const MAX_MISTAKES = 5;

function readable(
  suggestion: string | undefined,
  command: string,
  read: (words: readonly Word[]) => unknown,
): string | undefined {
  let meant = suggestion;
  for (let mistakes = 0; mistakes < MAX_MISTAKES; mistakes += 1) {
    // The help of another command is always there.
    if (meant?.startsWith(command) !== true) return meant?.endsWith(' help') ? meant : undefined;
    const split = splitWords(escapeTyped(meant.slice(command.length)));
    if ('problem' in split) return undefined;
    try {
      read(split.words);
      return meant;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      meant = error.suggestion;
    }
  }
  return undefined;
}
