import type { Button } from '@slack/types';
import { compareNatural, plural } from '../../lib/text.ts';
import { HOUR_MS } from '../../lib/time.ts';
import {
  dotted,
  firstWords,
  listed,
  nextStep,
  serving,
  spoken,
} from '../../rollouts/render/parts.ts';
import { plainCause } from '../../rollouts/watch/causes.ts';
import type { State } from '../../rollouts/watch/location.ts';
import {
  byState,
  isGreen,
  type LocationStatus,
  type WorkloadStatus,
} from '../../rollouts/watch/status.ts';
import { NOTHING } from '../answer-parts.ts';
import type { Target } from '../../platform/deployments/target.ts';
import { linkButtons, type Link } from '../../slack/kit/blocks.ts';
import type { Page } from '../../slack/kit/pages.ts';
import { code, moment, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';

/** A total order, so that each page begins where the one before ends. */
export function worstFirst(a: LocationStatus, b: LocationStatus): number {
  return (
    byState(a, b) ||
    compareNatural(a.workload, b.workload) ||
    compareNatural(a.location, b.location)
  );
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

/** A cron workload has no readiness. */
export function stateName(state: State): string {
  return state === 'cron' ? 'on a schedule' : state;
}

/**
 * "Partial outage (oslo)", "3 of 6 serve": of a workload that is not green.
 * @param alike workloads of which both are true
 */
export function impactParts(one: WorkloadStatus, alike = 1): { lead: Mrkdwn; serves: string } {
  if (isGreen(one)) return { lead: mrkdwn``, serves: '' };
  const { state, impact } = one;
  // The states name the locations that do not report.
  const [share] = serving({ ...impact, silent: [] });
  const serves = share === undefined ? '' : `${share}${alike === 1 ? '' : ' each'}`;
  const isSilent = state === 'stale' || state === 'unknown';
  return isSilent && impact.level === 0 && impact.without === undefined
    ? {
        lead: mrkdwn`*No report (${listed(impact.silent)})*`,
        serves: serves === '' ? '' : `${serves} in the other locations`,
      }
    : { lead: mrkdwn`*${firstWords(impact)}*`, serves };
}

/** " since 09:55": the earliest; empty when unknown. */
export function sinceWords(rows: readonly Pick<LocationStatus, 'since'>[]): Mrkdwn {
  const since = Math.min(...rows.map((row) => row.since ?? Infinity));
  return since === Infinity ? mrkdwn`` : mrkdwn` since ${moment(since)}`;
}

/** "lima, oslo", "all 3 locations". @param isAll these are all locations */
export function placesOf(locations: readonly string[], isAll: boolean): string {
  if (!isAll || locations.length < 2) return listed(locations);
  return locations.length === 2 ? 'both locations' : `all ${locations.length} locations`;
}

/** Why the list is empty. @param skipped items of the platform's answer that could not be read */
export function whyNothing(skipped: number): Mrkdwn {
  return skipped === 0
    ? mrkdwn`no deployments. A new workload appears here after its first report, a deleted one is gone after 24 hours.`
    : mrkdwn`${plural(skipped, 'deployment')} could not be read, and nothing else is listed: ${code('/purser doctor')} says what helps.`;
}

/** Below an answer of which a part could not be read. */
export const DOCTOR_NOTE = mrkdwn`Why, and what helps: ${code('/purser doctor')}`;

/** @param now ms since the epoch */
export function pageNote({ page, pages }: Page<unknown>, now: number): Mrkdwn[] {
  if (pages === 1) return [];
  return [mrkdwn`Page ${page} of ${pages}, read at ${moment(now, '{time_secs}')}`];
}

/** Beside Share, a button of the answer, and two that turn pages if there are any; the window has all. */
export const MAX_LINKS = { alone: 3, withPages: 1 } as const;

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
  rows: readonly LocationStatus[],
): Button[] {
  const [first, ...others] = rows;
  if (first === undefined) return [];
  const { gvc, workload } = target;
  const times = { start: now - HOUR_MS, end: now };
  if (workload === undefined) return linkButtons(links, { org, gvc, ...times });
  const isOnly = others.every(({ location }) => location === first.location);
  const version = Math.max(...rows.map((row) => row.version));
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

export const UNEXPLAINED = 'No reason is reported';

/** For states that need an explanation even when the platform gives none. */
const MEANING: Partial<Readonly<Record<State, string>>> = {
  failed: UNEXPLAINED,
  unhealthy: UNEXPLAINED,
  stale: 'No report for more than 45 minutes',
  unknown: 'Nothing is reported',
};

export function isPuzzling({ state, cause, diverged }: LocationStatus): boolean {
  return cause !== '' || diverged !== undefined || MEANING[state] !== undefined;
}

/** "Out of memory: cart", and "→ Raise its memory limit" in a line of its own; empty where nothing needs an explanation. @param quote see `spoken` */
export function whyOf(row: LocationStatus, quote?: Parameters<typeof spoken>[1]): Mrkdwn {
  const { cause, state, diverged, version } = row;
  const why = cause === '' ? mrkdwn`${MEANING[state] ?? ''}` : spoken(cause, quote);
  const isApart = diverged !== undefined;
  const apart = isApart ? `Diverged: it reports v${diverged}, v${version} is expected` : '';
  const next = nextOf(row);
  const all = dotted([apart, why]);
  return next.text === '' ? all : mrkdwn`${all}\n${next}`;
}

/** Something can be done about it. */
export function hasNextStep(row: LocationStatus): boolean {
  return nextOf(row).text !== '';
}

/** Empty when nothing can be done. */
export function nextOf({ state, cause }: LocationStatus): Mrkdwn {
  if (state === 'failed' || state === 'unhealthy') return nextStep(cause);
  if (state === 'stale' || state === 'unknown') return mrkdwn`→ Check it from outside`;
  return plainCause(cause) === '' ? mrkdwn`` : nextStep(cause);
}

/** "3/3", "0/3, v11 3/3", "3/3 (last known)": summed over locations in the same state. */
export function readyWords(rows: readonly [LocationStatus, ...LocationStatus[]]): string {
  const share = replicas(rows);
  const isOld = rows[0].state === 'stale' || rows[0].state === 'unknown';
  return isOld && share !== NOTHING ? `${share} (last known)` : share;
}

function replicas(rows: readonly LocationStatus[]): string {
  const counting = rows.filter(({ state }) => !COUNTLESS.has(state));
  const wanted = sumOf(counting, ({ wanted: one }) => one);
  if (wanted === 0) return NOTHING;
  const fresh = sumOf(counting, (row) => Math.min(row.fresh, row.wanted));
  const [other] = counting.flatMap(({ others }) => others).toSorted(([a], [b]) => b - a);
  if (other === undefined) return `${fresh}/${wanted}`;
  const [version] = other;
  const serving = sumOf(
    counting,
    ({ others }) => others.find(([one]) => one === version)?.[1] ?? 0,
  );
  // The same version of an older GVC version serves meanwhile.
  const name = version === rows[0]?.version ? 'older GVC' : `v${version}`;
  return `${fresh}/${wanted}, ${name} ${serving}/${wanted}`;
}

const COUNTLESS: ReadonlySet<State> = new Set(['suspended', 'idle', 'cron', 'gone']);

function sumOf<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((sum, one) => sum + of(one), 0);
}
