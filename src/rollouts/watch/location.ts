import { DAY_MS } from '../../lib/time.ts';
import { countsOf, explanationOf, isFatal, risen, statusMessage, type Counts } from './causes.ts';
import type { Facts, Serving } from './facts.ts';
import { begunAt, lasted, span, type PollTime } from './spans.ts';

/** The state of a workload in one location (design section 4.2), and `gone` for one that left the list. */
export const STATES = [
  'failed',
  'unhealthy',
  'stale',
  'deploying',
  'pending',
  'unknown',
  'ready',
  'suspended',
  'idle',
  'cron',
  'gone',
] as const;
export type State = (typeof STATES)[number];

/** Remembered of one location of a workload. Times in milliseconds since the epoch; an absent number is the usual one. */
export interface Location {
  state: State;
  since: number;
  /** Expected version and the GVC version of its newest entry; 0 = unset. */
  version: number;
  gvc: number;
  /** Ready replicas of all versions, and of the newest entry alone. */
  have: number;
  fresh: number;
  wanted: number;
  /** This version was ready here before. */
  wasReady: boolean;
  /** Some replica was ready here before, of any version; also of a location of the first poll. */
  served: boolean;
  /** Reason why it is not ready, or its own message. */
  cause?: string | undefined;
  others?: readonly Serving[] | undefined;
  /** The last report was neither ready nor deploying, as were so many in a row (2 = two or more). */
  stopped?: 1 | 2 | undefined;
  /** Polls in a row with the state `failed` (2 = two or more). */
  failed?: 1 | 2 | undefined;
  /** The highest progress at this version, where it is not the present one, and when it was reached. */
  best?: number | undefined;
  movedAt?: number | undefined;
  /** It came into play, and has not served for long since. */
  enteredAt?: number | undefined;
  servedSince?: true | undefined;
  /** Numbers wanted within the last ten minutes and when each began. */
  wants?: readonly (readonly [at: number, wanted: number])[] | undefined;
  /** Since when there is a cause that only people can remove. */
  fatalSince?: number | undefined;
  lostReadyAt?: number | undefined;
  /** It served too little when it was last known. */
  sick?: true | undefined;
  /** lastProcessedVersion is above the expected version; `isOld` after ten minutes, when it is a remark. */
  apart?: { version: number; since: number; isOld?: true | undefined } | undefined;
  counts?: Counts | undefined;
  /** Restarts within the last hour. */
  restarts?: readonly (readonly [at: number, by: number])[] | undefined;
  /** The cause of the last restart. */
  restart?: string | undefined;
  /** Executions of a schedule are listed, or were at this time. */
  runs?: true | number | undefined;
  /** It was in play and not ready when it left the list. */
  leftUnready?: true | undefined;
  /** Lists that lacked it. */
  missing?: 1 | undefined;
  /** Since when it does not report. */
  silentSince?: number | undefined;
  report?: Report | undefined;
}

/** No report: an episode of its own (design section 4.5). */
export interface Report {
  /** Number of the `stale` message; 0 = it was so at the first poll. */
  n: number;
  at: number;
  /** It is the third one within an hour. */
  flaps?: true | undefined;
  /** Reports since. */
  backSince?: number | undefined;
}

/** Not in play: nothing is meant to serve here. */
const ASIDE: ReadonlySet<State> = new Set(['suspended', 'idle', 'gone', 'cron']);
/** In play, but unknown. */
const UNKNOWN: ReadonlySet<State> = new Set(['stale', 'unknown']);

export function isAside({ state }: Pick<Location, 'state'>): boolean {
  return ASIDE.has(state);
}

export function isUnknown({ state }: Pick<Location, 'state'>): boolean {
  return UNKNOWN.has(state);
}

/** In play and known: only such a location counts for impact and rollout. */
export function isKnown(location: Pick<Location, 'state'>): boolean {
  return !isAside(location) && !isUnknown(location);
}

/** The lowest number wanted within the last ten minutes: starting up is no sickness. */
export function shouldServe({ wants, wanted }: Pick<Location, 'wants' | 'wanted'>): number {
  return Math.min(wanted, ...(wants ?? []).map(([, count]) => count));
}

