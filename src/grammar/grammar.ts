import { UsageError } from '../lib/errors.ts';
import { nearest, type Word } from '../lib/words.ts';
import { requiredParts, shapeOf, type Shape } from './shape.ts';
import { coded, correcting, missing, tooMany, twice, typed, unknownWord } from './typed.ts';

/**
 * Reads the words of one part.
 * @throws UsageError; its suggestion is a whole command, or what the words of the part are replaced by
 */
type Reader = (text: string, words: readonly Word[]) => unknown;
type Readers = Readonly<Record<string, Reader>>;

/** By placeholder, or by keyword. A part in brackets may be absent. */
type Values<R extends Readers> = { readonly [Name in keyof R]: ReturnType<R[Name]> };

interface Shown {
  /** The words after the command, as `shapeOf` reads them. */
  readonly words: string;
  /** Absent: the usage is not shown. */
  readonly does?: string;
  /** Everyday words of people who want this: help finds it by them. */
  readonly wish?: string;
  /** Whole commands, ready to be typed. */
  readonly examples?: readonly string[];
}

interface Usage<R extends Readers, Command> extends Shown {
  /** @param flags those that are there */
  to(values: Values<R>, flags: ReadonlySet<string>): Command;
}

/** Its parts come in any order, so it reads all that follows its first word by itself. */
interface OwnUsage<Command> extends Shown {
  /** @throws UsageError; its suggestion is a whole command */
  read(words: readonly Word[]): Command;
}

/** All that a command takes: its parser, its help, its page and its hint are made from it. */
export interface Grammar<R extends Readers = Readers, Command = unknown> {
  /** With its slash. */
  readonly command: string;
  /** Slack shows it while the command is typed. */
  readonly hint: string;
  readonly summary: string;
  readonly usages: readonly (Usage<R, Command> | OwnUsage<Command>)[];
  readonly readers: R;
  /** A part that takes all words to the end of the line. */
  readonly long?: keyof R;
  /** Joins a word too many to the one before it, as in "shop/cart" for "shop cart". */
  readonly joint?: string;
  /** The words as the usages have them. @throws UsageError */
  tidy?(words: readonly Word[]): readonly Word[];
  /** Parts as an example shows them where they are missing: "org acme". */
  readonly samples?: { readonly [Name in keyof R]?: string };
  /** Other spellings of the keywords of pairs, in lower case without dashes. */
  readonly spellings?: Readonly<Record<string, string>>;
  readonly notes?: readonly string[];
  /**
   * Where the first word is not known: another reading, or an error of its own.
   * @param meant the command that was probably meant
   */
  otherwise?(words: readonly Word[], meant: string | undefined): Command | undefined;
}

/** The help and the parser of a command: `grammarOf<AlertCommand>()({ ... })`. */
export function grammarOf<Command>() {
  return <R extends Readers>(grammar: Grammar<R, Command>) => ({
    help: helpOf(grammar),
    /** @throws UsageError with the nearest match */
    parse: (words: readonly Word[]): Command =>
      correcting(words, grammar.command, (some) => parseLine(grammar, some)),
  });
}

/** For `/x help` and the page of all commands. */
function helpOf<R extends Readers>(grammar: Grammar<R>) {
  const { command, hint, summary, usages, notes = [] } = grammar;
  const shown = usages.flatMap(({ words, does, wish = '', examples: [example] = [] }) => {
    const text = `${command} ${words}`.trim();
    const shortest = [command, ...requiredParts(words)].join(' ');
    return does === undefined ? [] : [{ text, does, wish, example: example ?? shortest }];
  });
  const examples = usages.flatMap((usage) => usage.examples ?? []);
  return { command, hint, summary, usages: shown, notes, examples };
}

interface Known<
  R extends Readers,
  Command,
  Of = Usage<R, Command> | OwnUsage<Command>,
> extends Shape {
  readonly usage: Of;
}

type Line = readonly Word[];

function parseLine<R extends Readers, Command>(grammar: Grammar<R, Command>, words: Line): Command {
  const line = grammar.tidy?.(words) ?? words;
  const [first] = line;
  const all = grammar.usages.map((usage) => ({ usage, ...shapeOf(usage.words) }));
  const begun = all.filter(({ path }) => path[0] !== undefined && path[0] === plain(first));
  if (begun.length > 0) {
    try {
      return read(grammar, line, begun);
    } catch (error) {
      throw error instanceof UsageError ? error.about(`${grammar.command} ${plain(first)}`) : error;
    }
  }
  const bare = all.filter(({ path }) => path.length === 0);
  const isTaken = bare.some(({ options, free }) => options.size + free.length > 0);
  if (first === undefined) return read(grammar, line, bare);
  const error = notKnown(grammar, line, first, wordsAt(all, 0));
  if (isTaken) {
    try {
      return read(grammar, line, bare);
    } catch (own) {
      const isOpen = own instanceof UsageError && own.suggestion === undefined;
      throw isOpen ? own.meaning(error.suggestion) : own;
    }
  }
  const other = grammar.otherwise?.(line, error.suggestion);
  if (other === undefined) throw error;
  return other;
}

/** @param begun usages that share their first word, or have none */
function read<R extends Readers, Command>(
  grammar: Grammar<R, Command>,
  line: Line,
  begun: readonly Known<R, Command>[],
): Command {
  const taking: Known<R, Command, Usage<R, Command>>[] = [];
  for (const { usage, ...shape } of begun) {
    if ('read' in usage) return usage.read(line.slice(shape.path.length === 0 ? 0 : 1));
    taking.push({ usage, ...shape });
  }
  return parseParts(grammar, line, taking);
}

