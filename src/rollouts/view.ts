import type { KnownBlock } from '@slack/types';
import { formatDuration, plural } from '../lib/text.ts';
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
import type { Telling } from './advance.ts';
import type { OutcomeKind, Row } from './track.ts';
import { MEANINGS, SIGNS, endingSentence, wordOf } from './words.ts';

/** Where a telling belongs. */
export interface Place {
  org: string;
  gvc: string;
}

type Content = Pick<Message, 'text' | 'blocks'>;

const BAR_WIDTH = 12;
const CAUSE_LENGTH = 300;

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
  const { track, rows } = telling;
  const word = wordOf(track, rows);
  const more = headline(telling, word);
  const head = joinMrkdwn([titleOf(place, telling, word), ...more], ' · ');
  return {
    text: topText(joinMrkdwn([plainTitle(place, telling, word), ...more], ' · ')),
    blocks: [section(head), ...cardBody(telling, word), footer(place, telling)],
  };
}

type Word = keyof typeof SIGNS;

function titleOf(place: Place, telling: Telling, word: Word): Mrkdwn {
  return mrkdwn`${new Mrkdwn(SIGNS[word])} *${place.gvc}/${telling.workload}* v${telling.version} ${word}`;
}

/** For notifications and screen readers, which do not read signs well. */
function plainTitle(place: Place, telling: Telling, word: Word): Mrkdwn {
  return mrkdwn`${place.gvc}/${telling.workload} v${telling.version} ${word}`;
}

function headline(telling: Telling, word: string): Mrkdwn[] {
  const { track, rows } = telling;
  if (word === 'ready' || track.ending === 'superseded') {
    return track.ending === null ? [] : [ended(telling)];
  }
  if (track.ending === 'idle' || track.ending === 'suspended') return [ended(telling)];
  const inPlay = rows.filter((row) => !['suspended', 'idle', 'gone'].includes(row.state));
  const ready = inPlay.filter((row) => row.state === 'ready').length;
  return [mrkdwn`${ready} of ${plural(inPlay.length, 'location')} ready`];
}

function ended(telling: Telling): Mrkdwn {
  const { ending, startedAt, finishedAt } = telling.track;
  const took = formatDuration((finishedAt ?? startedAt) - startedAt);
  return mrkdwn`${endingSentence(ending ?? 'ready', took, telling.supersededBy)}`;
}

/** A card that has ended well stays short. */
function cardBody(telling: Telling, word: string): KnownBlock[] {
  const { track, rows } = telling;
  if (track.ending === 'superseded' || (word === 'ready' && track.finishedAt !== null)) return [];
  return [
    section(progress(rows)),
    table(
      [
        { title: 'Location' },
        { title: 'State' },
        { title: `v${telling.version}`, align: 'right' },
        { title: 'Before', align: 'right' },
      ],
      rows.map((row) => [row.location, row.state, replicas(row), before(row)]),
    ),
    ...causes(rows),
  ];
}

function replicas(row: Row): string {
  if (row.state === 'waiting') return '–';
  return `${row.replicas.ready}/${row.replicas.wanted}`;
}

function before(row: Row): string {
  const old = row.state === 'waiting' ? row.replicas : row.outgoing;
  return old === null ? '–' : `v${old.version}: ${old.ready}/${old.wanted}`;
}

function progress(rows: readonly Row[]): Mrkdwn {
  const counted = rows.filter((row) => !['suspended', 'idle', 'gone'].includes(row.state));
  const wanted = counted.reduce((sum, row) => sum + row.replicas.wanted, 0);
  const ready = counted.reduce(
    (sum, row) =>
      sum + (row.state === 'waiting' ? 0 : Math.min(row.replicas.ready, row.replicas.wanted)),
    0,
  );
  const filled = wanted === 0 ? 0 : Math.floor((ready / wanted) * BAR_WIDTH);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
  return mrkdwn`\`${bar}\` ${ready} of ${plural(wanted, 'replica')} ready`;
}

/** What is wrong, once for locations that say the same. */
function causes(rows: readonly Row[]): KnownBlock[] {
  const byCause = new Map<string, Row[]>();
  for (const row of rows) {
    const cause = causeOf(row);
    if (cause !== undefined) byCause.set(cause, [...(byCause.get(cause) ?? []), row]);
  }
  if (byCause.size === 0) return [];
  return [
    lines(
      [...byCause].map(([cause, of]) => {
        const names = joinMrkdwn(
          of.map((row) => mrkdwn`*${row.location}*`),
          ', ',
        );
        return mrkdwn`${names}: ${code(cause, CAUSE_LENGTH)}${serving(of)}`;
      }),
      5,
    ),
  ];
}

function causeOf(row: Row): string | undefined {
  if (row.state === 'stale') return MEANINGS.stale;
  if (row.state !== 'failed' && row.state !== 'unhealthy') return undefined;
  return row.cause === '' ? 'no reason is reported' : row.cause;
}

/** What people ask next: does anything still serve? */
function serving(rows: readonly Row[]): Mrkdwn {
  if (rows.every((row) => row.state === 'stale')) return new Mrkdwn('');
  const parts = rows.map((row) => {
    const old = row.outgoing;
    if (old !== null && old.ready > 0)
      return `v${old.version} still serves ${old.ready}/${old.wanted}`;
    if (row.replicas.ready > 0)
      return `${row.replicas.ready}/${row.replicas.wanted} replicas still serve`;
    return 'nothing serves';
  });
  return mrkdwn` – ${[...new Set(parts)].join(', ')}`;
}

function footer(place: Place, telling: Telling): KnownBlock {
  const { startedAt } = telling.track;
  return context(
    mrkdwn`org ${place.org} · seen ${moment(startedAt, '{date_short_pretty} {time_secs}')}`,
  );
}

/** An outcome: a reply in the card's thread. */
export function outcomeContent(place: Place, telling: Telling): Content {
  const { outcome, track, rows } = telling;
  if (outcome === undefined) throw new Error('a card is not an outcome');
  const { kind, locations } = outcome;
  const where =
    locations.length === rows.length && rows.length > 1
      ? mrkdwn`in all ${rows.length} locations`
      : mrkdwn`in ${locations.join(', ')}`;
  const took = formatDuration((track.finishedAt ?? track.startedAt) - track.startedAt);
  const after = kind === 'ready' && outcome.n === 1 ? mrkdwn` after ${took}` : mrkdwn``;
  const head = mrkdwn`${titleOf(place, telling, kind)} ${where}${after}`;
  const plain = mrkdwn`${plainTitle(place, telling, kind)} ${where}${after}`;
  const affected = rows.filter((row) => locations.includes(row.location));
  return {
    text: topText(firstCause(plain, affected)),
    blocks: [section(head), ...causes(affected)],
  };
}

/** The notification on a telephone shows the text only, so the first cause belongs into it. */
function firstCause(head: Mrkdwn, rows: readonly Row[]): Mrkdwn {
  const cause = rows.map(causeOf).find((text) => text !== undefined);
  return cause === undefined ? head : mrkdwn`${head}: ${code(cause, CAUSE_LENGTH)}`;
}
