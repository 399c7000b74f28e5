import type { KnownBlock } from '@slack/types';
import { formatDuration, plural, truncate } from '../../lib/text.ts';
import type { Message } from '../../notify/message.ts';
import {
  actions,
  context,
  linkButtons,
  menuSection,
  SIGN,
  type Link,
} from '../../slack/kit/blocks.ts';
import { joinMrkdwn, moment, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import type { Impact } from '../engine/impact.ts';
import type { Row } from '../engine/rollout.ts';
import { byUrgency, SIGNS, stateIs, type Ending } from '../engine/states.ts';
import type { WatchedGvc } from '../watches.ts';
import { listed, short } from './causes-view.ts';

/** What can be done from a card. The value is the place, `org/gvc[/workload]`: neither a secret nor a right. */
export const CARD_ACTIONS = {
  details: 'deployments.details',
  muteOneHour: 'deployments.mute.1h',
  muteEightHours: 'deployments.mute.8h',
  unwatch: 'deployments.unwatch',
  unwatchAsk: 'deployments.unwatch.ask',
} as const;

/** What a message says. */
export type Content = Pick<Message, 'text' | 'blocks'>;

type State = Row['state'];

/** What people read and search for, so that a name is there as a whole. */
const TITLE_NAME_LENGTH = 253;
const BAR_WIDTH = 12;
/** Rows of a table; the rest is counted, and behind Details. */
const MAX_ROWS = 6;

/** "shop/cart": what a title is about. */
export function nameOf(place: WatchedGvc, workload?: string): string {
  const names = workload === undefined ? [place.gvc] : [place.gvc, workload];
  return names.map((name) => truncate(name, TITLE_NAME_LENGTH)).join('/');
}

/** "shop/cart v12" */
export function rolloutName(place: WatchedGvc, workload: string, version: number): string {
  return `${nameOf(place, workload)} v${version}`;
}

/** "*shop/cart* v12" */
export function rolloutTitle(
  place: WatchedGvc,
  { workload, version }: { workload: string; version: number },
): Mrkdwn {
  return mrkdwn`*${nameOf(place, workload)}* v${version}`;
}

/** "shop GVC v7" */
export function gvcTitle(place: WatchedGvc, version: number): string {
  return `${nameOf(place)} GVC v${version}`;
}

/** "shop in lima" */
export function locationTitle(place: WatchedGvc, location: string): string {
  return `${nameOf(place)} in ${short(location)}`;
}

/** " after 5 min", '' for what took no time or has no known beginning. Milliseconds since the epoch. */
export function lasted(
  word: 'after' | 'for' | '· live in',
  start: number | null | undefined,
  end: number | null,
): string {
  if (start === null || start === undefined || end === null || end - start < 1_000) return '';
  return ` ${word} ${formatDuration(end - start)}`;
}

/** " · live in 4 min" */
export function took(startedAt: number | null, readyAt: number | null): string {
  return lasted('· live in', startedAt, readyAt);
}

/** The state word of a card: how it ended, else its worst row. */
export function wordOf(
  ending: Ending | null,
  rows: readonly { state: State }[],
): State | 'superseded' {
  if (ending !== null) return ending;
  const worst = [...rows].sort(byUrgency)[0]?.state ?? 'unknown';
  return worst === 'waiting' ? 'deploying' : worst;
}

/** How an ended card says why it moves no more. @param took " · live in 5 min", or '' */
export function endingSentence(ending: Exclude<Ending, 'superseded'>, took: string): string {
  switch (ending) {
    case 'ready':
      return `ready${took}`;
    case 'idle':
      return 'idle · in place, scaled to zero';
    case 'suspended':
      return 'in place, suspended';
    case 'gone':
      return 'gone · no longer listed';
  }
}

/** The sign of a state or an outcome, by what it does to users (docs/style.md, "Signs"). */
export function signOf(word: keyof typeof SIGNS, impact: Impact): Mrkdwn {
  const sign = SIGNS[word];
  const isBad = sign === SIGN.wrong || sign === SIGN.unknown;
  return new Mrkdwn(isBad && impact.on === 'hurt' ? SIGN.hurt : sign);
}

/** Who is affected by what is wrong and hurts nobody: "nobody affected". */
export function affected({ on, full }: Impact): string {
  if (on === 'new') return 'never seen to serve';
  if (on === 'none') return 'nothing is meant to serve';
  if (on === 'unknown') return 'what serves is not known';
  return full ? 'nobody affected' : 'users are served';
}

/** What serves now: "v19 serves 2/2 everywhere", "7 of 9 replicas ready"; '' where it is not known. */
export function servingWords({ on, ready, wanted, full, by, each }: Impact, own: number): string {
  if (on !== 'hurt' && on !== 'served') return '';
  if (ready === 0) return 'nothing serves';
  if (by === undefined || by === own) return `${ready} of ${plural(wanted, 'replica')} ready`;
  if (full && each !== undefined) return `v${by} serves ${each}/${each} everywhere`;
  return `v${by} serves ${ready}/${wanted}`;
}

/** The rows of a table that has room for six: all in their order, or the worst first; and those that are left out. */
export function worstOf<T extends { state: State }>(
  rows: readonly T[],
): { shown: readonly T[]; more: readonly T[] } {
  if (rows.length <= MAX_ROWS) return { shown: rows, more: [] };
  const sorted = rows.toSorted(byUrgency);
  return { shown: sorted.slice(0, MAX_ROWS), more: sorted.slice(MAX_ROWS) };
}

/** "28 more: 10 waiting, 18 ready" */
export function moreRows(more: readonly { state: State }[]): KnownBlock[] {
  if (more.length === 0) return [];
  const states = [...new Set(more.map(({ state }) => state))];
  const counts = states.map(
    (state) => `${more.filter((row) => row.state === state).length} ${state}`,
  );
  return [context(mrkdwn`${more.length} more: ${counts.join(', ')}`)];
}

/** One line of a progress bar. */
interface Progress {
  name: string;
  state: State;
  ready: number;
  wanted: number;
}

/**
 * "▰▰▱▱ 1 of 2 replicas on v12 · since 10:03": of all whose replicas are known. Those of which nothing
 * is known are named; without a bar where that is all of them.
 * @param version of what is counted, after the number
 * @param at when it began, in milliseconds since the epoch; null where that is not known
 */
export function progress(
  place: WatchedGvc,
  all: readonly Progress[],
  { version, at }: { version: string; at: number | null },
): KnownBlock {
  const counted = all.filter(({ state }) => !stateIs(state, 'uncounted'));
  const sum = (part: 'ready' | 'wanted'): number =>
    counted.reduce((total, one) => total + one[part], 0);
  const wanted = sum('wanted');
  const ready = Math.min(sum('ready'), wanted);
  const filled = wanted === 0 ? 0 : Math.floor((ready / wanted) * BAR_WIDTH);
  const bar = '▰'.repeat(filled) + '▱'.repeat(BAR_WIDTH - filled);
  const others = all.filter(({ state }) => stateIs(state, 'uncounted')).map(({ name }) => name);
  const without = others.length === 0 ? '' : `, ${listed(others)} not counted`;
  const words = `${bar}  ${ready} of ${plural(wanted, 'replica')}${version} ready${without}`;
  const parts = [
    ...(counted.length === 0 ? [] : [mrkdwn`${words}`]),
    ...(at === null ? [] : [when({ what: 'since', at, moves: true })]),
    orgOf(place),
  ];
  return context(joinMrkdwn(parts, ' · '));
}

export function isAwaited({ state }: Pick<Row, 'state'>): boolean {
  return !stateIs(state, 'aside');
}

/** What runs where the version has not come is not the version's. */
export function inBar({ location, state, replicas: { ready, wanted } }: Row): Progress {
  const own = state === 'waiting' ? 0 : Math.min(ready, wanted);
  return { name: location, state, ready: own, wanted };
}

/** "1/2", "–" where nothing is known. */
export function share({ state, ready, wanted }: Omit<Progress, 'name'>): string {
  return stateIs(state, 'uncounted') ? '–' : `${ready}/${wanted}`;
}

/** The small line at the end of what has no card: the org, and since when. @param since as below */
export function footer(
  place: WatchedGvc,
  since?: { what: string; at: number; moves: boolean },
): KnownBlock {
  return context(joinMrkdwn([orgOf(place), ...(since === undefined ? [] : [when(since)])], ' · '));
}

function orgOf({ org }: WatchedGvc): Mrkdwn {
  return mrkdwn`org ${short(org)}`;
}

/**
 * Slack counts on by itself how long ago it is, so that the text stays the same.
 * @param since.at milliseconds since the epoch
 */
function when({ what, at, moves }: { what: string; at: number; moves: boolean }): Mrkdwn {
  const format = `{date_short_pretty} {time_secs}${moves ? ', {ago}' : ''}`;
  return mrkdwn`${what} ${moment(at, format)}`;
}

/** The end of the second line of a card that moves no more: where, and when it began. */
export function whereAndWhen(place: WatchedGvc, at: number | null): Mrkdwn {
  const org = mrkdwn` · ${orgOf(place)}`;
  return at === null ? org : mrkdwn`${org} · ${moment(at)}`;
}

/**
 * The two lines that every card begins with, and its menu; without a workload that of a whole GVC.
 * @param options.unwatch false where the channel watches something else than the whole place
 */
export function cardHead(
  place: WatchedGvc,
  workload: string | undefined,
  text: Mrkdwn,
  options: { unwatch: boolean } = { unwatch: true },
): KnownBlock {
  const name = [place.gvc, workload].filter((part) => part !== undefined).join('/');
  return menuSection(text, `${place.org}/${name}`, [
    { text: 'Details', action: CARD_ACTIONS.details },
    { text: 'Mute 1 h', action: CARD_ACTIONS.muteOneHour },
    { text: 'Mute 8 h', action: CARD_ACTIONS.muteEightHours },
    ...(options.unwatch ? [{ text: 'Unwatch', action: CARD_ACTIONS.unwatchAsk }] : []),
  ]);
}

/** Where to look further, and when that is asked for. */
export interface Whereabouts {
  links?: readonly Link[];
  /** Milliseconds since the epoch. */
  now: number;
}

/** The buttons of `LINKS` whose placeholders have a value; times in milliseconds since the epoch. */
export function linkRow(
  { links = [], now }: Whereabouts,
  place: WatchedGvc,
  about: { workload?: string; version?: number; location?: string; start?: number | undefined },
): KnownBlock[] {
  const { org, gvc } = place;
  const buttons = linkButtons(links, { org, gvc, ...about, end: now });
  return buttons.length === 0 ? [] : [actions(...buttons)];
}
