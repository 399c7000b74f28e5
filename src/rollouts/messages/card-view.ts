import type { KnownBlock } from '@slack/types';
import { plural } from '../../lib/text.ts';
import { context, mrkdwn, Mrkdwn, section, table, topText } from '../../slack/kit/index.ts';
import type { Place } from './event-keys.ts';
import type { Telling } from '../engine/telling.ts';
import type { Row } from '../engine/track.ts';
import { explanations } from './view-causes.ts';
import {
  after,
  cardButtons,
  footer,
  nameOf,
  progress,
  rolloutName,
  share,
  worstOf,
} from './view-parts.ts';
import type { Content } from './view-parts.ts';
import { SIGNS, endingSentence, wordOf } from './words.ts';

/** Locations that nobody waits for. */
const ASIDE: readonly Row['state'][] = ['suspended', 'idle', 'gone'];

/** The card of a rollout: one message per rollout and channel, edited in place. */
export function cardContent(place: Place, telling: Telling): Content {
  const { track, workload } = telling;
  const word = wordOf(track.ending, telling.rows);
  const standing = standingOf(telling, word);
  const over = word === 'superseded' || word === 'gone';
  return {
    text: topText(mrkdwn`${rolloutName(place, workload, telling.version)} ${standing}`),
    blocks: [
      section(mrkdwn`${new Mrkdwn(SIGNS[word])} ${rolloutTitle(place, telling)} ${standing}`),
      ...cardBody(telling),
      footer(place, { what: 'first seen', at: track.startedAt, moves: track.ending === null }),
      ...(over ? [] : cardButtons(place, workload)),
    ],
  };
}

/** "*shop/cart* v12" */
export function rolloutTitle(
  place: Place,
  { workload, version }: Pick<Telling, 'workload' | 'version'>,
): Mrkdwn {
  return mrkdwn`*${nameOf(place, workload)}* v${version}`;
}

/** The state word and what it comes to: "deploying · 1 of 3 locations ready". */
function standingOf(telling: Telling, word: string): Mrkdwn {
  const { ending } = telling.track;
  if (ending === 'superseded') return superseded(telling);
  if (ending !== null) {
    const { startedAt, readyAt } = telling.track;
    return mrkdwn`${endingSentence(ending, after(startedAt, readyAt))}`;
  }
  const awaited = telling.rows.filter(isAwaited);
  const ready = awaited.filter((row) => row.state === 'ready').length;
  return mrkdwn`${word} · ${ready} of ${plural(awaited.length, 'location')} ready`;
}

/** Who goes back to a version before means it so. */
function superseded({ version, supersededBy }: Telling): Mrkdwn {
  if (supersededBy === undefined) return mrkdwn`superseded`;
  const back = supersededBy < version ? ', rolled back' : '';
  return mrkdwn`superseded by v${supersededBy}${back}`;
}

/** A card that has ended stays short. */
function cardBody({ track, rows, version }: Telling): KnownBlock[] {
  if (track.ending !== null) return [];
  const { shown, more } = worstOf(rows);
  return [
    ...progress(rows.filter(isAwaited).map(inBar)),
    table(
      [
        { title: 'Location' },
        { title: 'State' },
        { title: `v${version} ready`, align: 'right' },
        { title: 'Other version', align: 'right' },
      ],
      shown.map((row) => [row.location, row.state, replicas(row), otherVersion(row)]),
    ),
    ...(more > 0 ? [context(mrkdwn`${plural(more, 'more location')}, none in a worse state`)] : []),
    ...explanations(rows, track.late),
  ];
}

function isAwaited({ state }: Row): boolean {
  return !ASIDE.includes(state);
}

/** What runs where the version has not come is not the version's. */
function inBar({
  location,
  state,
  replicas: { ready, wanted },
}: Row): Parameters<typeof progress>[0][number] {
  const own = state === 'waiting' ? 0 : Math.min(ready, wanted);
  return { name: location, state, ready: own, wanted };
}

function replicas({ state, replicas }: Row): string {
  return state === 'waiting' ? '–' : share({ state, ...replicas });
}

/** What serves beside the version of the card, or still in its place. */
function otherVersion(row: Row): string {
  const other = row.state === 'waiting' ? row.replicas : row.outgoing;
  if (other === null || other.version === 0) return '–';
  if (row.state === 'stale' || row.state === 'gone') return '–';
  return `v${other.version}: ${other.ready}/${other.wanted}`;
}
