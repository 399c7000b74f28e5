import { correcting, missing, notKnown, twice, typed } from '../grammar/typed.ts';
import type { UsageError } from '../lib/errors.ts';
import { stripControl } from '../lib/text.ts';
import { nearest, type Word } from '../lib/words.ts';
import { TIME_STEPS, type TimeStep } from '../platform/consumption/query.ts';
import { everydayPart, needlessCount } from './everyday.ts';
import {
  type Cursor,
  type Fix,
  GROUPS,
  isExclusion,
  isSingleQuoted,
  joinNames,
  type Keyword,
  keywordAt,
  KEYWORDS,
  KNOWN_METRICS,
  KNOWN_TAGS,
  nearName,
  NO_EXCLUSION,
  partEndsAt,
  properName,
  rangeAt,
  readNames,
  refuseSingleQuotes,
  shown,
  unknownName,
  unreadable,
} from './query-words.ts';
import { everydayDates, RANGE_WORDS, readRange } from './range-words.ts';

/** A query of charges or usage (design section 3) as plain, JSON-compatible data. */
export interface ReportQuery {
  /** The range in its canonical spelling: "this month", "last 3 days", "2026-10-01..2026-10-15". */
  readonly range: string;
  /** Tags to group by; undefined: the default of the command. */
  readonly by: readonly string[] | undefined;
  /** Empty: all. */
  readonly of: readonly string[];
  /** Names; empty: all. */
  readonly items: readonly string[];
  /** Tag to value; a value in slashes is a regular expression (spec 4.5 rule 2). */
  readonly where: Readonly<Record<string, string>>;
  /** Empty: all. */
  readonly orgs: readonly string[];
  readonly step: TimeStep | undefined;
}

interface Parts {
  range?: string;
  by?: string[];
  of?: string[];
  item?: string[];
  where?: Map<string, string>;
  org?: string[];
  step?: TimeStep;
}

/** How to write several in one part. */
const JOINED = 'join them by commas';

/**
 * Parses a query (design section 3), with its parts in any order: `[range] [by TAG[,TAG]] [of
 * METRIC[,METRIC]] [item NAME[,NAME]] [where TAG=VALUE ...] [org NAME[,NAME]] [step STEP]`. The
 * default range is this month unless given. Known tags and metrics get their proper spelling unless quoted;
 * values, and names of orgs and items, are kept.
 * @throws UsageError with the corrected command
 */
export function parseQuery(
  words: readonly Word[],
  options: {
    /** Precedes the words in suggestions: "/charges", "/usage tags gvc". */
    readonly command?: string;
    /** The range if none is typed. */
    readonly range?: string | undefined;
  } = {},
): ReportQuery {
  const { command = '', range = 'this month' } = options;
  return correcting(words, command, (some) => readQuery({ words: some, command, at: 0 }, range));
}

function readQuery(cursor: Cursor, usualRange: string): ReportQuery {
  const { words } = cursor;
  refuseSingleQuotes(words, cursor.command);
  const parts: Parts = {};
  let after: Keyword | undefined;
  while (cursor.at < words.length) {
    const keyword = keywordAt(cursor);
    if (keyword === undefined) readRangePart(cursor, parts, after);
    else readPart(cursor, parts, keyword);
    after = keyword;
  }
  if (parts.of && parts.where?.has('metric')) {
    throw unreadable(cursor, '"of" and "where metric=" both choose metrics: keep one.');
  }
  if (parts.org && parts.where?.has('org')) {
    throw unreadable(cursor, '"org" and "where org=" both choose orgs: keep one.');
  }
  return {
    range: parts.range ?? usualRange,
    by: parts.by,
    of: parts.of ?? [],
    items: parts.item ?? [],
    where: Object.fromEntries(parts.where ?? []),
    orgs: parts.org ?? [],
    step: parts.step,
  };
}

function readRangePart(cursor: Cursor, parts: Parts, after: Keyword | undefined): void {
  const reading = rangeAt(cursor);
  if (reading === undefined) throw suggest(cursor, after);
  if ('problem' in reading) {
    const { problem, fix, used } = reading;
    const place = { at: cursor.at, count: used };
    throw unreadable(cursor, problem, fix === undefined ? undefined : { ...place, words: fix });
  }
  if (parts.range !== undefined) {
    throw unreadable(cursor, `"${parts.range}" and "${reading.words}" are two ranges: keep one.`);
  }
  parts.range = reading.words;
  cursor.at += reading.used;
}

