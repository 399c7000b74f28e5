import { outcomeRef, trackOf } from './gvc-step.ts';
import type { GvcStep } from './gvc-step.ts';
import { idOf, openAt, refOf, replyOf, troubleOf } from './incident-draft.ts';
import type { Draft, Live } from './incident-draft.ts';
import { TROUBLE } from './telling.ts';
import type { LocationRef, LocationReply, Telling, TroubleState } from './telling.ts';
import { THREAD_ONLY } from './outcomes.ts';

type Outcome = NonNullable<Telling['outcome']>;
type OutcomeTelling = Telling & { outcome: Outcome };

/** Gives the outcomes that incidents tell to them. @returns the message that tells each of these */
export function coverOutcomes(draft: Draft, step: GvcStep): Map<Telling, LocationRef> {
  const by = new Map<Telling, LocationRef>();
  for (const telling of step.tellings) {
    if (!isOutcome(telling)) continue;
    const ref = isTroubleKind(telling.outcome.kind)
      ? coverTrouble(draft, telling, step)
      : coverReturn(draft, telling, step);
    if (ref !== undefined) by.set(telling, ref);
  }
  return by;
}

/**
 * The tellings with what the messages about locations tell of them. A card that only such outcomes need
 * opens for nobody who hears of the location.
 */
export function withCovers(step: GvcStep, by: ReadonlyMap<Telling, LocationRef>): Telling[] {
  const needed = new Map<string, (LocationRef | undefined)[]>();
  for (const telling of step.tellings) {
    const { workload, outcome } = telling;
    if (outcome === undefined || THREAD_ONLY.has(outcome.kind)) continue;
    needed.set(workload, [...(needed.get(workload) ?? []), by.get(telling)]);
  }
  return step.tellings.map((telling) => {
    const { workload, outcome } = telling;
    const told = by.get(telling);
    if (outcome !== undefined) {
      return told === undefined ? telling : { ...telling, outcome: { ...outcome, by: told } };
    }
    const refs = needed.get(workload) ?? [];
    const [ref] = refs;
    const own = !telling.opens || step.opened.has(workload) || refs.includes(undefined);
    return own || ref === undefined ? telling : { ...telling, opensFor: ref };
  });
}

/** Workloads of which the messages about locations tell everything that this poll brings. */
export function toldWhole(step: GvcStep, by: ReadonlyMap<Telling, LocationRef>): Set<string> {
  const whole = new Set([...by.keys()].map(({ workload }) => workload));
  for (const telling of step.fresh) {
    const isReply = telling.outcome === undefined || THREAD_ONLY.has(telling.outcome.kind);
    if (!isReply && !by.has(telling)) whole.delete(telling.workload);
  }
  return whole;
}

function isOutcome(telling: Telling): telling is OutcomeTelling {
  return telling.outcome !== undefined;
}

function isTroubleKind(kind: Outcome['kind']): kind is TroubleState {
  return (TROUBLE as readonly Outcome['kind'][]).includes(kind);
}

function coverTrouble(
  draft: Draft,
  telling: OutcomeTelling,
  step: GvcStep,
): LocationRef | undefined {
  const { workload, outcome } = telling;
  if (step.fresh.has(telling)) {
    const ref = takeIn(draft, telling, step);
    if (ref !== undefined) spread(draft, telling, step);
    return ref;
  }
  const entry = draft.covered.get(workload);
  if (!entry?.outcomes.includes(`${outcome.kind}/${outcome.n}`)) return undefined;
  const own = liveOf(draft, entry.incident);
  if (own !== undefined) own.touched = true;
  return spread(draft, telling, step) ?? (own && refOf(own.incident));
}

/** A new outcome belongs to the incident of one of its locations, else to the open one that has its workload already. */
function takeIn(draft: Draft, telling: OutcomeTelling, step: GvcStep): LocationRef | undefined {
  const [live] = telling.outcome.locations.flatMap(
    (one) => incidentOf(draft, telling, one, step) ?? [],
  );
  if (live !== undefined) {
    const reply = live.opens ? undefined : replyOf(draft, live, 'later');
    if (reply === undefined) live.covers.push(outcomeRef(telling, telling.outcome));
    else add(reply, telling);
    remember(draft, telling, live, live.incident.location);
    return reply?.ref ?? refOf(live.incident);
  }
  const own = liveOf(draft, draft.covered.get(telling.workload)?.incident);
  const [location] = telling.outcome.locations;
  if (own === undefined || own.incident.closedAt !== null || location === undefined)
    return undefined;
  const reply = replyOf(draft, own, 'elsewhere', location);
  add(reply, telling);
  remember(draft, telling, own, location);
  return reply.ref;
}

