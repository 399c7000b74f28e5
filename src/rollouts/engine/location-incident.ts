import { effectiveState, type RecordMemory } from './classify.ts';
import {
  coverOutcomes,
  earlierTrouble,
  idOf,
  nextNumberAt,
  openIncidentAt,
  refOf,
  replyOf,
  toldWhole,
  troubleInShort,
  troubleOf,
  withCovers,
  type Covered,
  type Incident,
  type IncidentDraft,
  type LiveIncident,
} from './incident-cover.ts';
import { impactOf } from './impact.ts';
import {
  fingerprint,
  type GvcStep,
  type LocationNotice,
  type LocationRow,
  type RolloutNotice,
} from './notices.ts';
import {
  byLocation,
  locationOf,
  oncePer,
  rolloutOf,
  rowsOf,
  waits,
  workloadOf,
  type GvcRollouts,
  type Records,
} from './rollout.ts';
import { isTrouble, stateIs, TROUBLE, type TroubleState } from './states.ts';

/** A record that got into trouble while its location had no incident. */
interface TroubleStart {
  location: string;
  workload: string;
  state: TroubleState;
  /** Milliseconds since the epoch. */
  at: number;
  /** Trouble in which it had been for long: see `earlierTrouble`. */
  earlier?: string;
}

/** What is remembered of locations in trouble. */
export interface Incidents {
  /** Of the last minute. */
  turns: TroubleStart[];
  /** Open ones, and closed ones of which a covered workload has not come back. */
  list: Incident[];
  covered: Covered[];
  /** The last number used, by `<location>/<word>`. */
  numbers: Record<string, number>;
}

interface IncidentsStep {
  incidents: Incidents | undefined;
  rolloutNotices: RolloutNotice[];
  notices: LocationNotice[];
  /** Workloads of which locations tell everything that this poll brings. */
  toldWhole: ReadonlySet<string>;
}

/** So many workloads of one location in so many milliseconds are a matter of the location. */
const OPENS_AT = 5;
const WINDOW_MS = 60_000;

const NO_INCIDENTS: Incidents = { turns: [], list: [], covered: [], numbers: {} };
const NOBODY: ReadonlySet<string> = new Set();

/**
 * Locations at which many workloads got into trouble at once: one message stands for all of them, and
 * for their return (design section 4, "Noise"; ADR 11, "Location"). Pure. Trouble that was found at
 * adoption counts for nothing here.
 */
export function stepIncidents(before: Incidents | undefined, step: GvcStep): IncidentsStep {
  const rolloutNotices = [...step.rolloutNotices];
  if (step.adopting) {
    // Numbers outlive what was watched: a key that was used must not be used for other news.
    const kept = before && { ...NO_INCIDENTS, numbers: before.numbers };
    return { incidents: kept, rolloutNotices, notices: [], toldWhole: NOBODY };
  }
  const known = before ?? NO_INCIDENTS;
  const turns = recentStarts(known, step);
  const isQuiet = known.list.length + known.covered.length + turns.length === 0;
  if (isQuiet || (step.changed.size === 0 && rolloutNotices.length === 0)) {
    return { incidents: withStarts(before, turns), rolloutNotices, notices: [], toldWhole: NOBODY };
  }
  const draft = draftOf(known, step);
  const left = open(draft, turns, step.now);
  const by = coverOutcomes(draft, step);
  close(draft, step);
  const notices = draft.live.flatMap((live) => noticesOf(live, step));
  return {
    incidents: orNothing(remembered(draft, left, step)),
    rolloutNotices: withCovers(step, by),
    notices,
    toldWhole: toldWhole(step, by),
  };
}

function withStarts(before: Incidents | undefined, turns: TroubleStart[]): Incidents | undefined {
  if (before === undefined || turns.length === before.turns.length) return before;
  return orNothing({ ...before, turns });
}

/** What holds nothing is not worth keeping. */
function orNothing(incidents: Incidents): Incidents | undefined {
  const { turns, list, covered, numbers } = incidents;
  const size = turns.length + list.length + covered.length + Object.keys(numbers).length;
  return size === 0 ? undefined : incidents;
}