function readPart(cursor: Cursor, parts: Parts, keyword: Keyword): void {
  if (keyword !== 'where' && parts[keyword] !== undefined) {
    throw twice(keyword, undefined, keyword === 'step' ? undefined : JOINED);
  }
  cursor.at += 1;
  switch (keyword) {
    case 'by':
    case 'of':
    case 'item':
    case 'org':
      parts[keyword] = readNames(cursor, keyword);
      return;
    case 'where':
      parts.where = readFilters(cursor, parts.where ?? new Map<string, string>());
      return;
    case 'step':
      parts.step = readStep(cursor);
  }
}

const STEPS = 'hour, day, week or month';

function readStep(cursor: Cursor): TimeStep {
  const { words, at } = cursor;
  const text = partEndsAt(cursor) ? undefined : words[at]?.text;
  const step = TIME_STEPS.find((known) => known === text?.toLowerCase());
  if (step === undefined) {
    if (text === undefined) throw missing('STEP', 'step', `: ${STEPS}`).withExample('step day');
    const meant = nearest(text.replace(/^dai(?=ly$)/i, 'day').replace(/ly$/i, ''), TIME_STEPS);
    const fix = meant === undefined ? undefined : { at, count: 1, words: meant };
    throw unreadable(cursor, `${shown(text)} is not a step: ${STEPS}.`, fix);
  }
  cursor.at += 1;
  return step;
}

/** One or more TAG=VALUE. A word without `=` begins another part. */
function readFilters(cursor: Cursor, filters: Map<string, string>): Map<string, string> {
  if (partEndsAt(cursor)) {
    throw missing('TAG=VALUE', 'where').withExample('where gvc=shop');
  }
  const { words } = cursor;
  if (words[cursor.at]?.text.includes('=') === false) throw withoutValue(cursor);
  for (let word = words[cursor.at]; word?.text.includes('='); word = words[cursor.at]) {
    const [tag, value] = readFilter(cursor, word);
    if (filters.has(tag)) throw filteredTwice(cursor, tag, filters, value);
    filters.set(tag, value);
    cursor.at += 1;
  }
  return filters;
}

/** Two filters of a tag that follow each other are one of both values. */
function filteredTwice(
  cursor: Cursor,
  tag: string,
  filters: ReadonlyMap<string, string>,
  value: string,
) {
  const { message } = twice(
    `${tag}=`,
    undefined,
    'write one filter for several values, such as /^(a|b)$/',
  );
  const { words, at } = cursor;
  const both = [...new Set([filters.get(tag) ?? '', value])];
  const isNext = [...filters.keys()].at(-1) === tag && words[at - 1]?.text.includes('=') === true;
  if (!isNext || !both.every((one) => PLAIN.test(one))) return unreadable(cursor, message);
  const fixed = `${tag}=/^(${both.join('|')})$/`;
  return unreadable(cursor, message, { at: at - 1, count: 2, words: fixed });
}

/** Means itself in an expression, too. */
const PLAIN = /^[\w-]+$/;

function readFilter(cursor: Cursor, { text, quoted }: Word): [tag: string, value: string] {
  const equals = text.indexOf('=');
  const name = text.slice(0, equals).trim();
  // "where gvc=shop, workload=api": a comma at the end separates filters.
  const value = text.slice(equals + 1).replace(quoted ? '' : /,$/, '');
  if (name === '') {
    throw unreadable(cursor, `${shown(text)} names no tag: write TAG=VALUE, such as gvc=shop.`);
  }
  const tag = quoted ? name : properName(name, KNOWN_TAGS);
  if (tag !== undefined) return [tag, value];
  if (isExclusion(name)) throw unreadable(cursor, NO_EXCLUSION);

  const meant = nearName(name, KNOWN_TAGS);
  const fixed = { text: `${meant}=${value}`, quoted };
  const fix = { at: cursor.at, count: 1, words: typed(fixed) };
  throw unknownName(cursor, { what: 'tag', text: name, known: KNOWN_TAGS }, meant && fix);
}

/** "where gvc", "where gvc = shop" and "where gvc =shop". */
function withoutValue(cursor: Cursor) {
  const [tag, second, third] = cursor.words.slice(cursor.at);
  const isCompared = tag?.quoted === false && /[<>≠]/.test(tag.text);
  if (isCompared || /^[!<>≠]/.test(second?.text ?? '')) return unreadable(cursor, NO_EXCLUSION);
  const sentence = `${shown(tag?.text ?? '')} has no value: write TAG=VALUE, without spaces.`;
  if (!tag || !second?.text.startsWith('=')) return unreadable(cursor, sentence);

  const value = second.text === '=' ? third : undefined;
  const text = `${tag.text}${second.text}${value?.text ?? ''}`;
  const count = value === undefined ? 2 : 3;
  const words = typed({ text, quoted: tag.quoted });
  return unreadable(cursor, sentence, { at: cursor.at, count, words });
}

