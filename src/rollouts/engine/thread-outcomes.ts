import type { RecordMemory } from './classify.ts';
import {
  announce,
  isAnnounced,
  locationsIn,
  nextNumber,
  union,
  waits,
  type Flapping,
  type Outcome,
  type Records,
  type RolloutState,
  type Row,
  type StepInput,
} from './rollout.ts';
import { isTrouble, stateIs, TROUBLE, type OutcomeKind, type RecordState } from './states.ts';

const MINUTE_MS = 60_000;
/** How long a location may diverge or be on its way before people should look. */
const PATIENCE_MS = 10 * MINUTE_MS;
/** How long a cause that does not pass by itself may stand before people should look. */
const BLOCKED_MS = 3 * MINUTE_MS;
const CRASHLOOP_CLIMBS = 3;
const CRASHLOOP_MS = 10 * MINUTE_MS;
/** So long without a restart makes the next crash loop news. */
const CRASHLOOP_OVER_MS = 60 * MINUTE_MS;

/** Something has to be mended there before the rollout of this version goes on. */
export function isHeldUp(record: RecordMemory | undefined, version: number): boolean {
  return record?.heldUpSince !== undefined && !waits(record, version);
}

/** A cause that a person has to mend is told once in an episode; a later location joins. */
export function tellBlocked(rollout: RolloutState, input: StepInput): Outcome[] {
  return announce(rollout, 'blocked', blockedIn(rollout, input));
}

/** Held up for so long that people should look, and not told so. */
export function blockedIn(rollout: RolloutState, input: StepInput): string[] {
  return overdueNow(rollout, input, 'blocked');
}

function overdueNow(rollout: RolloutState, input: StepInput, kind: OutcomeKind): string[] {
  return overdue(rollout, input)
    .filter((one) => one.kind === kind && one.at <= input.now)
    .map(({ location }) => location);
}

/**
 * What belongs into the card's thread.
 * @param how.post there is a thread; without one an outcome is known without having been said. Only
 *   `gone` is always an outcome, because a message about the whole GVC may stand for it, and
 *   `crashloop`, which is a message of its own then
 * @param how.returned this poll tells that all is ready, which says of a location that it resumed, too
 */
export function tellInThread(
  rollout: RolloutState,
  input: StepInput,
  { post, returned }: { post: boolean; returned: boolean },
): Outcome[] {
  return [
    ...tellSleep(rollout, input, { post, returned }),
    ...announce(rollout, 'diverged', overdueNow(rollout, input, 'diverged'), { post }),
    ...tellLagging(rollout, input, post),
    ...tellCrashLoops(rollout, input),
    ...tellGone(rollout, input),
  ];
}

/** What takes too long at a location, from when on, in milliseconds since the epoch. */
interface Due {
  kind: 'blocked' | 'diverged' | 'lagging';
  location: string;
  at: number;
}

/**
 * What will have taken too long, and when, in milliseconds since the epoch; without what is known. Of a
 * location that the last list lacked nothing is known until it is there again, or gone.
 */
export function overdue(
  rollout: RolloutState,
  { rows, records }: Pick<StepInput, 'rows' | 'records'>,
): Due[] {
  const worse = isWorseThanLate(rows);
  return rows.flatMap((row): Due[] => {
    const { location, state, since } = row;
    const record = records[location];
    if ((record?.missing ?? 0) > 0) return [];
    if (state === 'diverged' && !isAnnounced(rollout, 'diverged', location)) {
      return [{ kind: 'diverged', location, at: since + PATIENCE_MS }];
    }
    const blocked: Due[] =
      isHeldUp(record, rollout.version) && !isAnnounced(rollout, 'blocked', location)
        ? [{ kind: 'blocked', location, at: (record?.heldUpSince ?? 0) + BLOCKED_MS }]
        : [];
    const at = lagsAt(rollout, row, records);
    if (worse || at === undefined || isAnnounced(rollout, 'lagging', location)) return blocked;
    return [...blocked, { kind: 'lagging', location, at }];
  });
}

