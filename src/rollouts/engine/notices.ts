import { createHash } from 'node:crypto';
import { THREAD_ONLY, type OutcomeKind, type RecordState, type TroubleState } from './states.ts';
import {
  cardNumber,
  hasCard,
  nextNumber,
  type GvcRollouts,
  type Outcome,
  type RolloutState,
  type RolloutStep,
  type Row,
} from './rollout.ts';

/** A card or an outcome of one workload's rollout; which channels hear it is the watches' matter. */
export interface RolloutNotice {
  workload: string;
  version: number;
  /** Number of the card (from 1), which is also the thread of an outcome. */
  card: number;
  /** Absent for the card itself. */
  outcome?: {
    kind: OutcomeKind;
    n: number;
    locations: string[];
    /** Outcomes that this one stands for: those of a workload that flaps. */
    covers?: OutcomeRef[];
    /** Flapping has ended, and so it settled. */
    settled?: RecordState;
    /** Of an outcome of the thread: it is shown in the channel, too. */
    broadcast?: true;
    /** The message about a location that tells this one in channels that hear of the location. */
    by?: LocationRef;
    /** The version of the GVC whose `ready` tells this one in channels that hear it. */
    byGvc?: number;
    /** Of a return: when the ready condition was lost, in milliseconds since the epoch. */
    since?: number;
  };
  /** A card that opens may be posted; any other is only an edit of one that is there. */
  opens: boolean;
  /** The card opens only for outcomes that a location's message tells where that is heard. */
  opensFor?: LocationRef;
  rollout: RolloutState;
  /** Empty for a card that another one follows. */
  rows: Row[];
  supersededBy?: number;
}

/** One outcome of one rollout: what its key is made of (design section 4). */
export interface OutcomeRef {
  workload: string;
  version: number;
  kind: OutcomeKind;
  n: number;
}

/** One message about a location: what its key is made of. `n` counts from 1 and is always written. */
export interface LocationRef {
  location: string;
  state: TroubleState | 'recovered';
  n: number;
}

/** What is told beyond one workload's rollout. */
export type Notice = GvcNotice | GvcGoneNotice | LocationNotice | JobNotice;

/** One change of the GVC that rolls its workloads again: its card, and `ready` once. */
export interface GvcNotice {
  kind: 'gvc';
  /** Of the GVC. */
  version: number;
  opens: boolean;
  ending: 'ready' | 'superseded' | 'gone' | null;
  supersededBy?: number;
  /** Milliseconds since the epoch. */
  startedAt: number;
  readyAt: number | null;
  /** Tells `ready`, in the card's thread. */
  tellsReady: boolean;
  /** What `ready` stands for: that of workloads which had trouble of their own. */
  covers?: OutcomeRef[];
  rows: GvcRow[];
}

/** A workload of a GVC's card; replicas over all its locations. */
export interface GvcRow {
  workload: string;
  version: number;
  state: Row['state'];
  ready: number;
  wanted: number;
  /** Fewer than half of its replicas serve, of whatever version. */
  hurt?: true;
}

export interface GvcGoneNotice {
  kind: 'gvc-gone';
  version: number;
  workloads: string[];
  covers: OutcomeRef[];
}

/** A location in trouble: its message, and what is told below it in this poll. */
export interface LocationNotice {
  kind: 'location';
  /** The message at the top. */
  ref: LocationRef;
  /** Else it is only edited. */
  opens: boolean;
  /** Milliseconds since the epoch. `closedAt` null: still open. */
  since: number;
  closedAt: number | null;
  /** The workloads that opened it: who watches five of them hears of the location. */
  openedBy: string[];
  /** Every workload that was in trouble here since. */
  rows: LocationRow[];
  /** What the message itself stands for; of no matter when it does not open. */
  covers: OutcomeRef[];
  replies: LocationReply[];
}

export interface LocationRow {
  workload: string;
  version: number;
  state: Row['state'];
  cause: string;
  /**
   * Of what is in trouble, over all locations: at least half of the wanted replicas serve, fewer, or none.
   * Absent: that is not known.
   */
  serves?: 'enough' | 'little' | 'nothing';
}

export interface LocationReply {
  ref: LocationRef;
  /** `later`: more workloads; `elsewhere`: workloads that are in trouble at another location, too; `back`: returns. */
  what: 'later' | 'elsewhere' | 'back';
  workloads: string[];
  /** The location of `elsewhere`. */
  location?: string;
  /** Nothing is in trouble any more, so that the reply is shown in the channel. */
  closes: boolean;
  covers: OutcomeRef[];
}

