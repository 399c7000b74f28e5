import { missing, typed } from '../grammar/typed.ts';
import { UsageError } from '../lib/errors.ts';
import { truncate } from '../lib/text.ts';
import { nearest, type Word } from '../lib/words.ts';
import { TIME_STEPS } from '../platform/consumption/query.ts';
import { everydayName } from './everyday.ts';
import { MAX_RANGE_WORDS, readRange, type RangeReading } from './range-words.ts';

/** Tags of metered values (spec 2.11), in display order. */
export const KNOWN_TAGS = [
  'org',
  'gvc',
  'workload',
  'location',
  'metric',
  'feature',
  'locationType',
  'performanceClass',
  'volumeSet',
  'volumeIndex',
  'workloadType',
  'name',
  'provider',
  'driver',
  'gpuModel',
  'gpuResource',
  'snapshotName',
  'customIngress',
  'loadBalancerKind',
  'loadBalancerId',
] as const;

/** Groups charges by chargeable item, which is no tag of the platform's (spec 2.7). */
export const BY_ITEM = 'item';

/** Charges can be grouped by these. */
export const GROUPS = [...KNOWN_TAGS, BY_ITEM] as const;

/** Metered metrics (spec 2.11), in display order. */
export const KNOWN_METRICS = [
  'cpu',
  'memory',
  'gpu',
  'replicas',
  'egress',
  'cross-zone-traffic',
  'public-ip-external-traffic',
  'load-balancer-processed-bytes',
  'load-balancer-seconds',
  'volume-set-capacity-bytes',
  'volume_set_capacity',
  'snapshot-storage',
  'snapshot-capacity',
  'logs-storage',
  'metrics-storage',
  'metrics-samples',
  'tracing-storage',
  'cores-under-management',
] as const;

export const KEYWORDS = ['by', 'of', 'item', 'where', 'org', 'step'] as const;
export type Keyword = (typeof KEYWORDS)[number];

/** Longer suggestions do not help. Characters. */
const maxSuggestion = 300;

export interface Cursor {
  readonly words: readonly Word[];
  readonly command: string;
  at: number;
}

/** Replaces `count` words from `at` on. */
export interface Fix {
  readonly at: number;
  readonly count: number;
  readonly words: string;
}

export function keywordAt({ words, at }: Cursor): Keyword | undefined {
  const word = words[at];
  return KEYWORDS.find((keyword) => !word?.quoted && keyword === word?.text.toLowerCase());
}

/** `used` counts words of the command, and a quoted text is one. */
export function rangeAt({ words, at }: Cursor): RangeReading | undefined {
  const first = words[at];
  if (first?.quoted) {
    const inside = first.text.trim().split(/\s+/);
    const reading = readRange(inside);
    return reading?.used === inside.length ? { ...reading, used: 1 } : undefined;
  }
  return readRange(words.slice(at, at + MAX_RANGE_WORDS).map((word) => word.text));
}

export function partEndsAt(cursor: Cursor): boolean {
  const word = cursor.words[cursor.at];
  if (word === undefined) return true;
  if (word.quoted) return false;
  return keywordAt(cursor) !== undefined || rangeAt(cursor) !== undefined;
}

export function unreadable(cursor: Cursor, sentence: string, fix?: Fix): UsageError {
  if (fix === undefined) return new UsageError(sentence);

  const before = cursor.words.slice(0, fix.at).map(typed);
  const after = cursor.words.slice(fix.at + fix.count).map(typed);
  const line = [cursor.command, ...before, fix.words, ...after];
  const suggestion = line.filter((words) => words !== '').join(' ');
  return new UsageError(sentence, suggestion.length > maxSuggestion ? undefined : suggestion);
}

/** The error for `gvc!=shop` and the like (spec 4.5 rule 2). */
export const NO_EXCLUSION =
  'A filter says what matches, with "=": nothing can be excluded, not even by an expression.';

/** `gvc!` of `gvc!=shop`. */
export function isExclusion(name: string): boolean {
  return /[!<>~≠]$/.test(name.trimEnd());
}

export function shown(text: string): string {
  return `"${truncate(text, 60)}"`;
}

const lists = {
  by: { what: 'tag', known: GROUPS, placeholder: 'TAG', example: 'by gvc' },
  of: { what: 'metric', known: KNOWN_METRICS, placeholder: 'METRIC', example: 'of cpu' },
  item: { what: 'chargeable item', known: undefined, placeholder: 'NAME', example: 'item egress' },
  org: { what: 'org', known: undefined, placeholder: 'NAME', example: 'org acme' },
} as const;

/** Without duplicates. A known name gets its proper spelling; a quoted one is kept. @throws UsageError */
export function readNames(cursor: Cursor, keyword: keyof typeof lists): string[] {
  const { what, known } = lists[keyword];
  const start = cursor.at;
  const items = readItems(cursor, keyword);
  const names = items.map(({ text, quoted }, index) => {
    const name = quoted || known === undefined ? text : properName(text, known);
    if (name !== undefined) return name;

    const count = cursor.at - start;
    const step = TIME_STEPS.find((one) => keyword === 'by' && one === text.toLowerCase());
    if (step !== undefined) {
      const others = joinNames(items.toSpliced(index, 1));
      const words = `${others === '' ? '' : `by ${others} `}step ${step}`;
      const place = { at: start - 1, count: count + 1 };
      throw unreadable(cursor, `${shown(text)} is a step, not a tag.`, { ...place, words });
    }
    const meant = nearName(text, known ?? []);
    const fixed = items.with(index, { text: meant ?? text, quoted: false });
    const fix = { at: start, count, words: joinNames(fixed) };
    throw unknownName(cursor, { what, text, known: known ?? [] }, meant && fix);
  });
  return [...new Set(names)];
}