/** When a location will have been on its way for too long; undefined where that is not told. */
function lagsAt(
  rollout: RolloutState,
  { location, state }: Row,
  records: Records,
): number | undefined {
  const record = records[location];
  if (!stateIs(state, 'onTheWay') || (record?.missing ?? 0) > 0) return undefined;
  // That it takes long was told with why.
  if (isAnnounced(rollout, 'blocked', location) && isHeldUp(record, rollout.version))
    return undefined;
  return (rollout.late[location] ?? 0) + PATIENCE_MS;
}

/** A suspension lasts until the location is ready again, and only then the next one is news. */
function tellSleep(
  rollout: RolloutState,
  { rows, records, previous }: StepInput,
  { post, returned }: { post: boolean; returned: boolean },
): Outcome[] {
  const asleep = rollout.asleep.filter((location) => records[location] !== undefined);
  const fell = locationsIn(rows, 'suspended').filter((location) => !asleep.includes(location));
  const woke = locationsIn(rows, 'ready').filter((location) => asleep.includes(location));
  const news = fell.filter((location) => {
    const before = previous[location]?.state;
    return before !== undefined && before !== 'suspended';
  });
  const joins = isAllNews(rollout, 'suspended', news);
  if (!joins) delete rollout.said.resumed;
  const outcomes = [
    ...announce(rollout, 'suspended', news, { joins, post }),
    ...announce(rollout, 'resumed', woke, {
      joins: isAllNews(rollout, 'resumed', woke),
      post: post && !returned,
    }),
  ];
  rollout.asleep = union(asleep, fell).filter((location) => !woke.includes(location));
  if (rollout.asleep.length === 0) {
    delete rollout.said.suspended;
    delete rollout.said.resumed;
  }
  return outcomes;
}

/** A location that left comes back in silence; when it leaves again, that is news. */
function tellGone(rollout: RolloutState, { records, previous }: StepInput): Outcome[] {
  const gone = Object.keys(records).filter((location) => {
    const record = records[location];
    return record?.state === 'gone' && !record.cron;
  });
  if (gone.length === 0) delete rollout.said.gone;
  const news = gone.filter((location) => {
    const before = previous[location]?.state;
    return before !== undefined && before !== 'gone';
  });
  return announce(rollout, 'gone', news, { joins: isAllNews(rollout, 'gone', news) });
}

/** When all locations in play lag and none has moved for as long, the rollout is stuck, and the channel is called. */
function tellLagging(rollout: RolloutState, input: StepInput, post: boolean): Outcome[] {
  const stuck = stuckAt(rollout, input);
  if (stuck === undefined || stuck > input.now) {
    const outcomes = announce(rollout, 'lagging', overdueNow(rollout, input, 'lagging'), { post });
    return rollout.said.lagging?.stuck === true ? outcomes.map(broadcasted) : outcomes;
  }
  const all = awaitedIn(input).map(({ location }) => location);
  const outcomes = announce(rollout, 'lagging', all, { joins: false, post }).map(broadcasted);
  const { lagging } = rollout.said;
  if (lagging !== undefined) rollout.said.lagging = { ...lagging, stuck: true };
  return outcomes;
}

/**
 * When the rollout will be stuck in all locations, in milliseconds since the epoch; undefined while one
 * is ready, in trouble or said to be held up, and where the channel was told.
 */
export function stuckAt(
  rollout: RolloutState,
  { rows, records }: Pick<StepInput, 'rows' | 'records'>,
): number | undefined {
  if (rollout.said.lagging?.stuck === true || isWorseThanLate(rows)) return undefined;
  const times = awaitedIn({ rows }).map((row) => lagsAt(rollout, row, records));
  if (times.length === 0) return undefined;
  const last = times.reduce<number>((latest, at) => Math.max(latest, at ?? Infinity), 0);
  const at = Math.max(last, (rollout.moved ?? 0) + PATIENCE_MS);
  return at === Infinity ? undefined : at;
}

