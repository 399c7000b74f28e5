import { UsageError } from '../lib/errors.ts';
import { nearest, type Word } from '../lib/text.ts';
import { shapeOf, type Shape } from './shape.ts';
import { correcting, missing, tooMany, twice, typed, unknownWord } from './typed.ts';

/**
 * Reads the words of one part.
 * @throws UsageError; its suggestion is a whole command, or what the words of the part are replaced by
 */
type Reader = (text: string, words: readonly Word[]) => unknown;
type Readers = Readonly<Record<string, Reader>>;

/** By placeholder, or by keyword. A part in brackets may be absent. */
type Values<R extends Readers> = { readonly [Name in keyof R]: ReturnType<R[Name]> };

interface Usage<R extends Readers, Command> {
  /** The words after the command, as `shapeOf` reads them. */
  readonly words: string;
  /** Absent: the usage is not shown. */
  readonly does?: string;
  /** @param flags those that are there */
  to(values: Values<R>, flags: ReadonlySet<string>): Command;
}

/** All that a command takes: its parser, its help, its page and its hint are made from it. */
export interface Grammar<R extends Readers = Readers, Command = unknown> {
  /** With its slash. */
  readonly command: string;
  /** Slack shows it while the command is typed. */
  readonly hint: string;
  readonly summary: string;
  readonly usages: readonly Usage<R, Command>[];
  readonly readers: R;
  /** A part that takes all words to the end of the line. */
  readonly long?: keyof R;
  /** Parts as an example shows them where they are missing: "org acme". */
  readonly samples?: { readonly [Name in keyof R]?: string };
  /** Other spellings of the keywords of pairs, in lower case without dashes. */
  readonly spellings?: Readonly<Record<string, string>>;
  readonly notes?: readonly string[];
  readonly examples: readonly string[];
  /**
   * Where the first word is not known: another reading, or an error of its own.
   * @param meant the command that was probably meant
   */
  otherwise?(words: readonly Word[], meant: string | undefined): Command | undefined;
}

/** Types a grammar: `grammarOf<AlertCommand>()({ ... })`. */
export function grammarOf<Command>() {
  return <R extends Readers>(grammar: Grammar<R, Command>): Grammar<R, Command> => grammar;
}

/** For `/x help` and the page of all commands. */
export function helpOf<R extends Readers>({
  command,
  hint,
  summary,
  usages,
  notes = [],
  examples,
}: Grammar<R>) {
  const shown = usages.flatMap(({ words, does }) =>
    does === undefined ? [] : [{ text: `${command} ${words}`.trim(), does }],
  );
  return { command, hint, summary, usages: shown, notes, examples };
}

/** @throws UsageError with the nearest match */
export function parseWith<R extends Readers, Command>(
  grammar: Grammar<R, Command>,
  words: readonly Word[],
): Command {
  return correcting(words, grammar.command, (some) => parseLine(grammar, some));
}

interface Known<R extends Readers, Command> extends Shape {
  readonly usage: Usage<R, Command>;
}

type Line = readonly Word[];

function parseLine<R extends Readers, Command>(grammar: Grammar<R, Command>, line: Line): Command {
  const all = grammar.usages.map((usage) => ({ usage, ...shapeOf(usage.words) }));
  const [first] = line;
  const begun = all.filter(({ path }) => path[0] !== undefined && path[0] === plain(first));
  if (begun.length > 0) {
    try {
      return parseParts(grammar, line, begun);
    } catch (error) {
      throw error instanceof UsageError ? error.about(`${grammar.command} ${plain(first)}`) : error;
    }
  }
  const bare = all.filter(({ path }) => path.length === 0);
  const isTaken = bare.some(({ options, free }) => options.size + free.length > 0);
  if (first === undefined || isTaken) return parseParts(grammar, line, bare);
  const error = notKnown(grammar, line, first, wordsAt(all, 0));
  const other = grammar.otherwise?.(line, error.suggestion);
  if (other === undefined) throw error;
  return other;
}

