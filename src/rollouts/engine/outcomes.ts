import {
  blockedIn,
  coverByFlapping,
  endFlapping,
  isHeldUp,
  loopingIn,
  overdue,
  settledOutcome,
  settlesAt,
  stuckAt,
  tellBlocked,
  tellInThread,
} from './thread-outcomes.ts';
import { RETURN_MS } from './list-memory.ts';
import {
  announce,
  begin,
  byLocation,
  copyOf,
  hasCard,
  isAnnounced,
  locationsIn,
  nextNumber,
  rowsOf,
  union,
  type Flapping,
  type Outcome,
  type Records,
  type RolloutState,
  type RolloutStep,
  type Row,
  type StepInput,
} from './rollout.ts';
import { outcomesWith, stateIs, TROUBLE, type Ending, type OutcomeKind } from './states.ts';

interface StepOptions {
  /** Its records before, by location. */
  previous: Records;
  /** Milliseconds since the epoch. */
  now: number;
  adopting: boolean;
  /** Locations that are adopted in this poll, because the first one could not read them. */
  found?: ReadonlySet<string> | undefined;
  /** False: this step does not begin to flap. */
  mayFlap?: boolean;
}

/**
 * One step of a workload's rollout. Pure. A step with the same records (the very objects) before
 * `wakeAt` tells nothing and gives the same rollout, so it may as well be left out.
 * @param before undefined for a workload that had none
 * @param records its records after this poll, by location
 * @returns undefined while there is no rollout: no version was ever stated, or all are cron records
 */
export function stepRollout(
  before: RolloutState | undefined,
  records: Records,
  options: StepOptions,
): RolloutStep | undefined {
  const version = newestVersion(records) || (before?.version ?? 0);
  const rows = rowsOf(records, version);
  if (version === 0 || rows.length === 0) return undefined;

  const isNew = before?.version !== version;
  if (before !== undefined && !isNew && sleeps(before, records, options)) {
    return { rollout: before, rows, closed: undefined, opened: false, outcomes: [] };
  }
  const { previous, now, adopting, found, mayFlap = true } = options;
  const input = { rows, records, previous, found, now };
  const arrived = arrivals(previous, records, version).filter((one) => !found?.has(one));
  // No location came to it: the one that was ahead has left, or one is adopted late.
  const fellBack = isNew && (before !== undefined || found !== undefined) && arrived.length === 0;
  const isLower = version < (before?.version ?? 0);
  const ending = fellBack && isLower ? ('gone' as const) : ('superseded' as const);
  const closed = isNew && before?.ending === null ? { ...before, ending } : undefined;
  if (adopting || fellBack) {
    const rollout = begin(before, version, null);
    adoptInto(rollout, input);
    return { rollout, rows, closed, opened: false, outcomes: [] };
  }
  const rollout = before === undefined || isNew ? begin(before, version, now) : copyOf(before);
  // A rollout that was found under way has no card until one more location goes along.
  const joins = arrived.some((location) => previous[location] !== undefined);
  const opened = isNew || (joins && !hasCard(rollout));
  const thread = opened || hasCard(rollout);
  const outcomes = outcomesOf(rollout, input, { hasThread: thread, mayFlap });
  const ready = isNew ? outcomes.find(({ kind }) => kind === 'ready') : undefined;
  if (ready !== undefined) rollout.readyIsCard = ready.n;
  return { rollout, rows, closed, opened, outcomes };
}

/** The newest expected version over the locations that are still listed; 0 when none states one. */
function newestVersion(records: Records): number {
  const listed = Object.values(records).filter((record) => !record.cron && record.state !== 'gone');
  return Math.max(0, ...listed.map((record) => record.version));
}

/** True when nothing changed and time has nothing to tell yet. */
function sleeps(before: RolloutState, records: Records, options: StepOptions): boolean {
  const { previous, now, adopting } = options;
  if (adopting || !(before.wakeAt === null || now < before.wakeAt)) return false;
  const locations = Object.keys(records);
  return (
    locations.length === Object.keys(previous).length &&
    locations.every((location) => records[location] === previous[location])
  );
}

/** Locations that came to the version in this poll. */
function arrivals(previous: Records, records: Records, version: number): string[] {
  return Object.entries(records)
    .filter(
      ([location, record]) =>
        !record.cron && record.version === version && previous[location]?.version !== version,
    )
    .map(([location]) => location);
}

/** Said at most once between two times of readiness; the others have spells of their own. */
const OF_AN_EPISODE = outcomesWith('oncePerEpisode');