function awaitedIn({ rows }: Pick<StepInput, 'rows'>): Row[] {
  return rows.filter(({ state }) => !stateIs(state, 'aside'));
}

function isWorseThanLate(rows: readonly Row[]): boolean {
  return rows.some(({ state }) => isTrouble(state) || state === 'diverged');
}

function broadcasted(outcome: Outcome): Outcome {
  return { ...outcome, broadcast: true };
}

function tellCrashLoops(rollout: RolloutState, input: StepInput): Outcome[] {
  const { rows, records, now } = input;
  const said = rollout.said.crashloop?.locations ?? [];
  const going = said.filter((location) => goesOn(records[location]));
  // A number that told of loops which are all over is not told of another one.
  const n = going.length > 0 ? (rollout.said.crashloop?.n ?? 0) : 0;
  if (going.length < said.length) rollout.said.crashloop = { n, locations: going };
  const news = loopingIn(input).filter((location) => !going.includes(location));
  const joins = going.length === 0 || going.some((location) => !isOver(records[location], now));
  const outcomes = announce(rollout, 'crashloop', news, { joins });
  return outcomes.map((outcome) =>
    servesLittle(rows.filter(({ location }) => outcome.locations.includes(location)))
      ? broadcasted(outcome)
      : outcome,
  );
}

/** Less than half of the wanted replicas are ready, be it those of the version before. */
function servesLittle(all: readonly Row[]): boolean {
  // What is ready and counts nothing does not say how many are.
  const rows = all.filter(({ state, replicas }) => state !== 'ready' || replicas.ready > 0);
  const sum = (of: (row: Row) => number): number => rows.reduce((total, row) => total + of(row), 0);
  const ready = sum(({ replicas, outgoing }) => replicas.ready + (outgoing?.ready ?? 0));
  return ready < sum(({ replicas }) => replicas.wanted) / 2;
}

/** Locations whose containers crash in a loop, also where they are ready in between. */
export function loopingIn({ rows, records, now }: StepInput): string[] {
  return rows
    .filter(({ state, location }) => state !== 'waiting' && loops(records[location], now))
    .map(({ location }) => location);
}

/** The restart count rose three times within ten minutes, and lately. */
function loops(record: RecordMemory | undefined, now: number): boolean {
  const climbs = climbsOf(record);
  const [first = 0] = climbs;
  const last = climbs.at(-1) ?? 0;
  return climbs.length === CRASHLOOP_CLIMBS && last - first <= CRASHLOOP_MS && !isOver(record, now);
}

function isOver(record: RecordMemory | undefined, now: number): boolean {
  return now - (climbsOf(record).at(-1) ?? 0) >= CRASHLOOP_OVER_MS;
}

/** No pause has ended the loop that was said, as far as can be told from the last climbs. */
function goesOn(record: RecordMemory | undefined): boolean {
  const climbs = climbsOf(record);
  return (
    climbs.length === CRASHLOOP_CLIMBS &&
    climbs.every((at, index) => at - (climbs[index - 1] ?? at) < CRASHLOOP_OVER_MS)
  );
}

function climbsOf(record: RecordMemory | undefined): readonly number[] {
  return record?.climbs ?? [];
}

/** None of it was said in what is going on, so that it can be added there. */
function isAllNews(rollout: RolloutState, kind: OutcomeKind, news: readonly string[]): boolean {
  return !news.some((location) => isAnnounced(rollout, kind, location));
}

/** So many changes within this time are flapping, and so long without one ends it. */
const CHANGES = 4;
const WINDOW_MS = 10 * 60_000;
const MAX_COVERS = 100;

/** When flapping ends unless something changes before, in milliseconds since the epoch. */
export function settlesAt(flapping: Flapping): number {
  return flapping.last + WINDOW_MS;
}

