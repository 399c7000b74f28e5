import { fingerprint } from './fingerprint.ts';
import { outcomeRef, trackOf, workloadOf } from './gvc-step.ts';
import type { GvcStep } from './gvc-step.ts';
import { standingOf } from './classify.ts';
import type { RecordMemory } from './classify.ts';
import type { GvcGoneNews, GvcNews, GvcRow, OutcomeRef, Telling } from './telling.ts';
import { URGENCY } from './urgency.ts';

/** The last change of the GVC that rolled its workloads anew. Times in milliseconds since the epoch. */
export interface GvcRollout {
  /** Of the GVC. */
  version: number;
  startedAt: number;
  readyAt: number | null;
  /** Workloads under a lower GVC version are still waited for. */
  waiting: boolean;
  /** Null while it runs. */
  ending: GvcNews['ending'];
  /** Fingerprint of the card as it was last told. */
  print: string;
}

/** How long a workload that stays under a lower GVC version is waited for. */
const WAIT_MS = 10 * 60_000;
const OUT_OF_PLAY: ReadonlySet<GvcRow['state']> = new Set(['suspended', 'idle']);

/**
 * The rollout of the GVC itself: the same versions of its workloads under a higher version of the GVC
 * (design section 4, "Rollout card"; ADR 11, "GVC"). Pure. A version that is found at adoption is no news.
 */
export function stepGvcRollout(
  before: GvcRollout | undefined,
  step: GvcStep,
): { rollout: GvcRollout | undefined; news: GvcNews[] } {
  if (step.adopting) {
    // Its card is not followed any more, but its version is not told again.
    const ended = before && { ...before, ending: before.ending ?? ('gone' as const) };
    return { rollout: ended, news: [] };
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
    const { rollout, news } = follow(next, step, true);
    return { rollout, news: [...closing, ...news] };
  }
  return before?.ending === null ? follow(before, step, false) : { rollout: before, news: [] };
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

function superseded({ version, startedAt, readyAt }: GvcRollout, supersededBy: number): GvcNews {
  const told = { opens: false, tellsReady: false, rows: [] };
  return { kind: 'gvc', version, startedAt, readyAt, ...told, ending: 'superseded', supersededBy };
}

function follow(
  before: GvcRollout,
  step: GvcStep,
  opens: boolean,
): { rollout: GvcRollout; news: GvcNews[] } {
  const { version, startedAt } = before;
  const waiting = before.waiting && step.now - startedAt < WAIT_MS;
  if (!opens && step.changed.size === 0 && waiting === before.waiting) {
    return { rollout: before, news: [] };
  }
  const rows = rowsOf(step, version, waiting);
  const inPlay = rows.filter(({ state }) => !OUT_OF_PLAY.has(state));
  const ready = inPlay.length > 0 && inPlay.every(({ state }) => state === 'ready');
  const ending: GvcNews['ending'] = ready ? 'ready' : rows.length === 0 ? 'gone' : null;
  const print = fingerprint({ ending, rows });
  if (print === before.print) return { rollout: { ...before, waiting }, news: [] };
  const readyAt = ready ? step.now : null;
  const rollout = { ...before, readyAt, waiting, ending, print };
  const told = { version, opens, ending, startedAt, readyAt, tellsReady: ready, rows };
  return { rollout, news: [{ kind: 'gvc', ...told }] };
}

/** @param waiting whether records under a lower GVC version belong to it, too */
function rowsOf({ after }: GvcStep, gvc: number, waiting: boolean): GvcRow[] {
  const groups = new Map<string, GvcRow[]>();
  for (const [key, record] of Object.entries(after.records)) {
    if (record.cron || record.state === 'gone' || record.gvc === 0) continue;
    const reached = record.gvc >= gvc;
    if (!reached && !waiting) continue;
    const workload = workloadOf(key);
    groups.set(workload, [...(groups.get(workload) ?? []), rowOf(workload, record, reached)]);
  }
  return [...groups.values()].map(merged).sort((a, b) => (a.workload < b.workload ? -1 : 1));
}

function rowOf(workload: string, record: RecordMemory, reached: boolean): GvcRow {
  const { version, replicas } = record;
  const state = standingOf(record);
  const waits = !reached && !OUT_OF_PLAY.has(state);
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
  const inPlay = rows.filter(({ state }) => !OUT_OF_PLAY.has(state));
  const states = (inPlay.length > 0 ? inPlay : rows).map(({ state }) => state);
  const [worst] = states.sort((a, b) => URGENCY.indexOf(a) - URGENCY.indexOf(b));
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
 * needs a card of its own first is told by itself.
 */
export function standForReady(
  tellings: readonly Telling[],
  gvcNews: readonly GvcNews[],
  step: GvcStep,
): { told: readonly Telling[]; gvcNews: readonly GvcNews[] } {
  const ready = gvcNews.find(({ tellsReady }) => tellsReady);
  if (ready === undefined) return { told: tellings, gvcNews };
  const rolled = new Set(ready.rows.map(({ workload }) => workload));
  const covers: OutcomeRef[] = [];
  const told = tellings.map((telling) => {
    const { workload, version, outcome } = telling;
    if (outcome?.kind !== 'ready' || outcome.by !== undefined) return telling;
    const before = trackOf(step.before, workload);
    const hadCard = before?.told[`${version}/card`] !== undefined;
    // The first `ready` of a version is news of its own, whatever the GVC does meanwhile.
    const returns = hadCard && before.announced;
    if (!returns || !rolled.has(workload)) return telling;
    covers.push(outcomeRef(telling, outcome));
    return { ...telling, outcome: { ...outcome, byGvc: ready.version } };
  });
  if (covers.length === 0) return { told: tellings, gvcNews };
  return { told, gvcNews: gvcNews.map((one) => (one === ready ? { ...one, covers } : one)) };
}

/**
 * The end of a whole GVC: one message, which stands for the `gone` of the workloads that went last.
 * @param told the GVC version with which that was told before, 0 for never: its key is used up
 */
export function stepGvcGone(
  told: number,
  step: GvcStep,
): { told: number; news: GvcGoneNews[]; covered: ReadonlySet<Telling> } {
  const none = { told, news: [], covered: new Set<Telling>() };
  if (!step.lastGone || step.adopting) return none;
  const records = Object.values(step.after.records);
  const version = Math.max(...records.map(({ gvc }) => gvc));
  if (version <= told) return none;
  const covered = new Set<Telling>();
  const covers: OutcomeRef[] = [];
  for (const telling of step.tellings) {
    const { outcome } = telling;
    if (outcome?.kind !== 'gone' || !step.fresh.has(telling)) continue;
    covered.add(telling);
    covers.push(outcomeRef(telling, outcome));
  }
  const workloads = [...new Set(Object.keys(step.after.records).map(workloadOf))].sort();
  return { told: version, news: [{ kind: 'gvc-gone', version, workloads, covers }], covered };
}
