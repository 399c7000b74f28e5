import { BROADCAST, changesIn, episodeOf, isKnown, locationsIn, TROUBLE } from './episode.ts';
import { isToldWhole, withTellers, type Around } from './incidents.ts';
import type { Row, Scene } from './scene.ts';
import { knownOf, threadOf } from './thread.ts';

const WINDOW = 10 * 60_000;
const QUIET = ['ready', 'idle', 'suspended', 'stale', 'gone'];

/** Something that was told of a workload: an outcome, its edit, or the opening of a card. */
export interface Told {
  at: number;
  E: number;
  kind: string;
  /** 0: known without having been told. */
  n: number;
  locations: string[];
  /** Told by flapping, or not at all. */
  hidden: boolean;
  /** Begins a message; else it edits one. */
  opens: boolean;
  /** Of `flapping`: what it stands for, and whether it has come to an end. */
  covers: string[];
  settled: boolean;
  /** The incident of a location that tells it. */
  by?: string;
}

/** What is to be told of a kind, before it has its number. */
export interface Wanted {
  kind: string;
  locations: string[];
  /** The message that it goes on with; undefined: one of its own. */
  edits: Told | undefined;
}

/** The rollout that the last scene is about, and what was told of its version. */
export interface Scenario {
  now: Scene;
  /** All scenes of the workload, and those of the rollout that is under way. */
  all: readonly Scene[];
  run: readonly Scene[];
  /** Of this version, in whatever rollout, and of this rollout alone. */
  ofE: readonly Told[];
  ofRun: readonly Told[];
  /** Since the ready condition was lost, or since flapping has settled. */
  episode: readonly Scene[];
}

/**
 * What the last of the scenes tells of a workload (design section 4, "Rollout card" and "Outcomes";
 * ADR 11, "Episode" and "Flapping").
 * @param log everything that was told before
 * @param around the incidents of its locations
 */
export function tellOf(scenes: readonly Scene[], log: readonly Told[], around: Around): Told[] {
  const now = scenes.at(-1) as Scene;
  if (now.E === 0) return [];
  const run = scenes.slice(scenes.findLastIndex((scene) => scene.begins));
  const ofE = log.filter((one) => one.E === now.E);
  const ofRun = ofE.filter((one) => one.at >= (run[0] as Scene).at);
  // Until it was ready once, trouble and its end are the rollout itself.
  const changes = changesIn(run)
    .map(({ at }) => at)
    .filter((at) => announced(run, ofRun, at) && !isToldWhole(ofRun, at));
  const flapping = ofRun.findLast(({ kind }) => kind === 'flapping');
  const flaps = flapping !== undefined && !flapping.settled ? flapping : undefined;
  const lastChange = changes.findLast((at) => at < now.at) ?? 0;
  const settles = flaps !== undefined && now.at - lastChange >= WINDOW;
  const settledAt = settles ? now.at : (ofRun.findLast(({ settled }) => settled)?.at ?? 0);
  const episode = episodeOf(run).filter(({ at }) => at >= settledAt);
  const story: Scenario = { now, all: scenes, run, ofE, ofRun, episode };
  const silently = (one: Wanted): Told => ({
    ...numbered(one, now, ofE, settledAt),
    n: 0,
    hidden: true,
  });
  if (now.found) return knownOf(story).map(silently);

  const back = returned(story, settles ? flaps.locations : undefined);
  const broadcast = [...trouble(story), ...back];
  const opens = opensCard(story, broadcast.length > 0);
  const hasCard = opens || ofE.some(({ kind }) => kind === 'card');
  const wanted = [
    ...(opens ? [{ kind: 'card', locations: [], edits: undefined }] : []),
    ...broadcast,
  ];
  const thread = threadOf(story);
  // That all is ready says of a location that it resumed, too; a message that is there is edited.
  const isSaidBy = ({ kind, edits }: Wanted): boolean =>
    kind === 'resumed' && back.length > 0 && isUnsaid(edits, settledAt);
  const isAloud = (one: Wanted): boolean =>
    ['gone', 'crashloop'].includes(one.kind) || (hasCard && !isSaidBy(one));
  const aloud = thread.filter(isAloud);
  const plain = [...wanted, ...aloud].map((one) => numbered(one, now, ofE, settledAt));
  const told = withTellers(plain, { run, ofRun }, around);
  const silent = thread.filter((one) => !aloud.includes(one)).map(silently);
  if (flaps !== undefined && !settles) return [...silent, ...hide(plain, flaps, now, ofRun)];
  const end = settles ? [{ ...flaps, at: now.at, settled: true }] : [];
  const recent = changes.filter((at) => at >= settledAt);
  if (!settles && isFourth(recent, now.at) && !isToldWhole(told, now.at)) {
    const start = { kind: 'flapping', locations: [], edits: undefined };
    return [...silent, ...hide(plain, numbered(start, now, ofE, 0), now, ofRun)];
  }
  return [...silent, ...end, ...told];
}

/** The last of the changes is of now, and the fourth within the window. */
function isFourth(changes: readonly number[], now: number): boolean {
  const recent = changes.slice(-4);
  return recent.length === 4 && recent[3] === now && now - (recent[0] as number) <= WINDOW;
}

