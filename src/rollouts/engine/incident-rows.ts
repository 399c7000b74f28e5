import { standingOf } from './classify.ts';
import type { RecordMemory, RecordState } from './classify.ts';
import { locationOf, trackOf, waits, workloadOf } from './gvc-step.ts';
import type { GvcPicture } from './gvc-step.ts';
import type { Incident } from './incident-draft.ts';
import { oncePer } from './once-per.ts';
import { TROUBLE } from './telling.ts';
import type { LocationRow } from './telling.ts';

/** How the workloads of a location in trouble are now: a row for each. */
export function rowsOf(incident: Incident, { records, tracks }: GvcPicture): LocationRow[] {
  const serving = servingIn(records);
  return incident.members.map((workload) => {
    const record = records[`${workload}/${incident.location}`];
    if (record === undefined) return { workload, version: 0, state: 'gone', cause: '' };
    const { version, cause } = record;
    const state = standingOf(record);
    const waiting = waits(record, trackOf({ tracks }, workload)?.version ?? 0);
    const row = { workload, version, state: waiting ? ('waiting' as const) : state, cause };
    const serves = servesOf(row, incident.location, serving.get(workload));
    return serves === undefined ? row : { ...row, serves };
  });
}

/** Of one workload: where it serves, and where nobody knows. */
interface Serving {
  locations: string[];
  isUnknown: boolean;
}

/** What is out of trouble needs no comfort, and of what may serve somewhere nothing is said. */
function servesOf(
  { state }: LocationRow,
  location: string,
  serving: Serving | undefined,
): LocationRow['serves'] {
  if (!TROUBLE.some((trouble) => trouble === state)) return undefined;
  if (serving === undefined) return 'nowhere';
  if (serving.locations.some((other) => other !== location)) return 'elsewhere';
  return serving.locations.length > 0 || serving.isUnknown ? undefined : 'nowhere';
}

const UNKNOWN: ReadonlySet<RecordState> = new Set(['stale', 'unknown']);

/** By workload; those that serve nowhere are left out. */
const servingIn = oncePer((records: GvcPicture['records']) => {
  const all = new Map<string, Serving>();
  for (const [key, record] of Object.entries(records)) {
    const isUnknown = UNKNOWN.has(record.state);
    if (!isUnknown && !serves(record)) continue;
    const known = all.get(workloadOf(key)) ?? { locations: [], isUnknown: false };
    all.set(workloadOf(key), known);
    if (isUnknown) known.isUnknown = true;
    else known.locations.push(locationOf(key));
  }
  return all;
});

/** Ready replicas of whatever version; what is ready need not say how many. */
function serves({ state, replicas, outgoing }: RecordMemory): boolean {
  if (state === 'gone' || state === 'suspended' || state === 'idle') return false;
  return state === 'ready' || replicas.ready > 0 || (outgoing?.ready ?? 0) > 0;
}