/** Too short in play, or its rollout goes on (design section 4.3). */
export function isYoung(location: Location, time: PollTime): boolean {
  const { enteredAt, movedAt, stopped } = location;
  const entered = enteredAt !== undefined && !lasted(time, enteredAt, 'young');
  const moves = movedAt !== undefined && !lasted(time, movedAt, 'young') && stopped !== 2;
  return entered || moves;
}

/** @param adopting the first poll of the location's GVC */
export function nextLocation(
  facts: Facts,
  before: Location | undefined,
  time: PollTime,
  adopting: boolean,
): Location {
  const known = before?.state === 'gone' ? undefined : before;
  const gvc = facts.entry?.gvc ?? 0;
  const same = known !== undefined && isSame(known, facts.expected, gvc) ? known : undefined;
  const past: Past = { known, same, time, adopting };
  const counts = countsOf(facts);
  const just = known === undefined ? [] : risen(counts, known.counts ?? []);
  const cause = explanationOf(facts, restartsCountFrom(facts, same, time), just);
  const wants = wantsOf(facts.wanted, known, time);
  const wasReady = same?.wasReady === true || (isAtRest(facts, adopting) && facts.fresh > 0);
  const entered = enteredOf(facts, past);
  const low = shouldServe({ wants, wanted: facts.wanted });
  const state = stateOf(facts, past, { cause, low, wasReady, enteredAt: entered?.at });
  if (UNKNOWN.has(state) && known !== undefined) return silent(known, state, time);
  // A location aside has not come into play.
  const kept = ASIDE.has(state) || UNKNOWN.has(state) ? sinceEntered(known) : entered;
  const restarts = restartsOf(known, just, time);
  const isFirstStep = kept?.at === time.now && entered?.at === time.now;
  const { have, fresh, wanted, others, ready, deploying } = facts;
  const lostAt = same?.state === 'ready' ? time.previousAt : undefined;
  const failedBefore = same?.state === 'failed' ? same.failed : undefined;
  const isOnTheWay = state === 'deploying' || state === 'pending';
  return compact(
    {
      state,
      since: known?.state === state && same !== undefined ? known.since : time.now,
      version: facts.expected,
      gvc: facts.entry?.gvc ?? same?.gvc ?? 0,
      have,
      fresh,
      wanted,
      wasReady: wasReady || state === 'ready',
      served: (adopting && state !== 'unknown') || have > 0 || ready || before?.served === true,
      cause: causeIn(state, facts, cause, same),
      others: others.length > 0 ? others : undefined,
      stopped: ready || deploying ? undefined : inRow(same?.stopped, time),
      failed: state === 'failed' ? inRow(failedBefore, time) : undefined,
      ...movementOf(facts, past, isFirstStep),
      enteredAt: kept?.at,
      servedSince: kept?.served,
      wants,
      fatalSince: isOnTheWay && isFatal(cause) ? begunAt(time, same?.fatalSince) : undefined,
      lostReadyAt: state === 'ready' ? undefined : (same?.lostReadyAt ?? lostAt),
      sick: known?.sick,
      apart: apartOf(facts, known, time),
      counts: counts.length > 0 ? counts : undefined,
      restarts,
      restart: restarts && (just.length > 0 ? cause : known?.restart),
      runs: runsOf(facts, known, time),
      silentSince: UNKNOWN.has(state) ? time.now : undefined,
      report: adopting && state === 'stale' ? { n: 0, at: time.now } : known?.report,
    },
    time,
  );
}

/** The memory of a location, and how the poll follows it. `same`: of the same version. */
interface Past {
  known: Location | undefined;
  same: Location | undefined;
  time: PollTime;
  adopting: boolean;
}

/** Found at the first poll with nothing under way. */
function isAtRest({ deploying, processed, expected }: Facts, adopting: boolean): boolean {
  return adopting && !deploying && processed >= expected;
}

/** The highest progress, and when it was reached. @param enters the location comes into play */
function movementOf(
  facts: Facts,
  { same, time, adopting }: Past,
  enters: boolean,
): { best: number; movedAt: number | undefined } {
  const progress = Math.min(facts.fresh, facts.wanted) + (facts.ready ? 1 : 0);
  const highest = same === undefined ? -1 : (same.best ?? progressAt(same));
  const best = Math.max(progress, highest);
  if (isAtRest(facts, adopting)) return { best, movedAt: undefined };
  const moves = progress > highest || enters;
  const runsOn = same?.movedAt === undefined ? undefined : begunAt(time, same.movedAt);
  return { best, movedAt: moves ? time.now : runsOn };
}

