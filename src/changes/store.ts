import type { Change, ChangeState } from './change.ts';
import type { ChangeEvent } from './states.ts';

/** What is kept beside a change, in the same step as its move. */
export interface Beside {
  /** Puts the sealed secret by, or takes it away. `forMs` in milliseconds. */
  secret?: { readonly sealed: string; readonly forMs: number } | 'drop';
}

/** What happened to a change, as the audit has it: only ever added, never altered. */
export interface AuditEntry {
  /** Of the stream; rises. */
  readonly entry: string;
  /** Ms since the epoch. */
  readonly at: number;
  readonly change: string;
  readonly event: string;
  /** The state after it. */
  readonly state: ChangeState;
  /** Slack id; absent when nobody did it. */
  readonly by?: string;
  /** Everything else that was worth keeping; no secret. */
  readonly [detail: string]: unknown;
}

/** The requests for changes, in Redis (design section 8). Each move is a compare-and-swap. */
export interface Changes {
  /** Keeps a new request, unless the same is open already: then that one is given. @throws when the store does not answer */
  create(change: Change): Promise<{ readonly made: true } | { readonly same: Change }>;
  get(id: string): Promise<Change | undefined>;
  /**
   * Moves a change on together with its messages and its line in the audit.
   * @param change as it was read
   * @returns as it is now; undefined when it cannot move so, or somebody else moved it meanwhile:
   *   read it again. @throws when the store does not answer: then nobody knows whether it moved
   */
  move(change: Change, event: ChangeEvent, beside?: Beside): Promise<Change | undefined>;
  /** The latest requests first; `offset` and `count` go by all there are. */
  list(offset: number, count: number): Promise<Change[]>;
  /** How many there are. */
  count(): Promise<number>;
  /** All that are open, the oldest first. */
  open(): Promise<Change[]>;
  /** Ids for which something is due at that time (ms since the epoch). */
  due(now: number): Promise<string[]>;
  /** The sealed secret of a change, which is gone then. */
  takeSecret(id: string): Promise<string | undefined>;
  /** What happened, the oldest first; of one change, or of all. */
  audit(change?: string): AsyncIterable<AuditEntry>;
}