/** Takes what is there as known, and tells nothing of it: the first poll of a GVC, or what others left behind. */
function adoptInto(rollout: RolloutState, input: StepInput): void {
  const { rows } = input;
  rollout.announced = rows.every((row) => stateIs(row.state, 'atRest'));
  rollout.ready = isReady(rollout, input);
  rollout.ending = endingOf(rows, rollout.ready);
  rollout.late = lateOf(rollout, input);
  rollout.left = leftOf(rollout, input);
  rollout.asleep = locationsIn(rows, 'suspended');
  rollout.moved = input.now;
  for (const kind of [...TROUBLE, 'diverged'] as const) {
    announce(rollout, kind, locationsIn(rows, kind), { post: false });
  }
  announce(rollout, 'crashloop', loopingIn(input), { post: false });
  announce(rollout, 'blocked', blockedIn(rollout, input), { post: false });
  rollout.wakeAt = wakeAtOf(rollout, input);
}

/**
 * Tells what a poll changed for a rollout, each outcome once (design section 4, "Outcomes"). Changes
 * the rollout that it is given.
 * @param how.hasThread there is a card, or one opens in this step whatever is told
 * @param how.mayFlap false: it does not begin to flap in this step
 */
function outcomesOf(
  rollout: RolloutState,
  input: StepInput,
  { hasThread, mayFlap }: { hasThread: boolean; mayFlap: boolean },
): Outcome[] {
  const { rows, now } = input;
  noteMovement(rollout, input);
  const told = { ...rollout.told };
  // Until it was ready once, trouble and its end are the rollout itself.
  const { announced } = rollout;
  const settled = endFlapping(rollout, now);
  const ready = isReady(rollout, input);
  if (rollout.ready && !ready) beginEpisode(rollout, now);
  rollout.late = lateOf(rollout, input);
  knowFound(rollout, input);
  rollout.left = leftOf(rollout, input);

  const inTrouble = TROUBLE.some((kind) => rollout.said[kind] !== undefined);
  const trouble = TROUBLE.flatMap((kind) => tellTrouble(rollout, rows, kind));
  const blocked = tellBlocked(rollout, input);
  const back = ready && !rollout.ready ? tellReturn(rollout, input, settled) : [];
  rollout.ready = ready;
  rollout.ending = endingOf(rows, ready);
  // Ready since the last change, and not yet told; that it can be ready was told before it flapped.
  const quietly = settled !== undefined && back.length === 0 && rollout.ending === 'ready';
  const calm = quietly ? [served(rollout, input, 'recovered', settled)] : [];
  const broadcasts = [...trouble, ...blocked, ...back, ...calm];
  const post = hasThread || broadcasts.length > 0;
  const returned = back.length + calm.length > 0;
  const outcomes = coverByFlapping(
    rollout,
    [...broadcasts, ...tellInThread(rollout, input, { post, returned })],
    {
      changed: announced && (inTrouble ? back.length > 0 : trouble.length > 0),
      mayBegin: mayFlap,
      told,
      now,
    },
  );
  rollout.wakeAt = wakeAtOf(rollout, input);
  return settled === undefined ? outcomes : [settledOutcome(settled, rollout, rows), ...outcomes];
}

/** As long as any location goes on or falls back, the rollout is slow, and not stuck. */
function noteMovement(rollout: RolloutState, { rows, previous, now }: StepInput): void {
  const before = new Map(rowsOf(previous, rollout.version).map((row) => [row.location, row]));
  const moves = rows.some(({ location, state, replicas }) => {
    const was = before.get(location);
    return was?.state !== state || was.replicas.ready !== replicas.ready;
  });
  if (moves || rollout.moved === undefined) rollout.moved = now;
}

function beginEpisode(rollout: RolloutState, now: number): void {
  for (const kind of OF_AN_EPISODE) delete rollout.said[kind];
  rollout.lostAt = now;
}

/** Told when it is news in this episode; a later location edits what was told. */
function tellTrouble(
  rollout: RolloutState,
  rows: readonly Row[],
  kind: OutcomeKind & Row['state'],
): Outcome[] {
  const news = locationsIn(rows, kind).filter((location) => !isAnnounced(rollout, kind, location));
  return announce(rollout, kind, news);
}

function tellReturn(
  rollout: RolloutState,
  input: StepInput,
  settled: Flapping | undefined,
): Outcome[] {
  const kind = kindOfReturn(rollout);
  rollout.announced = true;
  rollout.readyAt ??= input.now;
  if (kind === undefined) return [];
  const outcome = served(rollout, input, kind, settled);
  const { lostAt } = rollout;
  return [kind === 'ready' || lostAt === undefined ? outcome : { ...outcome, since: lostAt }];
}

function kindOfReturn(rollout: RolloutState): 'ready' | 'recovered' | undefined {
  if (!rollout.announced) return 'ready';
  if (rollout.said.unhealthy !== undefined || rollout.said.stale !== undefined) return 'recovered';
  const { failed, blocked } = rollout.said;
  return failed === undefined && blocked === undefined ? undefined : 'ready';
}

