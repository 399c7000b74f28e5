import type { KnownBlock } from '@slack/types';
import { compareNatural, formatAge, plural } from '../../lib/text.ts';
import { placeValue } from '../../platform/deployments/target.ts';
import { signOf } from '../../rollouts/render/card.ts';
import { dotted, listed, nextStep } from '../../rollouts/render/parts.ts';
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
import { context, SIGN } from '../../slack/kit/blocks.ts';
import { code, joinFirst, mentionChannel, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import {
  grouped,
  hasNextStep,
  impactParts,
  isPuzzling,
  placesOf,
  sinceWords,
  stateName,
  UNEXPLAINED,
  whyOf,
} from './listing.ts';
import type { WatchedState } from './watched.ts';

/**
 * Workloads as `/deployments GVC`, `/deployments` and Home show them: the worst first, who is hurt, since when. Pure.
 */

export interface Placed extends WorkloadStatus {
  readonly org: string;
  readonly gvc: string;
  /** Its GVC can no longer be read. */
  readonly isOld: boolean;
  /** Its rollout was posted as stuck. */
  readonly isStuck: boolean;
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

/** By impact, then by state. */
export function byImpact(a: WorkloadStatus, b: WorkloadStatus): number {
  return b.impact.level - a.impact.level || byState(a, b);
}

/** By impact, then by state, then by name. */
export function worstWorkloadFirst(a: WorkloadStatus, b: WorkloadStatus): number {
  return byImpact(a, b) || compareNatural(a.workload, b.workload);
}

/** The sign of the worst, with a space behind it; '' without a sign. */
export function worstSign(workloads: readonly WorkloadStatus[]): Mrkdwn {
  const [worst] = workloads.toSorted(byImpact);
  const sign = worst === undefined ? '' : signOf(worst.state, worst.impact);
  return new Mrkdwn(sign === '' ? '' : `${sign} `);
}

const LEVELS: Readonly<Record<Level, readonly [one: string, many: string]>> = {
  0: ['', ''],
  1: ['with reduced capacity', 'with reduced capacity'],
  2: ['partial outage', 'partial outages'],
  3: ['outage', 'outages'],
};

/** "*shop: 4 failed, 16 ready* · 1 outage": how many are in each state, then who is hurt. */
export function countsOf(name: string, workloads: readonly WorkloadStatus[]): Mrkdwn {
  return dotted([mrkdwn`*${name}: ${countedStates(workloads)}*`, hurtWords(workloads)]);
}

/** "4 failed, 16 ready" */
export function countedStates(all: readonly { state: State }[]): string {
  if (all.length === 0) return 'no deployments';
  return [...grouped(all.toSorted(byState), ({ state }) => state)]
    .map(([state, { length }]) => `${length} ${stateName(state)}`)
    .join(', ');
}

/** "1 outage, 2 with reduced capacity"; '' when all are served. */
function hurtWords(workloads: readonly WorkloadStatus[]): string {
  const hurt = workloads.filter(({ impact }) => impact.level > 0).toSorted(byImpact);
  return [...grouped(hurt, ({ impact }) => impact.level)]
    .map(([level, { length }]) => plural(length, ...LEVELS[level]))
    .join(', ');
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

/** Everything but the names; equal, but for `where`, for locations of a GVC with the same trouble. */
interface Words extends Pick<Trouble, 'sign' | 'where' | 'why'> {
  /** "Outage", and "0 of 3 serve"; of the first trouble of a workload. */
  readonly lead: Mrkdwn;
  readonly serves: string;
  readonly state: State;
  readonly isStuck: boolean;
  readonly isOld: boolean;
  readonly channels: readonly string[];
}

interface Part {
  readonly one: Placed;
  readonly rows: readonly LocationStatus[];
  readonly words: Words;
}

const MAX_CHANNELS = 2;

/** One line for each trouble, the worst first. @param nameOf the name of a workload in a line */
export function troublesOf(all: readonly Placed[], nameOf: (one: Placed) => string): Trouble[] {
  const sorted = all.toSorted(
    (a, b) => Number(a.isOld) - Number(b.isOld) || worstWorkloadFirst(a, b),
  );
  // The button of a line opens one GVC. Of many workloads one line names the locations of all.
  const alike = grouped(sorted.flatMap(partsOf), ({ one: { org, gvc }, words }) =>
    JSON.stringify([org, gvc, { ...words, where: '' }]),
  );
  return [...alike.values()].map((parts) => troubleOf(parts, nameOf));
}

/** A workload by the states and causes of its locations. */
function partsOf(one: Placed): Part[] {
  const { impact, isOld, channels, version } = one;
  const isStuck = one.isStuck && isMoving(one);
  const stateOf = (row: LocationStatus): State => stateAt(row, version);
  const alike = grouped(wrongRows(one), (row) => stateOf(row) + whyOf(row).text);
  return [...alike.values()].map((rows, index): Part => {
    const [row] = rows;
    const state = stateOf(row);
    const words: Words = {
      ...(index === 0 ? impactParts(one) : { lead: mrkdwn``, serves: '' }),
      sign: isOld ? SIGN.unknown : isStuck ? SIGN.wrong : signOf(state, impact),
      state,
      isStuck,
      where: placesOf(
        rows.map(({ location }) => location),
        rows.length === one.rows.length,
      ),
      why: isStuck && whyOf(row).text === '' ? mrkdwn`${UNEXPLAINED}\n${nextStep('')}` : whyOf(row),
      isOld,
      channels,
    };
    return { one, rows, words };
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
  const [{ one, words }, ...others] = parts;
  const { sign, lead, state, isStuck, serves, why, isOld, channels } = words;
  const rows = parts.flatMap((part) => part.rows);
  const where = others.every((part) => part.words.where === words.where)
    ? words.where
    : listed([...new Set(rows.map(({ location }) => location))].toSorted(compareNatural));
  const names = listed(parts.map((part) => nameOf(part.one)).toSorted(compareNatural));
  const version = others.length > 0 || one.version === 0 ? '' : ` v${one.version}`;
  const what = mrkdwn`*${names}*${version} ${stateName(state)} in ${where}${sinceWords(rows)}`;
  const line = dotted([
    lead,
    what,
    isStuck ? 'rollout stuck' : '',
    serves === '' ? '' : impactParts(one, parts.length).serves,
    isOld ? 'last known' : '',
    joinFirst(channels.map(mentionChannel), MAX_CHANNELS),
    why,
  ]);
  const { org, gvc, workload } = one;
  return {
    line: mrkdwn`${new Mrkdwn(sign)} ${line}`,
    rows,
    sign,
    where,
    why,
    value: placeValue(org, others.length > 0 ? { gvc } : { gvc, workload }),
  };
}

/** Not well, and not on its way unless something has to be done for it. */
export function isInTrouble(one: Placed): boolean {
  if (isMoving(one)) return one.isStuck || one.rows.some(hasNextStep);
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
    : mrkdwn`${name}: ${plural(poll.skipped, 'deployment')} could not be read`;
}
