import { OUTCOMES } from '../../config/watches.ts';
import type { OutcomeWord } from '../../config/watches.ts';
import { UsageError } from '../../lib/errors.ts';
import { nearest, truncate } from '../../lib/text.ts';
import type { Word } from '../../lib/text.ts';
import { nameOf, nameOf as placeName, readTarget } from '../../platform/deployments/target.ts';
import type { Target } from '../../platform/deployments/target.ts';

const MINUTE_MS = 60_000;
const UNITS = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS } as const;
const TIME = /^(\d+)(m|h|d)$/i;
/** Numbers that may be meant as a time. */
const LIKE_TIME = /^[-+]?\d+(?:[.,]\d+)?[a-z]*$/i;
const LONGEST_MS = 30 * UNITS.d;

function isTime(text: string): boolean {
  return TIME.test(text);
}

function isLikeTime(text: string): boolean {
  return LIKE_TIME.test(text);
}

/** `30m`, `8h` or `2d` in milliseconds. @throws UsageError below one minute and above 30 days, too */
function readTime(text: string): number {
  const [, amount, unit] = TIME.exec(text) ?? [];
  if (amount === undefined || unit === undefined) throw noTime(text);
  const ms = Number(amount) * UNITS[unit.toLowerCase() as keyof typeof UNITS];
  if (ms >= MINUTE_MS && ms <= LONGEST_MS) return ms;
  throw new UsageError(
    `"${short(text)}" cannot be: a mute lasts 1 minute at least and 30 days at most.`,
    `/deployments mute ${ms > LONGEST_MS ? '30d' : '1m'}`,
  );
}

/** The no to what is nearly a time, with what was probably meant. */
function noTime(text: string): UsageError {
  return new UsageError(
    `"${short(text)}" is no time: write whole minutes, hours or days, as 30m, 8h or 2d.`,
    meantBy(text),
  );
}

/** `90` is taken for minutes; `8hours` and `1w` are clear enough to suggest the right spelling. */
function meantBy(text: string): string | undefined {
  const [, amount = '', unit = ''] = /^(\d+)(|m|min\w*|h\w*|d\w*|w\w*)$/i.exec(text) ?? [];
  if (amount === '') return undefined;
  const letter = unit.charAt(0).toLowerCase() || 'm';
  return `/deployments mute ${letter === 'w' ? `${Number(amount) * 7}d` : `${amount}${letter}`}`;
}

export const SUBCOMMANDS = ['watch', 'unwatch', 'watches', 'mute', 'jobs'] as const;
const KEYWORDS = ['org', 'in', 'only', 'quiet', 'off'] as const;

/** What may follow a subcommand: its keywords, and a length of time. */
type Allowed = (typeof KEYWORDS)[number] | 'TIME';

/** The words after a subcommand, in whatever order they came. */
interface Options {
  target: Target | undefined;
  org: string | undefined;
  /** A channel's id. */
  channel: string | undefined;
  only: OutcomeWord[] | undefined;
  quiet: boolean;
  off: boolean;
  /** Milliseconds. */
  time: number | undefined;
}

/** @throws UsageError with the nearest match, for what is not allowed or there twice */
function readOptions(words: readonly Word[], allowed: readonly Allowed[]): Options {
  const options: Options = {
    target: undefined,
    org: undefined,
    channel: undefined,
    only: undefined,
    quiet: false,
    off: false,
    time: undefined,
  };
  const queue = [...words];
  const named = new Set<string>();
  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    const keyword = keywordOf(word, allowed, { options, rest: queue });
    if (keyword === undefined) {
      if (options.target !== undefined) {
        if (wantsTime(allowed, options, queue)) throw noTimeAmong(options.target, word);
        throw unknownWord(word.text, options.target, allowed);
      }
      options.target = readTarget(word.text);
      continue;
    }
    if (named.has(keyword))
      throw new UsageError(`${inWords(keyword)} is there twice: once is enough.`);
    named.add(keyword);
    setOption(options, keyword, word, queue);
  }
  return options;
}

function inWords(keyword: Allowed): string {
  return keyword === 'TIME' ? 'A time' : `"${keyword}"`;
}

/** What a word is; undefined for a target. */
function keywordOf(
  { text, quoted }: Word,
  allowed: readonly Allowed[],
  { options, rest }: { options: Options; rest: readonly Word[] },
): Allowed | undefined {
  if (quoted) return undefined;
  const keyword = KEYWORDS.find((known) => known === text.toLowerCase());
  if (keyword !== undefined && allowed.includes(keyword)) return keyword;
  if (allowed.includes('TIME') && isTime(text)) return 'TIME';
  // A GVC may be called `3scale`; it is no misspelt time where a time or "off" is there as well.
  if (isLikeTime(text) && wantsTime(allowed, options, rest)) throw noTime(text + unitAfter(rest));
  return undefined;
}