/** @param settled flapping that has ended in this step: its locations were in trouble, too */
function served(
  rollout: RolloutState,
  input: StepInput,
  kind: 'ready' | 'recovered',
  settled: Flapping | undefined,
): Outcome {
  const all = readyOrNearest(rollout, input);
  const sick = TROUBLE.flatMap((one) => rollout.said[one]?.locations ?? []);
  const back = all.filter((one) => sick.includes(one) || settled?.locations.includes(one) === true);
  // Where the sick location itself has left or sleeps, it is the others that serve.
  const locations = kind === 'recovered' && back.length > 0 ? back : all;
  return { kind, n: nextNumber(rollout, kind), locations };
}

/** Those that are ready; else those listed that were; else, when these have gone, all that is listed. */
function readyOrNearest({ version }: RolloutState, { rows, records }: StepInput): string[] {
  const serving = locationsIn(rows, 'ready');
  if (serving.length > 0) return serving;
  const there = rows.filter(({ state }) => state !== 'gone').map(({ location }) => location);
  const were = wereReady(records, version).filter((location) => there.includes(location));
  return were.length > 0 ? were : there;
}

function wereReady(records: Records, version: number): string[] {
  return Object.keys(records)
    .filter((location) => {
      const record = records[location];
      return record?.version === version && record.wasReady && !record.cron;
    })
    .sort();
}

/** Every location in play is ready, and one is or was. What is gone as a whole is neither lost nor back. */
function isReady(rollout: RolloutState, { rows, records }: StepInput): boolean {
  if (rows.every((row) => row.state === 'gone')) return rollout.ready;
  return allReady(rows) && wereReady(records, rollout.version).length > 0;
}

function allReady(rows: readonly Row[]): boolean {
  return rows.every((row) => row.state === 'ready' || stateIs(row.state, 'aside'));
}

/** In place with nothing to serve is an end, too; it is shown by an edit and calls no one. */
function endingOf(rows: readonly Row[], ready: boolean): Ending | null {
  if (rows.every((row) => row.state === 'gone')) return 'gone';
  if (rows.every((row) => stateIs(row.state, 'aside'))) {
    return rows.some((row) => row.state === 'suspended') ? 'suspended' : 'idle';
  }
  return ready ? 'ready' : null;
}

/** Trouble in which a location left and came back is known, and so is that of one that is adopted late. */
function knowFound(
  rollout: RolloutState,
  { rows, records, previous, found, now }: StepInput,
): void {
  for (const kind of TROUBLE) {
    const known = locationsIn(rows, kind).filter((location) => {
      if (found?.has(location) === true) return true;
      const before = previous[location];
      return (
        before?.state === 'gone' &&
        now - before.since < RETURN_MS &&
        before.version === records[location]?.version &&
        stateOfLeaving(rollout, location) === kind
      );
    });
    if (known.length === 0) continue;
    const said = rollout.said[kind] ?? { n: 0, locations: [] };
    rollout.said[kind] = { ...said, locations: union(said.locations, known) };
  }
}

function leftOf(rollout: RolloutState, { records, previous }: StepInput): RolloutState['left'] {
  return byLocation(
    Object.keys(records).flatMap((location) => {
      if (records[location]?.state !== 'gone') return [];
      const before = previous[location]?.state;
      const state = before === 'gone' ? stateOfLeaving(rollout, location) : before;
      return state === undefined ? [] : [[location, state]];
    }),
  );
}

function stateOfLeaving(
  rollout: RolloutState,
  location: string,
): RolloutState['left'][string] | undefined {
  return Object.hasOwn(rollout.left, location) ? rollout.left[location] : undefined;
}

/** Since when the locations that are waited for are not ready: this poll, or one before. */
function lateOf(
  rollout: RolloutState,
  { rows, records, previous, now }: StepInput,
): RolloutState['late'] {
  const waited = rows.filter(({ state }) => state !== 'ready' && !stateIs(state, 'aside'));
  return byLocation(
    waited.map(({ location }) => {
      const since = Object.hasOwn(rollout.late, location) ? rollout.late[location] : undefined;
      // What was told to hold it up has ended, so that it begins again.
      const freed =
        isAnnounced(rollout, 'blocked', location) &&
        isHeldUp(previous[location], rollout.version) &&
        !isHeldUp(records[location], rollout.version);
      return [location, freed ? now : (since ?? now)];
    }),
  );
}

function wakeAtOf(rollout: RolloutState, input: StepInput): number | null {
  const moments = overdue(rollout, input).map(({ at }) => at);
  const stuck = stuckAt(rollout, input);
  if (stuck !== undefined) moments.push(stuck);
  if (rollout.flapping !== null) moments.push(settlesAt(rollout.flapping));
  return moments.length === 0 ? null : Math.min(...moments);
}