/** The facts of a location that does not report stay as they were. */
function silent(known: Location, state: State, time: PollTime): Location {
  const next: Location = {
    ...known,
    state,
    since: known.state === state ? known.since : time.now,
    silentSince: begunAt(time, known.state === state ? known.silentSince : undefined),
    missing: undefined,
    report: known.report && { ...known.report, backSince: undefined },
  };
  return compact(next, time);
}

function isSame(known: Location, version: number, gvc: number): boolean {
  return known.version === version && (gvc === 0 || known.gvc === 0 || known.gvc === gvc);
}

function progressAt({ fresh, wanted, state }: Location): number {
  return Math.min(fresh, wanted) + (state === 'ready' ? 1 : 0);
}

/** Counts polls in a row, up to two. @param count of those before; absent: none */
function inRow(count: 1 | 2 | undefined, { inRow }: PollTime): 1 | 2 {
  return inRow && count !== undefined ? 2 : 1;
}

interface Entered {
  at: number;
  served?: true | undefined;
}

function sinceEntered(known: Location | undefined): Entered | undefined {
  if (known?.enteredAt === undefined) return undefined;
  return { at: known.enteredAt, served: known.servedSince };
}

/** Since when a location has been in play, while that is not long. Renewed only if it has served in between. */
function enteredOf({ have }: Facts, { known, time, adopting }: Past): Entered | undefined {
  if (adopting) return undefined;
  const isNew = known === undefined || (isUnknown(known) && !known.served);
  const before = sinceEntered(known);
  const served = before?.served ?? (have > 0 ? true : undefined);
  const enters = isNew || isAside(known);
  if (enters && (before === undefined || before.served === true)) {
    return { at: time.now, served: have > 0 ? true : undefined };
  }
  if (before === undefined || lasted(time, before.at, 'young')) {
    return served === true || before === undefined ? undefined : before;
  }
  return { at: begunAt(time, before.at), served };
}

function wantsOf(wanted: number, known: Location | undefined, time: PollTime): Location['wants'] {
  if (known === undefined || !time.inRow) return undefined;
  const all = known.wants ?? [[0, known.wanted] as const];
  const grown = all.at(-1)?.[1] === wanted ? all : [...all, [time.now, wanted] as const];
  const from = time.now - span(time, 'window');
  // The last one that began before the window is still in it.
  const first = grown.findLastIndex(([at]) => at <= from);
  const kept = first > 0 ? grown.slice(first) : grown;
  return kept.length === 1 ? undefined : kept;
}

/** Restarts before this time explain nothing today. */
function restartsCountFrom(facts: Facts, same: Location | undefined, time: PollTime): number {
  const began = facts.entry?.created ?? same?.since ?? time.now;
  const lastReady = same?.state === 'ready' ? time.previousAt : (same?.lostReadyAt ?? 0);
  return Math.max(began, lastReady);
}

/** A real execution is listed, or was within a day and nothing serves here; or nothing but a schedule is known. */
function isCron(facts: Facts, known: Location | undefined, { now, previousAt }: PollTime): boolean {
  if (facts.executions.length > 0) return true;
  const ranAt = known?.runs === true ? previousAt : known?.runs;
  if (ranAt !== undefined && now - ranAt < DAY_MS && facts.have === 0) return true;
  const servedBefore = known?.served === true && known.state !== 'cron';
  return facts.listsExecutions && !facts.adHoc && facts.have === 0 && !servedBefore;
}

function runsOf(
  facts: Facts,
  known: Location | undefined,
  { now, previousAt }: PollTime,
): Location['runs'] {
  if (facts.executions.length > 0) return true;
  if (facts.have > 0) return undefined;
  if (known?.runs === true) return previousAt;
  return known?.runs !== undefined && now - known.runs < DAY_MS ? known.runs : undefined;
}

