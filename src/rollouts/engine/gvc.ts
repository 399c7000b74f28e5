import { effectiveState, type RecordMemory } from './classify.ts';
import { impactOf } from './impact.ts';
import { stepIncidents, type Incidents } from './location-incident.ts';
import {
  fingerprint,
  outcomeRef,
  type GvcGoneNotice,
  type GvcNotice,
  type GvcRow,
  type GvcStep,
  type Notice,
  type OutcomeRef,
  type RolloutNotice,
} from './notices.ts';
import { byLocation, locationOf, rolloutOf, rowsOf, workloadOf } from './rollout.ts';
import { stateIs, URGENCY } from './states.ts';

/**
 * What is remembered of a GVC beyond its workloads: the rollout of the GVC itself, and its locations in
 * trouble. Plain JSON; undefined parts are left out.
 */
export interface GvcLevelState {
  gvc?: GvcRollout;
  /** The GVC version with which the end of the whole GVC was told. */
  gone?: number;
  incidents?: Incidents;
}

interface GvcLevelStep {
  gvcLevel: GvcLevelState | undefined;
  rolloutNotices: RolloutNotice[];
  notices: Notice[];
  /** Workloads of which locations tell everything that this poll brings. */
  toldWhole: ReadonlySet<string>;
}

/** What one poll means for the GVC as a whole, and for what is told of its workloads. Pure. */
export function stepGvcLevel(before: GvcLevelState | undefined, step: GvcStep): GvcLevelStep {
  const { incidents, rolloutNotices, notices, toldWhole } = stepIncidents(before?.incidents, step);
  const { rollout, notices: gvcNotices } = stepGvcRollout(before?.gvc, step);
  const { told, gvcNotices: standing } = standForReady(rolloutNotices, gvcNotices, step);
  const gone = stepGvcGone(before?.gone ?? -1, step);
  return {
    gvcLevel: nextGvcLevel(before, { incidents, gvc: rollout, gone: gone.told }),
    rolloutNotices: told.filter(
      (_, index) => !gone.covered.has(step.rolloutNotices[index] as RolloutNotice),
    ),
    notices: [...notices, ...standing, ...gone.notices],
    toldWhole,
  };
}

interface Parts {
  incidents: Incidents | undefined;
  gvc: GvcRollout | undefined;
  gone: number;
}

function nextGvcLevel(before: GvcLevelState | undefined, parts: Parts): GvcLevelState | undefined {
  const { incidents, gvc, gone } = parts;
  const same =
    incidents === before?.incidents && gvc === before?.gvc && gone === (before?.gone ?? -1);
  if (same) return before;
  return {
    ...(gvc === undefined ? {} : { gvc }),
    ...(gone < 0 ? {} : { gone }),
    ...(incidents === undefined ? {} : { incidents }),
  };
}

/** The last change of the GVC that rolled its workloads again. Times in milliseconds since the epoch. */
export interface GvcRollout {
  /** Of the GVC. */
  version: number;
  startedAt: number;
  readyAt: number | null;
  /** Workloads under a lower GVC version are still waited for. */
  waiting: boolean;
  /** Null while it runs. */
  ending: GvcNotice['ending'];
  /** Fingerprint of the card as it was last told. */
  print: string;
}

/** How long a workload that stays under a lower GVC version is waited for. */
const WAIT_MS = 10 * 60_000;

/**
 * The rollout of the GVC itself: the same versions of its workloads under a higher version of the GVC
 * (design section 4, "Rollout card"; ADR 11, "GVC"). Pure. A version that is found at adoption is no news.
 */
function stepGvcRollout(
  before: GvcRollout | undefined,
  step: GvcStep,
): { rollout: GvcRollout | undefined; notices: GvcNotice[] } {
  if (step.adopting) {
    // Its card is not followed any more, but its version is not told again.
    const ended = before && { ...before, ending: before.ending ?? ('gone' as const) };
    return { rollout: ended, notices: [] };
  }
  const version = rerolledTo(step);
  if (version > (before?.version ?? 0)) {
    const next = {
      version,
      startedAt: step.now,
      readyAt: null,
      waiting: true,
      ending: null,
      print: '',
    };
    const closing = before?.ending === null ? [superseded(before, version)] : [];
    const { rollout, notices } = follow(next, step, true);
    return { rollout, notices: [...closing, ...notices] };
  }
  return before?.ending === null ? follow(before, step, false) : { rollout: before, notices: [] };
}

/** The highest GVC version under which a record came to be that had the same version before; 0 for none. */
function rerolledTo({ before, after, changed }: GvcStep): number {
  let highest = 0;
  for (const key of changed) {
    const was = before.records[key];
    const is = after.records[key];
    if (was === undefined || is === undefined || is.cron || is.state === 'gone') continue;
    const same = was.version === is.version && is.version !== 0;
    if (same && was.gvc !== 0 && is.gvc > was.gvc) highest = Math.max(highest, is.gvc);
  }
  return highest;
}

function superseded({ version, startedAt, readyAt }: GvcRollout, supersededBy: number): GvcNotice {
  const told = { opens: false, tellsReady: false, rows: [] };
  return { kind: 'gvc', version, startedAt, readyAt, ...told, ending: 'superseded', supersededBy };
}

