import type { KnownBlock } from '@slack/types';
import { formatDuration, plural, truncate } from '../lib/text.ts';
import type { Message } from '../notify/message.ts';
import {
  code,
  context,
  joinMrkdwn,
  lines,
  moment,
  mrkdwn,
  Mrkdwn,
  section,
  table,
  topText,
} from '../slack/kit/index.ts';
import type { Telling } from './telling.ts';
import type { OutcomeKind, Row } from './track.ts';
import { MEANINGS, SIGNS, byUrgency, endingSentence, plainCause, wordOf } from './words.ts';

/** Where a telling belongs. */
export interface Place {
  org: string;
  gvc: string;
}

type Content = Pick<Message, 'text' | 'blocks'>;

const BAR_WIDTH = 12;
const CAUSE_LENGTH = 300;
const NAME_LENGTH = 63;
/** Of a title, which people and machines search for, so that a name is there as a whole. */
const TITLE_NAME_LENGTH = 253;
/** Rows of a card's table, names in a sentence and causes; the rest is counted. */
const MAX_ROWS = 30;
const MAX_NAMES = 5;
const MAX_CAUSES = 5;
/** Locations that nobody waits for. */
const ASIDE: readonly Row['state'][] = ['suspended', 'idle', 'gone'];

/** Key of the card of a telling (design section 4, fixed). */
export function cardKey(place: Place, telling: Telling): string {
  return keyOf(place, telling, 'card', telling.card);
}

/** Key of the outcome of a telling (design section 4, fixed). */
export function outcomeKey(place: Place, telling: Telling, kind: OutcomeKind, n: number): string {
  return keyOf(place, telling, kind, n);
}

function keyOf(place: Place, telling: Telling, word: string, n: number): string {
  const base = `${place.org}/${place.gvc}/${telling.workload}/${telling.version}/${word}`;
  return n > 1 ? `${base}/${n}` : base;
}

/** The card of a rollout: one message per rollout and channel, edited in place. */
export function cardContent(place: Place, telling: Telling): Content {
  const word = wordOf(telling.track, telling.rows);
  const standing = standingOf(telling, word);
  return {
    text: topText(mrkdwn`${plainTitle(place, telling)} ${standing}`),
    blocks: [
      section(mrkdwn`${new Mrkdwn(SIGNS[word])} ${title(place, telling)} ${standing}`),
      ...cardBody(telling),
      footer(place, telling),
    ],
  };
}

function title(place: Place, telling: Telling): Mrkdwn {
  return mrkdwn`*${nameOf(place, telling)}* v${telling.version}`;
}

/** For notifications and screen readers, which do not read signs well. */
function plainTitle(place: Place, telling: Telling): Mrkdwn {
  return mrkdwn`${nameOf(place, telling)} v${telling.version}`;
}

function nameOf(place: Place, telling: Telling): string {
  return [place.gvc, telling.workload].map((name) => truncate(name, TITLE_NAME_LENGTH)).join('/');
}

/** The state word and what it comes to: "deploying · 1 of 3 locations ready". */
function standingOf(telling: Telling, word: string): Mrkdwn {
  const { ending } = telling.track;
  if (ending === 'superseded') return mrkdwn`superseded by v${telling.supersededBy ?? '?'}`;
  if (ending !== null) return mrkdwn`${word} · ${endingSentence(ending, took(telling))}`;
  const awaited = telling.rows.filter((row) => !ASIDE.includes(row.state));
  const ready = awaited.filter((row) => row.state === 'ready').length;
  return mrkdwn`${word} · ${ready} of ${plural(awaited.length, 'location')} ready`;
}

/** From the first sight to readiness, '' when one of them is not known. */
function took(telling: Telling): string {
  const { startedAt, readyAt } = telling.track;
  return startedAt === null || readyAt === null ? '' : formatDuration(readyAt - startedAt);
}

/** A card that has ended stays short. */
function cardBody(telling: Telling): KnownBlock[] {
  const { track, rows } = telling;
  if (track.ending !== null) return [];
  const shown = rows.length > MAX_ROWS ? [...rows].sort(byUrgency).slice(0, MAX_ROWS) : rows;
  const more = rows.length - shown.length;
  return [
    section(progress(rows)),
    table(
      [
        { title: 'Location' },
        { title: 'State' },
        { title: `v${telling.version} ready`, align: 'right' },
        { title: 'Other version', align: 'right' },
      ],
      shown.map((row) => [row.location, row.state, replicas(row), otherVersion(row)]),
    ),
    ...(more > 0 ? [context(mrkdwn`${plural(more, 'more location')}, none in a worse state`)] : []),
    ...causes(rows),
  ];
}

function replicas(row: Row): string {
  return row.state === 'waiting' ? '–' : `${row.replicas.ready}/${row.replicas.wanted}`;
}

