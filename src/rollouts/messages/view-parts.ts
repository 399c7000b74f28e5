import type { KnownBlock } from '@slack/types';
import { firstOf, formatDuration, plural, truncate } from '../../lib/text.ts';
import type { Message } from '../../notify/message.ts';
import { actions, button, context, lines, section } from '../../slack/kit/blocks.ts';
import { excerpt } from '../../slack/kit/pages.ts';
import { joinMrkdwn, moment, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import { plainCause } from '../engine/explain.ts';
import type { Replicas } from '../engine/facts.ts';
import type { CrashRow, RolloutState, Row } from '../engine/rollout.ts';
import { byUrgency, STATE_TABLE, stateIs } from '../engine/states.ts';
import type { Ending } from '../engine/states.ts';
import type { WatchedGvc } from '../watches.ts';

/** The buttons of a card. Their value is the place, `org/gvc[/workload]`: neither a secret nor a right. */
export const CARD_ACTIONS = {
  details: 'deployments.details',
  muteOneHour: 'deployments.mute.1h',
  muteEightHours: 'deployments.mute.8h',
  unwatch: 'deployments.unwatch',
} as const;

type State = Row['state'];

/** The state word of a card: how it ended, else its worst row. */
export function wordOf(
  ending: Ending | null,
  rows: readonly { state: State }[],
): State | 'superseded' {
  if (ending !== null) return ending;
  const worst = [...rows].sort(byUrgency)[0]?.state ?? 'unknown';
  return worst === 'waiting' ? 'deploying' : worst;
}

/** How an ended card says why it moves no more. `took`: " after 5 min", or ''. */
export function endingSentence(ending: Exclude<Ending, 'superseded'>, took: string): string {
  switch (ending) {
    case 'ready':
      return `ready · in place${took}`;
    case 'idle':
      return 'idle · in place, scaled to zero';
    case 'suspended':
      return 'in place, suspended';
    case 'gone':
      return 'gone · no longer listed';
  }
}

/** What a message says. */
export type Content = Pick<Message, 'text' | 'blocks'>;

const BAR_WIDTH = 12;
/** Slack's limit, in characters. */
const BUTTON_VALUE = 2_000;
const NAME_LENGTH = 63;
/** Of a title, which people and machines search for, so that a name is there as a whole. */
const TITLE_NAME_LENGTH = 253;
/** Rows of a table and names in a sentence; the rest is counted. */
const MAX_ROWS = 30;
const MAX_NAMES = 5;

/** "shop/cart": what a title is about. */
export function nameOf(place: WatchedGvc, workload?: string): string {
  const names = workload === undefined ? [place.gvc] : [place.gvc, workload];
  return names.map((name) => truncate(name, TITLE_NAME_LENGTH)).join('/');
}

/** "shop/cart v12" */
export function rolloutName(place: WatchedGvc, workload: string, version: number): string {
  return `${nameOf(place, workload)} v${version}`;
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
export function after(start: number | null | undefined, end: number | null): string {
  if (start === null || start === undefined || end === null || end - start < 1_000) return '';
  return ` after ${formatDuration(end - start)}`;
}

/** A name in the midst of a sentence. */
export function short(name: string): string {
  return truncate(name, NAME_LENGTH);
}

/** "lima, oslo and 3 more" */
export function listed(names: readonly string[]): string {
  return firstOf(names.map(short), MAX_NAMES);
}

/** The rows of a table that has room for 30: all in their order, or the worst; and how many are left out. */
export function worstOf<T extends { state: Row['state'] }>(
  rows: readonly T[],
): { shown: readonly T[]; more: number } {
  if (rows.length <= MAX_ROWS) return { shown: rows, more: 0 };
  return { shown: rows.toSorted(byUrgency).slice(0, MAX_ROWS), more: rows.length - MAX_ROWS };
}

/** One line of a progress bar. */
interface Progress {
  name: string;
  state: Row['state'];
  ready: number;
  wanted: number;
}

/**
 * "▰▰▱▱ 1 of 2 replicas ready": of all whose replicas are known. Those of which nothing is known are
 * named instead; no block where that is all of them.
 */
export function progress(all: readonly Progress[]): KnownBlock[] {
  const counted = all.filter(({ state }) => !stateIs(state, 'uncounted'));
  if (counted.length === 0) return [];
  const sum = (part: 'ready' | 'wanted'): number =>
    counted.reduce((total, one) => total + one[part], 0);
  const wanted = sum('wanted');
  const ready = Math.min(sum('ready'), wanted);
  const filled = wanted === 0 ? 0 : Math.floor((ready / wanted) * BAR_WIDTH);
  const bar = '▰'.repeat(filled) + '▱'.repeat(BAR_WIDTH - filled);
  const others = all.filter(({ state }) => stateIs(state, 'uncounted')).map(({ name }) => name);
  const without = others.length === 0 ? '' : `, ${listed(others)} not counted`;
  return [section(mrkdwn`${bar}  ${ready} of ${plural(wanted, 'replica')} ready${without}`)];
}

/** "1/2", "–" where nothing is known. */
export function share({ state, ready, wanted }: Omit<Progress, 'name'>): string {
  return stateIs(state, 'uncounted') ? '–' : `${ready}/${wanted}`;
}

/**
 * The small line at the end: the org, and since when. Slack counts on by itself how long ago that is,
 * so the text stays the same; what moves no more says how long it took instead.
 * @param since.at milliseconds since the epoch; null where the beginning is not known
 */
export function footer(
  place: WatchedGvc,
  since?: { what: string; at: number | null; moves: boolean },
): KnownBlock {
  const parts = [mrkdwn`org ${short(place.org)}`];
  if (since?.at === null) parts.push(mrkdwn`already there when first seen`);
  else if (since !== undefined) {
    const format = `{date_short_pretty} {time_secs}${since.moves ? ', {ago}' : ''}`;
    parts.push(mrkdwn`${since.what} ${moment(since.at, format)}`);
  }
  return context(joinMrkdwn(parts, ' · '));
}

/**
 * The buttons of a card, without a workload those of a whole GVC; none where the names are too long for
 * Slack.
 * @param options.unwatch false where the channel watches something else than the whole place
 */
export function cardButtons(
  place: WatchedGvc,
  workload?: string,
  options: { unwatch: boolean } = { unwatch: true },
): KnownBlock[] {
  const name = [place.gvc, workload].filter((part) => part !== undefined).join('/');
  const value = `${place.org}/${name}`;
  if (value.length > BUTTON_VALUE) return [];
  const unwatch = button({
    action: CARD_ACTIONS.unwatch,
    text: 'Unwatch',
    value,
    confirm: {
      title: 'Unwatch?',
      question: `This ends what the channel hears of ${short(name)}, for everyone in it.`,
      yes: 'Unwatch',
      no: 'Keep watching',
    },
  });
  const row = actions(
    button({ action: CARD_ACTIONS.details, text: 'Details', value }),
    button({ action: CARD_ACTIONS.muteOneHour, text: 'Mute 1 h', value }),
    button({ action: CARD_ACTIONS.muteEightHours, text: 'Mute 8 h', value }),
    ...(options.unwatch ? [unwatch] : []),
  );
  return [row];
}

const CAUSE_LENGTH = 300;
const MAX_CAUSES = 5;
const MINUTE_MS = 60_000;
/** In so many minutes three polls with restarts make a crash loop. */
const CRASHLOOP_MINUTES = 10;
/** What is on its way, and may say what it waits for. */
const ON_THE_WAY: ReadonlySet<Row['state']> = new Set(['deploying', 'pending']);

/**
 * What there is to know of these locations, once for those that say the same; no block when all goes
 * well.
 * @param late since when locations are waited for, milliseconds since the epoch
 */
export function explanations(rows: readonly Row[], late: RolloutState['late']): KnownBlock[] {
  const waiting = rows.filter(({ state }) => state === 'waiting').map(({ location }) => location);
  const notThere = waiting.length === 0 ? [] : [notReached(waiting, late)];
  return block([...causeLines(rows, explained), ...notThere]);
}

/** What is said of each location, as one block; none when nothing is. */
export function causes(rows: readonly Row[], say: (row: Row) => Mrkdwn | undefined): KnownBlock[] {
  return block(causeLines(rows, say));
}

function causeLines(rows: readonly Row[], say: (row: Row) => Mrkdwn | undefined): Mrkdwn[] {
  return grouped(
    rows.flatMap((row) => {
      const line = say(row);
      return line === undefined ? [] : [{ name: row.location, line }];
    }),
  );
}

function block(said: readonly Mrkdwn[]): KnownBlock[] {
  return said.length === 0 ? [] : [lines(said, MAX_CAUSES)];
}

/** "*lima, oslo*: what is wrong": names that say the same share a line. */
export function grouped(said: readonly { name: string; line: Mrkdwn }[]): Mrkdwn[] {
  const names = new Map<string, string[]>();
  for (const { name, line } of said) {
    const own = names.get(line.text);
    if (own === undefined) names.set(line.text, [name]);
    else own.push(name);
  }
  return [...names].map(([line, own]) => mrkdwn`*${listed(own)}*: ${new Mrkdwn(line)}`);
}

/** What is wrong in a location and what serves there meanwhile, for people whom it calls. */
export function explained(row: Row): Mrkdwn | undefined {
  if (row.state === 'diverged') {
    return row.cause === '' ? mrkdwn`${apart(row)}` : mrkdwn`${apart(row)}: ${spoken(row.cause)}`;
  }
  const wrong = whatIsWrong(row);
  return wrong === undefined ? undefined : mrkdwn`${wrong}${serving(row)}`;
}

/** The same of a location that lags; one that the change has not reached may say why, while it serves. */
export function lagExplained(row: Row): Mrkdwn | undefined {
  const mayServe = row.state === 'waiting' || row.state === 'unknown';
  return mayServe && row.cause !== '' ? spoken(row.cause) : explained(row);
}

/** "OOMKilled (exit code 137), 14 restarts in 10 min, limit 512 MiB" */
export function crashes({ reason, exitCode, memory, restarts, lastsMs }: CrashRow): string {
  const code = exitCode === undefined ? '' : `exit code ${exitCode}`;
  const why = reason !== '' && code !== '' ? `${reason} (${code})` : reason || code;
  const minutes = Math.min(CRASHLOOP_MINUTES, Math.floor(lastsMs / MINUTE_MS) + 1);
  const parts = [
    why,
    `${plural(restarts, 'restart')} in ${minutes} min`,
    memory === undefined ? '' : `limit ${memory} MiB`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** Which version a location that diverged has gone to is known where it serves. */
function apart({ replicas: { version }, outgoing }: Row): string {
  return outgoing !== null && outgoing.version > version
    ? `it reports v${outgoing.version}, v${version} is expected`
    : `it reports a newer version, v${version} is expected`;
}

/** A cause in plain words with the platform's own beside it; undefined when nothing is wrong. */
export function whatIsWrong({ state, cause }: Pick<Row, 'state' | 'cause'>): Mrkdwn | undefined {
  if (state === 'stale') return mrkdwn`${STATE_TABLE[state].meaning}`;
  if (ON_THE_WAY.has(state)) return cause === '' ? undefined : spoken(cause);
  if (state !== 'failed' && state !== 'unhealthy') return undefined;
  return cause === '' ? mrkdwn`not ready, and no reason is reported` : spoken(cause);
}

/** "out of memory (`container main: 3 restarts …`)" */
export function spoken(cause: string): Mrkdwn {
  const plain = plainCause(cause);
  const quoted = excerpt(cause, CAUSE_LENGTH);
  return plain === '' ? quoted : mrkdwn`${plain} (${quoted})`;
}

/** What people ask next: does anything still serve? */
function serving({ state, outgoing, replicas }: Row): string {
  if (state === 'deploying' && outgoing === null) return '';
  if (!['failed', 'unhealthy', 'deploying'].includes(state)) return '';
  const serves = outgoing ?? replicas;
  return serves.ready === 0
    ? ' – nothing serves there'
    : ` – v${serves.version} still serves ${servingShare(serves)}`;
}

/** "2/3", or a count where the platform does not say how many there should be. */
function servingShare({ ready, wanted }: Replicas): string {
  return wanted >= ready ? `${ready}/${wanted}` : `with ${plural(ready, 'replica')}`;
}

/** A point in time and no span, so that a card on which nothing moves stays the same text. */
function notReached(locations: readonly string[], late: RolloutState['late']): Mrkdwn {
  const start = mrkdwn`The change has not reached *${listed(locations)}* yet`;
  const since = locations.flatMap((location) => late[location] ?? []);
  return since.length === 0
    ? start
    : mrkdwn`${start} (newest version since ${moment(Math.min(...since), '{time}')})`;
}

/** Why a run of a cron workload ended as it did: one text, separated by semicolons (spec 2.12). */
export function reasonsOf(message: string): string[] {
  return message
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
