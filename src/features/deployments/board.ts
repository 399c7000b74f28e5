import type { Button, KnownBlock } from '@slack/types';
import { compareNatural, formatAge, plural } from '../../lib/text.ts';
import { HOUR_MS } from '../../lib/time.ts';
import { placeValue, type Target } from '../../platform/deployments/target.ts';
import { OLDER_GVC, signOf } from '../../rollouts/render/card.ts';
import {
  CHECK,
  dotted,
  firstWords,
  listed,
  nextStep,
  serving,
  spoken,
} from '../../rollouts/render/parts.ts';
import { plainCause } from '../../rollouts/watch/causes.ts';
import type { Level } from '../../rollouts/watch/impact.ts';
import type { State } from '../../rollouts/watch/location.ts';
import {
  byState,
  isGreen,
  isMoving,
  isQuiet,
  stateAt,
  type LocationStatus,
  type WorkloadStatus,
} from '../../rollouts/watch/status.ts';
import { context, linkButtons, type Link, SIGN } from '../../slack/kit/blocks.ts';
import { firstOf } from '../../slack/kit/fit.ts';
import {
  code,
  joinFirst,
  joinMrkdwn,
  mentionChannel,
  moment,
  mrkdwn,
  Mrkdwn,
} from '../../slack/kit/text.ts';
import { NOTHING } from '../answer-parts.ts';
import type { WatchedState } from '../watched.ts';

/**
 * Workloads as `/deployments GVC`, `/deployments`, Home and Details show them: the worst first, who is hurt, since when.
 * Pure.
 */

export interface Placed extends WorkloadStatus {
  readonly org: string;
  readonly gvc: string;
  /** Its GVC can no longer be read. */
  readonly isOld: boolean;
  /** Its rollout was posted as stuck. */
  readonly isStuck: boolean;
  /** Another location of it could not be read. */
  readonly isPartial?: boolean | undefined;
  /** Channels to name; empty where they are not of interest. */
  readonly channels: readonly string[];
}

/** The workloads of a GVC, without channels. @param now ms since the epoch */
export function placedIn(state: WatchedState, now: number): Placed[] {
  const { org, gvc, workloads, stuck } = state;
  return workloads.map((one) => ({
    ...one,
    org,
    gvc,
    isOld: isOld(state, now),
    isStuck: stuck.includes(one.workload),
    channels: [],
  }));
}