/** What serves beside the version of the card, or still in its place. */
function otherVersion(row: Row): string {
  const other = row.state === 'waiting' ? row.replicas : row.outgoing;
  if (other === null || other.version === 0) return '–';
  return `v${other.version}: ${other.ready}/${other.wanted}`;
}

function progress(rows: readonly Row[]): Mrkdwn {
  const awaited = rows.filter((row) => !ASIDE.includes(row.state));
  const wanted = awaited.reduce((sum, row) => sum + row.replicas.wanted, 0);
  const ready = awaited.reduce(
    (sum, row) =>
      sum + (row.state === 'waiting' ? 0 : Math.min(row.replicas.ready, row.replicas.wanted)),
    0,
  );
  const filled = wanted === 0 ? 0 : Math.floor((ready / wanted) * BAR_WIDTH);
  const bar = '▰'.repeat(filled) + '▱'.repeat(BAR_WIDTH - filled);
  return mrkdwn`${bar}  ${ready} of ${plural(wanted, 'replica')} ready`;
}

/** What is wrong, once for locations that say the same. */
function causes(rows: readonly Row[]): KnownBlock[] {
  const locations = new Map<string, string[]>();
  for (const row of rows) {
    const wrong = whatIsWrong(row);
    if (wrong === undefined) continue;
    const line = mrkdwn`${wrong}${serving(row)}`.text;
    locations.set(line, [...(locations.get(line) ?? []), row.location]);
  }
  if (locations.size === 0) return [];
  const said = [...locations].map(
    ([line, names]) => mrkdwn`*${listed(names)}*: ${new Mrkdwn(line)}`,
  );
  return [lines(said, MAX_CAUSES)];
}

function whatIsWrong(row: Row): Mrkdwn | undefined {
  if (row.state === 'stale' || row.state === 'diverged') return mrkdwn`${MEANINGS[row.state]}`;
  if (row.state !== 'failed' && row.state !== 'unhealthy') return undefined;
  if (row.cause === '') return mrkdwn`not ready, and no reason is reported`;
  const plain = plainCause(row.cause);
  const quoted = code(row.cause, CAUSE_LENGTH);
  return plain === '' ? quoted : mrkdwn`${plain} (${quoted})`;
}

/** What people ask next: does anything still serve? */
function serving(row: Row): string {
  if (row.state !== 'failed' && row.state !== 'unhealthy') return '';
  const { outgoing, replicas: own } = row;
  if (outgoing !== null) {
    return ` – v${outgoing.version} still serves with ${plural(outgoing.ready, 'replica')}`;
  }
  if (own.ready > 0) return ` – ${own.ready} of ${plural(own.wanted, 'replica')} still serve`;
  return ' – nothing serves there';
}

/** "lima, oslo and 3 more" */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => truncate(name, NAME_LENGTH));
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function footer(place: Place, telling: Telling): KnownBlock {
  const { startedAt, ending } = telling.track;
  const parts = [mrkdwn`org ${truncate(place.org, NAME_LENGTH)}`];
  if (startedAt !== null) {
    // Slack counts `{ago}` on by itself; a card that moves no more says how long it took.
    const format = `{date_short_pretty} {time_secs}${ending === null ? ', {ago}' : ''}`;
    parts.push(mrkdwn`first seen ${moment(startedAt, format)}`);
  }
  return context(joinMrkdwn(parts, ' · '));
}

/** An outcome: a reply in the card's thread. */
export function outcomeContent(place: Place, telling: Telling): Content {
  const { outcome, rows } = telling;
  if (outcome === undefined) throw new Error('a card is not an outcome');
  const { kind, locations } = outcome;
  const everywhere = rows.length > 1 && rows.every((row) => locations.includes(row.location));
  const all = rows.length === 2 ? 'both' : `all ${rows.length}`;
  const where = everywhere ? `in ${all} locations` : `in ${listed(locations)}`;
  const duration = kind === 'ready' && outcome.n === 1 ? took(telling) : '';
  const what = mrkdwn`${kind} ${where}${duration === '' ? '' : ` after ${duration}`}`;
  const affected = rows.filter((row) => locations.includes(row.location));
  return {
    text: topText(mrkdwn`${plainTitle(place, telling)} ${what}${firstCause(affected)}`),
    blocks: [
      section(mrkdwn`${new Mrkdwn(SIGNS[kind])} ${title(place, telling)} ${what}`),
      ...causes(affected),
    ],
  };
}

/** The notification on a telephone shows the text only, so the first cause belongs into it. */
function firstCause(rows: readonly Row[]): Mrkdwn {
  const cause = rows.map(whatIsWrong).find((wrong) => wrong !== undefined);
  return cause === undefined ? mrkdwn`` : mrkdwn`: ${cause}`;
}
