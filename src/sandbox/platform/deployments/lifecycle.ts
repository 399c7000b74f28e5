import type { Gvc, LocationRecord, Outcome, Rollout, Workload, WorkloadType } from './model.ts';
import { servingRevision } from './observe.ts';
import { createRecord } from './record.ts';

/** Locations follow one another over this share of a rollout; each takes `OWN_SHARE` of that. */
const FIRST_STEP = 0.05;
const STAGGER = 0.4;
const OWN_SHARE = 0.55;
/** A missing secret is found at once, not after replicas were tried. */
const SECRET_SHARE = 0.15;

/** Lets one location begin to roll to the versions that the workload and its GVC have now. */
export function startRollout(order: {
  gvc: Gvc;
  workload: Workload;
  record: LocationRecord;
  outcome: Outcome;
  now: number;
  spanMs: number;
}): void {
  const { gvc, workload, record, outcome, now, spanMs } = order;
  if (record.suspended) {
    record.heldVersion = workload.version;
    return;
  }
  record.serving = servingRevision(record, now);
  const processedBefore = record.heldVersion ?? processedAt(record, now);
  record.heldVersion = undefined;
  record.sickness = undefined;
  record.diverged = false;
  record.rollout = planRollout({
    outcome,
    processedBefore,
    now,
    spanMs,
    workload: workload.version,
    gvc: gvc.version,
    index: record.index,
    locations: gvc.locations.length,
  });
}

/** The record of a workload that is being created: it reports shortly before the version is applied. */
export function newRecord(order: {
  gvc: Gvc;
  location: string;
  index: number;
  outcome: Outcome;
  now: number;
  spanMs: number;
}): LocationRecord {
  const { gvc, location, index, outcome, now, spanMs } = order;
  const place = { workload: 1, gvc: gvc.version, index, locations: gvc.locations.length };
  const rollout = planRollout({ ...place, outcome, processedBefore: 0, now, spanMs });
  const reportsFrom = (now + rollout.appliedAt) / 2;
  return createRecord({ location, index, reportsFrom, rollout });
}

export function newWorkload(name: string, type: WorkloadType, replicas: number): Workload {
  return {
    name,
    type,
    replicas,
    containers: [{ name, image: `registry.example.com/${name}`, cpu: 100, memory: 128 }],
    multiZone: false,
    debug: [],
    wire: { versions: 'integer', links: 'relative', lean: false },
    records: new Map(),
    version: 1,
  };
}

function planRollout(order: {
  workload: number;
  gvc: number;
  outcome: Outcome;
  processedBefore: number;
  index: number;
  locations: number;
  now: number;
  spanMs: number;
}): Rollout {
  const { workload, gvc, outcome, processedBefore, index, locations, now, spanMs } = order;
  const gap = locations > 1 ? STAGGER / (locations - 1) : 0;
  const appliedAt = outcome === 'lag' ? Infinity : now + (FIRST_STEP + gap * index) * spanMs;
  const share = outcome === 'missing-secret' ? SECRET_SHARE : OWN_SHARE;
  return {
    revision: { workload, gvc, createdAt: Number.isFinite(appliedAt) ? appliedAt : now },
    outcome,
    processedBefore,
    appliedAt,
    spanMs: share * spanMs,
  };
}

function processedAt(record: LocationRecord, now: number): number {
  const { appliedAt, processedBefore, revision } = record.rollout;
  return now < appliedAt ? processedBefore : revision.workload;
}