/** What is new goes into the message about flapping; what was said by itself is edited as ever. */
function hide(told: readonly Told[], flaps: Told, { at }: Scene, ofRun: readonly Told[]): Told[] {
  const isEdit = (one: Told): boolean =>
    one.kind === 'card' ||
    ofRun.some((other) => other.kind === one.kind && other.n === one.n && !other.hidden);
  const isHiddenEdit = (one: Told): boolean =>
    ofRun.some((other) => other.kind === one.kind && other.n === one.n && other.hidden);
  const covered = told.filter((one) => !isEdit(one)).map((one) => ({ ...one, hidden: true }));
  const news = covered.filter((one) => !isHiddenEdit(one));
  const message: Told = {
    ...flaps,
    at,
    locations: [
      ...new Set([...flaps.locations, ...news.flatMap((one) => one.locations)]),
    ].toSorted(),
    covers: [...flaps.covers, ...news.map(({ kind, n }) => (n > 1 ? `${kind}/${n}` : kind))],
  };
  return [...told.filter(isEdit), ...covered, ...(news.length > 0 ? [message] : [])];
}

function opensCard({ all, run, ofE, ofRun }: Scenario, broadcasts: boolean): boolean {
  const known = (run[0] as Scene).found ? ofE : ofRun;
  return !known.some(({ kind }) => kind === 'card') && (broadcasts || beginsHere(all));
}

/** A record that was not found so shows the rollout; one that is added to a known rollout does not. */
function beginsHere(all: readonly Scene[]): boolean {
  const now = all.at(-1) as Scene;
  return [...now.rows].some(
    ([location, { moment }]) =>
      moment.newE &&
      !moment.adopted &&
      moment.E === now.E &&
      (now.begins || all.slice(0, -1).some(({ rows }) => rows.has(location))),
  );
}

/** Each kind of trouble that a location has newly come to in this episode, or what it is blocked by. */
function trouble({ episode, now, ofRun }: Scenario): Wanted[] {
  const since = (episode[0] as Scene).at;
  return BROADCAST.flatMap((kind) => {
    const earlier = locationsIn(episode.slice(0, -1), kind);
    const news = locationsIn([now], kind).filter(
      (location) => !earlier.includes(location) && !isKnown(now.rows.get(location) as Row),
    );
    if (news.length === 0) return [];
    const told = ofRun.findLast((one) => one.kind === kind && one.at >= since);
    return [{ kind, locations: locationsIn(episode, kind), edits: told }];
  });
}

/**
 * The return of the ready condition, if it is one and worth a word.
 * @param settled the locations of the flapping that settles with this poll
 */
function returned(story: Scenario, settled: readonly string[] | undefined): Wanted[] {
  const { now, run, ofRun, episode } = story;
  const comes = run.at(-2)?.holds !== true;
  if (!now.holds || (!comes && settled === undefined)) return [];
  const serving = readyLocations(now);
  const ready = { kind: 'ready', locations: serving, edits: undefined };
  if (!announced(run, ofRun, now.at)) return [ready];
  const was = BROADCAST.filter((kind) => locationsIn(episodeOf(run), kind).length > 0);
  const sick = [...TROUBLE.flatMap((kind) => locationsIn(episode, kind)), ...(settled ?? [])];
  const back = serving.filter((location) => sick.includes(location));
  // Where the sick location itself has left or sleeps, it is the others that serve.
  const recovered = { ...ready, kind: 'recovered', locations: back.length > 0 ? back : serving };
  const isSick = was.some((kind) => kind !== 'failed' && kind !== 'blocked');
  if (comes && was.length > 0) return isSick ? [recovered] : [ready];
  // What holds when flapping settles is told once; scaled to zero or suspended is no recovery.
  const serves = [...now.rows.values()].some(({ state }) => state === 'ready');
  return settled !== undefined && serves ? [recovered] : [];
}

/** Readiness was found or told before a moment. */
function announced(run: readonly Scene[], ofRun: readonly Told[], before: number): boolean {
  const first = run[0] as Scene;
  const found = first.found && [...first.rows.values()].every(({ state }) => QUIET.includes(state));
  return found || ofRun.some(({ kind, at }) => kind === 'ready' && at < before);
}

function readyLocations({ rows }: Scene): string[] {
  const there = [...rows].filter(([, { state }]) => state !== 'gone');
  const ready = there.filter(([, { state }]) => state === 'ready');
  const were = there.filter(([, { wasReady }]) => wasReady);
  const named = [ready, were, there].find(({ length }) => length > 0) ?? [];
  return named.map(([location]) => location);
}

function numbered(
  { kind, locations, edits }: Wanted,
  { at, E }: Scene,
  ofE: readonly Told[],
  settledAt: number,
): Told {
  const n = edits === undefined || isUnsaid(edits, settledAt) ? numberAfter(kind, ofE) : edits.n;
  const opens = edits === undefined;
  return { at, E, kind, n, locations, hidden: false, opens, covers: [], settled: false };
}

/** What was not said, or flapping stood for, has no message that could be edited. */
function isUnsaid(edits: Told | undefined, settledAt: number): boolean {
  return edits === undefined || edits.n === 0 || (edits.hidden && edits.at < settledAt);
}

function numberAfter(kind: string, ofE: readonly Told[]): number {
  return Math.max(0, ...ofE.filter((one) => one.kind === kind).map(({ n }) => n)) + 1;
}
