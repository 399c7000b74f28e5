import type { KnownBlock } from '@slack/types';
import { formatDuration, plural, truncate } from '../../lib/text.ts';
import type { Message } from '../../notify/message.ts';
import {
  actions,
  button,
  context,
  joinMrkdwn,
  moment,
  mrkdwn,
  section,
} from '../../slack/kit/index.ts';
import { CARD_ACTIONS } from './card-actions.ts';
import type { Place } from './event-keys.ts';
import type { Row } from '../engine/track.ts';
import { byUrgency } from '../engine/urgency.ts';
import { NOT_COUNTED } from './words.ts';

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
export function nameOf(place: Place, workload?: string): string {
  const names = workload === undefined ? [place.gvc] : [place.gvc, workload];
  return names.map((name) => truncate(name, TITLE_NAME_LENGTH)).join('/');
}

/** "shop/cart v12" */
export function rolloutName(place: Place, workload: string, version: number): string {
  return `${nameOf(place, workload)} v${version}`;
}

/** "shop GVC v7" */
export function gvcTitle(place: Place, version: number): string {
  return `${nameOf(place)} GVC v${version}`;
}

/** "shop in lima" */
export function locationTitle(place: Place, location: string): string {
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
  const shown = names.slice(0, MAX_NAMES).map(short);
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
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
  const counted = all.filter(({ state }) => !NOT_COUNTED.has(state));
  if (counted.length === 0) return [];
  const sum = (part: 'ready' | 'wanted'): number =>
    counted.reduce((total, one) => total + one[part], 0);
  const wanted = sum('wanted');
  const ready = Math.min(sum('ready'), wanted);
  const filled = wanted === 0 ? 0 : Math.floor((ready / wanted) * BAR_WIDTH);
  const bar = '▰'.repeat(filled) + '▱'.repeat(BAR_WIDTH - filled);
  const others = all.filter(({ state }) => NOT_COUNTED.has(state)).map(({ name }) => name);
  const without = others.length === 0 ? '' : `, ${listed(others)} not counted`;
  return [section(mrkdwn`${bar}  ${ready} of ${plural(wanted, 'replica')} ready${without}`)];
}

/** "1/2", "–" where nothing is known. */
export function share({ state, ready, wanted }: Omit<Progress, 'name'>): string {
  return NOT_COUNTED.has(state) ? '–' : `${ready}/${wanted}`;
}

/**
 * The small line at the end: the org, and since when. Slack counts on by itself how long ago that is,
 * so the text stays the same; what moves no more says how long it took instead.
 * @param since.at milliseconds since the epoch; null for what nobody saw begin
 */
export function footer(
  place: Place,
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
  place: Place,
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
