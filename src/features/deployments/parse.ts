import { Refusal, Unreadable } from '../../lib/refusal.ts';
import { nearest } from '../../lib/nearest.ts';
import { truncate } from '../../lib/text.ts';
import type { Word } from '../../lib/words.ts';
import { OUTCOMES, RESOURCE_NAME, RESOURCE_NAME_RULE } from '../../rollouts/watches.ts';
import type { OutcomeWord } from '../../rollouts/watches.ts';

/** What is looked at; absent parts mean all. */
export interface Target {
  gvc: string;
  workload?: string;
  location?: string;
}

/** `/deployments …` as read (design section 3). `org` is settled later: it may be left out. */
export type DeploymentsCommand =
  | { kind: 'help' }
  | { kind: 'later'; word: string }
  | { kind: 'status'; target: Target; org: string | undefined }
  | {
      kind: 'watch';
      target: Target;
      org: string | undefined;
      channel: string | undefined;
      only: OutcomeWord[] | undefined;
      quiet: boolean;
    }
  | {
      kind: 'unwatch';
      target: Target | undefined;
      org: string | undefined;
      channel: string | undefined;
    }
  | { kind: 'watches'; channel: string | undefined };

export const SUBCOMMANDS = ['watch', 'unwatch', 'watches', 'mute', 'jobs'] as const;
const KEYWORDS = ['org', 'in', 'only', 'quiet'] as const;

/**
 * Reads the words after `/deployments`. A GVC that is named like a subcommand is written `GVC/`.
 * @throws Unreadable with the nearest match
 */
export function parseDeployments(words: readonly Word[]): DeploymentsCommand {
  const [first, ...rest] = words;
  if (first === undefined) return { kind: 'help' };
  const subcommand = SUBCOMMANDS.find((word) => !first.quoted && word === first.text.toLowerCase());
  switch (subcommand) {
    case 'mute':
    case 'jobs':
      return { kind: 'later', word: subcommand };
    case 'watches': {
      const options = readOptions(rest, ['in']);
      expectNoTarget(options, 'watches');
      return { kind: 'watches', channel: options.channel };
    }
    case 'unwatch': {
      const { target, org, channel } = readOptions(rest, ['org', 'in']);
      if (target?.location !== undefined) throw tooDeep('unwatch', target);
      return { kind: 'unwatch', target, org, channel };
    }
    case 'watch': {
      const { target, org, channel, only, quiet } = readOptions(rest, KEYWORDS);
      if (target === undefined) throw new Unreadable('Name the GVC or workload to watch.');
      if (target.location !== undefined) throw tooDeep('watch', target);
      return { kind: 'watch', target, org, channel, only, quiet };
    }
    case undefined: {
      const { target, org } = readOptions(words, ['org']);
      if (target === undefined) throw new Unreadable('Name the GVC to look at.');
      return { kind: 'status', target, org };
    }
  }
}

interface Options {
  target: Target | undefined;
  org: string | undefined;
  channel: string | undefined;
  only: OutcomeWord[] | undefined;
  quiet: boolean;
}

function readOptions(
  words: readonly Word[],
  allowed: readonly (typeof KEYWORDS)[number][],
): Options {
  const options: Options = {
    target: undefined,
    org: undefined,
    channel: undefined,
    only: undefined,
    quiet: false,
  };
  const queue = [...words];
  const named = new Set<string>();
  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    const { text, quoted } = word;
    const keyword = allowed.find((known) => !quoted && known === text.toLowerCase());
    if (keyword === undefined) {
      if (options.target !== undefined) throw unknownWord(text, options.target, allowed);
      options.target = readTarget(text);
      continue;
    }
    if (named.has(keyword)) throw new Unreadable(`"${keyword}" is there twice: once is enough.`);
    named.add(keyword);
    if (keyword === 'quiet') options.quiet = true;
    else if (keyword === 'org') options.org = valueOf('org', queue.shift(), 'a name');
    else if (keyword === 'in')
      options.channel = readChannel(valueOf('in', queue.shift(), 'a #channel'));
    else options.only = readOutcomes(listOf('only', queue));
  }
  return options;
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

/** `GVC[/WORKLOAD[/LOCATION]]`; an empty last part is the way to write a GVC named like a subcommand. */
export function readTarget(text: string): Target {
  const parts = text.replace(/\/$/, '').split('/');
  const [gvc, workload, location] = parts;
  if (parts.length > 3 || parts.some((part) => !RESOURCE_NAME.test(part)) || gvc === undefined) {
    throw new Unreadable(
      `"${short(text)}" is no GVC[/WORKLOAD[/LOCATION]]: names are ${RESOURCE_NAME_RULE}, divided by slashes.`,
    );
  }
  return {
    gvc,
    ...(workload === undefined ? {} : { workload }),
    ...(location === undefined ? {} : { location }),
  };
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

function unknownWord(word: string, target: Target, allowed: readonly string[]): Unreadable {
  const typo = nearest(target.gvc.toLowerCase(), SUBCOMMANDS);
  if (typo !== undefined && target.workload === undefined) {
    return new Unreadable(
      `"${short(target.gvc)}" is no subcommand.`,
      `/deployments ${typo} ${short(word)}`,
    );
  }
  const meant = nearest(word.toLowerCase(), allowed);
  return new Unreadable(`"${short(word)}" cannot be read here.`, meant);
}

/** A word of a person's, as far as an answer repeats it. */
function short(word: string): string {
  return truncate(word, 60);
}

function tooDeep(verb: string, target: Target): Unreadable {
  return new Unreadable(
    'A watch is for a GVC or a workload, with all its locations.',
    `/deployments ${verb} ${target.gvc}/${target.workload ?? ''}`,
  );
}

function expectNoTarget(options: Options, word: string): void {
  if (options.target !== undefined) {
    throw new Unreadable(`"${word}" takes no GVC.`, `/deployments ${word}`);
  }
}

/**
 * The org that is meant: the named one, or the only or default one.
 * @throws Unreadable, Refusal
 */
export function settleOrg(
  named: string | undefined,
  orgs: { known: readonly string[]; fallback: string | undefined },
): string {
  const org = named ?? orgs.fallback;
  if (org === undefined) {
    throw new Unreadable(
      `There are several orgs: add "org NAME", one of ${orgs.known.join(', ')}.`,
    );
  }
  if (!orgs.known.includes(org)) {
    throw new Refusal(
      `Purser has no key for org ${short(org)}: name one that it knows, ${orgs.known.join(', ')}.`,
    );
  }
  return org;
}
