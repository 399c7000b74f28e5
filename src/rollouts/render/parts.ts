import type { KnownBlock } from '@slack/types';
import { formatDuration, shorten, truncate } from '../../lib/text.ts';
import type { Message } from '../../notify/message.ts';
import { actions, button, linkButtons, section, SIGN, type Link } from '../../slack/kit/blocks.ts';
import { firstOf } from '../../slack/kit/fit.ts';
import { code, joinMrkdwn, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import { nextStepFor, plainCause, restartsInShort, type Fallback } from '../watch/causes.ts';
import { impactWords, type Impact, type Level } from '../watch/impact.ts';
import type { State } from '../watch/location.ts';
import type { WatchedGvc } from '../watches.ts';

export type Content = Pick<Message, 'text' | 'blocks'>;

/** The actions of a message. The value is the place, `org/gvc[/workload]`: neither a secret nor a right. */
export const CARD_ACTIONS = {
  details: 'deployments.details',
  muteOneHour: 'deployments.mute.1h',
  muteEightHours: 'deployments.mute.8h',
  unwatch: 'deployments.unwatch',
  unwatchAsk: 'deployments.unwatch.ask',
} as const;

/** Where to look further, and the moment of the message. */
export interface Whereabouts {
  links?: readonly Link[];
  /** Milliseconds since the epoch. */
  now: number;
}

const TITLE_LENGTH = 253;
const NAME_LENGTH = 63;
const MAX_NAMES = 5;
const QUOTE_LENGTH = 120;

export function short(name: string): string {
  return shorten(name, NAME_LENGTH);
}

/** "lima, oslo and 3 more" */
export function listed(names: readonly string[]): string {
  return firstOf(names.map(short), MAX_NAMES);
}

/** "shop/cart" */
export function nameOf({ gvc }: WatchedGvc, workload: string): string {
  return [gvc, workload].map((name) => truncate(name, TITLE_LENGTH)).join('/');
}

export function bold(text: string): Mrkdwn {
  return mrkdwn`*${text}*`;
}

/** The first line of a message (design section 4.9). @param sign '' for none */
export function headline(sign: string, parts: readonly (string | Mrkdwn)[]): Mrkdwn {
  const words = dotted(parts);
  return sign === '' ? words : mrkdwn`${new Mrkdwn(sign)} ${words}`;
}

/** The sign of trouble at a level: at level 0 a rollout ended badly. */
export function signOfLevel({ level, without }: Pick<Impact, 'level' | 'without'>): string {
  if (without === 'unknown' || without === 'nothing') return SIGN.unknown;
  return level >= 2 ? SIGN.hurt : SIGN.wrong;
}

export function firstWords(impact: Impact): string {
  return impactWords(impact, listed);
}

/** "cart Outage (failed)", "pay no report" */
export function illWords(workload: string, state: State, impact: Impact): string {
  return state === 'stale' && impact.level === 0
    ? `${workload} no report`
    : `${workload} ${firstWords(impact)} (${state})`;
}

/** "Outage" of a level alone. */
export function levelWords(
  level: Level,
  worst: readonly string[],
  have: number,
  wanted: number,
): string {
  return impactWords({ level, have, wanted, worst }, listed);
}

/**
 * "4 of 6 serve · no report from oslo": over all versions, as the first words are.
 * @param named locations without a report that the line names already
 */
export function serving({ have, wanted, silent }: Impact, named: readonly string[] = []): string[] {
  const others = silent.filter((name) => !named.includes(name));
  return [
    ...(wanted === 0 ? [] : [`${have} of ${wanted} serve`]),
    ...(others.length === 0 ? [] : [`no report from ${listed(others)}`]),
  ];
}

/**
 * "Out of memory: payments, limit 512 MiB", "The image cannot be pulled (`Back-off …`)"; empty without a cause.
 * @param quote the words of the platform; absent: the first 120 characters
 */
export function spoken(
  cause: string,
  quote = (words: string): Mrkdwn => code(words, QUOTE_LENGTH),
): Mrkdwn {
  if (cause === '') return mrkdwn``;
  const plain = capital(plainCause(cause));
  const restarts = restartsInShort(cause);
  if (restarts !== undefined) {
    const [container, , ...details] = restarts.split(', ');
    return mrkdwn`${plain}: ${[container, ...details].join(', ')}`;
  }
  return plain === '' ? quote(cause) : mrkdwn`${plain} (${quote(cause)})`;
}

export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "→ Look in its logs" */
export function nextStep(cause: string, fallback: Fallback = {}): Mrkdwn {
  return mrkdwn`→ ${capital(nextStepFor(cause, fallback))}`;
}

export const LOOK_AT_HURT = mrkdwn`→ Look at what is hurt now`;
export const CHECK = mrkdwn`→ Check it from outside`;
export const CHECK_AND_WAIT = mrkdwn`${CHECK}; I post here when it reports again`;

/** The order to undo a change of the GVC, which has changed no version of a workload. */
export function undoGvc(version: number): string {
  return `undo the change of the GVC (v${version})`;
}

export function dotted(parts: readonly (string | Mrkdwn)[]): Mrkdwn {
  return joined(parts, ' · ');
}

/** With the mentions of people in a line of its own. */
export function mentioning<T extends Content>(content: T, names: readonly string[]): T {
  if (names.length === 0) return content;
  const mentions = new Mrkdwn([...new Set(names)].join(' '));
  const { text, blocks } = content;
  return { ...content, text: `${text}\n${mentions.text}`, blocks: [...blocks, section(mentions)] };
}

/** The parts that are there. */
export function joined(parts: readonly (string | Mrkdwn)[], separator: string): Mrkdwn {
  const all = parts.map((part) => (typeof part === 'string' ? mrkdwn`${part}` : part));
  return joinMrkdwn(
    all.filter(({ text }) => text !== ''),
    separator,
  );
}

/** " after 5 min"; '' for no time. */
export function duration(word: string, start: number | undefined, end: number): string {
  return start === undefined || end - start < 1_000
    ? ''
    : ` ${word} ${formatDuration(end - start)}`;
}

const MAX_CAUSES = 3;

/**
 * Each cause once with its next step, and the names that have it where there are several.
 * @param fallbackOf see `nextStep`, for those that have the cause
 */
export function causeLines(
  all: readonly (readonly [name: string, cause: string])[],
  isNamed: boolean,
  fallbackOf: (names: readonly string[]) => Fallback,
): Mrkdwn[] {
  const byCause = new Map<string, string[]>();
  for (const [name, cause] of all) {
    if (cause !== '') byCause.set(cause, [...(byCause.get(cause) ?? []), name]);
  }
  return [...byCause].slice(0, MAX_CAUSES).map(([cause, names]) => {
    const who = isNamed ? mrkdwn`*${listed(names)}*: ` : mrkdwn``;
    return mrkdwn`${who}${spoken(cause)}\n${nextStep(cause, fallbackOf(names))}`;
  });
}

/**
 * Details, the `LINKS` and a mute of an hour under a message with a next step.
 * @param mutes false where the message is about more than the place
 */
export function buttons(
  { links = [], now }: Whereabouts,
  { org, gvc }: WatchedGvc,
  about: { workload?: string; version?: number; location?: string; start?: number | undefined },
  mutes = true,
): KnownBlock {
  const value = [org, gvc, ...(about.workload === undefined ? [] : [about.workload])].join('/');
  // A message about several workloads mutes all of the GVC, and says so.
  const label = about.workload === undefined ? 'Mute GVC 1 h' : 'Mute 1 h';
  const mute = button({ action: CARD_ACTIONS.muteOneHour, text: label, value });
  return actions(
    button({ action: CARD_ACTIONS.details, text: 'Details', value }),
    ...linkButtons(links, { org, gvc, ...about, end: now }),
    ...(mutes ? [mute] : []),
  );
}
