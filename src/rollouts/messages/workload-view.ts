import type { KnownBlock } from '@slack/types';
import { formatDuration, plural } from '../../lib/text.ts';
import { context, lines, section, table, topText } from '../../slack/kit/blocks.ts';
import { code, joinMrkdwn, moment, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import type { JobNotice, RolloutNotice } from '../engine/notices.ts';
import type { RolloutState, Row } from '../engine/rollout.ts';
import { SIGNS, stateIs, TROUBLE } from '../engine/states.ts';
import type { OutcomeKind } from '../engine/states.ts';
import type { WatchedGvc } from '../watches.ts';
import {
  after,
  cardButtons,
  causes,
  crashes,
  endingSentence,
  explained,
  explanations,
  footer,
  lagExplained,
  listed,
  nameOf,
  progress,
  reasonsOf,
  rolloutName,
  share,
  short,
  spoken,
  wordOf,
  worstOf,
} from './view-parts.ts';
import type { Content } from './view-parts.ts';

/** The card of a rollout: one message per rollout and channel, edited in place. */
export function cardContent(place: WatchedGvc, notice: RolloutNotice): Content {
  const { rollout, workload } = notice;
  const word = wordOf(rollout.ending, notice.rows);
  const standing = cardStatus(notice, word);
  const over = word === 'superseded' || word === 'gone';
  return {
    text: topText(mrkdwn`${rolloutName(place, workload, notice.version)} ${standing}`),
    blocks: [
      section(mrkdwn`${new Mrkdwn(SIGNS[word])} ${rolloutTitle(place, notice)} ${standing}`),
      ...cardBody(notice),
      footer(place, { what: 'first seen', at: rollout.startedAt, moves: rollout.ending === null }),
      ...(over ? [] : cardButtons(place, workload)),
    ],
  };
}

/** "*shop/cart* v12" */
function rolloutTitle(
  place: WatchedGvc,
  { workload, version }: Pick<RolloutNotice, 'workload' | 'version'>,
): Mrkdwn {
  return mrkdwn`*${nameOf(place, workload)}* v${version}`;
}

/** The state word and what it comes to: "deploying · 1 of 3 locations ready". */
function cardStatus(notice: RolloutNotice, word: string): Mrkdwn {
  const { ending } = notice.rollout;
  if (ending === 'superseded') return superseded(notice);
  if (ending !== null) {
    const { startedAt, readyAt } = notice.rollout;
    return mrkdwn`${endingSentence(ending, after(startedAt, readyAt))}`;
  }
  const awaited = notice.rows.filter(isAwaited);
  const ready = awaited.filter((row) => row.state === 'ready').length;
  return mrkdwn`${word} · ${ready} of ${plural(awaited.length, 'location')} ready`;
}

/** Who goes back to a version before means it so. */
function superseded({ version, supersededBy }: RolloutNotice): Mrkdwn {
  if (supersededBy === undefined) return mrkdwn`superseded`;
  const back = supersededBy < version ? ', rolled back' : '';
  return mrkdwn`superseded by v${supersededBy}${back}`;
}

/** A card that has ended stays short. */
function cardBody({ rollout, rows, version }: RolloutNotice): KnownBlock[] {
  if (rollout.ending !== null) return [];
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
    ...explanations(rows, rollout.late),
  ];
}

