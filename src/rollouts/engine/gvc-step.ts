import type { RecordMemory } from './classify.ts';
import type { OutcomeRef, Telling } from './telling.ts';
import type { Track } from './track.ts';

/** Records by `workload/location`, and tracks by workload. */
export interface GvcPicture {
  records: Readonly<Record<string, RecordMemory>>;
  tracks: Readonly<Record<string, Track>>;
}

/** What one poll came to for the single workloads, for what looks at all of them together. */
export interface GvcStep {
  before: GvcPicture;
  after: GvcPicture;
  /** Keys of the records that changed, came or were forgotten. */
  changed: ReadonlySet<string>;
  /** Keys of those that are adopted in this poll, because the first one could not read them. */
  found: ReadonlySet<string>;
  tellings: readonly Telling[];
  /** Those of the tellings that tell an outcome for the first time. */
  fresh: ReadonlySet<Telling>;
  /** Workloads whose card opens by itself, not because an outcome needs it. */
  opened: ReadonlySet<string>;
  /** In this poll the last record of the GVC went. */
  lastGone: boolean;
  /** The first poll of the GVC: everything is taken as known. */
  adopting: boolean;
  /** Milliseconds since the epoch. */
  now: number;
}

/** `constructor` is a fine name for a workload. */
export function trackOf(picture: Pick<GvcPicture, 'tracks'>, workload: string): Track | undefined {
  return Object.hasOwn(picture.tracks, workload) ? picture.tracks[workload] : undefined;
}

export function workloadOf(key: string): string {
  return key.slice(0, key.indexOf('/'));
}

export function locationOf(key: string): string {
  return key.slice(key.indexOf('/') + 1);
}

/** The change has not reached this location: it stands at a lower version than its rollout. */
export function waits(record: RecordMemory, version: number): boolean {
  // Of one that never stated a version nobody knows which one it serves.
  if (record.version === 0 || record.version >= version) return false;
  return !['suspended', 'stale', 'gone'].includes(record.state);
}

export function outcomeRef(
  { workload, version }: Telling,
  { kind, n }: NonNullable<Telling['outcome']>,
): OutcomeRef {
  return { workload, version, kind, n };
}
