import { nearest } from '../../lib/nearest.ts';
import { Unreadable } from '../../lib/refusal.ts';
import type { Word } from '../../lib/words.ts';
import { OUTCOMES } from '../../rollouts/watches.ts';
import type { OutcomeWord } from '../../rollouts/watches.ts';
import { nameOf as placeName, readTarget, short } from './place.ts';
import type { Target } from './place.ts';
import { isLikeTime, isTime, noTime, readTime } from './time.ts';

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

/** @throws Unreadable with the nearest match, for what is not allowed or there twice */
export function readOptions(words: readonly Word[], allowed: readonly Allowed[]): Options {
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
      throw new Unreadable(`${nameOf(keyword)} is there twice: once is enough.`);
    named.add(keyword);
    setOption(options, keyword, word, queue);
  }
  return options;
}

function nameOf(keyword: Allowed): string {
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

/** Of two words of which neither is a time, the one that is no place either, else the first. */
function noTimeAmong(target: Target, { text }: Word): Unreadable {
  const isPlace = target.workload !== undefined;
  const [wrong, place] = isPlace ? [text, placeName(target)] : [target.gvc, text];
  const meant = nearest(wrong.toLowerCase(), ['off']);
  return meant === undefined
    ? noTime(wrong)
    : new Unreadable(`"${short(wrong)}" is no time.`, `/deployments mute ${meant} ${short(place)}`);
}

/** `8 h` was meant as one word. */
function unitAfter([next]: readonly Word[]): string {
  return next !== undefined && isUnitWord(next) ? next.text : '';
}

/** Whether a word is the second half of `8 h`. */
export function isUnitWord(word: Word | undefined): boolean {
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
  if (word === undefined) throw new Unreadable(`After "${keyword}" comes ${what}.`);
  return word.text;
}

function readChannel(text: string): string {
  const id =
    /^<#([A-Z0-9]+)(?:\|[^>]*)?>$/.exec(text)?.[1] ?? /^[CGD][A-Z0-9]{5,}$/.exec(text)?.[0];
  if (id === undefined) {
    throw new Unreadable(
      'Slack did not recognise that channel: choose it from the list after typing #.',
    );
  }
  return id;
}

function readOutcomes(text: string): OutcomeWord[] {
  const words = text.toLowerCase().split(',');
  const outcomes = words.filter((word) => word !== '').map(readOutcome);
  // A watch that waits for no outcome at all would be silent for ever.
  if (outcomes.length === 0) throw new Unreadable(`After "only" come outcomes: ${OUTCOME_LIST}.`);
  return [...new Set(outcomes)];
}

const OUTCOME_LIST = OUTCOMES.join(', ');

function readOutcome(word: string): OutcomeWord {
  const outcome = OUTCOMES.find((known) => known === word);
  if (outcome !== undefined) return outcome;
  const meant = nearest(word, OUTCOMES);
  throw new Unreadable(
    `"${short(word)}" is no outcome: choose from ${OUTCOME_LIST}.`,
    meant === undefined ? undefined : `only ${meant}`,
  );
}

function unknownWord(word: string, target: Target, allowed: readonly Allowed[]): Unreadable {
  const typo = nearest(target.gvc.toLowerCase(), SUBCOMMANDS);
  if (typo !== undefined && target.workload === undefined) {
    return new Unreadable(
      `"${short(target.gvc)}" is no subcommand.`,
      `/deployments ${typo} ${short(word)}`,
    );
  }
  const keywords = KEYWORDS.filter((known) => allowed.includes(known));
  const meant = nearest(word.toLowerCase(), keywords);
  return new Unreadable(`"${short(word)}" cannot be read here.`, meant);
}
