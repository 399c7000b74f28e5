import type { Button, KnownBlock } from '@slack/types';
import { compareNames, plural } from '../../lib/text.ts';
import { HOUR_MS } from '../../lib/time.ts';
import { orgWords } from './place.ts';
import type { Target } from '../../platform/deployments/target.ts';
import type { DeploymentStatus } from '../../rollouts/engine/classify.ts';
import { nextStepFor, plainCause } from '../../rollouts/engine/explain.ts';
import { impactOf } from '../../rollouts/engine/impact.ts';
import { waits } from '../../rollouts/engine/rollout.ts';
import {
  byUrgency,
  isTrouble,
  SIGNS,
  STATE_TABLE,
  URGENCY,
  type RowState,
} from '../../rollouts/engine/states.ts';
import { listed, spoken } from '../../rollouts/messages/causes-view.ts';
import { servingWords } from '../../rollouts/messages/view-parts.ts';
import { linkButtons, SIGN, type Link } from '../../slack/kit/blocks.ts';
import { excerpt, sections, type Page } from '../../slack/kit/pages.ts';
import { code, moment, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';

/** In a window, which takes 100 blocks. */
const MAX_SECTIONS = 90;
const MESSAGE_LENGTH = 300;

/** A total order, so that each page begins where the one before ends. */
export function worstFirst(
  a: Omit<DeploymentStatus, 'state'> & { state: RowState },
  b: typeof a,
): number {
  return (
    byUrgency(a, b) || compareNames(a.workload, b.workload) || compareNames(a.location, b.location)
  );
}

/** A deployment in an answer. Unknown values are absent. */
export interface ListedStatus extends DeploymentStatus {
  /** Ms since the epoch. */
  since?: number;
  /** It has served before, in any version. */
  served?: true;
  /** Ready replicas of versions other than the two in the status. */
  readyBeside?: number;
}

export interface ListedWorkload {
  org: string;
  gvc: string;
  workload: string;
  /** The worst of its locations; see `worstOf`. */
  state: RowState;
  /** Users are affected now (docs/style.md, "Signs"). */
  hurt: boolean;
  /** Serving capacity while users are affected: "nothing serves", "1 of 3 replicas ready"; else ''. */
  serving: string;
  rows: readonly ListedRow[];
}

/** `waiting`: the newest version of the workload has not reached the location. */
export interface ListedRow extends Omit<ListedStatus, 'state'> {
  state: RowState;
}

/** Worst first. */
export function workloadsOf(
  { org, gvc }: { org: string; gvc: string },
  statuses: readonly ListedStatus[],
): ListedWorkload[] {
  const byName = grouped(statuses, ({ workload }) => workload);
  return [...byName]
    .map(([workload, all]) => {
      const newest = Math.max(...all.map(({ version }) => version));
      const rows = all.map((row) => ({
        ...row,
        state: waits(row, newest) ? ('waiting' as const) : row.state,
      }));
      const state = worstOf(rows);
      const impact = impactOf(all.map(countedOf));
      const hurt = isTrouble(state) && impact.on === 'hurt';
      const serving = hurt ? servingWords(impact, newest) : '';
      return { org, gvc, workload, state, hurt, serving, rows };
    })
    .toSorted(worstWorkloadFirst);
}

export function grouped<T, K>(all: readonly T[], keyOf: (one: T) => K): Map<K, [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group === undefined) groups.set(keyOf(one), [one]);
    else group.push(one);
  }
  return groups;
}

export function worstWorkloadFirst(a: ListedWorkload, b: ListedWorkload): number {
  return (
    Number(b.hurt) - Number(a.hurt) ||
    rank(a.state) - rank(b.state) ||
    compareNames(a.org, b.org) ||
    compareNames(a.gvc, b.gvc) ||
    compareNames(a.workload, b.workload)
  );
}