function follow(
  before: GvcRollout,
  step: GvcStep,
  opens: boolean,
): { rollout: GvcRollout; notices: GvcNotice[] } {
  const { version, startedAt } = before;
  const waiting = before.waiting && step.now - startedAt < WAIT_MS;
  if (!opens && step.changed.size === 0 && waiting === before.waiting) {
    return { rollout: before, notices: [] };
  }
  const rows = gvcRowsOf(step, version, waiting);
  const inPlay = rows.filter(({ state }) => !stateIs(state, 'aside'));
  const ready = inPlay.length > 0 && inPlay.every(({ state }) => state === 'ready');
  const ending: GvcNotice['ending'] = ready ? 'ready' : rows.length === 0 ? 'gone' : null;
  const print = fingerprint({ ending, rows });
  if (print === before.print) return { rollout: { ...before, waiting }, notices: [] };
  const readyAt = ready ? step.now : null;
  const rollout = { ...before, readyAt, waiting, ending, print };
  const told = { version, opens, ending, startedAt, readyAt, tellsReady: ready, rows };
  return { rollout, notices: [{ kind: 'gvc', ...told }] };
}

/** @param waiting whether records under a lower GVC version belong to it, too */
function gvcRowsOf({ after }: GvcStep, gvc: number, waiting: boolean): GvcRow[] {
  const groups = new Map<string, { rows: GvcRow[]; records: [string, RecordMemory][] }>();
  for (const [key, record] of Object.entries(after.records)) {
    if (record.cron || record.state === 'gone' || record.gvc === 0) continue;
    const reached = record.gvc >= gvc;
    if (!reached && !waiting) continue;
    const workload = workloadOf(key);
    const group = groups.get(workload) ?? { rows: [], records: [] };
    group.rows.push(gvcRowOf(workload, record, reached));
    group.records.push([locationOf(key), record]);
    groups.set(workload, group);
  }
  return [...groups.values()]
    .map(({ rows, records }) => {
      const row = merged(rows);
      const { on } = impactOf(rowsOf(byLocation(records), row.version));
      return on === 'hurt' ? { ...row, hurt: true as const } : row;
    })
    .sort((a, b) => (a.workload < b.workload ? -1 : 1));
}

function gvcRowOf(workload: string, record: RecordMemory, reached: boolean): GvcRow {
  const { version, replicas } = record;
  const state = effectiveState(record);
  const waits = !reached && !stateIs(state, 'aside');
  return {
    workload,
    version,
    state: waits ? 'waiting' : state,
    // What serves under the version before is not what is asked for.
    ready: reached ? replicas.ready : 0,
    wanted: replicas.wanted,
  };
}

/** One row of several locations: the worst state of those in play. */
function merged(rows: GvcRow[]): GvcRow {
  const inPlay = rows.filter(({ state }) => !stateIs(state, 'aside'));
  const states = (inPlay.length > 0 ? inPlay : rows).map(({ state }) => state);
  const worst = URGENCY.find((state) => states.includes(state));
  return {
    ...(rows[0] as GvcRow),
    version: Math.max(...rows.map(({ version }) => version)),
    ...(worst === undefined ? {} : { state: worst }),
    ready: rows.reduce((sum, { ready }) => sum + ready, 0),
    wanted: rows.reduce((sum, { wanted }) => sum + wanted, 0),
  };
}

/**
 * Lets the GVC's `ready` stand for that of the workloads whose trouble ended in the same poll. What
 * needs a card of its own first has its own message.
 */
function standForReady(
  rolloutNotices: readonly RolloutNotice[],
  gvcNotices: readonly GvcNotice[],
  step: GvcStep,
): { told: readonly RolloutNotice[]; gvcNotices: readonly GvcNotice[] } {
  const ready = gvcNotices.find(({ tellsReady }) => tellsReady);
  if (ready === undefined) return { told: rolloutNotices, gvcNotices };
  const rolled = new Set(ready.rows.map(({ workload }) => workload));
  const covers: OutcomeRef[] = [];
  const told = rolloutNotices.map((notice) => {
    const { workload, version, outcome } = notice;
    if (outcome?.kind !== 'ready' || outcome.by !== undefined) return notice;
    const before = rolloutOf(step.before, workload);
    const hadCard = before?.told[`${version}/card`] !== undefined;
    // The first `ready` of a version is news of its own, whatever the GVC does meanwhile.
    const returns = hadCard && before.announced;
    if (!returns || !rolled.has(workload)) return notice;
    covers.push(outcomeRef(notice, outcome));
    return { ...notice, outcome: { ...outcome, byGvc: ready.version } };
  });
  if (covers.length === 0) return { told: rolloutNotices, gvcNotices };
  return { told, gvcNotices: gvcNotices.map((one) => (one === ready ? { ...one, covers } : one)) };
}

/**
 * The end of a whole GVC: one message, which stands for the `gone` of the workloads that went last.
 * @param told the GVC version with which that was told before, 0 for never: its key is used up
 */
function stepGvcGone(
  told: number,
  step: GvcStep,
): { told: number; notices: GvcGoneNotice[]; covered: ReadonlySet<RolloutNotice> } {
  const none = { told, notices: [], covered: new Set<RolloutNotice>() };
  if (!step.lastGone || step.adopting) return none;
  const records = Object.values(step.after.records);
  const version = Math.max(...records.map(({ gvc }) => gvc));
  if (version <= told) return none;
  const covered = new Set<RolloutNotice>();
  const covers: OutcomeRef[] = [];
  for (const notice of step.rolloutNotices) {
    const { outcome } = notice;
    if (outcome?.kind !== 'gone' || !step.fresh.has(notice)) continue;
    covered.add(notice);
    covers.push(outcomeRef(notice, outcome));
  }
  const workloads = [...new Set(Object.keys(step.after.records).map(workloadOf))].sort();
  return { told: version, notices: [{ kind: 'gvc-gone', version, workloads, covers }], covered };
}
