import type { Row } from './rollout.ts';
import { stateIs } from './states.ts';

/** What a workload's state means for the people whom it serves. */
export interface Impact {
  /**
   * `hurt`: fewer than half of the wanted replicas are ready. `served`: at least half are. `unknown`: no
   * location reports. `new`: nothing of it was seen to serve before, so that nobody misses it. `none`:
   * nothing is meant to serve.
   */
  on: 'hurt' | 'served' | 'unknown' | 'new' | 'none';
  /** Ready replicas of every version, over the locations that report and served before. */
  ready: number;
  wanted: number;
  /** As many as wanted are ready at each of these locations. */
  full: boolean;
  /** All ready replicas are of this version; absent where they are of several, or none is ready. */
  by?: number;
  /** Replicas that each of several locations wants, where all want as many. */
  each?: number;
}

type Counted = Pick<
  Row,
  'state' | 'own' | 'replicas' | 'outgoing' | 'readyBeside' | 'served' | 'wantsNone' | 'spec'
>;

/**
 * Whether users are hurt now (docs/style.md, "Signs"): counted in replicas of every version, over the
 * locations that are in play. A location that does not report counts for nothing, and one that never
 * served is no loss. More replicas than wanted at one location do not serve for another. Pure.
 */
export function impactOf(rows: readonly Counted[]): Impact {
  const nothing = { ready: 0, wanted: 0, full: false };
  // A location to which the change has not come is judged by what it is in by itself.
  const inPlay = rows
    .map((row) => ({ ...row, state: row.own ?? row.state }))
    .filter((row) => !stateIs(row.state, 'aside') && !isMeantToRest(row));
  if (inPlay.length === 0) return { on: 'none', ...nothing };
  const known = inPlay.filter(isKnown);
  if (known.length === 0) return { on: 'unknown', ...nothing };
  const counted = known.filter(({ served }) => served === true);
  if (counted.length === 0) return { on: 'new', ...nothing };
  const most = Math.max(1, ...counted.map(wantedAt));
  const shares = counted.map((row) => shareOf(row, most));
  const [ready, wanted] = [
    sum(shares.map((one) => one.ready)),
    sum(shares.map((one) => one.wanted)),
  ];
  const versions = new Set(counted.flatMap(versionsReadyAt));
  const [by] = versions;
  const [each, ...others] = new Set(shares.map((one) => one.wanted));
  const alike = shares.length > 1 && others.length === 0;
  return {
    on: ready * 2 < wanted ? 'hurt' : 'served',
    ready,
    wanted,
    full: shares.every((one) => one.ready >= one.wanted),
    ...(versions.size === 1 && by !== undefined ? { by } : {}),
    ...(alike && each !== undefined ? { each } : {}),
  };
}

function isMeantToRest(row: Counted): boolean {
  return row.wantsNone === true && row.state !== 'ready' && readyAt(row) === 0;
}

/** Of what is on its way and lists neither a ready replica nor the version itself nothing is known. */
function isKnown(row: Counted): boolean {
  if (stateIs(row.state, 'unreported')) return false;
  const mayServe = stateIs(row.state, 'onTheWay') || row.state === 'diverged';
  return !mayServe || readyAt(row) > 0 || (row.spec !== undefined && row.state !== 'diverged');
}

/** @param most replicas that any location wants: as many count for one that does not say how many */
function shareOf(row: Counted, most: number): { ready: number; wanted: number } {
  const [ready, wanted] = [readyAt(row), wantedAt(row)];
  // What is ready and states no replica does not say how many there are.
  if (row.state === 'ready' && ready === 0)
    return { ready: wanted || most, wanted: wanted || most };
  if (wanted === 0) return { ready, wanted: Math.max(ready, most) };
  return { ready: Math.min(ready, wanted), wanted };
}

function readyAt({ replicas, outgoing, readyBeside = 0 }: Counted): number {
  return replicas.ready + (outgoing?.ready ?? 0) + readyBeside;
}

function wantedAt({ replicas, outgoing }: Counted): number {
  return replicas.wanted > 0 ? replicas.wanted : (outgoing?.wanted ?? 0);
}

function versionsReadyAt({ state, replicas, outgoing, readyBeside = 0 }: Counted): number[] {
  const own = replicas.ready > 0 || (state === 'ready' && outgoing === null);
  return [
    ...(own ? [replicas.version] : []),
    ...(outgoing !== null && outgoing.ready > 0 ? [outgoing.version] : []),
    // Of further versions it is only known that there are some.
    ...(readyBeside > 0 ? [0, -1] : []),
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
