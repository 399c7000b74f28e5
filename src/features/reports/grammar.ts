import { grammarOf } from '../../grammar/grammar.ts';
import { coded, missing, tooMany, typed, twice, twoReadings } from '../../grammar/typed.ts';
import { UsageError } from '../../lib/errors.ts';
import { nearest, type Word } from '../../lib/words.ts';
import {
  type Cursor,
  keywordAt,
  KNOWN_METRICS,
  KNOWN_TAGS,
  properName,
  rangeAt,
  refuseSingleQuotes,
  unknownName,
  usualOf,
  KEYWORDS,
} from '../../reporting/query-words.ts';
import { parseQuery, type ReportQuery, writeQuery } from '../../reporting/query.ts';
import {
  CADENCES,
  everydayTime,
  formatTime,
  readTime,
  type Cadence,
} from '../../reporting/schedule.ts';
import { readingsOf, readTypedAmount } from '../../reporting/amounts.ts';
import { readChannel } from '../../slack/directory.ts';

type ReportCommand =
  | { readonly kind: 'tags'; readonly tag: string; readonly query: ReportQuery }
  | { readonly kind: 'items' }
  | { readonly kind: 'watch'; readonly wanted: WatchWords }
  | { readonly kind: 'watches' }
  | { readonly kind: 'unwatch'; readonly number: string }
  | { readonly kind: 'report'; readonly query: ReportQuery };

const QUERY =
  '[RANGE] [by TAG[,TAG]] [of METRIC[,METRIC]] [item NAME[,NAME]] [where TAG=VALUE] [org NAME[,NAME]] [step STEP]';
const HINT = '[RANGE] [by TAG] [of METRIC] [item NAME] [where TAG=VALUE] [org NAME] [step STEP]';

const OF = {
  charges: {
    hint: `${HINT} | items | tags TAG | watch daily`,
    summary:
      'What it costs, priced: totals, shares, the change against the span before, and the projection.',
    does: 'charges by org of this month, or of what you name (by item: by chargeable item); with a step, over time',
    wish: 'price money spend cost expensive much cpu memory trend graph chart history filter group team csv spreadsheet customize',
    examples: [
      '/charges',
      '/charges last month by workload',
      '/charges last 3 months by gvc org acme step month',
      '/charges 2026-10-01..2026-10-15 of cpu,memory where gvc=shop step day',
      '/charges last month item egress by workload',
      '/charges last month by item,org',
    ],
    watched: [
      '/charges watch last 7 days by workload weekly at 09:00',
      '/charges watch where gvc=shop over 500',
    ],
    tagged: [],
  },
  usage: {
    hint: `${HINT} | tags TAG | watch daily`,
    summary: 'What is used: quantities in units people read, without prices.',
    does: 'quantities by workload and metric; with a step, over time',
    wish: 'quantity consumption core hours cpu memory egress traffic trend graph chart',
    examples: [
      '/usage',
      '/usage last month by gvc of cpu,memory',
      '/usage last 7 days where gvc=shop step day',
    ],
    watched: ['/usage watch last 7 days of cpu weekly'],
    tagged: ['/usage tags workload last month'],
  },
} as const;

/** @param currency allowed beside an amount; undefined: amounts are quantities */
export function createReportGrammar(name: keyof typeof OF, currency: string | undefined) {
  const command = `/${name}`;
  const { hint, summary, does, wish, examples, watched, tagged } = OF[name];
  return grammarOf<ReportCommand>()({
    command,
    hint,
    summary,
    usages: [
      {
        words: QUERY,
        does,
        wish,
        examples,
        read: (words) => ({ kind: 'report', query: readQuery(words, command) }),
      },
      {
        words: 'watch [RANGE] daily [at TIME] [over AMOUNT] [in #CHANNEL]',
        does: 'posts the answer to the channel daily, weekly or monthly, without RANGE of the day, week or month before; with an amount only when it is crossed',
        wish: 'schedule report budget notify',
        examples: watched,
        read: (words) => ({ kind: 'watch', wanted: parseWatch(words, { command, currency }) }),
      },
      {
        words: 'watches',
        does: 'lists the schedules and budgets of this channel',
        to: () => ({ kind: 'watches' }),
      },
      {
        words: 'unwatch N',
        does: 'ends one by its number',
        to: ({ N: number }) => ({ kind: 'unwatch', number }),
      },
      {
        words: 'items',
        ...(name === 'charges' && {
          does: 'the chargeable items, their ids, and what they are priced on',
          wish: 'rate tier metric price',
          examples: ['/charges items'],
        }),
        read: (words) => readItems(words, command),
      },
      {
        words: 'tags TAG [RANGE] [of METRIC[,METRIC]] [where TAG=VALUE] [org NAME[,NAME]]',
        does: 'the values that a tag has',
        wish: 'label names',
        examples: tagged,
        read: (words) => ({ kind: 'tags', ...parseTags(words, command) }),
      },
    ],
    readers: { N: (text: string) => readNumber(text, command) },
    notes: [
      'RANGE: today, this month, last month, last 7 days, 2026-10, 2026-10-05 or 2026-10-01..2026-10-15',
      `TAG: ${KNOWN_TAGS.join(', ')}`,
      'STEP: hour, day, week or month',
      `METRIC: ${KNOWN_METRICS.join(', ')}`,
      'In quotes any other tag or metric is taken as it is: by "my tag"',
      'item NAME: only what is charged as that chargeable item, which /charges items lists',
    ],
  });
}

export const CHARGES_HELP = createReportGrammar('charges', undefined).help;
export const USAGE_HELP = createReportGrammar('usage', undefined).help;

