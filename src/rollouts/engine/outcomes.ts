import { settle, settledOutcome, settlesAt, standFor } from './flapping.ts';
import type { Flapping } from './flapping.ts';
import { RETURN_MS } from './records.ts';
import { byLocation, isSaid, locationsIn, nextNumber, say, union } from './saying.ts';
import type { Sight } from './saying.ts';
import { TROUBLE } from './telling.ts';
import {
  blockedIn,
  isHeldUp,
  loopingIn,
  overdue,
  tellBlocked,
  tellInThread,
} from './thread-outcomes.ts';
import type { Ending, Outcome, OutcomeKind, Records, Row, Track } from './track.ts';

/** Outcomes that are replies only: never broadcast, and no card opens for them (design section 4). */
export const THREAD_ONLY: ReadonlySet<OutcomeKind> = new Set([
  'suspended',
  'resumed',
  'diverged',
  'lagging',
  'crashloop',
  'gone',
]);

const OUT_OF_PLAY: ReadonlySet<Row['state']> = new Set(['suspended', 'idle', 'gone']);
const KNOWN_AT_ADOPTION: ReadonlySet<Row['state']> = new Set([
  'ready',
  'idle',
  'suspended',
  'stale',
  'gone',
]);
/** Said at most once between two times of readiness; the others have spells of their own. */
const OF_AN_EPISODE: readonly OutcomeKind[] = [...TROUBLE, 'blocked', 'diverged', 'lagging'];

/** Takes what is there as known, without telling it: the first poll of a GVC, or what others left behind. */
export function adoptInto(track: Track, sight: Sight): void {
  const { rows } = sight;
  track.announced = rows.every((row) => KNOWN_AT_ADOPTION.has(row.state));
  track.ready = isReady(track, sight);
  track.ending = endingOf(rows, track.ready);
  track.late = lateOf(track, sight);
  track.left = leftOf(track, sight);
  track.asleep = locationsIn(rows, 'suspended');
  for (const kind of [...TROUBLE, 'diverged'] as const) {
    say(track, kind, locationsIn(rows, kind), { aloud: false });
  }
  say(track, 'crashloop', loopingIn(sight), { aloud: false });
  say(track, 'blocked', blockedIn(track, sight), { aloud: false });
  track.wakeAt = wakeAtOf(track, sight);
}

/**
 * Tells what a poll changed for a rollout, each outcome once (design section 4, "Outcomes"). Changes
 * the track that it is given.
 * @param how.hasThread there is a card, or one opens in this step whatever is told
 * @param how.mayFlap false: it does not begin to flap in this step
 */
export function tell(
  track: Track,
  sight: Sight,
  { hasThread, mayFlap }: { hasThread: boolean; mayFlap: boolean },
): Outcome[] {
  const { rows, now } = sight;
  const told = { ...track.told };
  // Until it was ready once, trouble and its end are the rollout itself.
  const { announced } = track;
  const settled = settle(track, now);
  const ready = isReady(track, sight);
  if (track.ready && !ready) beginEpisode(track, now);
  track.late = lateOf(track, sight);
  knowFound(track, sight);
  track.left = leftOf(track, sight);

  const inTrouble = TROUBLE.some((kind) => track.said[kind] !== undefined);
  const trouble = TROUBLE.flatMap((kind) => tellTrouble(track, rows, kind));
  const blocked = tellBlocked(track, sight);
  const back = ready && !track.ready ? tellReturn(track, sight, settled) : [];
  track.ready = ready;
  track.ending = endingOf(rows, ready);
  // Ready since the last change, of which nobody was told; that it can be ready was told before it flapped.
  const quietly = settled !== undefined && back.length === 0 && track.ending === 'ready';
  const calm = quietly ? [served(track, sight, 'recovered', settled)] : [];
  const loud = [...trouble, ...blocked, ...back, ...calm];
  const aloud = hasThread || loud.length > 0;
  const returned = back.length + calm.length > 0;
  const outcomes = standFor(track, [...loud, ...tellInThread(track, sight, { aloud, returned })], {
    changed: announced && (inTrouble ? back.length > 0 : trouble.length > 0),
    mayBegin: mayFlap,
    told,
    now,
  });
  track.wakeAt = wakeAtOf(track, sight);
  return settled === undefined ? outcomes : [settledOutcome(settled, track, rows), ...outcomes];
}

function beginEpisode(track: Track, now: number): void {
  for (const kind of OF_AN_EPISODE) delete track.said[kind];
  track.lostAt = now;
}

/** Told when it is news in this episode; a later location edits what was told. */
function tellTrouble(
  track: Track,
  rows: readonly Row[],
  kind: OutcomeKind & Row['state'],
): Outcome[] {
  const news = locationsIn(rows, kind).filter((location) => !isSaid(track, kind, location));
  return say(track, kind, news);
}