/** "since 09:55"; '' without a time. */
export function timeWords(word: string, ms: number | undefined, format?: string): Mrkdwn {
  return ms === undefined ? mrkdwn`` : mrkdwn`${word} ${moment(ms, format)}`;
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

/** By impact, then by state. */
export function byImpact(a: WorkloadStatus, b: WorkloadStatus): number {
  return b.impact.level - a.impact.level || byState(a, b);
}

/** By impact, then by state, then by name. */
export function worstWorkloadFirst(a: WorkloadStatus, b: WorkloadStatus): number {
  return byImpact(a, b) || compareNatural(a.workload, b.workload);
}

/** A total order, so that each page begins where the one before ends. */
export function worstFirst(a: LocationStatus, b: LocationStatus): number {
  return (
    byState(a, b) ||
    compareNatural(a.workload, b.workload) ||
    compareNatural(a.location, b.location)
  );
}

/** The sign of the worst, with a space behind it; '' without a sign. */
export function worstSign(workloads: readonly WorkloadStatus[]): Mrkdwn {
  const [worst] = workloads.toSorted(byImpact);
  const sign = worst === undefined ? '' : signOf(worst.state, worst.impact);
  return new Mrkdwn(sign === '' ? '' : `${sign} `);
}

const LEVELS: Readonly<Record<Level, readonly [one: string, many?: string]>> = {
  0: [''],
  1: ['with reduced capacity', 'with reduced capacity'],
  2: ['partial outage'],
  3: ['outage'],
};

/** "*shop: 4 failed, 16 ready* · 1 outage": how many are in each state, then who is hurt. */
export function countsOf(name: string, workloads: readonly WorkloadStatus[]): Mrkdwn {
  const hurt = workloads.filter(({ impact }) => impact.level > 0).toSorted(byImpact);
  const levels = [...grouped(hurt, ({ impact }) => impact.level)].map(([level, { length }]) =>
    plural(length, ...LEVELS[level]),
  );
  return dotted([mrkdwn`*${name}: ${countedStates(workloads)}*`, levels.join(', ')]);
}

/** "4 failed, 16 ready" */
export function countedStates(all: readonly { state: State }[]): string {
  if (all.length === 0) return 'no deployments';
  return [...grouped(all.toSorted(byState), ({ state }) => state)]
    .map(([state, { length }]) => `${length} ${stateName(state)}`)
    .join(', ');
}

/** A cron workload has no readiness. */
export function stateName(state: State): string {
  return state === 'cron' ? 'on a schedule' : state;
}

/**
 * "Partial outage (oslo)", "3 of 6 serve": of a workload that is not green.
 * @param alike workloads of which both are true
 * @param isPart beside one location, whose own count differs
 */
export function impactParts(
  one: WorkloadStatus,
  alike = 1,
  isPart = false,
): { lead: Mrkdwn; serves: string } {
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
    : {
        lead: mrkdwn`*${firstWords(impact)}*`,
        serves: isPart && serves !== '' ? `${serves} in all locations` : serves,
      };
}

/** "since 09:55": the earliest; empty when unknown. */
export function sinceWords(rows: readonly Pick<LocationStatus, 'since'>[], before = ''): Mrkdwn {
  const since = Math.min(...rows.map((row) => row.since ?? Infinity));
  return since === Infinity ? mrkdwn`` : mrkdwn`${before}since ${moment(since)}`;
}

/** "lima, oslo", "all 3 locations". @param isAll these are all locations */
export function placesOf(locations: readonly string[], isAll: boolean): string {
  if (!isAll || locations.length < 2) return listed(locations);
  return locations.length === 2 ? 'both locations' : `all ${locations.length} locations`;
}

const COUNTLESS: ReadonlySet<State> = new Set(['suspended', 'idle', 'cron', 'gone']);

/** "3/3", "0/3, v11 3/3", "3/3 (last known)": summed over locations in the same state. */
export function readyWords(rows: readonly [LocationStatus, ...LocationStatus[]]): string {
  const counting = rows.filter(({ state }) => !COUNTLESS.has(state));
  const wanted = sumOf(counting, (row) => row.wanted);
  if (wanted === 0) return NOTHING;
  const fresh = sumOf(counting, (row) => Math.min(row.fresh, row.wanted));
  const others = counting.flatMap((row) => row.others).toSorted(([a], [b]) => b - a);
  const all = [...grouped(others, ([version]) => version)].slice(0, 1).map(([version, serve]) => {
    const name = version === rows[0].version ? OLDER_GVC : `v${version}`;
    return `, ${name} ${sumOf(serve, ([, count]) => count)}/${wanted}`;
  });
  const isOld = rows[0].state === 'stale' || rows[0].state === 'unknown';
  return `${fresh}/${wanted}${all.join('')}${isOld ? ' (last known)' : ''}`;
}

function sumOf<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((sum, one) => sum + of(one), 0);
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
  const why = dotted([
    diverged === undefined ? '' : `Diverged: it reports v${diverged}, v${version} is expected`,
    cause === '' ? (MEANING[state] ?? '') : spoken(cause, quote),
  ]);
  return joinMrkdwn([why, ...stepOf(row)], '\n');
}

/** The next step of a location: one or none. */
export function stepOf({ state, cause }: LocationStatus): Mrkdwn[] {
  if (state === 'stale' || state === 'unknown') return [CHECK];
  const isIll = state === 'failed' || state === 'unhealthy';
  return isIll || plainCause(cause) !== '' ? [nextStep(cause)] : [];
}

/** Locations, of one or several workloads, with the same trouble. */
export interface Trouble {
  readonly line: Mrkdwn;
  readonly rows: readonly LocationStatus[];
  readonly sign: string;
  /** "oslo, lima" */
  readonly where: string;
  /** "The image cannot be pulled → Check its name" */
  readonly why: Mrkdwn;
  readonly value: string;
}

/** The locations of a workload with the same trouble. */
interface Part extends Pick<Trouble, 'rows' | 'sign' | 'where' | 'why'> {
  readonly one: Placed;
  /** "Outage", and "0 of 3 serve"; of the first trouble of a workload. */
  readonly lead: Mrkdwn;
  readonly serves: string;
  readonly state: State;
  readonly isStuck: boolean;
}

