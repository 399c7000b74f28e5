import { waits } from './gvc-step.ts';
import type { RecordMemory } from './classify.ts';
import { isSaid, locationsIn, say, union } from './saying.ts';
import type { Sight } from './saying.ts';
import type { Outcome, OutcomeKind, Records, Row, Track } from './track.ts';

const MINUTE_MS = 60_000;
/** How long a location may diverge or be on its way before somebody should look. */
const PATIENCE_MS = 10 * MINUTE_MS;
/** How long a cause that does not pass by itself may stand before somebody should look. */
const BLOCKED_MS = 3 * MINUTE_MS;
const CRASHLOOP_CLIMBS = 3;
const CRASHLOOP_MS = 10 * MINUTE_MS;
/** So long without a restart makes the next crash loop news. */
const CRASHLOOP_OVER_MS = 60 * MINUTE_MS;

const ON_THE_WAY: ReadonlySet<Row['state']> = new Set([
  'waiting',
  'pending',
  'deploying',
  'unknown',
]);
/** Nobody waits for these. */
const ASIDE: ReadonlySet<Row['state']> = new Set(['suspended', 'idle', 'gone']);
/** With one of these there is worse to look at than a location that takes long. */
const WORSE: ReadonlySet<Row['state']> = new Set(['failed', 'unhealthy', 'stale', 'diverged']);

/** Something has to be mended there before the rollout of this version goes on. */
export function isHeldUp(record: RecordMemory | undefined, version: number): boolean {
  return record?.heldUpSince !== undefined && !waits(record, version);
}

/** What somebody has to mend is told once in an episode; a later location joins. */
export function tellBlocked(track: Track, sight: Sight): Outcome[] {
  return say(track, 'blocked', blockedIn(track, sight));
}

/** Held up for so long that somebody should look, and not told so. */
export function blockedIn(track: Track, sight: Sight): string[] {
  return due(track, sight, 'blocked');
}

function due(track: Track, sight: Sight, kind: OutcomeKind): string[] {
  return overdue(track, sight)
    .filter((one) => one.kind === kind && one.at <= sight.now)
    .map(({ location }) => location);
}

/**
 * What belongs into the card's thread.
 * @param how.aloud there is a thread; without one an outcome is known without having been said. Only
 *   `gone` is always an outcome, because a message about the whole GVC may stand for it, and
 *   `crashloop`, which is a message of its own then
 * @param how.returned this poll tells that all is ready, which says of a location that it resumed, too
 */