/** The turns that still count, with those of this poll. */
function recentStarts(before: Incidents, step: GvcStep): TroubleStart[] {
  const turns = before.turns.filter(({ at }) => step.now - at <= WINDOW_MS);
  const watched = new Set(
    before.list.filter(({ closedAt }) => closedAt === null).map(({ location }) => location),
  );
  for (const key of [...step.changed].sort()) {
    const was = step.before.records[key];
    const is = step.after.records[key];
    const location = locationOf(key);
    const state = troubleOf(step.after, key);
    if (is === undefined || state === undefined || watched.has(location)) continue;
    if (step.found.has(key)) continue;
    // One that comes back in the state in which it left has not turned.
    const left = rolloutOf(step.before, workloadOf(key))?.left ?? {};
    if (was?.state === 'gone' && Object.hasOwn(left, location) && left[location] === state)
      continue;
    const turned = was?.state !== is.state || was.since !== is.since || was.version !== is.version;
    if (!turned) continue;
    const earlier = earlierTrouble(step, key, step.now - WINDOW_MS);
    const turn = { location, workload: workloadOf(key), state, at: step.now };
    turns.push(earlier === undefined ? turn : { ...turn, earlier });
  }
  return turns;
}

function draftOf(before: Incidents, step: GvcStep): IncidentDraft {
  const valid = before.covered.filter(
    ({ workload, version }) => rolloutOf(step.after, workload)?.version === version,
  );
  return {
    live: before.list.map((incident) => toLive(incident, false)),
    covered: new Map(valid.map((entry) => [entry.workload, entry])),
    numbers: { ...before.numbers },
  };
}

function toLive(incident: Incident, opens: boolean): LiveIncident {
  return {
    incident: { ...incident },
    opens,
    covers: [],
    replies: [],
    touched: opens,
  };
}

/** Opens the incidents that are due. @returns the turns that count on */
function open(draft: IncidentDraft, turns: TroubleStart[], now: number): TroubleStart[] {
  const byLocation = new Map<string, Map<string, TroubleState>>();
  for (const { location, workload, state } of turns) {
    const states = byLocation.get(location) ?? new Map<string, TroubleState>();
    byLocation.set(location, states.set(workload, state));
  }
  for (const [location, states] of [...byLocation].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (states.size < OPENS_AT) continue;
    const openedBy = [...states.keys()].sort();
    const state = mostFrequent([...states.values()]);
    const { n } = nextNumberAt(draft, location, state);
    const incident = { location, state, n, since: now, closedAt: null, openedBy };
    const here = turns.filter((turn) => turn.location === location);
    const earlier = here.flatMap((turn) => turn.earlier ?? []);
    const known = earlier.length === 0 ? {} : { earlier };
    draft.live.push(toLive({ ...incident, members: [], print: '', ...known }, true));
  }
  return turns.filter(({ location }) => openIncidentAt(draft, location) === undefined);
}

/** Of equally frequent states the worst. */
function mostFrequent(states: readonly TroubleState[]): TroubleState {
  const order: readonly TroubleState[] = ['failed', 'unhealthy', 'stale'];
  const count = (state: TroubleState): number => states.filter((one) => one === state).length;
  return order.toSorted((a, b) => count(b) - count(a))[0] ?? TROUBLE[0];
}

/** Brings up to date who is in trouble at the locations, and ends what is over. */
function close(draft: IncidentDraft, step: GvcStep): void {
  const isOpen = draft.live.filter(({ incident }) => incident.closedAt === null);
  if (isOpen.length === 0) return;
  for (const live of isOpen) keepEarlier(live, step);
  const byLocation = new Map(isOpen.map(({ incident }) => [incident.location, incident]));
  const earlier = new Map(
    isOpen.map(({ incident }) => [incident.location, new Set(incident.earlier)]),
  );
  const troubled = new Map(isOpen.map(({ incident }) => [incident.location, new Set<string>()]));
  for (const [key, record] of Object.entries(step.after.records)) {
    const incident = byLocation.get(locationOf(key));
    if (incident === undefined || troubleOf(step.after, key) === undefined) continue;
    // What has been sick for long is another matter: it would keep the incident open for ever.
    if (record.since < incident.since - WINDOW_MS) continue;
    if (earlier.get(incident.location)?.has(troubleInShort(key, record)) === true) continue;
    troubled.get(incident.location)?.add(workloadOf(key));
  }
  for (const live of isOpen) {
    const { incident } = live;
    const here = troubled.get(incident.location) as Set<string>;
    incident.members = [...new Set([...here, ...incident.members, ...incident.openedBy])].sort();
    if (here.size > 0) continue;
    incident.closedAt = step.now;
    live.touched = true;
    // When the whole GVC went nothing has recovered.
    if (!step.lastGone) replyOf(draft, live, 'back').closes = true;
  }
}

