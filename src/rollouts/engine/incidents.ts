import { fingerprint } from './fingerprint.ts';
import { locationOf, trackOf, workloadOf } from './gvc-step.ts';
import type { GvcStep } from './gvc-step.ts';
import { coverOutcomes, toldWhole, withCovers } from './incident-covers.ts';
import {
  earlierTrouble,
  idOf,
  nextNumberAt,
  openAt,
  refOf,
  replyOf,
  troubleInShort,
  troubleOf,
} from './incident-draft.ts';
import type { Covered, Draft, Incident, Live } from './incident-draft.ts';
import { rowsOf } from './incident-rows.ts';
import { TROUBLE } from './telling.ts';
import type { LocationNews, Telling, TroubleState } from './telling.ts';

/** A record that got into trouble while its location had no incident. */
interface Turn {
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
  turns: Turn[];
  /** Open ones, and closed ones of which a covered workload has not come back. */
  list: Incident[];
  covered: Covered[];
  /** The last number used, by `<location>/<word>`. */
  numbers: Record<string, number>;
}

interface IncidentsStep {
  incidents: Incidents | undefined;
  tellings: Telling[];
  news: LocationNews[];
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
  const tellings = [...step.tellings];
  if (step.adopting) {
    // Numbers outlive what was watched: a key that was used must not be used for other news.
    const kept = before && { ...NO_INCIDENTS, numbers: before.numbers };
    return { incidents: kept, tellings, news: [], toldWhole: NOBODY };
  }
  const known = before ?? NO_INCIDENTS;
  const turns = turnsOf(known, step);
  const isQuiet = known.list.length + known.covered.length + turns.length === 0;
  if (isQuiet || (step.changed.size === 0 && tellings.length === 0)) {
    return { incidents: withTurns(before, turns), tellings, news: [], toldWhole: NOBODY };
  }
  const draft = draftOf(known, step);
  const left = open(draft, turns, step.now);
  const by = coverOutcomes(draft, step);
  close(draft, step);
  const news = draft.live.flatMap((live) => newsOf(live, step));
  return {
    incidents: orNothing(remembered(draft, left, step)),
    tellings: withCovers(step, by),
    news,
    toldWhole: toldWhole(step, by),
  };
}

function withTurns(before: Incidents | undefined, turns: Turn[]): Incidents | undefined {
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
function turnsOf(before: Incidents, step: GvcStep): Turn[] {
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
    const left = trackOf(step.before, workloadOf(key))?.left ?? {};
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

function draftOf(before: Incidents, step: GvcStep): Draft {
  const valid = before.covered.filter(
    ({ workload, version }) => trackOf(step.after, workload)?.version === version,
  );
  return {
    live: before.list.map((incident) => toLive(incident, false)),
    covered: new Map(valid.map((entry) => [entry.workload, entry])),
    numbers: { ...before.numbers },
  };
}

function toLive(incident: Incident, opens: boolean): Live {
  return {
    incident: { ...incident },
    opens,
    covers: [],
    replies: [],
    touched: opens,
  };
}

/** Opens the incidents that are due. @returns the turns that count on */
function open(draft: Draft, turns: Turn[], now: number): Turn[] {
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
  return turns.filter(({ location }) => openAt(draft, location) === undefined);
}

/** In doubt the one that says most. */
function mostFrequent(states: readonly TroubleState[]): TroubleState {
  const order: readonly TroubleState[] = ['failed', 'unhealthy', 'stale'];
  const count = (state: TroubleState): number => states.filter((one) => one === state).length;
  return order.toSorted((a, b) => count(b) - count(a))[0] ?? TROUBLE[0];
}

/** Brings up to date who is in trouble at the locations, and ends what is over. */
function close(draft: Draft, step: GvcStep): void {
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
function keepEarlier({ incident, opens }: Live, step: GvcStep): void {
  if (opens) return;
  const turned = [...step.changed].filter((key) => locationOf(key) === incident.location);
  const since = incident.since - WINDOW_MS;
  const earlier = turned.flatMap((key) => earlierTrouble(step, key, since) ?? []);
  if (earlier.length > 0) incident.earlier = [...(incident.earlier ?? []), ...earlier];
}

function newsOf(live: Live, step: GvcStep): LocationNews[] {
  const { incident, opens, covers, replies } = live;
  if (incident.closedAt !== null && !live.touched) return [];
  const rows = rowsOf(incident, step.after);
  const print = fingerprint(rows);
  if (incident.print === print && !live.touched) return [];
  incident.print = print;
  const { since, closedAt, openedBy } = incident;
  const ref = refOf(incident);
  return [{ kind: 'location', ref, opens, since, closedAt, openedBy, rows, covers, replies }];
}

function remembered(draft: Draft, turns: Turn[], step: GvcStep): Incidents {
  const covered = [...draft.covered.values()].filter(
    // What is ready again has come back; the next loss is another episode.
    ({ workload }) => trackOf(step.after, workload)?.ready === false,
  );
  const awaited = new Set(covered.map(({ incident }) => incident));
  const list = draft.live
    .map(({ incident }) => incident)
    .filter((incident) => incident.closedAt === null || awaited.has(idOf(incident)));
  return { turns, list, covered, numbers: draft.numbers };
}