function countedOf(row: ListedStatus): Parameters<typeof impactOf>[0][number] {
  const { state, version, served, readyBeside } = row;
  return {
    state,
    replicas: row.replicas ?? { version, ready: 0, wanted: 0 },
    outgoing: row.outgoing ?? null,
    ...(served === undefined ? {} : { served }),
    ...(readyBeside === undefined ? {} : { readyBeside }),
  };
}

/** States that are intended, or that end on purpose. */
const QUIET: ReadonlySet<RowState> = new Set<RowState>(['suspended', 'idle', 'gone', 'cron']);

export function isGreen({ state }: { state: RowState }): boolean {
  return state === 'ready' || QUIET.has(state);
}

/** Quiet states count only when all are quiet. */
export function worstOf(rows: readonly { state: RowState }[]): RowState {
  const loud = rows.filter(({ state }) => !QUIET.has(state));
  const [worst] = (loud.length > 0 ? loud : [...rows]).toSorted(byUrgency);
  return worst?.state ?? 'unknown';
}

/** @param sorted the worst first */
export function signOf([worst]: readonly Pick<ListedWorkload, 'state' | 'hurt'>[]): Mrkdwn {
  return new Mrkdwn(worst?.hurt === true ? SIGN.hurt : SIGNS[worst?.state ?? 'unknown']);
}

/** "22 workloads ready, 3 idle", worst state first. */
export function counted(workloads: readonly { state: RowState }[], thing = 'workload'): string {
  const counts = grouped(workloads, ({ state }) => state);
  if (counts.size === 0) return 'no deployments';
  return [...counts]
    .toSorted(([a], [b]) => rank(a) - rank(b))
    .map(([state, { length }], index) => {
      const word = stateWord(state);
      return index === 0 ? `${plural(length, thing)} ${word}` : `${length} ${word}`;
    })
    .join(', ');
}

/** A cron workload has no readiness. */
export function stateWord(state: RowState): string {
  return state === 'cron' ? 'on a schedule' : state;
}

/** " since 09:55": the earliest; empty when unknown. */
export function sinceWords(rows: readonly Pick<ListedRow, 'since'>[]): Mrkdwn {
  const since = Math.min(...rows.map((row) => row.since ?? Infinity));
  return since === Infinity ? mrkdwn`` : mrkdwn` since ${moment(since)}`;
}

/** "lima, oslo", "all 3 locations". @param isAll these are all locations */
export function placesOf(locations: readonly string[], isAll: boolean): string {
  if (!isAll || locations.length < 2) return listed(locations);
  return locations.length === 2 ? 'both locations' : `all ${locations.length} locations`;
}

export function inSections(all: readonly Mrkdwn[]): KnownBlock[] {
  const made = sections(
    mrkdwn``,
    all.map((text) => ({ text })),
  );
  return made.slice(0, MAX_SECTIONS);
}

/** Problems come first, the worst at the beginning; quiet states come after `ready`. */
function rank(state: RowState): number {
  return URGENCY.indexOf(state) + (QUIET.has(state) ? URGENCY.length : 0);
}

/** Why the list is empty. @param skipped items of the platform's answer that could not be read */
export function whyNothing(skipped: number): Mrkdwn {
  return skipped === 0
    ? mrkdwn`no deployments. A new workload appears here after its first report, a deleted one is gone after 24 hours.`
    : mrkdwn`${plural(skipped, 'deployment')} could not be read, and nothing else is listed: ${code('/purser doctor')} says what helps.`;
}

export function skippedNote(skipped: number): Mrkdwn[] {
  if (skipped === 0) return [];
  const are = skipped === 1 ? 'is' : 'are';
  return [mrkdwn`⚠ ${plural(skipped, 'deployment')} could not be read and ${are} left out`];
}

/** @param now ms since the epoch */
export function pageNote({ page, pages }: Page<unknown>, now: number): Mrkdwn[] {
  if (pages === 1) return [];
  return [mrkdwn`Page ${page} of ${pages}, read at ${moment(now, '{time_secs}')}`];
}