/** @param begun usages that share their first word, or have none */
function parseParts<R extends Readers, Command>(
  grammar: Grammar<R, Command>,
  line: Line,
  begun: readonly Known<R, Command>[],
): Command {
  const start = begun[0]?.path.length === 0 ? 0 : 1;
  const { values, flags, rest } = takeOptions(grammar, line, line.slice(start), begun);
  let known = begun;
  let depth = start;
  const isNext = ({ path }: Shape): boolean =>
    path[depth] !== undefined && path[depth] === plain(rest[0]);
  while (known.some(isNext)) {
    known = known.filter(isNext);
    depth += 1;
    rest.shift();
  }
  const complete = known.filter(({ path }) => path.length === depth);
  const found = complete.find(({ free }) => free.length >= rest.length) ?? complete.at(-1);
  const left = known.flatMap((one) => one.flags).filter((flag) => !flags.has(flag));
  const others = [...wordsAt(known, depth), ...left];
  const [word] = rest;
  if (found === undefined || (word && found.free.length === 0 && others.length > 0)) {
    throw notKnown(grammar, line, word ?? { text: '', quoted: false }, others);
  }
  for (const { name, isOptional } of found.free) {
    const isLong = grammar.long === name;
    const words = rest.splice(0, isLong ? rest.length : 1);
    const isThere = words.some(({ text }) => isLong || text.trim() !== '');
    if (isThere) values.set(name, readPart(grammar, line, name, words));
    else if (!isOptional) {
      throw missingIn(grammar, name, found.path.join(' ') || grammar.command);
    }
  }
  for (const [key, { isOptional, placeholder }] of found.options) {
    if (isOptional || values.has(key)) continue;
    const error = missingIn(grammar, `${key}=${placeholder}`, found.path.join(' '));
    const [alone, ...more] = rest;
    throw alone === undefined || more.length > 0
      ? error
      : error.meaning(retyped(grammar, line, new Map([[alone, `${key}=${typed(alone)}`]])));
  }
  if (rest.length > 0) {
    const keywords = [...left, ...found.options.keys()];
    const error = notKnown(grammar, line, rest[0]!, keywords);
    if (error.suggestion !== undefined) throw error;
    throw tooMany(retyped(grammar, line, dropping(rest)));
  }
  return found.usage.to(Object.fromEntries(values) as Values<R>, flags);
}

/** Takes flags, options and pairs out of the words, in any order. */
function takeOptions<R extends Readers, Command>(
  grammar: Grammar<R, Command>,
  line: Line,
  words: Line,
  begun: readonly Known<R, Command>[],
) {
  const options = new Map(begun.flatMap((one) => [...one.options]));
  const known = new Set(begun.flatMap((one) => one.flags));
  const takesPairs = grammar.spellings !== undefined && options.size > 0;
  const values = new Map<string, unknown>();
  const flags = new Set<string>();
  const rest: Word[] = [];
  const queue = [...words];
  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    const pair = takesPairs ? /^([^=]*)=(.*)$/s.exec(word.text) : null;
    const key = pair ? spelled(grammar, pair[1] ?? '', options) : plain(word);
    const option = options.get(key ?? '');
    if (key !== undefined && known.has(key)) {
      if (flags.has(key)) throw twice(key, retyped(grammar, line, dropping([word])));
      flags.add(key);
    } else if (key === undefined || option === undefined || option.isPair > (pair !== null)) {
      if (pair) throw notKnown(grammar, line, word, [...options.keys()], pair[1]);
      rest.push(word);
    } else {
      if (values.has(key)) throw twice(key);
      const value = pair ? { text: pair[2] ?? '', quoted: false } : queue.shift();
      if (value === undefined || value.text.trim() === '') {
        const error = missingIn(grammar, option.placeholder, pair ? `${key}=` : key);
        throw withSample(grammar, key, error);
      }
      values.set(key, readPart(grammar, line, key, [value], pair ? word : undefined));
    }
  }
  return { values, flags, rest };
}