function parseParts<R extends Readers, Command>(
  grammar: Grammar<R, Command>,
  line: Line,
  begun: readonly Known<R, Command, Usage<R, Command>>[],
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
  const isFitting = ({ free, options }: Shape): boolean =>
    free.length >= rest.length && [...values.keys()].every((key) => options.has(key));
  const found = complete.find(isFitting) ?? complete.at(-1);
  const left = known.flatMap((one) => one.flags).filter((flag) => !flags.has(flag));
  const others = [...wordsAt(known, depth), ...left];
  const [word] = rest;
  if (found === undefined || (word && found.free.length === 0 && others.length > 0)) {
    throw notKnown(grammar, line, word ?? { text: '', quoted: false }, others);
  }
  let last: Word | undefined;
  for (const { name, isOptional } of found.free) {
    const isLong = grammar.long === name;
    const words = rest.splice(0, isLong ? rest.length : 1);
    last = words[0];
    const isThere = words.some(({ text }) => isLong || text.trim() !== '');
    if (isThere) values.set(name, readPart(grammar, line, name, words));
    else if (!isOptional) {
      throw missingIn(grammar, name, found.path.join(' ') || grammar.command);
    }
  }
  requireOptions(grammar, line, found, rest, values);
  if (rest.length > 0) {
    const begins = start === 0 ? wordsAt(grammar.usages.map(shapeOfUsage), 0) : [];
    throw tooManyIn(grammar, line, rest, { last, begins, left, options: found.options });
  }
  return found.usage.to(Object.fromEntries(values) as Values<R>, flags);
}

const shapeOfUsage = ({ words }: Shown): Shape => shapeOf(words);

function requireOptions(
  grammar: Pick<Grammar, 'command' | 'notes'>,
  line: Line,
  { options, path }: Shape,
  rest: Line,
  values: ReadonlyMap<string, unknown>,
): void {
  for (const [key, { isOptional, placeholder }] of options) {
    if (isOptional || values.has(key)) continue;
    const error = missingIn(grammar, `${key}=${placeholder}`, path.join(' '));
    const [alone, ...more] = rest;
    throw alone === undefined || more.length > 0
      ? error
      : error.meaning(retyped(grammar, line, new Map([[alone, `${key}=${typed(alone)}`]])));
  }
}

interface Around extends Pick<Shape, 'options'> {
  /** The last word that was read without a keyword. */
  readonly last: Word | undefined;
  /** Candidates for the first word of the line. */
  readonly begins: readonly string[];
  /** Flags that are not there. */
  readonly left: readonly string[];
}

function tooManyIn(
  grammar: Pick<Grammar, 'command' | 'samples' | 'joint'>,
  line: Line,
  rest: Line,
  { last, begins, left, options }: Around,
): UsageError {
  const [first, surplus] = [line[0]!, rest[0]!];
  const error = notKnown(grammar, line, surplus, [...left, ...options.keys()]);
  const meant = [notKnown(grammar, line, first, begins), error];
  const near = meant.find(({ suggestion }) => suggestion !== undefined);
  if (near !== undefined) return near;
  const { joint } = grammar;
  const at = line.indexOf(surplus);
  const isListed = options.get(plain(line[at - 2]) ?? '')?.isList === true;
  const before = isListed ? line[at - 1] : last;
  if (joint === undefined || before === undefined || before.text.includes(joint)) {
    return tooMany(rest, retyped(grammar, line, dropping(rest)));
  }
  // A whole name after an unknown word: "logs shop/cart".
  if (surplus.text.includes(joint)) {
    return unknownWord(before.text, retyped(grammar, line, dropping([before])));
  }
  const joined = `${before.text}${isListed ? ',' : joint}${surplus.text}`;
  const changes = new Map([...dropping([surplus]), [before, joined]]);
  return error.meaning(retyped(grammar, line, changes));
}

/** Takes flags, options and pairs out of the words, in any order. */
function takeOptions<R extends Readers, Command>(
  grammar: Grammar<R, Command>,
  line: Line,
  words: Line,
  begun: readonly Shape[],
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
      const list = [value];
      // "ready, failed" is one list.
      while (option.isList && list.at(-1)!.text.endsWith(',') && queue.length > 0)
        list.push(queue.shift()!);
      values.set(key, readPart(grammar, line, key, list, pair ? word : undefined));
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
  const [part = name] = name.split('[');
  const note = notes.find((one) => one.startsWith(`${part}: `))?.slice(part.length);
  return missing(part, after, note);
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
  ['show', 'view', 'see', 'details'],
  ['pdf', 'download', 'print'],
  ['csv', 'export', 'excel'],
];

function notKnown(
  grammar: Pick<Grammar, 'command' | 'samples'>,
  line: Line,
  word: Word,
  known: readonly string[],
  text = word.text,
): UsageError {
  const key = text.toLowerCase();
  const alike = ALIKE.flatMap((words) => (words.includes(key) ? words : []));
  const meant = word.quoted
    ? known.find((one) => one === key)
    : (alike.find((one) => known.includes(one)) ?? nearest(key, known));
  if (meant === undefined) return unknownWord(text);
  const changes = new Map([[word, `${meant}${word.text.slice(text.length)}`]]);
  const corrected = retyped(grammar, line, changes);
  const error = word.quoted
    ? new UsageError(`${coded(text)} works without quotes.`, corrected)
    : unknownWord(text, corrected);
  return withSample(grammar, meant, error);
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
