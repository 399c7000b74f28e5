import type { RecordMemory } from './classify.ts';
import {
  outcomeRef,
  type GvcStep,
  type LocationRef,
  type LocationReply,
  type OutcomeRef,
  type RolloutNotice,
} from './notices.ts';
import { rolloutOf, waits, workloadOf, type GvcRollouts } from './rollout.ts';
import { isTrouble, THREAD_ONLY, TROUBLE, type TroubleState } from './states.ts';

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
export interface LiveIncident {
  incident: Incident;
  opens: boolean;
  covers: OutcomeRef[];
  replies: LocationReply[];
  /** It is told whatever its rows say. */
  touched: boolean;
}

/** Incidents while one poll is worked in. */
export interface IncidentDraft {
  live: LiveIncident[];
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
export function openIncidentAt(draft: IncidentDraft, location: string): LiveIncident | undefined {
  return draft.live.find(
    ({ incident }) => incident.location === location && incident.closedAt === null,
  );
}

/** The next number of a word at a location; one that was used is not used again. */
export function nextNumberAt(
  draft: IncidentDraft,
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
  draft: IncidentDraft,
  live: LiveIncident,
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
export function troubleOf(picture: GvcRollouts, key: string): TroubleState | undefined {
  const record = picture.records[key];
  if (record === undefined || record.cron || !isTrouble(record.state)) return undefined;
  const rollout = rolloutOf(picture, workloadOf(key));
  return rollout === undefined || waits(record, rollout.version) ? undefined : record.state;
}

type Outcome = NonNullable<RolloutNotice['outcome']>;
type OutcomeNotice = RolloutNotice & { outcome: Outcome };

/** Gives the outcomes that incidents tell to them. @returns the message that tells each of these */
export function coverOutcomes(
  draft: IncidentDraft,
  step: GvcStep,
): Map<RolloutNotice, LocationRef> {
  const by = new Map<RolloutNotice, LocationRef>();
  for (const notice of step.rolloutNotices) {
    if (!isOutcome(notice)) continue;
    const ref = isTrouble(notice.outcome.kind)
      ? coverTrouble(draft, notice, step)
      : coverReturn(draft, notice, step);
    if (ref !== undefined) by.set(notice, ref);
  }
  return by;
}

/**
 * The rolloutNotices with what the messages about locations tell of them. A card that only such outcomes need
 * does not open in channels that hear of the location.
 */
export function withCovers(
  step: GvcStep,
  by: ReadonlyMap<RolloutNotice, LocationRef>,
): RolloutNotice[] {
  const needed = new Map<string, (LocationRef | undefined)[]>();
  for (const notice of step.rolloutNotices) {
    const { workload, outcome } = notice;
    if (outcome === undefined || THREAD_ONLY.has(outcome.kind)) continue;
    needed.set(workload, [...(needed.get(workload) ?? []), by.get(notice)]);
  }
  return step.rolloutNotices.map((notice) => {
    const { workload, outcome } = notice;
    const told = by.get(notice);
    if (outcome !== undefined) {
      return told === undefined ? notice : { ...notice, outcome: { ...outcome, by: told } };
    }
    const refs = needed.get(workload) ?? [];
    const [ref] = refs;
    const own = !notice.opens || step.opened.has(workload) || refs.includes(undefined);
    return own || ref === undefined ? notice : { ...notice, opensFor: ref };
  });
}

/** Workloads of which the messages about locations tell everything that this poll brings. */
export function toldWhole(step: GvcStep, by: ReadonlyMap<RolloutNotice, LocationRef>): Set<string> {
  const whole = new Set([...by.keys()].map(({ workload }) => workload));
  for (const notice of step.fresh) {
    const isReply = notice.outcome === undefined || THREAD_ONLY.has(notice.outcome.kind);
    if (!isReply && !by.has(notice)) whole.delete(notice.workload);
  }
  return whole;
}

function isOutcome(notice: RolloutNotice): notice is OutcomeNotice {
  return notice.outcome !== undefined;
}

function coverTrouble(
  draft: IncidentDraft,
  notice: OutcomeNotice,
  step: GvcStep,
): LocationRef | undefined {
  const { workload, outcome } = notice;
  if (step.fresh.has(notice)) {
    const ref = takeIn(draft, notice, step);
    if (ref !== undefined) spread(draft, notice, step);
    return ref;
  }
  const entry = draft.covered.get(workload);
  if (!entry?.outcomes.includes(`${outcome.kind}/${outcome.n}`)) return undefined;
  const own = liveOf(draft, entry.incident);
  if (own !== undefined) own.touched = true;
  return spread(draft, notice, step) ?? (own && refOf(own.incident));
}

/** A new outcome belongs to the incident of one of its locations, else to the open one that has its workload already. */
function takeIn(
  draft: IncidentDraft,
  notice: OutcomeNotice,
  step: GvcStep,
): LocationRef | undefined {
  const [live] = notice.outcome.locations.flatMap(
    (one) => incidentOf(draft, notice, one, step) ?? [],
  );
  if (live !== undefined) {
    const reply = live.opens ? undefined : replyOf(draft, live, 'later');
    if (reply === undefined) live.covers.push(outcomeRef(notice, notice.outcome));
    else add(reply, notice);
    remember(draft, notice, live, live.incident.location);
    return reply?.ref ?? refOf(live.incident);
  }
  const own = liveOf(draft, draft.covered.get(notice.workload)?.incident);
  const [location] = notice.outcome.locations;
  if (own === undefined || own.incident.closedAt !== null || location === undefined)
    return undefined;
  const reply = replyOf(draft, own, 'elsewhere', location);
  add(reply, notice);
  remember(draft, notice, own, location);
  return reply.ref;
}

/** The open incident of a location at which the workload is in trouble now. */
function incidentOf(
  draft: IncidentDraft,
  { workload }: RolloutNotice,
  location: string,
  step: GvcStep,
): LiveIncident | undefined {
  const troubled = troubleOf(step.after, `${workload}/${location}`) !== undefined;
  return troubled ? openIncidentAt(draft, location) : undefined;
}

/** Says of a covered outcome at which other locations it holds, too. @returns the last reply that does */
function spread(
  draft: IncidentDraft,
  notice: OutcomeNotice,
  step: GvcStep,
): LocationRef | undefined {
  let ref: LocationRef | undefined;
  for (const location of notice.outcome.locations) {
    const entry = draft.covered.get(notice.workload);
    if (entry === undefined || entry.locations.includes(location)) continue;
    const there = incidentOf(draft, notice, location, step);
    const own = liveOf(draft, entry.incident);
    draft.covered.set(notice.workload, { ...entry, locations: [...entry.locations, location] });
    // The message that opens with this poll names all that are in trouble there.
    if (there?.opens === true || (there ?? own) === undefined) continue;
    const reply =
      there === undefined
        ? replyOf(draft, own as LiveIncident, 'elsewhere', location)
        : replyOf(draft, there, 'later');
    name(reply, notice.workload);
    ({ ref } = reply);
  }
  return ref;
}

/**
 * A return belongs to the incident that told what was told of this episode, or of whose location all of
 * it was: also if the workload had a message of its own just before the incident opened.
 */
function coverReturn(
  draft: IncidentDraft,
  notice: OutcomeNotice,
  step: GvcStep,
): LocationRef | undefined {
  const { workload, outcome } = notice;
  if (!['ready', 'recovered'].includes(outcome.kind) || !step.fresh.has(notice)) return undefined;
  const entry = draft.covered.get(workload);
  const live = liveOf(draft, entry?.incident) ?? openWith(draft, workload);
  const rollout = rolloutOf(step.before, workload);
  if (live === undefined) return undefined;
  const { location } = live.incident;
  const told = TROUBLE.flatMap((kind) => {
    const said = rollout?.said[kind];
    return said !== undefined && said.n > 0 ? [{ word: `${kind}/${said.n}`, ...said }] : [];
  });
  const isOfIt = ({ word, locations }: (typeof told)[number]): boolean =>
    entry?.outcomes.includes(word) === true || locations.every((one) => one === location);
  if (told.length === 0 || !told.every(isOfIt)) return undefined;
  const reply = replyOf(draft, live, 'back');
  add(reply, notice);
  return reply.ref;
}

function liveOf(draft: IncidentDraft, id: string | undefined): LiveIncident | undefined {
  return draft.live.find(({ incident }) => idOf(incident) === id);
}

/** The open incident that counts the workload among its own. */
function openWith(draft: IncidentDraft, workload: string): LiveIncident | undefined {
  return draft.live.find(
    ({ incident }) => incident.closedAt === null && incident.members.includes(workload),
  );
}

/** The outcomes of one workload come one after the other. */
function name(reply: LocationReply, workload: string): void {
  if (reply.workloads.at(-1) !== workload) reply.workloads.push(workload);
}

function add(reply: LocationReply, notice: OutcomeNotice): void {
  name(reply, notice.workload);
  reply.covers.push(outcomeRef(notice, notice.outcome));
}

function remember(
  draft: IncidentDraft,
  notice: OutcomeNotice,
  live: LiveIncident,
  location: string,
): void {
  const { workload, version, outcome } = notice;
  const entry = draft.covered.get(workload);
  draft.covered.set(workload, {
    workload,
    version,
    incident: idOf(live.incident),
    outcomes: [...(entry?.outcomes ?? []), `${outcome.kind}/${outcome.n}`],
    locations: [...new Set([...(entry?.locations ?? []), location])],
  });
}