const MAX_CHANNELS = 2;

/** One line for each trouble, the worst first. @param nameOf the name of a workload in a line */
export function troublesOf(all: readonly Placed[], nameOf: (one: Placed) => string): Trouble[] {
  const sorted = all.toSorted(
    (a, b) => Number(a.isOld) - Number(b.isOld) || worstWorkloadFirst(a, b),
  );
  // The button of a line opens one GVC. Of many workloads one line names the locations of all.
  const alike = grouped(
    sorted.flatMap(partsOf),
    ({ one, lead, serves, sign, state, why, isStuck }) =>
      JSON.stringify([
        [one.org, one.gvc, one.isOld, one.channels],
        [lead, serves, sign, state, why, isStuck],
      ]),
  );
  return [...alike.values()].map((parts) => troubleOf(parts, nameOf));
}

/** A workload by the states and causes of its locations. */
function partsOf(one: Placed): Part[] {
  const { impact, isOld, version } = one;
  const isStuck = one.isStuck && isMoving(one);
  const stateOf = (row: LocationStatus): State => stateAt(row, version);
  const alike = grouped(wrongRows(one), (row) => stateOf(row) + whyOf(row).text);
  return [...alike.values()].map((rows, index): Part => {
    const state = stateOf(rows[0]);
    const why = whyOf(rows[0]);
    return {
      one,
      rows,
      ...(index === 0 ? impactParts(one) : { lead: mrkdwn``, serves: '' }),
      sign: isOld ? SIGN.unknown : isStuck ? SIGN.wrong : signOf(state, impact),
      state,
      isStuck,
      where: placesOf(
        rows.map(({ location }) => location),
        rows.length === one.rows.length && one.isPartial !== true,
      ),
      why: isStuck && why.text === '' ? mrkdwn`${UNEXPLAINED}\n${nextStep('')}` : why,
    };
  });
}

/** Those with a cause or with hurt users; else those on their way. A location behind its version is pending. */
function wrongRows({ rows, impact, version }: WorkloadStatus): readonly LocationStatus[] {
  const wrong = rows.filter(
    (row) => isPuzzling(row) || (impact.level > 0 && impact.worst.includes(row.location)),
  );
  return wrong.length > 0
    ? wrong
    : rows.filter((row) => !isQuiet({ state: stateAt(row, version) }));
}

/** "🔴 *Outage* · *shop/cart* v12 failed in oslo since 09:55 · 0 of 3 serve · The image … → Check its name" */
function troubleOf(parts: readonly [Part, ...Part[]], nameOf: (one: Placed) => string): Trouble {
  const [{ one, sign, lead, state, isStuck, serves, where: first, why }] = parts;
  const rows = parts.flatMap((part) => part.rows);
  const where = parts.every((part) => part.where === first)
    ? first
    : listed([...new Set(rows.map(({ location }) => location))].toSorted(compareNatural));
  const names = listed(parts.map((part) => nameOf(part.one)).toSorted(compareNatural));
  const isOne = parts.length === 1;
  const version = isOne && one.version > 0 ? ` v${one.version}` : '';
  const line = dotted([
    lead,
    mrkdwn`*${names}*${version} ${stateName(state)} in ${where}${sinceWords(rows, ' ')}`,
    isStuck ? 'rollout stuck' : '',
    serves === '' ? '' : impactParts(one, parts.length).serves,
    one.isOld ? 'last known' : '',
    joinFirst(one.channels.map(mentionChannel), MAX_CHANNELS),
    why,
  ]);
  const { org, gvc, workload } = one;
  return {
    line: mrkdwn`${new Mrkdwn(sign)} ${line}`,
    rows,
    sign,
    where,
    why,
    value: placeValue(org, isOne ? { gvc, workload } : { gvc }),
  };
}

/** Not well, and not on its way unless something has to be done for it. */
export function isInTrouble(one: Placed): boolean {
  if (isMoving(one)) return one.isStuck || one.rows.some((row) => stepOf(row).length > 0);
  return !isGreen(one);
}

