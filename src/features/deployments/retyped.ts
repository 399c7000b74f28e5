import { UsageError } from '../../lib/errors.ts';
import { truncate, type Word } from '../../lib/text.ts';

// What is said of words that cannot be read, and what was meant by them; lengths of time above all.

/**
 * The line with other words in the place of some, ready to be typed; '' leaves one out. What is right
 * stays as it was typed, Slack's channels too: a mute without its place would silence the whole channel.
 */
export function retyped(
  line: readonly Word[],
  ...changes: readonly [Word | undefined, string][]
): string {
  const instead = new Map(changes);
  const words = line.map((word) => instead.get(word) ?? typed(word));
  return ['/deployments', ...words.filter((word) => word !== '')].join(' ');
}

/** A word as it would be typed. */
export function typed({ text, quoted }: Word): string {
  return quoted || /\s/.test(text) ? `"${text}"` : text;
}

const MINUTE_MS = 60_000;
const UNITS = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS } as const;
const TIME = /^(\d+)(m|h|d)$/i;
/** Numbers that may be meant as a time. */
const LIKE_TIME = /^[-+]?\d+(?:[.,]\d+)?[a-z]*$/i;
const LONGEST_MS = 30 * UNITS.d;

export function isTime(text: string): boolean {
  return TIME.test(text);
}

export function isLikeTime(text: string): boolean {
  return LIKE_TIME.test(text);
}

/** Whether a word is the second half of `8 h`. */
export function isUnitWord(word: Word | undefined): boolean {
  return word !== undefined && /^(?:m|h|d|w|min\w*|hours?|days?|weeks?)$/i.test(word.text);
}

/** `30m`, `8h` or `2d` in milliseconds. @throws UsageError below one minute and above 30 days, too */
export function readTime(word: Word, line: readonly Word[]): number {
  const [, amount, unit] = TIME.exec(word.text) ?? [];
  if (amount === undefined || unit === undefined) throw noTime(word, line);
  const ms = Number(amount) * UNITS[unit.toLowerCase() as keyof typeof UNITS];
  if (ms >= MINUTE_MS && ms <= LONGEST_MS) return ms;
  throw new UsageError(
    `A mute lasts 1 minute at least and 30 days at most, not ${short(word.text)}.`,
    retyped(line, [word, ms > LONGEST_MS ? '30d' : '1m']),
  );
}

/** The no to what is nearly a time. @param unit of a time in two words, the second one */
export function noTime(word: Word, line: readonly Word[], unit?: Word): UsageError {
  const text = [word, unit].flatMap((one) => one?.text ?? []).join(' ');
  const meant = meantTime(text.replace(' ', ''));
  return new UsageError(
    `"${short(text)}" is not a time: write whole minutes, hours or days, as 30m, 8h or 2d.`,
    meant && retyped(line, [word, meant], [unit, '']),
  );
}

/** `90` is taken for minutes; `8hours` and `1w` are clear enough to suggest the right spelling. */
function meantTime(text: string): string | undefined {
  const [, amount = '', unit = ''] = /^(\d+)(|m|min\w*|h\w*|d\w*|w\w*)$/i.exec(text) ?? [];
  if (amount === '') return undefined;
  const letter = unit.charAt(0).toLowerCase() || 'm';
  return letter === 'w' ? `${Number(amount) * 7}d` : `${amount}${letter}`;
}

/** A word of a person's, as far as an answer repeats it. */
export function short(word: string): string {
  return truncate(word, 60);
}
