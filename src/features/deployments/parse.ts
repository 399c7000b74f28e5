import { Unreadable } from '../../lib/refusal.ts';
import type { Word } from '../../lib/words.ts';
import type { OutcomeWord } from '../../rollouts/watches.ts';
import { SUBCOMMANDS, isUnitWord, readOptions } from './options.ts';
import { nameOf, short } from './place.ts';
import type { Target } from './place.ts';
import { isLikeTime } from './time.ts';

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
 * @throws Unreadable with the nearest match
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
        throw new Unreadable('"watches" takes no GVC.', '/deployments watches');
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
      if (target === undefined) throw new Unreadable('Name the GVC or workload to watch.');
      if (target.location !== undefined) throw tooDeep('A watch', 'watch', target);
      return { kind: 'watch', target, org, channel, only, quiet };
    }
    case undefined: {
      const { target, org } = readOptions(words, ['org']);
      if (target === undefined) throw new Unreadable('Name the GVC to look at.');
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
  if (!(error instanceof Unreadable) || !/^\/deployments mute \S+$/.test(error.suggestion ?? '')) {
    return error;
  }
  const time = words.findIndex(({ text }) => isLikeTime(text));
  const isUnit = isUnitWord(words[time + 1]);
  const rest = words
    .filter((_, index) => index !== time && !(isUnit && index === time + 1))
    .map(({ text }) => (text.startsWith('<#') ? '#channel' : short(text)))
    .filter((text) => text.toLowerCase() !== 'off');
  return new Unreadable(error.message, [error.suggestion, ...rest].join(' '));
}

function readMute(words: readonly Word[]): DeploymentsCommand {
  const { target, org, channel, off, time } = readOptions(words, ['org', 'in', 'off', 'TIME']);
  if (target?.location !== undefined) {
    throw tooDeep('A mute', off ? 'mute off' : `mute ${typedTime(words)}`, target);
  }
  if (off && time !== undefined) {
    throw new Unreadable('"off" ends a mute, so it takes no time.', '/deployments mute off');
  }
  if (off) return { kind: 'unmute', target, org, channel };
  if (time !== undefined) return { kind: 'mute', target, org, channel, forMs: time };
  if (target === undefined && org === undefined) return { kind: 'mutes', channel };
  throw new Unreadable(
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
    throw new Unreadable(
      'Name the cron workload whose runs are wanted.',
      `/deployments jobs ${target?.gvc ?? 'GVC'}/WORKLOAD`,
    );
  }
  return { kind: 'jobs', target: { ...target, workload: target.workload }, org };
}

function tooDeep(what: string, verb: string, target: Target): Unreadable {
  return new Unreadable(
    `${what} is for a GVC or a workload, with all its locations.`,
    `/deployments ${verb} ${target.gvc}/${target.workload ?? ''}`,
  );
}