/** "⏳ Rolling out: shop/web, shop/search" */
export function movingNote(all: readonly Placed[], nameOf: (one: Placed) => string): KnownBlock[] {
  const moving = all.filter((one) => isMoving(one) && !isInTrouble(one) && !one.isOld);
  const names = moving.map(nameOf).toSorted(compareNatural);
  if (names.length === 0) return [];
  return [context(mrkdwn`${new Mrkdwn(SIGN.underWay)} Rolling out: ${listed(names)}`)];
}

/** A poll older than this may be out of date. Milliseconds. */
const OLD_MS = 5 * 60_000;
const ERROR_LENGTH = 100;

/** The last known state may be out of date. @param now ms since the epoch */
export function isOld({ poll }: Pick<WatchedState, 'poll'>, now: number): boolean {
  return poll.failures > 0 || (poll.at > 0 && now - poll.at > OLD_MS);
}

/** GVCs of which not everything is known now: a line each, those that cannot be read first. */
export function unreadLines(gvcs: readonly WatchedState[], now: number): Mrkdwn[] {
  return gvcs
    .filter((one) => isOld(one, now) || one.poll.skipped > 0 || one.isEmpty)
    .toSorted((a, b) => Number(b.poll.failures > 0) - Number(a.poll.failures > 0))
    .map((one) => unreadLine(one, now));
}

function unreadLine({ gvc, org, poll, isEmpty }: WatchedState, now: number): Mrkdwn {
  const name = mrkdwn`${new Mrkdwn(SIGN.unknown)} GVC *${gvc}* of ${org}`;
  if (poll.failures > 0) {
    const known =
      poll.at === 0 ? 'never read so far' : `last known state of ${formatAge(now - poll.at)}`;
    const why = poll.error === '' ? mrkdwn`` : mrkdwn` (${code(poll.error, ERROR_LENGTH)})`;
    return mrkdwn`${name} cannot be read, ${plural(poll.failures, 'try', 'tries')} failed${why} · ${known}`;
  }
  if (now - poll.at > OLD_MS) {
    return mrkdwn`${name} was last read ${formatAge(now - poll.at)}: its state since then is unknown`;
  }
  return isEmpty
    ? mrkdwn`${name}: its list is suddenly empty`
    : mrkdwn`${name}: ${unreadWords(poll.skipped)}`;
}

/** '' where all could be read. @param unreadable the names of those that are known */
export function unreadWords(skipped: number, unreadable: readonly string[] = []): string {
  if (skipped === 0) return '';
  const names = unreadable.length === 0 ? '' : ` (${firstOf(unreadable, MAX_UNREADABLE)})`;
  return `${plural(skipped, 'deployment')} could not be read${names}`;
}

const MAX_UNREADABLE = 3;

/** Why the list is empty. */
export function whyNothing({ skipped, unreadable }: Unread): Mrkdwn {
  return skipped === 0
    ? mrkdwn`no deployments. A new workload appears here after its first report, a deleted one is gone after 24 hours.`
    : mrkdwn`${unreadWords(skipped, unreadable)}, and nothing else is listed. ${UNREAD_NOTE}.`;
}

/** Below an answer about a place of which a part could not be read. The doctor knows watched places only. */
export const UNREAD_NOTE = mrkdwn`Try again, and contact your Purser administrator if it lasts`;

/** Below an answer about watched places of which a part could not be read. */
export const DOCTOR_NOTE = mrkdwn`Why, and what helps: ${code('/purser doctor')}`;

/** Beside Share, a button of the answer, and two that turn pages if there are any; the window has all. */
export function linksThatFit(links: readonly Button[], pages: number): readonly Button[] {
  return links.slice(0, pages === 1 ? 3 : 1);
}

interface Unread {
  /** Deployments that could not be read. */
  skipped: number;
  /** The names of those that are known: locations of a workload, else `workload/location`. */
  unreadable?: readonly string[];
}

/** An answer or a window about a place. */
export interface PlaceView extends Unread {
  org: string;
  defaultOrg: string | undefined;
  target: Target;
  /** From 1 on; one beyond the last is the last. */
  page: number;
  links: readonly Link[];
  /** Ms since the epoch. */
  now: number;
}

/** Links for the last hour, for the newest version of a workload. */
export function placeLinks(
  { org, target: { gvc, workload }, links, now }: PlaceView,
  rows: readonly LocationStatus[],
): Button[] {
  const [first, ...others] = rows;
  if (first === undefined) return [];
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
