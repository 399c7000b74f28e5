import { missing, tooMany, twice, typed, unknownWord } from '../../grammar/typed.ts';
import { OUTCOMES, type OutcomeWord } from '../../config/watches.ts';
import { UsageError } from '../../lib/errors.ts';
import { nearest, truncate, type Word } from '../../lib/text.ts';
import {
  nameOf,
  readTarget,
  RESOURCE_NAME,
  type Target,
} from '../../platform/deployments/target.ts';
import { readChannel } from '../../slack/directory.ts';

export const SUBCOMMANDS = ['watch', 'unwatch', 'watches', 'mute', 'jobs'] as const;
const KEYWORDS = ['org', 'in', 'only', 'quiet', 'notify', 'off'] as const;

type Allowed = (typeof KEYWORDS)[number] | 'DURATION';

interface Options {
  target: Target | undefined;
  org: string | undefined;
  /** Its id. */
  channel: string | undefined;
  only: OutcomeWord[] | undefined;
  quiet: boolean;
  /** A mention as Slack writes it, without its label. */
  notify: string | undefined;
  off: boolean;
  /** Milliseconds. */
  time: number | undefined;
}

interface Reading {
  /** All words of the command: a suggestion repeats the correct ones. */
  readonly line: readonly Word[];
  readonly allowed: readonly Allowed[];
  readonly options: Options;
  readonly rest: Word[];
  place?: Word;
}

/** @throws UsageError for a word that is not allowed or repeated, with a suggestion */
function readOptions(line: readonly Word[], from: number, allowed: readonly Allowed[]): Reading {
  const options: Options = {
    target: undefined,
    org: undefined,
    channel: undefined,
    only: undefined,
    quiet: false,
    notify: undefined,
    off: false,
    time: undefined,
  };
  const reading: Reading = { line, allowed, options, rest: line.slice(from) };
  const named = new Set<string>();
  for (let word = reading.rest.shift(); word !== undefined; word = reading.rest.shift()) {
    const keyword = keywordOf(word, reading);
    if (keyword === undefined) readPlace(word, reading);
    else if (named.has(keyword)) throw duplicate(keyword, word, line);
    else setOption(keyword, word, reading);
    if (keyword !== undefined) named.add(keyword);
  }
  return reading;
}

function duplicate(keyword: Allowed, word: Word, line: readonly Word[]): UsageError {
  // With two values it is unclear which one was meant.
  const takesValue = keyword !== 'quiet' && keyword !== 'off';
  return twice(keyword, takesValue ? undefined : retyped(line, [word, '']));
}

/** @throws UsageError */
function readPlace(word: Word, reading: Reading): void {
  const { line, options } = reading;
  if (options.target !== undefined) {
    throw wantsTime(reading) ? missingTime(word, reading) : noPlace(word, reading);
  }
  try {
    options.target = readTarget(word.text);
  } catch (error) {
    throw error instanceof UsageError
      ? new UsageError(error.message, meantPlace(word, line))
      : error;
  }
  reading.place = word;
}

function meantPlace(word: Word, line: readonly Word[]): string | undefined {
  const parts = word.text.split('/').filter((part) => part !== '');
  const isPlace = parts.length > 0 && parts.every((part) => RESOURCE_NAME.test(part));
  return isPlace ? retyped(line, [word, parts.slice(0, 3).join('/')]) : undefined;
}

/** Undefined for a target. */
function keywordOf(word: Word, reading: Reading): Allowed | undefined {
  const { text, quoted } = word;
  const { allowed, rest } = reading;
  if (quoted) return undefined;
  const keyword = KEYWORDS.find((known) => known === text.toLowerCase());
  if (keyword !== undefined && allowed.includes(keyword)) return keyword;
  if (allowed.includes('DURATION') && isTime(text)) return 'DURATION';
  // A GVC may be named `3scale`: not a misspelt time if a time or "off" is there as well.
  if (isLikeTime(text) && wantsTime(reading)) {
    throw invalidTime(word, reading.line, isUnitWord(rest[0]) ? rest[0] : undefined);
  }
  return undefined;
}

