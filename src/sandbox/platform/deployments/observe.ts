import { executionsAt } from './cron.ts';
import { PROBE_FAILED, troubleAt, versionMessage } from './failures.ts';
import type { LocationRecord, Observation, ObservedVersion, Revision, Workload } from './model.ts';

const INITIALIZING = 'Replica(s) Initializing...';
const SUSPENDED = 'This location is deactivated because suspend is set to true.';

/** The first fifth of a rollout pulls images, the last fifth waits for DNS. */
const PULLED = 0.2;
const REPLICAS_UP = 0.8;
const FIRST_CRASH = 0.3;

/** Replicas that start without a rollout take this long, before `speed`. */
const WARM_UP_MS = 6_000;

/**
 * The report of a location at `now`, computed from the record alone: no timers, so that moving the
 * clock moves every rollout with it. Follows spec 2.12 and section 3.
 *
 * @param speed how much faster than real time replicas start
 */
export function observe(
  workload: Workload,
  record: LocationRecord,
  now: number,
  speed: number,
): Observation {
  const { revision, appliedAt, processedBefore } = record.rollout;
  const waiting = now < appliedAt;
  const base = {
    expected: revision.workload,
    processed: record.diverged
      ? revision.workload + 1
      : waiting
        ? processedBefore
        : revision.workload,
    ready: false,
    deploying: false,
    message: '',
    desiredScale: workload.type === 'cron' ? undefined : workload.replicas,
    versions: [],
    executions: workload.type === 'cron' ? executionsAt(workload, record, now) : undefined,
    scenario: 'rolling-out',
    at: now,
  } satisfies Observation;

  if (record.suspended) {
    const versions = [still(servingRevision(record, now) ?? revision)];
    const processed = record.heldVersion ?? base.processed;
    const asleep = { message: SUSPENDED, desiredScale: 0, scenario: 'suspended' };
    return { ...base, ...asleep, processed, versions };
  }
  const current = waiting ? record.serving : revision;
  if (current === undefined) return base;
  if (workload.type === 'cron') {
    const versions = [{ revision: current, ready: true, message: '', desiredScale: undefined }];
    return { ...base, ready: true, versions, scenario: 'steady' };
  }
  if (workload.replicas === 0) {
    const none = { total: 0, ready: 0 };
    const idle = { revision: current, ready: false, message: '', desiredScale: 0, replicas: none };
    return { ...base, versions: [idle], scenario: 'scaled-to-zero' };
  }
  const share = warmth(record, now, speed);
  if (waiting) {
    return { ...base, ...serve(workload, record, current, share), scenario: 'rolling-out' };
  }
  if (servingRevision(record, now) === revision) {
    const served = serve(workload, record, revision, share);
    if (isSick(record, now)) return { ...base, ...ailing(served) };
    return { ...base, ...served, ...(record.diverged ? { scenario: 'diverged' } : {}) };
  }
  return { ...base, ...roll(workload, record, now) };
}

/** The revision that serves at `now`; undefined while a first deployment is not up yet. */
export function servingRevision(record: LocationRecord, now: number): Revision | undefined {
  const { revision, outcome, appliedAt, spanMs } = record.rollout;
  return outcome === 'ready' && now >= appliedAt + spanMs ? revision : record.serving;
}

/** A version that stands still: nothing is known of its replicas. */
function still(revision: Revision): ObservedVersion {
  return { revision, ready: false, message: '', desiredScale: 0, replicas: 'unknown' };
}

/** One version serves; after a scale-up or a resume its replicas come one after the other. */
function serve(workload: Workload, record: LocationRecord, revision: Revision, share: number) {
  const total = workload.replicas;
  const from = Math.min(record.warmUp?.from ?? total, total);
  const up = from + Math.floor((total - from) * share);
  const version: ObservedVersion = {
    revision,
    ready: up > 0,
    message: up < total ? INITIALIZING : '',
    desiredScale: total,
    replicas: { total, ready: up },
  };
  return { ready: up > 0, versions: [version], scenario: up < total ? 'starting' : 'steady' };
}