/** The keyword of a pair in the spellings of phones and manifests: `--max-surge`. */
function spelled(
  { spellings = {} }: Pick<Grammar, 'spellings'>,
  typedKey: string,
  options: ReadonlyMap<string, unknown>,
): string | undefined {
  const bare = typedKey.replaceAll(/[-_–—−]/g, '').toLowerCase();
  const name = spellings[bare] ?? bare;
  return [...options.keys()].find((key) => key.toLowerCase() === name);
}

/**
 * @param pair the word that holds keyword and value
 * @throws UsageError with the corrected line
 */
function readPart(
  grammar: Pick<Grammar, 'command' | 'readers' | 'samples'>,
  line: Line,
  name: string,
  words: Line,
  pair?: Word,
): unknown {
  try {
    return grammar.readers[name]?.(words.map(({ text }) => text).join(' '), words);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const lineWith = (meant: string | undefined): string | undefined => {
      if (meant === undefined || meant.startsWith('/')) return meant;
      const changes = pair
        ? new Map([[pair, `${name}=${meant}`]])
        : new Map([...dropping(words), [words[0]!, meant]]);
      return retyped(grammar, line, changes);
    };
    const meaning = error.meaning(lineWith(error.suggestion), lineWith(error.other));
    throw withSample(grammar, name, meaning);
  }
}

/** With an example of the part, if the error has none of its own. */
function withSample(
  { samples = {} }: Pick<Grammar, 'samples'>,
  name: string,
  error: UsageError,
): UsageError {
  const sample = error.wanted ?? samples[name];
  return sample === undefined ? error : error.withExample(sample);
}

/** With the note about it, if there is one. */
function missingIn(
  { notes = [] }: Pick<Grammar, 'notes'>,
  name: string,
  after: string,
): UsageError {
  const note = notes.find((one) => one.startsWith(`${name}: `))?.slice(name.length);
  return missing(name, after, note);
}

/** Words that people use for one another. */
const ALIKE: readonly (readonly string[])[] = [
  ['add', 'create', 'new', 'invite'],
  ['delete', 'remove', 'revoke'],
  ['roles', 'role', 'change', 'set'],
  ['set', 'on', 'create', 'change'],
  ['request', 'raise', 'increase'],
  ['enable', 'on'],
  ['disable', 'off'],
  ['deliveries', 'delivery'],
];

function notKnown(
  grammar: Pick<Grammar, 'command' | 'samples'>,
  line: Line,
  word: Word,
  known: readonly string[],
  text = word.text,
): UsageError {
  const key = word.quoted ? '' : text.toLowerCase();
  const alike = ALIKE.flatMap((words) => (words.includes(key) ? words : []));
  const meant = alike.find((one) => known.includes(one)) ?? nearest(key, known);
  if (meant === undefined) return unknownWord(text);
  const changes = new Map([[word, `${meant}${word.text.slice(text.length)}`]]);
  return withSample(grammar, meant, unknownWord(text, retyped(grammar, line, changes)));
}

/** The command with some of its words replaced; '' drops one. */
function retyped(
  { command }: Pick<Grammar, 'command'>,
  line: Line,
  changes: ReadonlyMap<Word, string>,
): string {
  const words = line.map((word) => changes.get(word) ?? typed(word));
  return [command, ...words.filter((word) => word !== '')].join(' ');
}

function dropping(words: Line): ReadonlyMap<Word, string> {
  return new Map(words.map((word) => [word, '']));
}

function wordsAt(known: readonly Shape[], depth: number): string[] {
  return [...new Set(known.flatMap(({ path }) => path[depth] ?? []))];
}

/** As keywords are compared; undefined for a quoted word, which is never one. */
function plain(word: Word | undefined): string | undefined {
  return word?.quoted === false ? word.text.toLowerCase() : undefined;
}