function wantsTime({ allowed, options: { off, time }, rest }: Reading): boolean {
  if (!allowed.includes('DURATION') || off || time !== undefined) return false;
  return !rest.some(
    ({ quoted, text }) => !quoted && (isTime(text) || text.toLowerCase() === 'off'),
  );
}

/** Names the word that is no place either, else the first. Neither is a time. */
function missingTime(word: Word, { line, place, options }: Reading): UsageError {
  const wrong = place === undefined || options.target?.workload !== undefined ? word : place;
  const meant = nearest(wrong.text.toLowerCase(), ['off']);
  return meant === undefined
    ? invalidTime(wrong, line)
    : new UsageError(`"${short(wrong.text)}" is not a time.`, retyped(line, [wrong, meant]));
}

function setOption(keyword: Allowed, word: Word, reading: Reading): void {
  const { options, line, rest } = reading;
  switch (keyword) {
    case 'quiet':
    case 'off':
      options[keyword] = true;
      break;
    case 'DURATION':
      options.time = readTime(word, line);
      break;
    case 'org':
      options.org = valueOf(word, rest.shift(), ['NAME', 'org acme']);
      break;
    case 'in':
      options.channel = readChannel(valueOf(word, rest.shift(), ['#CHANNEL', 'in #deploys']));
      break;
    case 'only':
      options.only = readOutcomes(listOf(word, rest), line);
      break;
    case 'notify':
      options.notify = readMention(valueOf(word, rest.shift(), ['@GROUP', 'notify @oncall']));
      break;
  }
}

/** @throws UsageError */
function readMention(text: string): string {
  const mention = /^<(!subteam\^[A-Z0-9]+|@[A-Z0-9]+|!(?:here|channel))(?:\|[^>]*)?>$/.exec(
    text,
  )?.[1];
  if (mention !== undefined) return `<${mention}>`;
  throw new UsageError(
    'Slack did not recognise that group: choose it from the list after typing @.',
  ).withExample('notify @oncall');
}

function listOf(keyword: Word, rest: Word[]): string {
  let text = valueOf(keyword, rest.shift(), ['OUTCOME', 'only failed']);
  while (text.endsWith(',') && rest.length > 0) text += rest.shift()?.text ?? '';
  return text;
}

/** @param wanted what has to follow, and an example */
function valueOf(
  keyword: Word,
  word: Word | undefined,
  [name, example]: readonly [string, string],
): string {
  if (word !== undefined) return word.text;
  throw missing(name, keyword.text.toLowerCase()).withExample(example);
}

function readOutcomes(text: string, line: readonly Word[]): OutcomeWord[] {
  const words = text.toLowerCase().split(',');
  const outcomes = words.filter((word) => word !== '').map((word) => readOutcome(word, line));
  if (outcomes.length === 0) throw missing('OUTCOME', 'only', `: choose from ${OUTCOME_LIST}`);
  return [...new Set(outcomes)];
}

const OUTCOME_LIST = OUTCOMES.join(', ');

function readOutcome(word: string, line: readonly Word[]): OutcomeWord {
  const outcome = OUTCOMES.find((known) => known === word);
  if (outcome !== undefined) return outcome;
  const meant = nearest(word, OUTCOMES);
  if (meant === undefined) {
    throw new UsageError(`"${short(word)}" is not an outcome: choose from ${OUTCOME_LIST}.`);
  }
  const changes = line.map((one): [Word, string] => {
    const parts = typed(one).split(',');
    return [one, parts.map((part) => (part.toLowerCase() === word ? meant : part)).join(',')];
  });
  throw new UsageError(`"${short(word)}" is not an outcome.`, retyped(line, ...changes));
}