/** A name after "items" probably asks for the charges of that item. @throws UsageError */
function readItems(words: readonly Word[], command: string): ReportCommand {
  const isHere = command === '/charges';
  if (isHere && words.length === 0) return { kind: 'items' };
  const error = isHere
    ? tooMany(words, '/charges items')
    : new UsageError('Chargeable items are with the charges: "/charges items" lists them.');
  throw words.length === 0
    ? error
    : error.meaning([command, 'item', ...words.map(typed)].join(' '), error.suggestion);
}

/** @throws UsageError */
function readQuery(words: readonly Word[], command: string): ReportQuery {
  try {
    return parseQuery(words, { command });
  } catch (error) {
    if (!(error instanceof UsageError) || error.suggestion !== undefined) throw error;
    // Words that have a meaning only after "watch".
    const isScheduled = words.some(
      ({ text, quoted }) =>
        !quoted && [...CADENCES, 'over'].some((word) => word === text.toLowerCase()),
    );
    throw isScheduled ? error.meaning([command, 'watch', ...words.map(typed)].join(' ')) : error;
  }
}

/** @throws UsageError */
function readNumber(text: string, command: string): string {
  const number = /^#?(\d{1,9})$/.exec(text)?.[1];
  if (number !== undefined) return String(Number(number));
  throw new UsageError(`${coded(text)} is not a number: ${coded(`${command} watches`)} shows it.`);
}

/**
 * Parses `TAG [query]`: a known tag in any spelling, in quotes any tag (design section 3).
 * @param words those after `tags`
 * @param command with its slash
 * @throws UsageError with the whole command that was probably meant
 */
export function parseTags(
  words: readonly Word[],
  command: string,
): { tag: string; query: ReportQuery } {
  const cursor: Cursor = { words, command: `${command} tags`, at: 0 };
  refuseSingleQuotes(words, cursor.command);
  const tag = readTagName(cursor);
  const start = `${command} tags ${typed({ text: tag, quoted: words[0]?.quoted ?? false })}`;
  const query = parseQuery(words.slice(1), { command: start });
  const [misplaced] = [
    query.by && 'by',
    query.step && 'step',
    query.items.length > 0 ? 'item' : undefined,
  ].filter((word) => word !== undefined);
  if (misplaced !== undefined) {
    const meant = writeQuery({ ...query, by: undefined, step: undefined, items: [] });
    throw new UsageError(`"tags" takes no "${misplaced}": leave it out.`, `${start} ${meant}`);
  }
  return { tag, query };
}

function readTagName(cursor: Cursor): string {
  const [word] = cursor.words;
  const text = word?.text.trim() ?? '';
  const tag = word?.quoted === true ? text : properName(text, KNOWN_TAGS);
  if (tag !== undefined && tag !== '') return tag;
  if (text === '' || keywordAt(cursor) !== undefined || rangeAt(cursor) !== undefined) {
    const error = missing('TAG', 'tags', `: usual are ${usualOf(KNOWN_TAGS)}`);
    throw text === '' ? error.meaning(`${cursor.command} gvc`) : error;
  }
  const meant = nearest(text, KNOWN_TAGS);
  const fix = meant && { at: 0, count: 1, words: meant };
  throw unknownName(cursor, { what: 'tag', text, known: KNOWN_TAGS }, fix);
}

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
      return { name: 'at', count: 2, value: readAt(words, at + 1, context) };
    case 'over':
      return { name: 'over', ...readOver(words, at + 1, context) };
    case 'in':
      return { name: 'channel', count: 2, value: readChannel(next?.text ?? '') };
    default:
      return undefined;
  }
}

function readAt(words: readonly Word[], at: number, { command }: Context): string {
  const times = 'from 00:00 to 23:59, such as 09:30';
  const word = words[at];
  if (word === undefined) throw missing('TIME', 'at', `: ${times}`);
  const time = readTime(word.text);
  if (time !== undefined) return formatTime(time);
  const meant = everydayTime(word.text);
  throw new UsageError(
    `${coded(word.text)} is not a time of day, ${times}.`,
    meant && lineWith(command, words, at, meant),
  );
}

function lineWith(command: string, words: readonly Word[], at: number, text: string): string {
  return [command, 'watch', ...words.with(at, { text, quoted: false }).map(typed)].join(' ');
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
    const [line, other] = readings.map((text) => lineWith(command, words, at, text));
    throw twoReadings(first, [line ?? '', other ?? '']);
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
    const meant =
      everyday(rest, options.command) ?? misspelt(rest, options.command) ?? error.suggestion;
    throw error.meaning(meant && [meant, ...taken].join(' '));
  }
}

/** Everyday words of a schedule, and its own. */
const EVERYDAY: readonly (readonly [said: RegExp, meant: string])[] = [
  [/\b(?:every|each) day\b/i, 'daily'],
  [/\b(?:every|each) (?:week|monday)\b/i, 'weekly'],
  [/\b(?:every|each) month\b/i, 'monthly'],
  [/(?<=^| )on (?:mondays?|the (?:1st|first))\b/i, ''],
  [/(?<=^| )(?:above|exceeds|exceeding|(?:more|greater|larger) than|>)(?= )/i, 'over'],
  [/(?<=^| )\d?\d:\d\d(?= |$)/, 'at $&'],
];

function everyday(rest: readonly Word[], start: string): string | undefined {
  const line = rest.map(typed).join(' ');
  const meant = EVERYDAY.reduce((text, [said, word]) => text.replace(said, word), line);
  return meant === line ? undefined : [start, meant].join(' ').trim();
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
