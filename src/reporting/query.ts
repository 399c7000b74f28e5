import { nearest, stripControl, type Word } from '../lib/text.ts';
import { TIME_STEPS, type TimeStep } from '../platform/consumption/query.ts';
import { suggest } from './suggest.ts';
import {
  isExclusion,
  isSingleQuoted,
  joinNames,
  keywordAt,
  KEYWORDS,
  KNOWN_METRICS,
  KNOWN_TAGS,
  NO_EXCLUSION,
  partEndsAt,
  properName,
  rangeAt,
  readNames,
  readWords,
  refuseSingleQuotes,
  shown,
  typed,
  unknownName,
  unreadable,
  type Cursor,
  type Keyword,
} from './query-words.ts';
import { readRange } from './range-words.ts';

/** What someone asks of charges or usage (design section 3), as a plain object that JSON can hold. */
export interface ReportQuery {
  /** The range as words, in their one proper spelling: "this month", "last 3 days", "2026-10-01..2026-10-15". */
  readonly range: string;
  /** Tags to group by; undefined: what the command groups by. */
  readonly by: readonly string[] | undefined;
  /** Metrics; empty: all. */
  readonly of: readonly string[];
  /** Chargeable items by name; empty: all. */
  readonly items: readonly string[];
  /** Tag to value; a value in slashes is a regular expression (spec 4.5 rule 2). */
  readonly where: Readonly<Record<string, string>>;
  /** Empty: all. */
  readonly orgs: readonly string[];
  readonly step: TimeStep | undefined;
}

/** The parts that were read so far. */
interface Parts {
  range?: string;
  by?: string[];
  of?: string[];
  item?: string[];
  where?: Map<string, string>;
  org?: string[];
  step?: TimeStep;
}

const twice = {
  by: '"by" is there twice: join the tags by commas.',
  of: '"of" is there twice: join the metrics by commas.',
  item: '"item" is there twice: join the names by commas.',
  org: '"org" is there twice: join the names by commas.',
  step: '"step" is there twice: keep one.',
} as const;

/**
 * Reads the words of a query (design section 3), whose parts come in any order:
 * `[range] [by TAG[,TAG]] [of METRIC[,METRIC]] [item NAME[,NAME]] [where TAG=VALUE ...] [org NAME[,NAME]]
 * [step STEP]`. Without a range it is this month. Known tags and metrics get their proper spelling, and
 * in quotes any is taken as it is; values, and names of orgs and items, always are.
 * @throws UsageError with the whole command that was probably meant
 */
export function parseQuery(
  words: readonly Word[],
  options: {
    /** What comes before the words, for suggestions: "/charges", "/usage tags gvc". */
    readonly command?: string;
  } = {},
): ReportQuery {
  const { command = '' } = options;
  return readWords(words, command, (some) => readQuery({ words: some, command, at: 0 }));
}

function readQuery(cursor: Cursor): ReportQuery {
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
    range: parts.range ?? 'this month',
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
  if (keyword !== 'where' && parts[keyword] !== undefined) throw unreadable(cursor, twice[keyword]);
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

function readStep(cursor: Cursor): TimeStep {
  const { words, at } = cursor;
  const text = partEndsAt(cursor) ? undefined : words[at]?.text;
  const step = TIME_STEPS.find((known) => known === text?.toLowerCase());
  if (step === undefined) {
    const meant = text === undefined ? undefined : nearest(text, TIME_STEPS);
    const fix = meant === undefined ? undefined : { at, count: 1, words: meant };
    throw unreadable(cursor, 'After "step" comes hour, day, week or month.', fix);
  }
  cursor.at += 1;
  return step;
}

/** One TAG=VALUE or more. What has no `=` begins another part. */
function readFilters(cursor: Cursor, filters: Map<string, string>): Map<string, string> {
  if (partEndsAt(cursor)) {
    throw unreadable(cursor, 'After "where" comes TAG=VALUE, for example where gvc=shop.');
  }
  const { words } = cursor;
  if (words[cursor.at]?.text.includes('=') === false) throw withoutValue(cursor);
  for (let word = words[cursor.at]; word?.text.includes('='); word = words[cursor.at]) {
    const [tag, value] = readFilter(cursor, word);
    if (filters.has(tag)) {
      throw unreadable(
        cursor,
        `${shown(tag)} is filtered twice: write one filter for several values, such as /^(a|b)$/.`,
      );
    }
    filters.set(tag, value);
    cursor.at += 1;
  }
  return filters;
}

function readFilter(cursor: Cursor, { text, quoted }: Word): [tag: string, value: string] {
  const equals = text.indexOf('=');
  const name = text.slice(0, equals).trim();
  const value = text.slice(equals + 1);
  if (name === '') {
    throw unreadable(cursor, `${shown(text)} names no tag: write TAG=VALUE, such as gvc=shop.`);
  }
  const tag = quoted ? name : properName(name, KNOWN_TAGS);
  if (tag !== undefined) return [tag, value];
  if (isExclusion(name)) throw unreadable(cursor, NO_EXCLUSION);

  const meant = nearest(name, KNOWN_TAGS);
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
 * The words of a query, ready to be typed; `parseQuery` reads them back to an equal query. What no
 * one can type (a quotation mark, an invisible character; of a name a space at its ends, and a comma that
 * would part it) is written as a dot, so that an exact value then finds nothing instead of something else.
 */
export function writeQuery({ range, by = [], of, items, where, orgs, step }: ReportQuery): string {
  const filters = Object.entries(where).map(([tag, value]) => {
    const quoted = properName(tag, KNOWN_TAGS) !== tag || isSingleQuoted(value);
    return typed({ text: typable(`${tag}=${value}`), quoted });
  });
  const parts: [keyword: Keyword, words: string][] = [
    ['by', joinNames(by.map((name) => nameWord(name, { known: KNOWN_TAGS })))],
    ['of', joinNames(of.map((name) => nameWord(name, { known: KNOWN_METRICS })))],
    ['item', joinNames(items.map((name) => nameWord(name, { commas: LAST_COMMA })))],
    ['where', filters.join(' ')],
    ['org', joinNames(orgs.map((name) => nameWord(name)))],
    ['step', step ?? ''],
  ];
  const written = parts.filter(([, words]) => words !== '').map((part) => part.join(' '));
  return [range, ...written].join(' ');
}

/** In quotes only the last comma of an item's name parts it from another one. */
const LAST_COMMA = /,$/;

/** A name with quotes where it would else be read as something else. */
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