/** Whether a time has to be among the words so far, because neither one nor "off" is there or follows. */
function wantsTime(
  allowed: readonly Allowed[],
  { off, time }: Options,
  rest: readonly Word[],
): boolean {
  if (!allowed.includes('TIME') || off || time !== undefined) return false;
  return !rest.some(
    ({ quoted, text }) => !quoted && (isTime(text) || text.toLowerCase() === 'off'),
  );
}

/** The error for two words of which neither is a time: it names the one that is no place either, else the first. */
function noTimeAmong(target: Target, { text }: Word): UsageError {
  const isPlace = target.workload !== undefined;
  const [wrong, place] = isPlace ? [text, placeName(target)] : [target.gvc, text];
  const meant = nearest(wrong.toLowerCase(), ['off']);
  return meant === undefined
    ? noTime(wrong)
    : new UsageError(`"${short(wrong)}" is no time.`, `/deployments mute ${meant} ${short(place)}`);
}

/** `8 h` was meant as one word. */
function unitAfter([next]: readonly Word[]): string {
  return next !== undefined && isUnitWord(next) ? next.text : '';
}

/** Whether a word is the second half of `8 h`. */
function isUnitWord(word: Word | undefined): boolean {
  return word !== undefined && /^(?:m|h|d|w|min\w*|hours?|days?|weeks?)$/i.test(word.text);
}

function setOption(options: Options, keyword: Allowed, word: Word, queue: Word[]): void {
  switch (keyword) {
    case 'quiet':
    case 'off':
      options[keyword] = true;
      break;
    case 'TIME':
      options.time = readTime(word.text);
      break;
    case 'org':
      options.org = valueOf('org', queue.shift(), 'a name');
      break;
    case 'in':
      options.channel = readChannel(valueOf('in', queue.shift(), 'a #channel'));
      break;
    case 'only':
      options.only = readOutcomes(listOf('only', queue));
      break;
  }
}

/** A list with commas, also with a space after them. */
function listOf(keyword: string, queue: Word[]): string {
  let text = valueOf(keyword, queue.shift(), 'outcomes, for example failed');
  while (text.endsWith(',') && queue.length > 0) text += queue.shift()?.text ?? '';
  return text;
}

function valueOf(keyword: string, word: Word | undefined, what: string): string {
  if (word === undefined) throw new UsageError(`After "${keyword}" comes ${what}.`);
  return word.text;
}

function readChannel(text: string): string {
  const id =
    /^<#([A-Z0-9]+)(?:\|[^>]*)?>$/.exec(text)?.[1] ?? /^[CGD][A-Z0-9]{5,}$/.exec(text)?.[0];
  if (id === undefined) {
    throw new UsageError(
      'Slack did not recognise that channel: choose it from the list after typing #.',
    );
  }
  return id;
}

function readOutcomes(text: string): OutcomeWord[] {
  const words = text.toLowerCase().split(',');
  const outcomes = words.filter((word) => word !== '').map(readOutcome);
  // A watch that waits for no outcome would never post anything.
  if (outcomes.length === 0) throw new UsageError(`After "only" come outcomes: ${OUTCOME_LIST}.`);
  return [...new Set(outcomes)];
}

const OUTCOME_LIST = OUTCOMES.join(', ');

function readOutcome(word: string): OutcomeWord {
  const outcome = OUTCOMES.find((known) => known === word);
  if (outcome !== undefined) return outcome;
  const meant = nearest(word, OUTCOMES);
  throw new UsageError(
    `"${short(word)}" is no outcome: choose from ${OUTCOME_LIST}.`,
    meant === undefined ? undefined : `only ${meant}`,
  );
}

function unknownWord(word: string, target: Target, allowed: readonly Allowed[]): UsageError {
  const typo = nearest(target.gvc.toLowerCase(), SUBCOMMANDS);
  if (typo !== undefined && target.workload === undefined) {
    return new UsageError(
      `"${short(target.gvc)}" is no subcommand.`,
      `/deployments ${typo} ${short(word)}`,
    );
  }
  const keywords = KEYWORDS.filter((known) => allowed.includes(known));
  const meant = nearest(word.toLowerCase(), keywords);
  return new UsageError(`"${short(word)}" cannot be read here.`, meant);
}

/** Where a command is about; org and channel are settled later, because both may be left out. */
interface Where {
  org: string | undefined;
  channel: string | undefined;
}

