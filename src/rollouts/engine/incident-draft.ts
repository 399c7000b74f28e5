import { trackOf, waits, workloadOf } from './gvc-step.ts';
import type { GvcPicture, GvcStep } from './gvc-step.ts';
import type { RecordMemory, RecordState } from './classify.ts';
import { TROUBLE } from './telling.ts';
import type { LocationRef, LocationReply, OutcomeRef, TroubleState } from './telling.ts';

/** A location in trouble, as it is remembered. Times in milliseconds since the epoch. */
export interface Incident {
  location: string;
  state: TroubleState;
  /** With location and state the key of its message. */
  n: number;
  since: number;
  /** Null while it is open. */
  closedAt: number | null;
  openedBy: string[];
  /** Every workload that was in trouble here since. */
  members: string[];
  /** Fingerprint of the message as it was last told. */
  print: string;
  /** Trouble that was there long before, as `troubleInShort` says it: what is back in it is out of this. */
  earlier?: string[];
}

/** A workload whose trouble the message about a location told. */
export interface Covered {
  workload: string;
  version: number;
  /** Of the incident that covered it last: see `idOf`. */
  incident: string;
  /** `<kind>/<n>` of the outcomes. */
  outcomes: string[];
  /** Where it is told to be in trouble. */
  locations: string[];
}

/** An incident, and what this poll adds to it. */
export interface Live {
  incident: Incident;
  opens: boolean;
  covers: OutcomeRef[];
  replies: LocationReply[];
  /** It is told whatever its rows say. */
  touched: boolean;
}

/** Incidents while one poll is worked in. */
export interface Draft {
  live: Live[];
  /** By workload. */
  covered: Map<string, Covered>;
  numbers: Record<string, number>;
}

export function idOf({ location, state, n }: Incident): string {
  return `${location}/${state}/${n}`;
}

export function refOf({ location, state, n }: Incident): LocationRef {
  return { location, state, n };
}

/** The incident that a location has now. */
export function openAt(draft: Draft, location: string): Live | undefined {
  return draft.live.find(
    ({ incident }) => incident.location === location && incident.closedAt === null,
  );
}

/** The next number of a word at a location; one that was used is not used again. */
export function nextNumberAt(
  draft: Draft,
  location: string,
  word: LocationRef['state'],
): LocationRef {
  const key = `${location}/${word}`;
  const n = (draft.numbers[key] ?? 0) + 1;
  draft.numbers[key] = n;
  return { location, state: word, n };
}

/** The reply of a kind that this poll adds to an incident. @param location of `elsewhere` */
export function replyOf(
  draft: Draft,
  live: Live,
  what: LocationReply['what'],
  location?: string,
): LocationReply {
  const known = live.replies.find((one) => one.what === what && one.location === location);
  if (known !== undefined) return known;
  const word = what === 'back' ? 'recovered' : live.incident.state;
  const reply: LocationReply = {
    ref: nextNumberAt(draft, live.incident.location, word),
    what,
    workloads: [],
    ...(location === undefined ? {} : { location }),
    closes: false,
    covers: [],
  };
  live.replies.push(reply);
  live.touched = true;
  return reply;
}

/**
 * The trouble that a record leaves in this poll for another state of the same rollout.
 * @param before it was in it since before that time, in milliseconds since the epoch
 */
export function earlierTrouble(step: GvcStep, key: string, before: number): string | undefined {
  const was = step.before.records[key];
  const is = step.after.records[key];
  if (was === undefined || was.since >= before || troubleOf(step.before, key) === undefined)
    return undefined;
  if (was.version !== is?.version || was.state === is.state) return undefined;
  return troubleInShort(key, was);
}

export function troubleInShort(key: string, { state, cause }: RecordMemory): string {
  return `${workloadOf(key)} ${state} ${cause}`;
}

/** The trouble that a record is in and that is its rollout's, not that of a version that it is about to leave. */
export function troubleOf(picture: GvcPicture, key: string): TroubleState | undefined {
  const record = picture.records[key];
  if (record === undefined || record.cron || !isTrouble(record.state)) return undefined;
  const track = trackOf(picture, workloadOf(key));
  return track === undefined || waits(record, track.version) ? undefined : record.state;
}

function isTrouble(state: RecordState): state is TroubleState {
  return (TROUBLE as readonly RecordState[]).includes(state);
}