/** The known name that is probably meant. */
export function nearName<Name extends string>(text: string, known: readonly Name[]) {
  return everydayName(text, known) ?? nearest(text, known);
}

/** Undefined for an unknown name. */
export function properName(text: string, known: readonly string[]): string | undefined {
  return known.find((name) => name.toLowerCase() === text.toLowerCase());
}

export function usualOf(known: readonly string[]): string {
  return known.slice(0, 8).join(', ');
}

/** Characters of a sentence and its suggestion that fit into one line. */
const ONE_LINE = 200;

export function unknownName(
  cursor: Cursor,
  name: { readonly what: string; readonly text: string; readonly known: readonly string[] },
  fix: Fix | undefined,
): UsageError {
  const sentence = `${shown(name.text)} is not a ${name.what}`;
  const long = unreadable(cursor, `${sentence}: usual are ${usualOf(name.known)}.`, fix);
  const { message, suggestion = '' } = long;
  const isShort = suggestion === '' || message.length + suggestion.length <= ONE_LINE;
  return isShort ? long : unreadable(cursor, `${sentence}.`, fix);
}

export function joinNames(items: readonly Word[]): string {
  const texts = items.map(({ text, quoted }) => (quoted ? `"${text}"` : text));
  return texts.join(items.some((item) => item.quoted) ? ', ' : ',');
}

function readItems(cursor: Cursor, keyword: keyof typeof lists): Word[] {
  const items: Word[] = [];
  do {
    // "org" and "item" are both keywords and something to group by.
    if (partEndsAt(cursor) && !(keyword === 'by' && isGroup(keywordAt(cursor)))) break;
    const word = cursor.words[cursor.at];
    const [first, ...more] = piecesOf(word, keyword);
    // In "org, gvc" and "org ,gvc" one of the two words is empty on one side of the comma.
    const last = items.pop();
    if (first) items.push(last === undefined || last.text === '' ? first : last);
    items.push(...more);
    cursor.at += 1;
  } while (goesOn(cursor));

  const isOpen = items.some((item) => item.text === '');
  if (items.length > 0 && !isOpen) return items;
  const note = isOpen ? ': put one on each side of a comma' : undefined;
  throw missing(lists[keyword].placeholder, keyword, note).withExample(lists[keyword].example);
}

function isGroup(keyword: Keyword | undefined): boolean {
  return keyword === 'org' || keyword === 'item';
}

function piecesOf(word: Word | undefined, keyword: keyof typeof lists): Word[] {
  const { text, quoted } = word ?? { text: '', quoted: false };
  // An item's name may contain commas: in quotes all but the last belong to it.
  const comma = keyword === 'item' && quoted ? /,$/ : /,/g;
  return text.split(comma).map((piece) => ({ text: piece.trim(), quoted }));
}

function goesOn({ words, at }: Cursor): boolean {
  return words[at - 1]?.text.endsWith(',') === true || words[at]?.text.startsWith(',') === true;
}

/** Single quotation marks in all forms that people and phones produce. */
const MARK = "['‘’‚‛`´]";
const OPENING = new RegExp(`(?:^|[\\s=,])${MARK}`);
/** A text in double quotes, or one between single ones: a mark within a word belongs to it. */
const QUOTED = new RegExp(`"[^"]*"|(?<=^|[\\s=,])${MARK}(?<inside>.*?)${MARK}(?=,|\\s|$)`, 'gs');

/**
 * Refuses words in single quotation marks, which would be taken literally: `'last month'`, `gvc='my
 * shop'`. Everything in double quotes is taken as it is.
 * @param command precedes the words in the suggestion
 * @throws UsageError
 */
export function refuseSingleQuotes(words: readonly Word[], command: string): void {
  const line = words.map(typed).join(' ');
  const meant = line.replace(QUOTED, (all: string, inside?: string) => {
    if (inside === undefined) return all;
    // The words of a range need no quotes; a name or value with a space does.
    const range = inside.trim().split(/\s+/);
    const isRange = readRange(range)?.used === range.length;
    return isRange ? inside : typed({ text: inside, quoted: false });
  });
  if (meant === line) return;
  const fix = { at: 0, count: words.length, words: meant };
  throw unreadable({ words, command, at: 0 }, 'Only double quotes ("…") keep words together.', fix);
}

/** {@link refuseSingleQuotes}, for a grammar. */
export const withoutSingleQuotes = (command: string) => (words: readonly Word[]) => {
  refuseSingleQuotes(words, command);
  return words;
};

export function isSingleQuoted(value: string): boolean {
  return OPENING.test(value);
}