/**
 * A query as it can be typed; `parseQuery` reads it back to an equal query. Characters that cannot
 * be typed (quotation marks, invisible ones; in a name also spaces at its ends and a separating
 * comma) become dots, so that an exact value then matches nothing instead of something else.
 */
export function writeQuery({ range, by = [], of, items, where, orgs, step }: ReportQuery): string {
  const filters = Object.entries(where).map(([tag, value]) => {
    const isKnown = properName(tag, KNOWN_TAGS) === tag;
    const quoted = !isKnown || isSingleQuoted(value) || value.endsWith(',');
    return typed({ text: typable(`${tag}=${value}`), quoted });
  });
  const parts: [keyword: Keyword, words: string][] = [
    ['by', joinNames(by.map((name) => nameWord(name, { known: GROUPS })))],
    ['of', joinNames(of.map((name) => nameWord(name, { known: KNOWN_METRICS })))],
    ['item', joinNames(items.map((name) => nameWord(name, { commas: LAST_COMMA })))],
    ['where', filters.join(' ')],
    ['org', joinNames(orgs.map((name) => nameWord(name)))],
    ['step', step ?? ''],
  ];
  const written = parts.filter(([, words]) => words !== '').map((part) => part.join(' '));
  return [range, ...written].join(' ');
}

/** In quotes only the last comma separates items. */
const LAST_COMMA = /,$/;

function nameWord(
  name: string,
  { known, commas = /,/g }: { readonly known?: readonly string[]; readonly commas?: RegExp } = {},
): Word {
  const text =
    typable(name)
      .replace(/^\s|\s$/g, '.')
      .replace(commas, '.') || '.';
  if (known) return { text, quoted: !known.includes(text) };

  const isPlain = /^[\w-]+$/.test(text) && readRange([text]) === undefined;
  return { text, quoted: !isPlain || KEYWORDS.some((keyword) => keyword === text.toLowerCase()) };
}

