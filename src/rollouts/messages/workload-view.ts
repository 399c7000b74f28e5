import type { KnownBlock } from '@slack/types';
import { plural, shorten } from '../../lib/text.ts';
import { context, lines, section, SIGN, table, topText } from '../../slack/kit/blocks.ts';
import { code, joinMrkdwn, moment, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import { isFatal, nextStepFor } from '../engine/explain.ts';
import { impactOf, type Impact } from '../engine/impact.ts';
import type { JobNotice, RolloutNotice } from '../engine/notices.ts';
import type { RolloutState, Row } from '../engine/rollout.ts';
import { isTrouble, SIGNS } from '../engine/states.ts';
import type { WatchedGvc } from '../watches.ts';
import { causeLines, causeOf, changeLines, reasonsOf, short, spoken } from './causes-view.ts';
import {
  affected,
  cardHead,
  endingSentence,
  inBar,
  isAwaited,
  linkRow,
  nameOf,
  progress,
  rolloutName,
  rolloutTitle,
  share,
  signOf,
  took,
  whereAndWhen,
  wordOf,
  worstOf,
  moreRows,
  type Content,
  type Whereabouts,
} from './view-parts.ts';

/**
 * The card of a rollout: one message per rollout and channel, edited in place. Its first line never
 * changes, because replies that were broadcast stand below it in the channel for good.
 */
export function cardContent(place: WatchedGvc, notice: RolloutNotice, where: Whereabouts): Content {
  const { rollout, rows, workload, version } = notice;
  const word = wordOf(rollout.ending, rows);
  const state = cardStatus(notice, word);
  const shown = isHeldUp(notice) ? 'blocked' : word;
  const sign = rollout.ending === null ? signOf(shown, impactOf(rows)) : new Mrkdwn(SIGNS[word]);
  const isOver = word === 'superseded' || word === 'gone';
  const last = rollout.ending === null ? mrkdwn`` : whereAndWhen(place, rollout.startedAt);
  const head = mrkdwn`${rolloutTitle(place, notice)}\n${sign} ${state}${last}`;
  const links = { workload, version, start: rollout.startedAt ?? undefined };
  return {
    text: topText(mrkdwn`${rolloutName(place, workload, version)} ${state}`),
    blocks: [
      isOver ? section(head) : cardHead(place, workload, head),
      ...cardBody(place, notice),
      ...(isOver ? [] : linkRow(where, place, links)),
    ],
  };
}

/** The state word, whom it affects, and what it comes to: "deploying · 1 of 3 locations ready". */
function cardStatus(notice: RolloutNotice, word: Row['state'] | 'superseded'): Mrkdwn {
  const { rows, rollout } = notice;
  if (word === 'superseded') return superseded(notice);
  const { ending, startedAt, readyAt } = rollout;
  if (ending !== null && ending !== 'superseded') {
    return mrkdwn`${endingSentence(ending, took(startedAt, readyAt))}`;
  }
  const awaited = rows.filter(isAwaited);
  if (awaited.length > 0 && awaited.every(({ state }) => state === 'unknown')) {
    return mrkdwn`unknown · no location reports`;
  }
  const ready = awaited.filter((row) => row.state === 'ready').length;
  const held = isHeldUp(notice) ? ', held up' : '';
  const impact = impactOf(rows);
  return mrkdwn`${cardWord(word, impact)}${held} · ${ready} of ${plural(awaited.length, 'location')} ready${meanwhile(word, impact, notice.version)}`;
}

/** So that "0 of 3 ready" frightens nobody while the version before serves. */
function meanwhile(word: string, { on, by }: Impact, version: number): string {
  const comes = word === 'deploying' || word === 'pending';
  const serves = on === 'served' && by !== undefined && by !== version;
  return comes && serves ? ` · v${by} serves` : '';
}

/** The state word of a card with what it means: "OUTAGE, failed", "failed, nobody affected". */
function cardWord(word: Row['state'], impact: Impact): string {
  if (!isTrouble(word) || word === 'stale') return word;
  return impact.on === 'hurt' ? `OUTAGE, ${word}` : `${word}, ${affected(impact)}`;
}

/** Something has to be mended before it goes on, although it does not count as failed yet. */
function isHeldUp({ rollout, rows }: RolloutNotice): boolean {
  const onTheWay = rows.filter(({ state }) => state === 'deploying' || state === 'pending');
  return rollout.ending === null && onTheWay.some(({ cause }) => isFatal(cause));
}

/** Who goes back to a version before means it so. */
function superseded({ version, supersededBy }: RolloutNotice): Mrkdwn {
  if (supersededBy === undefined) return mrkdwn`superseded`;
  const back = supersededBy < version ? ', rolled back' : '';
  return mrkdwn`superseded by v${supersededBy}${back}`;
}

/** A card that has ended is its two lines. */
function cardBody(place: WatchedGvc, notice: RolloutNotice): KnownBlock[] {
  const { rollout, rows, version } = notice;
  if (rollout.ending !== null) return [];
  const bars = rows.filter(isAwaited).map(inBar);
  return [
    progress(place, bars, { version: ` of v${version}`, at: beganAt(rollout) }),
    ...changesBlock(notice),
    ...(rows.length > 1 ? locationTable(rows, version) : []),
    ...explanations(rows),
  ];
}

/** Of a name in a table, in characters: three more columns stand beside it on a telephone. */
const CELL_LENGTH = 24;

function locationTable(rows: readonly Row[], version: number): KnownBlock[] {
  const { shown, more } = worstOf(rows);
  return [
    table(
      [
        { title: 'Location' },
        { title: 'State' },
        { title: `v${version}`, align: 'right' },
        { title: 'Other', align: 'right' },
      ],
      shown.map((row) => [
        shorten(row.location, CELL_LENGTH),
        row.state,
        replicas(row),
        otherVersion(row),
      ]),
    ),
    ...moreRows(more),
  ];
}

function replicas({ state, replicas }: Row): string {
  return state === 'waiting' ? '–' : share({ state, ...replicas });
}

/** What serves beside the version of the card, or still in its place. */
function otherVersion(row: Row): string {
  const other = row.state === 'waiting' ? row.replicas : row.outgoing;
  if (other === null || other.version === 0) return '–';
  if (row.state === 'stale' || row.state === 'gone') return '–';
  return `v${other.version} ${other.ready}/${other.wanted}`;
}

/** When what the card shows began: the rollout, or once it was ready the loss of that. */
function beganAt({ startedAt, readyAt, lostAt }: RolloutState): number | null {
  return readyAt === null ? startedAt : (lostAt ?? startedAt);
}

/** What the version changes, while it comes; nothing of one that was not seen to come. */
function changesBlock({ rollout, rows, version }: RolloutNotice): KnownBlock[] {
  const comes = rollout.startedAt !== null && rollout.readyAt === null;
  const changes = comes ? changeLines(rows, version) : [];
  return changes.length === 0 ? [] : [lines(changes)];
}

/** What is wrong at these locations; the next step is told by an outcome. */
function explanations(rows: readonly Row[]): KnownBlock[] {
  const causes = rows.flatMap((row) => causeOf(row, {}) ?? []);
  const known = causes.map((cause) => ({ ...cause, next: '' }));
  return known.length === 0 ? [] : [lines(causeLines(known, { named: true }))];
}

/** Characters; the platform's names are shorter. */
const EXECUTION_LENGTH = 253;
const MAX_REASONS = 3;
/** To be typed as it stands, so it is never cut: four names of the platform, and some words. */
const COMMAND_LENGTH = 600;
const NO_REASON = mrkdwn`no reason is reported`;

/**
 * An execution of a cron workload that ended badly. Its whole name, which people search logs for, is in
 * the small line, and how to see the run in full.
 */
export function jobContent(place: WatchedGvc, job: JobNotice, where: Whereabouts): Content {
  const name = nameOf(place, job.workload);
  const how = job.status === 'invalid' ? 'invalid, could not start' : job.status;
  const said = mrkdwn`${runOf(job)} ${how} in ${short(job.location)}`;
  const reasons = reasonsOf(job.message);
  const cause = reasons.length === 0 ? NO_REASON : spoken(job.message);
  const details = [
    mrkdwn`job ${code(job.execution, EXECUTION_LENGTH)}`,
    ...(job.startTime === undefined ? [] : [mrkdwn`started ${at(job.startTime)}`]),
    ...(job.completionTime === undefined ? [] : [mrkdwn`ended ${at(job.completionTime)}`]),
    mrkdwn`more: ${code(`/deployments jobs ${place.gvc}/${job.workload}/${job.location} org ${place.org}`, COMMAND_LENGTH)}`,
  ];
  const { workload, location, startTime: start } = job;
  return {
    text: topText(mrkdwn`${name} ${said}: ${cause}`),
    blocks: [
      section(mrkdwn`${new Mrkdwn(SIGN.wrong)} *${name}* ${said}`),
      lines(reasons.length === 0 ? [NO_REASON] : reasons.map(spoken), MAX_REASONS),
      section(mrkdwn`→ ${nextStepFor(job.message)}`),
      context(joinMrkdwn(details, ' · ')),
      ...linkRow(where, place, { workload, location, start }),
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