function isAwaited({ state }: Row): boolean {
  return !stateIs(state, 'aside');
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

type Outcome = NonNullable<RolloutNotice['outcome']>;

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
export function outcomeContent(place: WatchedGvc, notice: RolloutNotice, now: number): Content {
  const { outcome, rows, workload, version } = notice;
  if (outcome === undefined) throw new Error('a card is not an outcome');
  const affected = rows.filter((row) => outcome.locations.includes(row.location));
  const said = sentence(notice, outcome, affected, now);
  const cause = firstCause(outcome.kind, affected);
  return {
    text: topText(mrkdwn`${rolloutName(place, workload, version)} ${said}${cause}`),
    blocks: [
      section(mrkdwn`${new Mrkdwn(SIGNS[outcome.kind])} ${rolloutTitle(place, notice)} ${said}`),
      ...causes(affected, (row) => outcomeCause(outcome.kind, row)),
    ],
  };
}

/** The word of the outcome first, then what it comes to. */
function sentence(notice: RolloutNotice, outcome: Outcome, affected: Row[], now: number): Mrkdwn {
  const { kind } = outcome;
  const where = whereabouts(outcome.locations, notice.rows);
  switch (kind) {
    case 'ready': {
      const { startedAt, readyAt } = notice.rollout;
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
      return lagging(notice, affected, now);
    case 'flapping':
      return flapping(notice, outcome, where);
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
function lagging({ rollout, rows }: RolloutNotice, affected: readonly Row[], now: number): Mrkdwn {
  const lag = lagOf(rollout, affected, now);
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
function lagOf({ late }: RolloutState, affected: readonly Row[], now: number): string {
  const since = affected.flatMap(({ location }) => late[location] ?? []);
  const lag = Math.max(LAG_MS, now - Math.min(now, ...since));
  return formatDuration(lag - (lag % MINUTE_MS));
}

function flapping({ rollout, version }: RolloutNotice, outcome: Outcome, where: string): Mrkdwn {
  const { covers = [], settled } = outcome;
  const changes = plural(CHANGES_UNTOLD + Math.max(1, covers.length), 'change');
  if (settled !== undefined) {
    return mrkdwn`flapping ${where} settled: ${settled} for ${QUIET}, after ${changes}`;
  }
  const troubles = TROUBLE.filter((kind) => rollout.told[`${version}/${kind}`] !== undefined);
  return mrkdwn`flapping ${where}: ${changes} between ready and ${troubles.join(' or ')}; told again when settled for ${QUIET}`;
}

function firstCause(kind: OutcomeKind, affected: readonly Row[]): Mrkdwn {
  const first = affected.map((row) => outcomeCause(kind, row)).find((cause) => cause !== undefined);
  return first === undefined ? mrkdwn`` : mrkdwn`: ${first}`;
}

/**
 * What restarts again and again may be ready in between, and has its cause all the same. What flaps may
 * be in any state by the time it is read.
 */
function outcomeCause(kind: OutcomeKind, row: Row): Mrkdwn | undefined {
  if (kind === 'flapping') return undefined;
  if (kind === 'lagging') return lagExplained(row);
  if (kind !== 'crashloop' || row.crash === undefined) return explained(row);
  return mrkdwn`${crashes(row.crash)}`;
}

/** Characters; the platform's names are shorter. */
const EXECUTION_LENGTH = 253;
const MAX_REASONS = 5;
/** To be typed as it stands, so it is never cut: four names of the platform, and some words. */
const COMMAND_LENGTH = 600;
const NO_REASON = mrkdwn`no reason is reported`;

/**
 * An execution of a cron workload that ended badly. Its whole name, which people search logs for, is in
 * the small line, and how to see the run in full.
 */
export function jobContent(place: WatchedGvc, job: JobNotice): Content {
  const name = nameOf(place, job.workload);
  const said = mrkdwn`${runOf(job)} ${job.status} in ${short(job.location)}`;
  const reasons = reasonsOf(job.message);
  const cause = reasons.length === 0 ? NO_REASON : spoken(job.message);
  const details = [
    mrkdwn`org ${short(place.org)}`,
    mrkdwn`job ${code(job.execution, EXECUTION_LENGTH)}`,
    ...(job.startTime === undefined ? [] : [mrkdwn`started ${at(job.startTime)}`]),
    ...(job.completionTime === undefined ? [] : [mrkdwn`ended ${at(job.completionTime)}`]),
    mrkdwn`all of it: ${code(`/deployments jobs ${place.gvc}/${job.workload}/${job.location} org ${place.org}`, COMMAND_LENGTH)}`,
  ];
  return {
    text: topText(mrkdwn`${name} ${said}: ${cause}`),
    blocks: [
      section(mrkdwn`${new Mrkdwn(SIGNS.failed)} *${name}* ${said}`),
      lines(reasons.length === 0 ? [NO_REASON] : reasons.map(spoken), MAX_REASONS),
      context(joinMrkdwn(details, ' · ')),
    ],
  };
}

/** "run 29920213" of a name that only repeats the workload's before it, else "job" and the name. */
function runOf({ workload, execution }: JobNotice): string {
  const prefix = `${workload}-`;
  return execution.startsWith(prefix) && execution.length > prefix.length
    ? `run ${short(execution.slice(prefix.length))}`
    : `job ${short(execution)}`;
}

function at(ms: number): Mrkdwn {
  return moment(ms, '{date_short_pretty} {time_secs}');
}
