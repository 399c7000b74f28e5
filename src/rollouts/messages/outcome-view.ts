import { formatDuration, plural } from '../../lib/text.ts';
import { mrkdwn, Mrkdwn, section, topText } from '../../slack/kit/index.ts';
import { rolloutTitle } from './card-view.ts';
import type { Place } from './event-keys.ts';
import { TROUBLE } from '../engine/telling.ts';
import type { Telling } from '../engine/telling.ts';
import type { OutcomeKind, Row, Track } from '../engine/track.ts';
import { causes, crashes, explained, lagExplained } from './view-causes.ts';
import { after, listed, rolloutName } from './view-parts.ts';
import type { Content } from './view-parts.ts';
import { SIGNS } from './words.ts';

type Outcome = NonNullable<Telling['outcome']>;

const MINUTE_MS = 60_000;
/** What counts as lagging has lasted this long (design section 4). */
const LAG_MS = 10 * MINUTE_MS;
/** Without a change for so long flapping is over. */
const QUIET = formatDuration(10 * MINUTE_MS);
/** Changes that there were when flapping is first told; each outcome that it covers later is one more. */
const CHANGES_UNTOLD = 3;

const AWAY: ReadonlySet<Row['state']> = new Set(['waiting', 'pending']);

/** How a location lags, in the order in which it is told. */
const LAGS: readonly { holds: (row: Row) => boolean; ofSome: string; ofAll: string }[] = [
  {
    holds: ({ state }) => AWAY.has(state),
    ofSome: 'change has not reached',
    ofAll: 'change has not reached them',
  },
  {
    holds: ({ state }) => !AWAY.has(state) && state !== 'unknown',
    ofSome: 'not ready in',
    ofAll: 'not ready',
  },
  {
    holds: ({ state }) => state === 'unknown',
    ofSome: 'nothing reported from',
    ofAll: 'nothing reported',
  },
];

/**
 * An outcome: a reply in the card's thread. Its text is what a telephone shows, so the first cause
 * belongs into it.
 * @param now milliseconds since the epoch
 */
export function outcomeContent(place: Place, telling: Telling, now: number): Content {
  const { outcome, rows, workload, version } = telling;
  if (outcome === undefined) throw new Error('a card is not an outcome');
  const affected = rows.filter((row) => outcome.locations.includes(row.location));
  const said = sentence(telling, outcome, affected, now);
  const cause = firstCause(outcome.kind, affected);
  return {
    text: topText(mrkdwn`${rolloutName(place, workload, version)} ${said}${cause}`),
    blocks: [
      section(mrkdwn`${new Mrkdwn(SIGNS[outcome.kind])} ${rolloutTitle(place, telling)} ${said}`),
      ...causes(affected, (row) => causeOf(outcome.kind, row)),
    ],
  };
}

/** The word of the outcome first, then what it comes to. */
function sentence(telling: Telling, outcome: Outcome, affected: Row[], now: number): Mrkdwn {
  const { kind } = outcome;
  const where = whereabouts(outcome.locations, telling.rows);
  switch (kind) {
    case 'ready': {
      const { startedAt, readyAt } = telling.track;
      return mrkdwn`ready ${where}${outcome.n === 1 ? after(startedAt, readyAt) : ''}`;
    }
    case 'recovered':
      return mrkdwn`recovered ${where}${after(outcome.since, now)}`;
    case 'suspended':
      return mrkdwn`suspended ${where}: switched off, nothing is wrong`;
    case 'resumed':
      return mrkdwn`resumed ${where}: serving again`;
    case 'crashloop':
      return mrkdwn`keeps crashing ${where}`;
    case 'blocked':
      return mrkdwn`blocked ${where}, and does not go on by itself`;
    case 'gone':
      return mrkdwn`gone ${where}: no longer listed`;
    case 'lagging':
      return lagging(telling, affected, now);
    case 'flapping':
      return flapping(telling, outcome, where);
    case 'failed':
    case 'stale':
    case 'unhealthy':
    case 'diverged':
      return mrkdwn`${kind} ${where}`;
  }
}

function whereabouts(locations: readonly string[], rows: readonly Row[]): string {
  if (!isEverywhere(locations, rows)) return `in ${listed(locations)}`;
  return rows.length === 2 ? 'in both locations' : `in all ${rows.length} locations`;
}

function isEverywhere(locations: readonly string[], rows: readonly Row[]): boolean {
  return rows.length > 1 && rows.every((row) => locations.includes(row.location));
}

/** "lagging: change has not reached oslo for 12 min", "lagging in all 3 locations: not ready for 12 min" */
function lagging({ track, rows }: Telling, affected: readonly Row[], now: number): Mrkdwn {
  const lag = lagOf(track, affected, now);
  const groups = LAGS.map((how) => ({
    ...how,
    locations: affected.filter(how.holds).map(({ location }) => location),
  })).filter(({ locations }) => locations.length > 0);
  const everywhere = groups.find(({ locations }) => isEverywhere(locations, rows));
  if (everywhere !== undefined) {
    const { ofAll, locations } = everywhere;
    return mrkdwn`lagging ${whereabouts(locations, rows)}: ${ofAll} for ${lag}`;
  }
  const parts = groups.map(({ ofSome, locations }) => `${ofSome} ${listed(locations)}`);
  return mrkdwn`lagging: ${parts.join(', ')} for ${lag}`;
}

/** For how long what lags longest has been waited for; whole minutes. */
function lagOf({ late }: Track, affected: readonly Row[], now: number): string {
  const since = affected.flatMap(({ location }) => late[location] ?? []);
  const lag = Math.max(LAG_MS, now - Math.min(now, ...since));
  return formatDuration(lag - (lag % MINUTE_MS));
}

function flapping({ track, version }: Telling, outcome: Outcome, where: string): Mrkdwn {
  const { covers = [], settled } = outcome;
  const changes = plural(CHANGES_UNTOLD + Math.max(1, covers.length), 'change');
  if (settled !== undefined) {
    return mrkdwn`flapping ${where} settled: ${settled} for ${QUIET}, after ${changes}`;
  }
  const troubles = TROUBLE.filter((kind) => track.told[`${version}/${kind}`] !== undefined);
  return mrkdwn`flapping ${where}: ${changes} between ready and ${troubles.join(' or ')}; told again when settled for ${QUIET}`;
}

function firstCause(kind: OutcomeKind, affected: readonly Row[]): Mrkdwn {
  const first = affected.map((row) => causeOf(kind, row)).find((cause) => cause !== undefined);
  return first === undefined ? mrkdwn`` : mrkdwn`: ${first}`;
}

/**
 * What restarts again and again may be ready in between, and has its cause all the same. What flaps may
 * be in any state by the time it is read.
 */
function causeOf(kind: OutcomeKind, row: Row): Mrkdwn | undefined {
  if (kind === 'flapping') return undefined;
  if (kind === 'lagging') return lagExplained(row);
  if (kind !== 'crashloop' || row.crash === undefined) return explained(row);
  return mrkdwn`${crashes(row.crash)}`;
}