/** `/deployments …` as read (design section 3). */
export type DeploymentsCommand =
  | { kind: 'help' }
  | { kind: 'status'; target: Target; org: string | undefined }
  | ({
      kind: 'watch';
      target: Target;
      only: OutcomeWord[] | undefined;
      quiet: boolean;
    } & Where)
  | ({ kind: 'unwatch'; target: Target | undefined } & Where)
  | { kind: 'watches'; channel: string | undefined }
  /** `forMs` in milliseconds. */
  | ({ kind: 'mute'; target: Target | undefined; forMs: number } & Where)
  | ({ kind: 'unmute'; target: Target | undefined } & Where)
  | { kind: 'mutes'; channel: string | undefined }
  | { kind: 'jobs'; target: Target & { workload: string }; org: string | undefined };

/**
 * Reads the words after `/deployments`. A GVC that is named like a subcommand is written `GVC/`.
 * @throws UsageError with the nearest match
 */
export function parseDeployments(words: readonly Word[]): DeploymentsCommand {
  const [first, ...rest] = words;
  if (first === undefined) return { kind: 'help' };
  const subcommand = SUBCOMMANDS.find((word) => !first.quoted && word === first.text.toLowerCase());
  switch (subcommand) {
    case 'mute':
      return parseMute(rest);
    case 'jobs':
      return parseJobs(rest);
    case 'watches': {
      const { target, channel } = readOptions(rest, ['in']);
      if (target !== undefined) {
        throw new UsageError('"watches" takes no GVC.', '/deployments watches');
      }
      return { kind: 'watches', channel };
    }
    case 'unwatch': {
      const { target, org, channel } = readOptions(rest, ['org', 'in']);
      if (target?.location !== undefined) throw tooDeep('A watch', 'unwatch', target);
      return { kind: 'unwatch', target, org, channel };
    }
    case 'watch': {
      const options = readOptions(rest, ['org', 'in', 'only', 'quiet']);
      const { target, org, channel, only, quiet } = options;
      if (target === undefined) throw new UsageError('Name the GVC or workload to watch.');
      if (target.location !== undefined) throw tooDeep('A watch', 'watch', target);
      return { kind: 'watch', target, org, channel, only, quiet };
    }
    case undefined: {
      const { target, org } = readOptions(words, ['org']);
      if (target === undefined) throw new UsageError('Name the GVC to look at.');
      return { kind: 'status', target, org };
    }
  }
}

function parseMute(words: readonly Word[]): DeploymentsCommand {
  try {
    return readMute(words);
  } catch (error) {
    throw withPlace(error, words);
  }
}

/** A suggestion that names no place would silence the whole channel: it is given what was typed beside the time. */
function withPlace(error: unknown, words: readonly Word[]): unknown {
  if (!(error instanceof UsageError) || !/^\/deployments mute \S+$/.test(error.suggestion ?? '')) {
    return error;
  }
  const time = words.findIndex(({ text }) => isLikeTime(text));
  const isUnit = isUnitWord(words[time + 1]);
  const rest = words
    .filter((_, index) => index !== time && !(isUnit && index === time + 1))
    .map(({ text }) => (text.startsWith('<#') ? '#channel' : short(text)))
    .filter((text) => text.toLowerCase() !== 'off');
  return new UsageError(error.message, [error.suggestion, ...rest].join(' '));
}

function readMute(words: readonly Word[]): DeploymentsCommand {
  const { target, org, channel, off, time } = readOptions(words, ['org', 'in', 'off', 'TIME']);
  if (target?.location !== undefined) {
    throw tooDeep('A mute', off ? 'mute off' : `mute ${typedTime(words)}`, target);
  }
  if (off && time !== undefined) {
    throw new UsageError('"off" ends a mute, so it takes no time.', '/deployments mute off');
  }
  if (off) return { kind: 'unmute', target, org, channel };
  if (time !== undefined) return { kind: 'mute', target, org, channel, forMs: time };
  if (target === undefined && org === undefined) return { kind: 'mutes', channel };
  throw new UsageError(
    'Say for how long it is to be silent, for example 30m, 8h or 2d, or "off" to end that.',
    target && `/deployments mute 8h ${nameOf(target)}`,
  );
}

function typedTime(words: readonly Word[]): string {
  return words.find(({ text }) => /^\d+[mhd]$/i.test(text))?.text ?? '8h';
}

function parseJobs(words: readonly Word[]): DeploymentsCommand {
  const { target, org } = readOptions(words, ['org']);
  if (target?.workload === undefined) {
    throw new UsageError(
      'Name the cron workload whose runs are wanted.',
      `/deployments jobs ${target?.gvc ?? 'GVC'}/WORKLOAD`,
    );
  }
  return { kind: 'jobs', target: { ...target, workload: target.workload }, org };
}

function tooDeep(what: string, verb: string, target: Target): UsageError {
  return new UsageError(
    `${what} is for a GVC or a workload, with all its locations.`,
    `/deployments ${verb} ${target.gvc}/${target.workload ?? ''}`,
  );
}

/** A word of a person's, as far as an answer repeats it. */
function short(word: string): string {
  return truncate(word, 60);
}