/**
 * Ends the flapping that had no change for ten minutes. Trouble that it stood for is news again, so
 * that what holds now is told once.
 * @returns what has ended
 */
export function endFlapping(rollout: RolloutState, now: number): Flapping | undefined {
  const { flapping } = rollout;
  if (flapping === null || now < settlesAt(flapping)) return undefined;
  rollout.flapping = null;
  rollout.changes = [];
  for (const kind of TROUBLE) {
    const said = rollout.said[kind];
    if (said?.covered === true) rollout.said[kind] = { ...said, locations: [] };
  }
  return flapping;
}

/** The message about flapping for the last time: how it settled. */
export function settledOutcome(
  flapping: Flapping,
  rollout: RolloutState,
  rows: readonly Row[],
): Outcome {
  const { n, locations, covers } = flapping;
  return { kind: 'flapping', n, locations, covers, settled: settledAs(rollout, rows) };
}

function settledAs(rollout: RolloutState, rows: readonly Row[]): RecordState {
  if (rollout.ending !== null && rollout.ending !== 'superseded') return rollout.ending;
  const trouble = TROUBLE.find((kind) => rows.some((row) => row.state === kind));
  if (trouble !== undefined) return trouble;
  const moving = rows.find((row) => row.state !== 'ready')?.state ?? 'ready';
  return moving === 'waiting' ? 'pending' : moving;
}

/**
 * Counts a change, and lets the message about flapping stand for what is new while the workload flaps
 * (design section 4, "Noise"). Messages of their own from before are still edited.
 * @param step.changed trouble began or ended in this step
 * @param step.mayBegin false: it goes on flapping, but does not begin to
 * @param step.told the numbers before this step
 * @returns what is left to be told
 */
export function coverByFlapping(
  rollout: RolloutState,
  outcomes: Outcome[],
  step: {
    changed: boolean;
    mayBegin: boolean;
    told: Readonly<Record<string, number>>;
    now: number;
  },
): Outcome[] {
  const { changed, mayBegin, told, now } = step;
  if (changed) {
    const recent = rollout.changes.filter((at) => now - at <= WINDOW_MS);
    rollout.changes = [...recent, now].slice(-CHANGES);
  }
  if (rollout.flapping === null && !(mayBegin && isDueToFlap(rollout, now))) return outcomes;

  const before = rollout.flapping ?? startOf(rollout, now);
  const isNew = ({ kind, n }: Outcome): boolean => n > (told[`${rollout.version}/${kind}`] ?? 0);
  const covered = outcomes.filter(isNew);
  const edits = outcomes.filter((outcome) => !isNew(outcome));
  for (const { kind } of covered) {
    const said = rollout.said[kind];
    if (said !== undefined) rollout.said[kind] = { ...said, covered: true };
  }
  const flapping: Flapping = {
    n: before.n,
    last: changed ? now : before.last,
    locations: union(
      before.locations,
      covered.flatMap(({ locations }) => locations),
    ),
    covers: [...before.covers, ...covered.map(({ kind, n }) => ({ kind, n }))].slice(-MAX_COVERS),
  };
  rollout.flapping = flapping;
  const { n, locations, covers } = flapping;
  return covered.length === 0 ? edits : [...edits, { kind: 'flapping', n, locations, covers }];
}

/** Its last change is of now, and one too many. @param now milliseconds since the epoch */
export function isDueToFlap({ flapping, changes }: RolloutState, now: number): boolean {
  return flapping === null && changes.length >= CHANGES && changes.at(-1) === now;
}

/** The rollout without a change of now: one that others tell does not count. */
export function withoutChange(rollout: RolloutState, now: number): RolloutState {
  if (rollout.flapping !== null || rollout.changes.at(-1) !== now) return rollout;
  return { ...rollout, changes: rollout.changes.slice(0, -1) };
}

function startOf(rollout: RolloutState, now: number): Flapping {
  return { n: nextNumber(rollout, 'flapping'), last: now, locations: [], covers: [] };
}