/** The open incident of a location at which the workload is in trouble now. */
function incidentOf(
  draft: Draft,
  { workload }: Telling,
  location: string,
  step: GvcStep,
): Live | undefined {
  const troubled = troubleOf(step.after, `${workload}/${location}`) !== undefined;
  return troubled ? openAt(draft, location) : undefined;
}

/** Says of a covered outcome at which other locations it holds, too. @returns the last reply that does */
function spread(draft: Draft, telling: OutcomeTelling, step: GvcStep): LocationRef | undefined {
  let ref: LocationRef | undefined;
  for (const location of telling.outcome.locations) {
    const entry = draft.covered.get(telling.workload);
    if (entry === undefined || entry.locations.includes(location)) continue;
    const there = incidentOf(draft, telling, location, step);
    const own = liveOf(draft, entry.incident);
    draft.covered.set(telling.workload, { ...entry, locations: [...entry.locations, location] });
    // The message that opens with this poll names all that are in trouble there.
    if (there?.opens === true || (there ?? own) === undefined) continue;
    const reply =
      there === undefined
        ? replyOf(draft, own as Live, 'elsewhere', location)
        : replyOf(draft, there, 'later');
    name(reply, telling.workload);
    ({ ref } = reply);
  }
  return ref;
}

/**
 * A return belongs to the incident that told what was told of this episode, or of whose location all of
 * it was: also of a workload that was told by itself a moment before the incident opened.
 */
function coverReturn(
  draft: Draft,
  telling: OutcomeTelling,
  step: GvcStep,
): LocationRef | undefined {
  const { workload, outcome } = telling;
  if (!['ready', 'recovered'].includes(outcome.kind) || !step.fresh.has(telling)) return undefined;
  const entry = draft.covered.get(workload);
  const live = liveOf(draft, entry?.incident) ?? openWith(draft, workload);
  const track = trackOf(step.before, workload);
  if (live === undefined) return undefined;
  const { location } = live.incident;
  const told = TROUBLE.flatMap((kind) => {
    const said = track?.said[kind];
    return said !== undefined && said.n > 0 ? [{ word: `${kind}/${said.n}`, ...said }] : [];
  });
  const isOfIt = ({ word, locations }: (typeof told)[number]): boolean =>
    entry?.outcomes.includes(word) === true || locations.every((one) => one === location);
  if (told.length === 0 || !told.every(isOfIt)) return undefined;
  const reply = replyOf(draft, live, 'back');
  add(reply, telling);
  return reply.ref;
}

function liveOf(draft: Draft, id: string | undefined): Live | undefined {
  return draft.live.find(({ incident }) => idOf(incident) === id);
}

/** The open incident that counts the workload among its own. */
function openWith(draft: Draft, workload: string): Live | undefined {
  return draft.live.find(
    ({ incident }) => incident.closedAt === null && incident.members.includes(workload),
  );
}

/** The outcomes of one workload come one after the other. */
function name(reply: LocationReply, workload: string): void {
  if (reply.workloads.at(-1) !== workload) reply.workloads.push(workload);
}

function add(reply: LocationReply, telling: OutcomeTelling): void {
  name(reply, telling.workload);
  reply.covers.push(outcomeRef(telling, telling.outcome));
}

function remember(draft: Draft, telling: OutcomeTelling, live: Live, location: string): void {
  const { workload, version, outcome } = telling;
  const entry = draft.covered.get(workload);
  draft.covered.set(workload, {
    workload,
    version,
    incident: idOf(live.incident),
    outcomes: [...(entry?.outcomes ?? []), `${outcome.kind}/${outcome.n}`],
    locations: [...new Set([...(entry?.locations ?? []), location])],
  });
}
