import { coded, missing, twice, twoReadings, typed } from '../../grammar/typed.ts';
import { UsageError } from '../../lib/errors.ts';
import { nearest, type Word } from '../../lib/words.ts';
import { KEYWORDS } from '../../reporting/query-words.ts';
import { parseQuery, writeQuery, type ReportQuery } from '../../reporting/query.ts';
import { CADENCES, formatTime, readTime, type Cadence } from '../../reporting/schedule.ts';
import { readingsOf, readTypedAmount } from '../../reporting/amounts.ts';
import { readChannel } from '../../slack/directory.ts';

/** The typed part of a trigger: an amount, or else how often. */
export interface NewTrigger {
  readonly every?: Cadence | undefined;
  /** "09:00"; absent: the default time. */
  readonly at?: string | undefined;
  /** A decimal number of whole units. */
  readonly over?: string | undefined;
}

export interface WatchWords extends NewTrigger {
  readonly query: ReportQuery;
  /** Absent: the channel of the command. */
  readonly channel?: string;
}

interface Context {
  readonly command: string;
  /** Code or sign allowed beside an amount; undefined: amounts are quantities. */
  readonly currency: string | undefined;
}

interface Part {
  readonly name: 'every' | 'at' | 'over' | 'channel';
  readonly count: number;
  readonly value: string;
}

/**
 * Parses `[query] daily|weekly|monthly [at HH:MM] [over AMOUNT] [in #channel]`, in any order (design section 3).
 * Without a cadence, only the amount is monitored.
 * @param words those after `watch`
 * @throws UsageError with the whole command that was probably meant
 */
export function parseWatch(words: readonly Word[], context: Context): WatchWords {
  const start = `${context.command} watch`;
  const found: Partial<Record<Part['name'], string>> = {};
  /** As they can be typed again. */
  const taken: string[] = [];
  const rest: Word[] = [];
  for (let at = 0; at < words.length;) {
    const word = words[at];
    const part = isOfQuery(words, at) ? undefined : partAt(words, at, context);
    if (part === undefined) {
      if (word !== undefined) rest.push(word);
      at += 1;
      continue;
    }
    if (found[part.name] !== undefined)
      throw twice(part.name === 'every' ? 'daily, weekly or monthly' : (word?.text ?? ''));
    found[part.name] = part.value;
    // Slack's escaped channel cannot be typed, but its id can.
    const isChannel = part.name === 'channel';
    const own = words.slice(at, at + part.count).map(typed);
    taken.push(...(isChannel ? ['in', part.value] : own));
    at += part.count;
  }
  const { every, ...others } = found;
  const cadence = CADENCES.find((one) => one === every);
  const usual = cadence === undefined || others.over !== undefined ? undefined : BEFORE[cadence];
  const query = readRest(rest, taken, { command: start, range: usual });
  if (every === undefined && others.over === undefined) {
    throw new UsageError(
      'Say how often: daily, weekly or monthly; or over which amount.',
      [start, writeQuery(query), 'daily', ...taken].join(' '),
    );
  }
  return { query, ...others, ...(cadence === undefined ? {} : { every: cadence }) };
}

/** The range of a schedule that names none: the unit that is over. */
const BEFORE = { daily: 'yesterday', weekly: 'last week', monthly: 'last month' } as const;

/** Whether a word is an argument of a query keyword, such as an org named "daily". */
function isOfQuery(words: readonly Word[], at: number): boolean {
  const [before, word] = [words[at - 1], words[at]];
  if (word?.quoted !== false || word.text.startsWith(',')) return true;
  if (before?.text.endsWith(',') === true) return true;
  if (isGroup(words, at - 1)) return false;
  return KEYWORDS.some((one) => before?.quoted === false && one === before.text.toLowerCase());
}

/** "org" and "item" behind "by", perhaps in a list, are groups and take no argument. */
function isGroup(words: readonly Word[], at: number): boolean {
  if (!/^(?:org|item)$/i.test(words[at]?.text ?? '')) return false;
  const start = words.findLastIndex(({ text }, place) => place < at && !text.endsWith(','));
  return words[start]?.quoted === false && words[start].text.toLowerCase() === 'by';
}

/** @throws UsageError for a part with an invalid argument */
function partAt(words: readonly Word[], at: number, context: Context): Part | undefined {
  const word = words[at]?.text.toLowerCase() ?? '';
  const next = words[at + 1];
  if (CADENCES.some((one) => one === word)) return { name: 'every', count: 1, value: word };
  switch (word) {
    case 'at':
      return { name: 'at', count: 2, value: readAt(next) };
    case 'over':
      return { name: 'over', ...readOver(words, at + 1, context) };
    case 'in':
      return { name: 'channel', count: 2, value: readChannel(next?.text ?? '') };
    default:
      return undefined;
  }
}

function readAt(word: Word | undefined): string {
  const times = 'from 00:00 to 23:59, such as 09:30';
  if (word === undefined) throw missing('TIME', 'at', `: ${times}`);
  const time = readTime(word.text);
  if (time !== undefined) return formatTime(time);
  throw new UsageError(`${coded(word.text)} is not a time of day, ${times}.`);
}

/** "500", or "500 USD" in two words. */
function readOver(
  words: readonly Word[],
  at: number,
  { command, currency }: Context,
): Pick<Part, 'count' | 'value'> {
  const [first, second] = [words[at]?.text ?? '', words[at + 1]?.text ?? ''];
  const both = second === '' ? undefined : readTypedAmount(`${first} ${second}`, currency);
  if (both !== undefined && 'amount' in both) return { count: 3, value: both.amount };
  // A foreign currency code after the number belongs to the amount, not to the query.
  const isCode = /^[A-Z]{3}$/.test(second);
  const one = isCode && both !== undefined ? both : readTypedAmount(first, currency);
  const readings = readingsOf(first);
  if ('amount' in one && readings !== undefined) {
    const lineWith = (text: string) =>
      [command, 'watch', ...words.with(at, { text, quoted: false }).map(typed)].join(' ');
    throw twoReadings(first, [lineWith(readings[0]), lineWith(readings[1])]);
  }
  if ('amount' in one) return { count: 2, value: one.amount };
  if (one.problem === 'foreign') {
    const is = currency === undefined ? 'a number alone' : `in ${currency}`;
    throw new UsageError(`The amount is ${is}: over ${one.number}.`).withExample('over 500');
  }
  if (first === '') throw missing('AMOUNT', 'over').withExample('over 500');
  throw new UsageError(`${coded(first)} is not an amount: write a number.`).withExample('over 500');
}

/** Suggestions append the words of `taken` to the query. @throws UsageError */
function readRest(
  rest: readonly Word[],
  taken: readonly string[],
  options: { readonly command: string; readonly range: string | undefined },
): ReportQuery {
  try {
    return parseQuery(rest, options);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const meant = error.suggestion ?? misspelt(rest, options.command);
    throw error.meaning(meant && [meant, ...taken].join(' '));
  }
}

/** "dayly" is close to a cadence. */
function misspelt(rest: readonly Word[], start: string): string | undefined {
  for (const [at, word] of rest.entries()) {
    const meant = word.quoted ? undefined : nearest(word.text, CADENCES);
    if (meant !== undefined) {
      return [start, ...rest.with(at, { text: meant, quoted: false }).map(typed)].join(' ');
    }
  }
  return undefined;
}