/** Who was in trouble for long and gets into other trouble while the incident is open. */
function keepEarlier({ incident, opens }: LiveIncident, step: GvcStep): void {
  if (opens) return;
  const turned = [...step.changed].filter((key) => locationOf(key) === incident.location);
  const since = incident.since - WINDOW_MS;
  const earlier = turned.flatMap((key) => earlierTrouble(step, key, since) ?? []);
  if (earlier.length > 0) incident.earlier = [...(incident.earlier ?? []), ...earlier];
}

function noticesOf(live: LiveIncident, step: GvcStep): LocationNotice[] {
  const { incident, opens, covers, replies } = live;
  if (incident.closedAt !== null && !live.touched) return [];
  const rows = locationRowsOf(incident, step.after);
  const print = fingerprint(rows);
  if (incident.print === print && !live.touched) return [];
  incident.print = print;
  const { since, closedAt, openedBy } = incident;
  const ref = refOf(incident);
  return [{ kind: 'location', ref, opens, since, closedAt, openedBy, rows, covers, replies }];
}

function remembered(draft: IncidentDraft, turns: TroubleStart[], step: GvcStep): Incidents {
  const covered = [...draft.covered.values()].filter(
    // What is ready again has come back; the next loss is another episode.
    ({ workload }) => rolloutOf(step.after, workload)?.ready === false,
  );
  const awaited = new Set(covered.map(({ incident }) => incident));
  const list = draft.live
    .map(({ incident }) => incident)
    .filter((incident) => incident.closedAt === null || awaited.has(idOf(incident)));
  return { turns, list, covered, numbers: draft.numbers };
}

/** How the workloads of a location in trouble are now: a row for each. */
function locationRowsOf(incident: Incident, { records, rollouts }: GvcRollouts): LocationRow[] {
  const all = recordsByWorkload(records);
  return incident.members.map((workload) => {
    const record = records[`${workload}/${incident.location}`];
    if (record === undefined) return { workload, version: 0, state: 'gone', cause: '' };
    const { version, cause } = record;
    const rollout = rolloutOf({ rollouts }, workload)?.version ?? 0;
    const state = waits(record, rollout) ? ('waiting' as const) : effectiveState(record);
    const own = byLocation(all.get(workload) ?? []);
    // What never served is missed by nobody.
    const isMissed = isTrouble(state) && (record.served === true || record.wasReady);
    const serves = isMissed ? servesOf(own, rollout || version) : undefined;
    return { workload, version, state, cause, ...(serves === undefined ? {} : { serves }) };
  });
}

/** How much of a workload serves over all its locations; undefined where that is not known. */
function servesOf(records: Records, version: number): LocationRow['serves'] {
  const { on, ready } = impactOf(rowsOf(records, version));
  if (on === 'served') return 'enough';
  const isKnown = Object.values(records).every(({ state }) => !stateIs(state, 'unreported'));
  if (on !== 'hurt' || !isKnown) return undefined;
  return ready === 0 ? 'nothing' : 'little';
}

const recordsByWorkload = oncePer((records: GvcRollouts['records']) => {
  const all = new Map<string, [location: string, record: RecordMemory][]>();
  for (const [key, record] of Object.entries(records)) {
    const known = all.get(workloadOf(key)) ?? [];
    known.push([locationOf(key), record]);
    all.set(workloadOf(key), known);
  }
  return all;
});