function noPlace(word: Word, { line, allowed, options, place }: Reading): UsageError {
  const { gvc, workload } = options.target ?? { gvc: '' };
  const isAlone = workload === undefined && place !== undefined;
  const typo = nearest(gvc.toLowerCase(), SUBCOMMANDS);
  if (typo !== undefined && isAlone && place === line[0]) {
    return unknownWord(gvc, retyped(line, [place, typo]));
  }
  const keyword = nearest(
    word.text.toLowerCase(),
    KEYWORDS.filter((known) => allowed.includes(known)),
  );
  if (keyword !== undefined) {
    return unknownWord(word.text, retyped(line, [word, keyword]));
  }
  const isKeyword = KEYWORDS.some((known) => known === word.text.toLowerCase());
  if (!isAlone || isKeyword || !RESOURCE_NAME.test(word.text)) {
    return unknownWord(word.text);
  }
  return unknownWord(word.text, retyped(line, [place, `${gvc}/${word.text}`], [word, '']));
}

/** Org and channel have defaults, which are applied later. */
interface Where {
  org: string | undefined;
  channel: string | undefined;
}

/** `/deployments …`, parsed (design section 3). */
export type DeploymentsCommand =
  /** What is not green now. Without an org: all of them. */
  | { kind: 'overview'; org: string | undefined }
  | { kind: 'status'; target: Target; org: string | undefined }
  | ({
      kind: 'watch';
      target: Target;
      only: OutcomeWord[] | undefined;
      quiet: boolean;
      notify: string | undefined;
    } & Where)
  | ({ kind: 'unwatch'; target: Target | undefined } & Where)
  | { kind: 'watches'; channel: string | undefined }
  /** `forMs` in milliseconds. */
  | ({ kind: 'mute'; target: Target | undefined; forMs: number } & Where)
  | ({ kind: 'unmute'; target: Target | undefined } & Where)
  | { kind: 'mutes'; channel: string | undefined }
  | { kind: 'jobs'; target: Target & { workload: string }; org: string | undefined };

/** A GVC named like a subcommand is written `GVC/`. @throws UsageError with a suggestion */
export function parseDeployments(line: readonly Word[]): DeploymentsCommand {
  const [first] = line;
  const subcommand = SUBCOMMANDS.find(
    (word) => first?.quoted === false && word === first.text.toLowerCase(),
  );
  if (subcommand === undefined) return parseStatus(line);
  try {
    return PARSERS[subcommand](line);
  } catch (error) {
    throw error instanceof UsageError ? error.about(`/deployments ${subcommand}`) : error;
  }
}

function parseStatus(line: readonly Word[]): DeploymentsCommand {
  const { target, org } = readOptions(line, 0, ['org']).options;
  return target === undefined ? { kind: 'overview', org } : { kind: 'status', target, org };
}

const PARSERS: Readonly<
  Record<(typeof SUBCOMMANDS)[number], (line: readonly Word[]) => DeploymentsCommand>
> = {
  watch(line) {
    const reading = readOptions(line, 1, ['org', 'in', 'only', 'quiet', 'notify']);
    const { target, org, channel, only, quiet, notify } = reading.options;
    if (target === undefined) throw missing('GVC', 'watch');
    if (target.location !== undefined) throw tooDeep('A watch', target, reading);
    return { kind: 'watch', target, org, channel, only, quiet, notify };
  },
  unwatch(line) {
    const reading = readOptions(line, 1, ['org', 'in']);
    const { target, org, channel } = reading.options;
    if (target?.location !== undefined) throw tooDeep('A watch', target, reading);
    return { kind: 'unwatch', target, org, channel };
  },
  watches(line) {
    const { options, place } = readOptions(line, 1, ['in']);
    if (place !== undefined) {
      throw tooMany(retyped(line, [place, '']));
    }
    return { kind: 'watches', channel: options.channel };
  },
  mute(line) {
    const reading = readOptions(line, 1, ['org', 'in', 'off', 'DURATION']);
    const { target, org, channel, off, time } = reading.options;
    if (target?.location !== undefined) throw tooDeep('A mute', target, reading);
    if (off && time !== undefined) {
      const times = line.filter(({ text }) => isTime(text));
      throw new UsageError(
        '"off" ends a mute, so it takes no time.',
        retyped(line, ...times.map((word): [Word, string] => [word, ''])),
      );
    }
    if (off) return { kind: 'unmute', target, org, channel };
    if (time !== undefined) return { kind: 'mute', target, org, channel, forMs: time };
    if (target === undefined && org === undefined) return { kind: 'mutes', channel };
    throw missing('DURATION', 'mute', ': 30m, 8h or 2d, or off to end it').meaning(
      target && retyped(line, [line[0], 'mute 8h']),
    );
  },
  jobs(line) {
    const { target, org } = readOptions(line, 1, ['org']).options;
    if (target?.workload === undefined) {
      throw missing('GVC/WORKLOAD', 'jobs');
    }
    return { kind: 'jobs', target: { ...target, workload: target.workload }, org };
  },
};