function tellReturn(track: Track, sight: Sight, settled: Flapping | undefined): Outcome[] {
  const kind = kindOfReturn(track);
  track.announced = true;
  track.readyAt ??= sight.now;
  if (kind === undefined) return [];
  const outcome = served(track, sight, kind, settled);
  const { lostAt } = track;
  return [kind === 'ready' || lostAt === undefined ? outcome : { ...outcome, since: lostAt }];
}

function kindOfReturn(track: Track): 'ready' | 'recovered' | undefined {
  if (!track.announced) return 'ready';
  if (track.said.unhealthy !== undefined || track.said.stale !== undefined) return 'recovered';
  const { failed, blocked } = track.said;
  return failed === undefined && blocked === undefined ? undefined : 'ready';
}

/** @param settled flapping that has ended in this step: its locations were in trouble, too */
function served(
  track: Track,
  sight: Sight,
  kind: 'ready' | 'recovered',
  settled: Flapping | undefined,
): Outcome {
  const all = readyOrNearest(track, sight);
  const sick = TROUBLE.flatMap((one) => track.said[one]?.locations ?? []);
  const back = all.filter((one) => sick.includes(one) || settled?.locations.includes(one) === true);
  // Where the sick location itself has left or sleeps, it is the others that serve.
  const locations = kind === 'recovered' && back.length > 0 ? back : all;
  return { kind, n: nextNumber(track, kind), locations };
}

/** Those that are ready; else those listed that were; else, when these have gone, all that is listed. */
function readyOrNearest({ version }: Track, { rows, records }: Sight): string[] {
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
function isReady(track: Track, { rows, records }: Sight): boolean {
  if (rows.every((row) => row.state === 'gone')) return track.ready;
  return holds(rows) && wereReady(records, track.version).length > 0;
}

function holds(rows: readonly Row[]): boolean {
  return rows.every((row) => row.state === 'ready' || OUT_OF_PLAY.has(row.state));
}

/** In place with nothing to serve is an end, too; it is shown by an edit, and nobody is called. */
function endingOf(rows: readonly Row[], ready: boolean): Ending | null {
  if (rows.every((row) => row.state === 'gone')) return 'gone';
  if (rows.every((row) => OUT_OF_PLAY.has(row.state))) {
    return rows.some((row) => row.state === 'suspended') ? 'suspended' : 'idle';
  }
  return ready ? 'ready' : null;
}

/** Trouble in which a location left and came back is known, and so is that of one that is adopted late. */
function knowFound(track: Track, { rows, records, previous, found, now }: Sight): void {
  for (const kind of TROUBLE) {
    const known = locationsIn(rows, kind).filter((location) => {
      if (found?.has(location) === true) return true;
      const before = previous[location];
      return (
        before?.state === 'gone' &&
        now - before.since < RETURN_MS &&
        before.version === records[location]?.version &&
        stateOfLeaving(track, location) === kind
      );
    });
    if (known.length === 0) continue;
    const said = track.said[kind] ?? { n: 0, locations: [] };
    track.said[kind] = { ...said, locations: union(said.locations, known) };
  }
}

function leftOf(track: Track, { records, previous }: Sight): Track['left'] {
  return byLocation(
    Object.keys(records).flatMap((location) => {
      if (records[location]?.state !== 'gone') return [];
      const before = previous[location]?.state;
      const state = before === 'gone' ? stateOfLeaving(track, location) : before;
      return state === undefined ? [] : [[location, state]];
    }),
  );
}

function stateOfLeaving(track: Track, location: string): Track['left'][string] | undefined {
  return Object.hasOwn(track.left, location) ? track.left[location] : undefined;
}

/** Since when the locations that are waited for are not ready: this poll, or one before. */
function lateOf(track: Track, { rows, records, previous, now }: Sight): Track['late'] {
  const waited = rows.filter(({ state }) => state !== 'ready' && !OUT_OF_PLAY.has(state));
  return byLocation(
    waited.map(({ location }) => {
      const since = Object.hasOwn(track.late, location) ? track.late[location] : undefined;
      // What was told to hold it up has ended, so that it begins anew.
      const freed =
        isSaid(track, 'blocked', location) &&
        isHeldUp(previous[location], track.version) &&
        !isHeldUp(records[location], track.version);
      return [location, freed ? now : (since ?? now)];
    }),
  );
}

function wakeAtOf(track: Track, sight: Sight): number | null {
  const moments = overdue(track, sight).map(({ at }) => at);
  if (track.flapping !== null) moments.push(settlesAt(track.flapping));
  return moments.length === 0 ? null : Math.min(...moments);
}