export function tellInThread(
  track: Track,
  sight: Sight,
  { aloud, returned }: { aloud: boolean; returned: boolean },
): Outcome[] {
  return [
    ...tellSleep(track, sight, { aloud, returned }),
    ...say(track, 'diverged', due(track, sight, 'diverged'), { aloud }),
    ...tellLagging(track, sight, aloud),
    ...tellCrashLoops(track, sight),
    ...tellGone(track, sight),
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
export function overdue(track: Track, { rows, records }: Pick<Sight, 'rows' | 'records'>): Due[] {
  const worse = rows.some(({ state }) => WORSE.has(state));
  return rows.flatMap((row): Due[] => {
    const { location, state, since } = row;
    const record = records[location];
    if ((record?.missing ?? 0) > 0) return [];
    if (state === 'diverged' && !isSaid(track, 'diverged', location)) {
      return [{ kind: 'diverged', location, at: since + PATIENCE_MS }];
    }
    const blocked: Due[] =
      isHeldUp(record, track.version) && !isSaid(track, 'blocked', location)
        ? [{ kind: 'blocked', location, at: (record?.heldUpSince ?? 0) + BLOCKED_MS }]
        : [];
    const at = lagsAt(track, row, records);
    if (worse || at === undefined || isSaid(track, 'lagging', location)) return blocked;
    return [...blocked, { kind: 'lagging', location, at }];
  });
}

/** When a location will have been on its way for too long; undefined where nobody would say so. */
function lagsAt(track: Track, { location, state }: Row, records: Records): number | undefined {
  const record = records[location];
  if (!ON_THE_WAY.has(state) || (record?.missing ?? 0) > 0) return undefined;
  // That it takes long was told with why.
  if (isSaid(track, 'blocked', location) && isHeldUp(record, track.version)) return undefined;
  return (track.late[location] ?? 0) + PATIENCE_MS;
}

/** A suspension lasts until the location is ready again, and only then the next one is news. */
function tellSleep(
  track: Track,
  { rows, records, previous }: Sight,
  { aloud, returned }: { aloud: boolean; returned: boolean },
): Outcome[] {
  const asleep = track.asleep.filter((location) => records[location] !== undefined);
  const fell = locationsIn(rows, 'suspended').filter((location) => !asleep.includes(location));
  const woke = locationsIn(rows, 'ready').filter((location) => asleep.includes(location));
  const news = fell.filter((location) => {
    const before = previous[location]?.state;
    return before !== undefined && before !== 'suspended';
  });
  const joins = adds(track, 'suspended', news);
  if (!joins) delete track.said.resumed;
  const outcomes = [
    ...say(track, 'suspended', news, { joins, aloud }),
    ...say(track, 'resumed', woke, {
      joins: adds(track, 'resumed', woke),
      aloud: aloud && !returned,
    }),
  ];
  track.asleep = union(asleep, fell).filter((location) => !woke.includes(location));
  if (track.asleep.length === 0) {
    delete track.said.suspended;
    delete track.said.resumed;
  }
  return outcomes;
}

/** A location that left comes back in silence; when it leaves again, that is news. */
function tellGone(track: Track, { records, previous }: Sight): Outcome[] {
  const gone = Object.keys(records).filter((location) => {
    const record = records[location];
    return record?.state === 'gone' && !record.cron;
  });
  if (gone.length === 0) delete track.said.gone;
  const news = gone.filter((location) => {
    const before = previous[location]?.state;
    return before !== undefined && before !== 'gone';
  });
  return say(track, 'gone', news, { joins: adds(track, 'gone', news) });
}

/** When the last location in play begins to lag, too, the rollout is stuck, and the channel is called. */
function tellLagging(track: Track, sight: Sight, aloud: boolean): Outcome[] {
  const news = due(track, sight, 'lagging');
  if (news.length === 0) return [];
  const awaited = sight.rows.filter(({ state }) => !ASIDE.has(state));
  const stuck = awaited.every(
    (row) => (lagsAt(track, row, sight.records) ?? Infinity) <= sight.now,
  );
  if (!stuck) return say(track, 'lagging', news, { aloud });
  const all = awaited.map(({ location }) => location);
  return say(track, 'lagging', all, { joins: false, aloud }).map(loudly);
}

function loudly(outcome: Outcome): Outcome {
  return { ...outcome, loud: true };
}

function tellCrashLoops(track: Track, sight: Sight): Outcome[] {
  const { rows, records, now } = sight;
  const said = track.said.crashloop?.locations ?? [];
  const going = said.filter((location) => goesOn(records[location]));
  // A number that told of loops which are all over is not told of another one.
  const n = going.length > 0 ? (track.said.crashloop?.n ?? 0) : 0;
  if (going.length < said.length) track.said.crashloop = { n, locations: going };
  const news = loopingIn(sight).filter((location) => !going.includes(location));
  const joins = going.length === 0 || going.some((location) => !isOver(records[location], now));
  const outcomes = say(track, 'crashloop', news, { joins });
  return outcomes.map((outcome) =>
    servesLittle(rows.filter(({ location }) => outcome.locations.includes(location)))
      ? loudly(outcome)
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
export function loopingIn({ rows, records, now }: Sight): string[] {
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

/** What an earlier release stored has none. */
function climbsOf(record: RecordMemory | undefined): readonly number[] {
  return record?.climbs ?? [];
}

/** None of it was said in what is going on, so that it can be added there. */
function adds(track: Track, kind: OutcomeKind, news: readonly string[]): boolean {
  return !news.some((location) => isSaid(track, kind, location));
}