/** The first row of design section 4.2 that holds. */
function stateOf(
  facts: Facts,
  { known, time, adopting }: Past,
  { cause, low, wasReady, enteredAt }: StateInput,
): State {
  const { ready, message, entry, expected, processed, listed } = facts;
  if (!ready && /deactivated/i.test(message) && /suspend/i.test(message)) return 'suspended';
  if (message.startsWith('Status details are stale')) return 'stale';
  const isEmpty = !listed && !ready && !facts.deploying && !facts.stated;
  if (!facts.reported || (isEmpty && !facts.listsExecutions)) return 'unknown';
  if (isCron(facts, known, time)) return 'cron';
  if (isEmpty) return 'unknown';
  if (!ready && facts.wanted === 0) return 'idle';
  if (ready && (entry?.ready ?? !listed) && facts.fresh * 2 >= low) return 'ready';
  if (processed < expected && entry === undefined) return 'pending';
  if (facts.deploying || (listed && entry === undefined)) return 'deploying';
  const isYoung = enteredAt !== undefined && !lasted(time, enteredAt, 'young');
  if (isYoung && cause === '' && !adopting) return 'deploying';
  return wasReady ? 'unhealthy' : 'failed';
}

interface StateInput {
  cause: string;
  /** The lowest number wanted. */
  low: number;
  wasReady: boolean;
  enteredAt: number | undefined;
}

/** Between two restarts a crash loop has no new cause: the last one still holds. */
function causeIn(
  state: State,
  facts: Facts,
  cause: string,
  same: Location | undefined,
): string | undefined {
  if (state === 'failed' || state === 'unhealthy') return cause || same?.cause;
  if (state === 'deploying' || state === 'pending') return cause || undefined;
  // A ready version may say why its next restart will fail.
  return statusMessage(facts) || facts.entry?.messages.find(isFatal);
}

function apartOf(
  { expected, processed }: Facts,
  known: Location | undefined,
  time: PollTime,
): Location['apart'] {
  if (processed <= expected || expected === 0) return undefined;
  if (known?.apart?.isOld === true) return { ...known.apart, version: processed };
  const begun = begunAt(time, known?.apart?.since);
  const isOld = lasted(time, begun, 'diverged') ? true : undefined;
  return { version: processed, since: begun, isOld };
}

function restartsOf(
  known: Location | undefined,
  just: Counts,
  time: PollTime,
): Location['restarts'] {
  const by = just.reduce((sum, [, more]) => sum + more, 0);
  const from = time.now - span(time, 'crashLoop');
  const kept = (known?.restarts ?? []).filter(([at]) => at > from);
  const all = by > 0 ? [...kept, [time.now, by] as const] : kept;
  return all.length > 0 ? all : undefined;
}

/** Without the spans that are over, so that a location at rest is small and equal to itself. */
function compact(location: Location, time: PollTime): Location {
  const { state, movedAt, best } = location;
  const isMoving = movedAt !== undefined && !lasted(time, movedAt, 'young');
  const next: Location = {
    ...location,
    movedAt: state === 'ready' && !isMoving ? undefined : movedAt,
    best: best === progressAt(location) ? undefined : best,
  };
  // Built anew, for deleting would make each of ten thousand objects a slow one.
  const kept: Partial<Record<keyof Location, unknown>> = {};
  for (const name in next) {
    const value = next[name as keyof Location];
    if (value !== undefined) kept[name as keyof Location] = value;
  }
  return kept as unknown as Location;
}

/** A location that a complete list lacks: gone with the second one in a row. */
export function lackingLocation(
  known: Location,
  { now, inRow }: PollTime,
  certain: boolean,
): Location {
  if (known.state === 'gone') return known;
  if (!certain && !(known.missing === 1 && inRow)) return { ...known, missing: 1 };
  const { version, gvc, wanted, report, state } = known;
  // A location that left ill is news if it returns ill; any other one begins anew.
  const served = known.served && known.sick === true;
  const nothing = { have: 0, fresh: 0, wasReady: false, served };
  const gone: Location = { state: 'gone', since: now, version, gvc, wanted, ...nothing };
  // A loss that the platform has dropped is no return.
  if (report !== undefined) gone.report = report;
  if (isKnown(known) && state !== 'ready') gone.leftUnready = true;
  return gone;
}
