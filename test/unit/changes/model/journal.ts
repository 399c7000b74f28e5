import type { Change } from '../../../../src/changes/change.ts';
import type { ChangeEvent } from '../../../../src/changes/states.ts';
import type { Act } from './acts.ts';
import type { Actor } from './stage.ts';
import type { Facts, Name, Snapshot } from './state.ts';
import type { ChangeInput } from '../../../../src/changes/kinds/kinds.ts';

/** A move that the store has made. */
export interface Commit {
  readonly kind: 'request' | ChangeEvent['kind'];
  readonly actor: Actor;
  /** Place in the history. */
  readonly index: number;
  readonly at: number;
  /** As it is after it. */
  readonly change: Change;
}

/** A call that changes something, as it was sent to the platform. */
export interface Sending {
  readonly actor: Actor;
  readonly change: string;
  readonly call: readonly unknown[];
  readonly index: number;
  readonly at: number;
  /** What the platform made of it, and when; absent: it never got there, or was refused. */
  effect?: { readonly what: 'done' | 'nothing' | 'denied'; readonly index: number };
  /** The caller has heard what came of it. */
  isAnswered: boolean;
}

/** Something that a person did, or a worker. */
export interface Deed {
  readonly act: Act;
  readonly actor: Actor;
  readonly person?: Name;
  readonly change?: string;
  readonly order?: ChangeInput;
  /** Of an approval: the look that showed what is approved. */
  readonly seen?: Look;
  /** Nothing else went on at the same time. */
  readonly isAlone: boolean;
  until?: number;
  /** How it ended; absent: it did not, because its process did. */
  end?: 'done' | { readonly error: unknown };
}

/** Somebody looked at a change. */
export interface Look {
  readonly shown: string;
  readonly from: number;
  readonly until: number;
}

/** A secret in the hands of a person. */
export interface Handed {
  readonly change: string;
  readonly person: Name;
  readonly actor: Actor;
  readonly index: number;
  readonly text: string;
  /** Slack has shown it. */
  isShown: boolean;
}

/** All that happened, for the judges. */
export interface Journal {
  readonly history: Snapshot[];
  readonly commits: Commit[];
  readonly sendings: Sending[];
  readonly deeds: Deed[];
  readonly handed: Handed[];
  /** Every secret that the platform has said, with the change it was said for. */
  readonly said: { readonly text: string; readonly change: string }[];
  /** All that left the process, or was kept: messages, log lines, errors, what was given to the store. */
  readonly texts: string[];
}

export function createJournal(): Journal {
  return { history: [], commits: [], sendings: [], deeds: [], handed: [], said: [], texts: [] };
}

/** To be called after everything that happens. */
export function remember({ history }: Journal, facts: Facts, at: number): void {
  history.push(structuredClone({ ...facts, at }));
}

/** Where the history is now. */
export function placeIn({ history }: Journal): number {
  return history.length - 1;
}