function tooDeep(what: string, target: Target, { line, place }: Reading): UsageError {
  const { location: _, ...wider } = target;
  return new UsageError(
    `${what} is for a GVC or a workload, with all its locations.`,
    retyped(line, [place, nameOf(wider)]),
  );
}

/**
 * Replaces words of the line; '' drops one. Channels stay, too: a mute without its place would
 * silence the whole channel.
 */
function retyped(line: readonly Word[], ...changes: readonly [Word | undefined, string][]): string {
  const instead = new Map(changes);
  const words = line.map((word) => instead.get(word) ?? typed(word));
  return ['/deployments', ...words.filter((word) => word !== '')].join(' ');
}

const MINUTE_MS = 60_000;
const UNITS = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS } as const;
const TIME = /^(\d+)(m|h|d)$/i;
const LIKE_TIME = /^[-+]?\d+(?:[.,]\d+)?[a-z]*$/i;
const LONGEST_MS = 30 * UNITS.d;

function isTime(text: string): boolean {
  return TIME.test(text);
}

function isLikeTime(text: string): boolean {
  return LIKE_TIME.test(text);
}

/** The second half of `8 h`. */
function isUnitWord(word: Word | undefined): boolean {
  return word !== undefined && /^(?:m|h|d|w|min\w*|hours?|days?|weeks?)$/i.test(word.text);
}

/** `30m`, `8h` or `2d` in milliseconds. @throws UsageError also below one minute or above 30 days */
function readTime(word: Word, line: readonly Word[]): number {
  const [, amount, unit] = TIME.exec(word.text) ?? [];
  if (amount === undefined || unit === undefined) throw invalidTime(word, line);
  const ms = Number(amount) * UNITS[unit.toLowerCase() as keyof typeof UNITS];
  if (ms >= MINUTE_MS && ms <= LONGEST_MS) return ms;
  throw new UsageError(
    `A mute lasts 1 minute at least and 30 days at most, not ${short(word.text)}.`,
    retyped(line, [word, ms > LONGEST_MS ? '30d' : '1m']),
  );
}

/** @param unit the second word of a time in two words */
function invalidTime(word: Word, line: readonly Word[], unit?: Word): UsageError {
  const text = [word, unit].flatMap((one) => one?.text ?? []).join(' ');
  const meant = meantTime(text.replace(' ', ''));
  return new UsageError(
    `"${short(text)}" is not a time: write whole minutes, hours or days, as 30m, 8h or 2d.`,
    meant && retyped(line, [word, meant], [unit, '']),
  );
}

/** `90` is read as minutes; `8hours` and `1w` are clear enough to suggest the right spelling. */
function meantTime(text: string): string | undefined {
  const [, amount = '', unit = ''] = /^(\d+)(|m|min\w*|h\w*|d\w*|w\w*)$/i.exec(text) ?? [];
  if (amount === '') return undefined;
  const letter = unit.charAt(0).toLowerCase() || 'm';
  return letter === 'w' ? `${Number(amount) * 7}d` : `${amount}${letter}`;
}

function short(word: string): string {
  return truncate(word, 60);
}
