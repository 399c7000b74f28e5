import type { Impact, Level } from './impact.ts';
import type { PollTime } from './spans.ts';
import type { Event, Leaver, Word, Workload } from './workload.ts';

/**
 * Trouble that many workloads share is one message (design section 4.6). A group changes only where a call goes, and
 * never whether there is one. Times in milliseconds since the epoch.
 */
export interface Group {
  /** Trouble of a location, lost reports of a location, or a GVC version that rolls its workloads. */
  kind: 'trouble' | 'silent' | 'gvc';
  /** The location, or the GVC. */
  name: string;
  /** Word and number of the first message; of a GVC its version is the number. */
  word: Word | 'card';
  n: number;
  openedAt: number;
  /** The last message that people were called by. */
  loudAt: number;
  top: Level;
  /** The members at the opening, as `gvc/workload`. */
  openedBy: readonly string[];
  members: Record<string, Member>;
  /** When `ready` of the GVC version was posted. */
  readyAt?: number | undefined;
  /** Calls that the first message covers: `<gvc>/<workload>/<version>/<word>[/<n>]`. */
  covers: readonly string[];
  /** Workloads in play at a lower GVC version. */
  unreached?: number | undefined;
  closedAt?: number | undefined;
  supersededBy?: number | undefined;
  print?: string | undefined;
}

/** How a workload is, and its call, which has the key of `word` and `n`. */
interface Standing {
  version: number;
  /** Absent: it is well, and a member of a GVC version. */
  word?: Word | undefined;
  n?: number | undefined;
  level: Level;
  have: number;
  wanted: number;
  cause: string;
  /** The version to which its rollout can go back. */
  before?: number | undefined;
  where: readonly string[];
  /** See `Call`. */
  mentions?: true | undefined;
}

/** A workload of a group. */
export interface Member extends Standing {
  /** The level posted for it. */
  posted: Level;
  at: number;
  /** It is ill now: hurt, failed, or without a report. */
  isIll: boolean;
  /** It is named by an edit, and waits for the next loud message. */
  joinsSince?: number | undefined;
  /** It is over, which waits for the message of all returns. */
  over?: Over | undefined;
  /** That was posted. */
  wasOver?: Over | undefined;
  /** Its workload has not yet taken over that it was called. */
  isNew?: true | undefined;
  flaps?: true | undefined;
  /** Of a GVC version: its `ready` was posted as its return. */
  wasPosted?: true | undefined;
  /** Of a GVC version: its `ready` ended an outage. */
  recovered?: true | undefined;
  /** Of a GVC version: it was ready at it, with the number of its `ready`. */
  ready?: number | undefined;
}

export interface Over {
  at: number;
  n: number;
  word: Word;
  /** Absent where it recovered. */
  why?: Leaver['why'] | 'dropped' | 'not well' | 'nothing to serve' | undefined;
}

/**
 * A workload that is ill in a location: enough of them are one message. `word` and `n` are of the call that it would
 * get, or of its last one where a call would be no news.
 */
export interface Ill extends Standing {
  word: Word;
  n: number;
  workload: string;
  /** Hurt there and not young, or failed; or without a report. */
  kind: 'trouble' | 'silent';
  location: string;
  isPosted?: true | undefined;
}

/** The state that all GVCs of an org share. */
export interface OrgState {
  /** By GVC. */
  ill: Readonly<Record<string, readonly Ill[]>>;
  /** By `kind/name`. */
  groups: Readonly<Record<string, Group>>;
  /** The last number of each `<location>/<word>`. */
  numbers: Readonly<Record<string, number>>;
}

export const EMPTY_ORG: OrgState = { ill: {}, groups: {}, numbers: {} };

export interface GroupNotice {
  kind: 'group';
  /** As it is after the poll. */
  group: Group;
  what: 'first' | 'joined' | 'over' | 'ready';
  /** The first message only: it is posted, else edited. */
  opens?: true | undefined;
  /** Shown in the channel. */
  loud: boolean;
  /** Of `ready`: it serves as the card. */
  isCard?: true | undefined;
  /** The members that the message is about, as `gvc/workload`, the worst first. */
  about: readonly string[];
  /** Number of a return. */
  n?: number | undefined;
}

/** A message of one workload. `group`: channels that hear of the group hear it there. */
export interface WorkloadNotice {
  kind: 'event';
  workload: string;
  event: Event;
  /** As it is after the poll. */
  state: Workload;
  group?: string | undefined;
  /** It is a message of its own in the thread of the group. */
  below?: Group | undefined;
}

/** The result of one poll of a GVC, before its calls are put into groups. */
export interface GvcStep {
  gvc: string;
  time: PollTime;
  /** All workloads of the GVC after the poll; a group may mark further ones as called. */
  workloads: Record<string, Workload>;
  /** Those that were stepped, with their messages. */
  stepped: ReadonlyMap<
    string,
    { events: readonly Event[]; impact: Impact; rolls?: true | undefined }
  >;
}

/** The groups of an org while a poll is put into them. They are copies, and written to. */
export interface Draft extends GvcStep {
  groups: Map<string, Group>;
  numbers: Record<string, number>;
  ill: OrgState['ill'];
  notices: (GroupNotice | WorkloadNotice)[];
}

/** The next number of a message about a location. */
export function takeNumber({ numbers }: Draft, name: string): number {
  const n = (numbers[name] ?? 0) + 1;
  numbers[name] = n;
  return n;
}

/** Key of a message of a workload, below its org. */
export function eventKey(name: string, version: number, word: string, n: number): string {
  const base = `${name}/${version}/${word}`;
  return n > 1 ? `${base}/${n}` : base;
}

export function groupId({ kind, name }: Pick<Group, 'kind' | 'name'>): string {
  return `${kind}/${name}`;
}
