import type { RecordState } from './classify.ts';
import type { OutcomeKind, Row, Track } from './track.ts';

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

/** States of a record that call people. */
export const TROUBLE = ['failed', 'unhealthy', 'stale'] as const;
export type TroubleState = (typeof TROUBLE)[number];

/** A card or an outcome of one workload's rollout; which channels hear it is the watches' matter. */
export interface Telling {
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
    loud?: true;
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
  track: Track;
  /** Empty for a card that another one follows. */
  rows: Row[];
  supersededBy?: number;
}

/** What is told beyond one workload's rollout. */
export type News = GvcNews | GvcGoneNews | LocationNews | JobNews;

/** One change of the GVC that rolls its workloads anew: its card, and `ready` once. */
export interface GvcNews {
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
}

export interface GvcGoneNews {
  kind: 'gvc-gone';
  version: number;
  workloads: string[];
  covers: OutcomeRef[];
}

/** A location in trouble: its message, and what is told below it in this poll. */
export interface LocationNews {
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
  /** Of what is in trouble: it has ready replicas at another location, or none at all. Absent: neither is known. */
  serves?: 'elsewhere' | 'nowhere';
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
export interface JobNews {
  kind: 'job';
  workload: string;
  location: string;
  execution: string;
  status: string;
  message: string;
  startTime: number | undefined;
  completionTime: number | undefined;
}