function isSick({ sickness }: LocationRecord, now: number): boolean {
  if (sickness === undefined) return false;
  const { from, times, eachMs } = sickness;
  const turn = Math.floor((now - from) / eachMs);
  return turn % 2 === 0 && turn < 2 * times;
}

/** The version that served a moment ago runs, but does not answer. */
function ailing({ versions }: { versions: readonly ObservedVersion[] }) {
  return {
    versions: versions.map(({ replicas, ...version }) => ({
      ...version,
      ready: false,
      trouble: PROBE_FAILED,
      ...(typeof replicas === 'object' && { replicas: { ...replicas, ready: 0 } }),
    })),
    scenario: 'not-ready',
  };
}

/** How far a start without a rollout has come, 0 to 1. */
function warmth({ warmUp }: LocationRecord, now: number, speed: number): number {
  return warmUp === undefined ? 1 : Math.min(1, ((now - warmUp.at) * speed) / WARM_UP_MS);
}

/** Two versions side by side: the new one comes up or fails, the outgoing one goes on serving. */
function roll(workload: Workload, record: LocationRecord, now: number) {
  const { outcome, appliedAt, spanMs } = record.rollout;
  const { serving } = record;
  const progress = (now - appliedAt) / spanMs;
  const hollow = outcome === 'ready-at-none' && progress >= PULLED;
  const deploying = !hollow && (outcome === 'hang' || outcome.startsWith('held-') || progress < 1);
  const incoming = comingUp(workload, record, now);
  const up = typeof incoming.replicas === 'object' ? incoming.replicas.ready : 0;
  const versions: ObservedVersion[] = [incoming];
  if (serving !== undefined) {
    const left = Math.max(batchOf(workload), workload.replicas - up);
    const replicas = { total: left, ready: left };
    versions.push({ revision: serving, ready: true, message: '', desiredScale: left, replicas });
  }
  // Some locations still say "ready" of the outgoing version (platform notes).
  const outgoing = deploying && serving !== undefined && record.index % 2 === 0 && progress < 0.5;
  const message =
    outcome === 'image-pull' && !deploying ? 'One or more images could not be pulled.' : '';
  return {
    ready: hollow || outgoing,
    deploying,
    message,
    versions,
    scenario: outcome === 'ready' ? 'rolling-out' : outcome,
  };
}

function comingUp(workload: Workload, record: LocationRecord, now: number): ObservedVersion {
  const { revision, outcome, appliedAt, spanMs } = record.rollout;
  const total = workload.replicas;
  const batch = batchOf(workload);
  const base = { revision, ready: false, desiredScale: total };
  const progress = (now - appliedAt) / spanMs;

  if (outcome === 'ready') {
    const batches = Math.ceil(total / batch);
    const share = (progress - PULLED) / (REPLICAS_UP - PULLED);
    const up =
      progress >= REPLICAS_UP
        ? total
        : Math.max(0, Math.min(total, batch * Math.floor(share * batches)));
    const replicas = { total: Math.min(total, up + batch), ready: up };
    return { ...base, message: up < total ? INITIALIZING : 'Waiting for DNS...', replicas };
  }
  if (outcome === 'missing-secret' || outcome === 'held-secret' || outcome === 'held-quota') {
    return {
      revision,
      ready: false,
      desiredScale: undefined,
      message: versionMessage(workload, outcome),
    };
  }
  const started = outcome === 'probe' ? Math.min(total, batch + 1) : batch;
  const replicas = { total: started, ready: outcome === 'probe' ? started - 1 : 0 };
  const crashedAt = appliedAt + FIRST_CRASH * spanMs;
  const trouble = troubleAt(workload, revision.workload, outcome, crashedAt, spanMs / 5, now);
  const ready = outcome === 'ready-at-none' && progress >= PULLED;
  const message = trouble === undefined ? INITIALIZING : '';
  return { ...base, ready, message, replicas, trouble };
}

/** Replicas added at once: a quarter, the usual surge; stateful ones go one by one. */
function batchOf(workload: Workload): number {
  return workload.type === 'stateful' ? 1 : Math.ceil(workload.replicas / 4);
}