/** An execution of a cron workload that ended badly. Times in milliseconds since the epoch. */
export interface JobNotice {
  kind: 'job';
  workload: string;
  location: string;
  execution: string;
  status: string;
  message: string;
  startTime: number | undefined;
  completionTime: number | undefined;
}

/** What one poll came to for the single workloads, for what looks at all of them together. */
export interface GvcStep {
  before: GvcRollouts;
  after: GvcRollouts;
  /** Keys of the records that changed, came or were forgotten. */
  changed: ReadonlySet<string>;
  /** Keys of those that are adopted in this poll, because the first one could not read them. */
  found: ReadonlySet<string>;
  rolloutNotices: readonly RolloutNotice[];
  /** Those of the notices that tell an outcome for the first time. */
  fresh: ReadonlySet<RolloutNotice>;
  /** Workloads whose card opens by itself, not because an outcome needs it. */
  opened: ReadonlySet<string>;
  /** In this poll the last record of the GVC went. */
  lastGone: boolean;
  /** The first poll of the GVC: everything is taken as known. */
  adopting: boolean;
  /** Milliseconds since the epoch. */
  now: number;
}

export interface Collected {
  rolloutNotices: RolloutNotice[];
  fresh: Set<RolloutNotice>;
  opened: Set<string>;
}

/** Adds what a step tells. @returns the rollout as it is to be remembered */
export function collect(
  told: Collected,
  workload: string,
  old: RolloutState | undefined,
  step: RolloutStep,
): RolloutState {
  const { rows, closed } = step;
  if (closed !== undefined)
    told.rolloutNotices.push(lastEdit(workload, closed, step.rollout.version));
  const opens = step.opened || step.outcomes.some(({ kind }) => !THREAD_ONLY.has(kind));
  const print = fingerprint(step.rollout.ending ?? rows);
  // A step that changed nothing gives the very rollout that was there: it must stay as it is.
  const rollout = withPrint(step.rollout, print, step.opened || (opens && !hasCard(step.rollout)));
  const base = { workload, version: rollout.version, card: cardNumber(rollout), rollout, rows };
  // What was found under way has no print yet: it is known, and nothing is told.
  const changed = step.rollout.print !== '' && step.rollout.print !== print;
  if (opens || changed) told.rolloutNotices.push({ ...base, opens });
  if (step.opened) told.opened.add(workload);
  for (const outcome of step.outcomes) {
    const notice = {
      ...base,
      outcome: noticeOutcome(base, outcome),
      opens: !THREAD_ONLY.has(outcome.kind),
    };
    told.rolloutNotices.push(notice);
    const before = old?.told[`${rollout.version}/${outcome.kind}`] ?? 0;
    if (outcome.n > before) told.fresh.add(notice);
  }
  return rollout;
}

/** Of what a message shows: the same shown again is no edit. */
export function fingerprint(shown: unknown): string {
  return createHash('sha1').update(JSON.stringify(shown)).digest('base64').slice(0, 12);
}

export function outcomeRef(
  { workload, version }: RolloutNotice,
  { kind, n }: NonNullable<RolloutNotice['outcome']>,
): OutcomeRef {
  return { workload, version, kind, n };
}

function noticeOutcome(
  { workload, version }: Pick<RolloutNotice, 'workload' | 'version'>,
  { covers, ...outcome }: Outcome,
): NonNullable<RolloutNotice['outcome']> {
  if (covers === undefined) return outcome;
  return { ...outcome, covers: covers.map((one) => ({ workload, version, ...one })) };
}

/** Of a card that is open while its rollout is over. */
function lastEdit(workload: string, closed: RolloutState, next: number): RolloutNotice {
  return {
    workload,
    version: closed.version,
    card: cardNumber(closed),
    opens: false,
    rollout: closed,
    rows: [],
    ...(closed.ending === 'superseded' ? { supersededBy: next } : {}),
  };
}

function withPrint(rollout: RolloutState, print: string, newCard: boolean): RolloutState {
  if (rollout.print === print && !newCard) return rollout;
  const copy = { ...rollout, print, told: { ...rollout.told } };
  if (newCard) nextNumber(copy, 'card');
  return copy;
}