function typable(text: string): string {
  return Array.from(text, (letter) =>
    stripControl(letter) === letter && !/["“”„]/.test(letter) ? letter : '.',
  ).join('');
}

const candidates = [...KEYWORDS, 'last', 'this', ...RANGE_WORDS] as const;

/** Nearly everything resembles a shorter word. */
const shortestTypo = 3;

/**
 * The error for a word that begins no part of a query, with a suggestion.
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
  const fix =
    rangeFix(cursor, word) ??
    itemFix(cursor, word) ??
    everydayFix(cursor, word, after) ??
    wordFix(cursor, word, after) ??
    partFix(cursor, word, after);
  return unreadable(cursor, notKnown(word.text), fix);
}

/** "item=cpu": a keyword that is no tag takes its names without "=". */
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

/** "30 days" without "last", "2026", and "2026-10-01 to 2026-10-15". */
function rangeFix({ words, at }: Cursor, { text }: Word): Fix | undefined {
  const [previous, next] = [words[at - 1]?.text ?? '', words[at + 1]?.text ?? ''];
  if (/^\d/.test(text)) {
    const dates = everydayDates(text);
    if (dates !== undefined) return { at, count: 1, words: dates };
    const reading = readRange(['last', text, next]);
    const fix = reading && ('words' in reading ? reading.words : reading.fix);
    if (fix !== undefined) return { at, count: (reading?.used ?? 2) - 1, words: fix };
    return /^20\d\d$/.test(text) ? { at, count: 1, words: `${text}-01..${text}-12` } : undefined;
  }
  if (!/^(?:to|till|until|and|-|–)$/i.test(text)) return undefined;
  const reading = readRange([`${previous}..${next}`]);
  return reading && 'words' in reading ? { at: at - 1, count: 3, words: reading.words } : undefined;
}

/** "gvc and workload", "previous month", and needless words. */
function everydayFix(cursor: Cursor, { text }: Word, after: Keyword | undefined): Fix | undefined {
  const { words, at } = cursor;
  const isList = after !== undefined && after !== 'where' && after !== 'step';
  const [previous, next] = [words[at - 1], words[at + 1]];
  if (isList && /^(?:and|or|&|\+)$/i.test(text) && previous && next) {
    return partEndsAt({ ...cursor, at: at + 1 })
      ? undefined
      : { at: at - 1, count: 3, words: joinNames([previous, next]) };
  }
  const rest = words.slice(at).map((word) => (word.quoted ? '' : word.text.toLowerCase()));
  const part = everydayPart(rest);
  if (part !== undefined) return { at, ...part };
  const count = needlessCount(rest);
  // A single word may be another name.
  const isName = count === 1 && (after === 'org' || after === 'item');
  return count === 0 || isName ? undefined : { at, count, words: '' };
}

/** "egress item", with the name before the keyword. */
function itemFix({ words, at, command }: Cursor, word: Word): Fix | undefined {
  const next = words[at + 1];
  const isLast = partEndsAt({ words, command, at: at + 2 });
  if (next?.quoted !== false || !/^items?$/i.test(next.text) || !isLast) return undefined;
  return { at, count: 2, words: `item ${typed(word)}` };
}

function wordFix(cursor: Cursor, { text }: Word, after: Keyword | undefined): Fix | undefined {
  const alone = (words: string): Fix => ({ at: cursor.at, count: 1, words });

  const tag = properName(text, KNOWN_TAGS);
  const filter = tag === undefined ? undefined : filterFix(cursor, tag);
  if (filter !== undefined) return filter;
  if (tag !== undefined) return after === 'by' ? inOneList(cursor, after) : alone(`by ${tag}`);
  const metric = properName(text, KNOWN_METRICS);
  if (metric !== undefined) {
    // Many items have the name of the metric that they price.
    const isListed = after === 'of' || after === 'item';
    return isListed ? inOneList(cursor, after) : alone(`of ${metric}`);
  }
  if (/^(?:week|month|year)$/i.test(text)) return alone(`this ${text.toLowerCase()}`);
  if (/^(?:hour|day)$/i.test(text)) return alone(`step ${text.toLowerCase()}`);

  const meant = text.length < shortestTypo ? undefined : nearest(text, candidates);
  return meant === undefined ? undefined : alone(meant);
}

/** "gvc prod" without "where" and "=". */
function filterFix(cursor: Cursor, tag: string): Fix | undefined {
  const at = cursor.at + 1;
  const value = cursor.words[at];
  if (value === undefined || partEndsAt({ ...cursor, at })) return undefined;
  const { text, quoted } = value;
  const isName = quoted || /^[\w.-]+$/.test(text);
  const isKnown = [...GROUPS, ...KNOWN_METRICS].some((name) => name === text);
  if (!isName || (isKnown && !quoted)) return undefined;
  const words = `where ${typed({ text: `${tag}=${text}`, quoted: false })}`;
  return { at: cursor.at, count: 2, words };
}

function partFix(cursor: Cursor, word: Word, after: Keyword | undefined): Fix | undefined {
  const { words, at } = cursor;
  const previous = words[at - 1]?.text ?? '';
  // "by org acme" groups by the tag "org"; a name follows.
  if (after === 'by' && previous.toLowerCase() === 'org') {
    const isAlone = words[at - 2]?.text.toLowerCase() === 'by';
    return isAlone
      ? { at: at - 2, count: 3, words: `org ${typed(word)}` }
      : { at, count: 1, words: `org ${typed(word)}` };
  }
  if (after === 'item' || after === 'org') return inOneList(cursor, after);
  // "where gvc=my shop": an unquoted value with a space.
  if (after === 'where') return onePlace(cursor, previous.endsWith('=') ? '' : ' ');
  return undefined;
}

function inOneList(cursor: Cursor, keyword: Keyword): Fix | undefined {
  const { words, at } = cursor;
  const [previous, word] = [words[at - 1], words[at]];
  // In quotes a comma belongs to the name of an item.
  const isApart = keyword === 'item' && (previous?.quoted === true || word?.quoted === true);
  if (!previous || !word || !isApart) return onePlace(cursor, ',');
  return { at: at - 1, count: 2, words: `${typed(previous)}, ${typed(word)}` };
}

function onePlace({ words, at }: Cursor, between: string): Fix | undefined {
  const [previous, word] = [words[at - 1], words[at]];
  if (!previous || !word) return undefined;
  const text = `${previous.text}${between}${word.text}`;
  return { at: at - 1, count: 2, words: typed({ text, quoted: previous.quoted }) };
}