export function rowOf(buttons: Button[]): Button[][] {
  return buttons.length === 0 ? [] : [buttons];
}

export interface LinkedPlace {
  org: string;
  target: Target;
  links: readonly Link[];
  /** Ms since the epoch. */
  now: number;
}

/** Links for the last hour, for the newest version of a workload. */
export function placeLinks(
  { org, target, links, now }: LinkedPlace,
  statuses: readonly DeploymentStatus[],
): Button[] {
  const [first, ...others] = statuses;
  if (first === undefined) return [];
  const { gvc, workload } = target;
  const times = { start: now - HOUR_MS, end: now };
  if (workload === undefined) return linkButtons(links, { org, gvc, ...times });
  const isOnly = others.every(({ location }) => location === first.location);
  const version = Math.max(...statuses.map((status) => status.version));
  return linkButtons(links, {
    org,
    gvc,
    workload,
    location: isOnly ? first.location : undefined,
    // 0: no version is reported.
    version: version > 0 ? version : undefined,
    ...times,
  });
}

/** States that need an explanation even when the platform gives none. */
const PUZZLING: ReadonlySet<string> = new Set([
  'failed',
  'unhealthy',
  'stale',
  'diverged',
  'unknown',
]);

export function isPuzzling({ state, cause }: Pick<ListedRow, 'state' | 'cause'>): boolean {
  return cause !== '' || PUZZLING.has(state);
}

/** ": the image cannot be pulled → check its name" */
export function whyOf(row: ListedRow): Mrkdwn {
  const next = nextStep(row);
  return mrkdwn`: ${cause(row)}${next === '' ? '' : ` → ${next}`}`;
}

function cause(row: ListedRow): Mrkdwn {
  const { state, cause: text, version: expected, processed } = row;
  if (state === 'stale') {
    const last =
      row.replicas === undefined ? '' : `; last known v${expected}, ${replicas([row])} ready`;
    return mrkdwn`no report for more than 45 minutes${last}`;
  }
  if (state === 'diverged') {
    const newer = processed > expected ? `v${processed}` : 'a newer version';
    const apart = `it reports ${newer}, v${expected} is expected`;
    return text === '' ? mrkdwn`${apart}` : mrkdwn`${apart}: ${excerpt(text, MESSAGE_LENGTH)}`;
  }
  return text === '' ? mrkdwn`${STATE_TABLE[state].meaning}` : spoken(text);
}

/** '' when unknown, or when nothing can be done. */
function nextStep({ state, cause: text }: ListedRow): string {
  if (state === 'failed' || state === 'unhealthy') return nextStepFor(text);
  if (state === 'diverged' || state === 'stale')
    return 'wait some minutes, then ask the platform team';
  if (state === 'unknown') return 'ask again in some minutes: a new location reports by then';
  return plainCause(text) === '' ? '' : nextStepFor(text);
}

/** "3/3", "0/3, v11 3/3": summed over the locations. */
export function replicas(rows: readonly ListedRow[]): string {
  const own = rows.flatMap((row) => row.replicas ?? []);
  if (own.length === 0) return '–';
  const outgoing = rows.flatMap((row) => row.outgoing ?? []);
  const [first] = outgoing;
  return first === undefined
    ? shareOf(own)
    : `${shareOf(own)}, v${first.version} ${shareOf(outgoing)}`;
}

function shareOf(all: readonly { ready: number; wanted: number }[]): string {
  const [ready, wanted] = [
    all.reduce((sum, one) => sum + one.ready, 0),
    all.reduce((sum, one) => sum + one.wanted, 0),
  ];
  return `${ready}/${wanted}`;
}

export function leadOn(
  { org, gvc, workload }: Pick<ListedWorkload, 'org' | 'gvc' | 'workload'>,
  defaultOrg: string | undefined,
): Mrkdwn {
  const command = `/deployments ${gvc}/${workload}${orgWords(org, defaultOrg)}`;
  return mrkdwn`Causes and next steps: ${code(command, Infinity)}`;
}
