import { stateIs } from '../../../../../src/rollouts/engine/states.ts';
import { BROADCAST, changesIn, episodeOf, locationsIn, MINUTE, TROUBLE } from './scene.ts';
import type { Scene } from './scene.ts';
import { knownOf, threadOf } from './thread.ts';

const WINDOW = 10 * MINUTE;

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
}

/** What is to be told of a kind, before it has its number. */
export interface Wanted {
  kind: string;
  locations: string[];
  /** The message that it goes on with; undefined: one of its own. */
  edits: Told | undefined;
}

/** The rollout that the last scene is about, and what was told of its version. */
export interface Story {
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
 * @param isToldWhole messages about locations told all that a poll brought, which is no flapping
 */
export function tellOf(
  all: readonly Scene[],
  log: readonly Told[],
  isToldWhole: (scene: Scene) => boolean,
): Told[] {
  const now = all.at(-1) as Scene;
  if (now.E === 0 || now.rows.size === 0) return [];
  const run = all.slice(all.findLastIndex((scene) => scene.begins));
  const ofE = log.filter((one) => one.E === now.E);
  const ofRun = ofE.filter((one) => one.at >= (run[0] as Scene).at);
  // Until it was ready once, trouble and its end are the rollout itself.
  const changes = changesIn(run)
    .filter((scene) => announced(run, ofRun, scene.at) && !isToldWhole(scene))
    .map(({ at }) => at);
  const last = ofRun.findLast(({ kind }) => kind === 'flapping');
  const flaps = last?.settled === false ? last : undefined;
  const lastChange = changes.findLast((at) => at < now.at) ?? 0;
  const settles = flaps !== undefined && now.at - lastChange >= WINDOW;
  const settledAt = settles ? now.at : (ofRun.findLast(({ settled }) => settled)?.at ?? 0);
  const episode = episodeOf(run).filter(({ at }) => at >= settledAt);
  const story: Story = { now, all, run, ofE, ofRun, episode };
  const aloud = (one: Wanted): Told => numbered(one, now, ofE, settledAt);
  const silently = (one: Wanted): Told => ({ ...aloud(one), n: 0, hidden: true });
  if (now.found) return knownOf(story).map(silently);

  const { wanted, unsaid } = wantedOf(story, settledAt, settles ? flaps.locations : undefined);
  const told = wanted.map(aloud);
  const silent = unsaid.map(silently);
  if (flaps !== undefined && !settles) return [...silent, ...hide(told, flaps, now, ofRun)];
  const recent = changes.filter((at) => at >= settledAt).slice(-4);
  const isFourth = recent.at(-1) === now.at && recent.length === 4;
  if (!settles && isFourth && now.at - (recent[0] ?? 0) <= WINDOW) {
    const start = aloud({ kind: 'flapping', locations: [], edits: undefined });
    return [...silent, ...hide(told, start, now, ofRun)];
  }
  return [...silent, ...(settles ? [{ ...flaps, at: now.at, settled: true }] : []), ...told];
}

/** What is to be told, and what is known from now on without having been said. */
function wantedOf(
  story: Story,
  settledAt: number,
  settled: readonly string[] | undefined,
): { wanted: Wanted[]; unsaid: Wanted[] } {
  const back = returned(story, settled);
  const broadcast = [...trouble(story), ...back];
  const opens = opensCard(story, broadcast.length > 0);
  const hasCard = opens || story.ofE.some(({ kind }) => kind === 'card');
  // That all is ready says of a location that it resumed, too; a message that is there is edited.
  const isSaidBy = ({ kind, edits }: Wanted): boolean =>
    kind === 'resumed' && back.length > 0 && isUnsaid(edits, settledAt);
  const isAloud = (one: Wanted): boolean =>
    ['gone', 'crashloop'].includes(one.kind) || (hasCard && !isSaidBy(one));
  const thread = threadOf(story);
  const card = opens ? [{ kind: 'card', locations: [], edits: undefined }] : [];
  return {
    wanted: [...card, ...broadcast, ...thread.filter(isAloud)],
    unsaid: thread.filter((one) => !isAloud(one)),
  };
}

/** What is new goes into the message about flapping; what was said by itself is edited as ever. */
function hide(told: readonly Told[], flaps: Told, { at }: Scene, ofRun: readonly Told[]): Told[] {
  const isThere = (one: Told, hidden: boolean): boolean =>
    ofRun.some((other) => other.kind === one.kind && other.n === one.n && other.hidden === hidden);
  const isEdit = (one: Told): boolean => one.kind === 'card' || isThere(one, false);
  const covered = told.filter((one) => !isEdit(one)).map((one) => ({ ...one, hidden: true }));
  const news = covered.filter((one) => !isThere(one, true));
  const locations = new Set([...flaps.locations, ...news.flatMap((one) => one.locations)]);
  const message: Told = {
    ...flaps,
    at,
    locations: [...locations].toSorted(),
    covers: [...flaps.covers, ...news.map(({ kind, n }) => `${kind}/${n}`)],
  };
  return [...told.filter(isEdit), ...covered, ...(news.length > 0 ? [message] : [])];
}

/** A location that comes to it shows the rollout; one that is added to a known rollout does not. */
function opensCard({ all, now, run, ofE, ofRun }: Story, broadcasts: boolean): boolean {
  const known = (run[0] as Scene).found ? ofE : ofRun;
  const wasThere = (location: string): boolean =>
    all.slice(0, -1).some(({ rows }) => rows.has(location));
  const begins = now.arrives.some((location) => now.begins || wasThere(location));
  return !known.some(({ kind }) => kind === 'card') && (broadcasts || begins);
}

/** Each kind of trouble that a location has newly come to in this episode, or what it is blocked by. */
function trouble({ episode, now, ofRun }: Story): Wanted[] {
  const since = (episode[0] as Scene).at;
  return BROADCAST.flatMap((kind) => {
    const earlier = locationsIn(episode.slice(0, -1), kind);
    const news = locationsIn([now], kind).filter(
      (location) => !earlier.includes(location) && now.rows.get(location)?.known === false,
    );
    if (news.length === 0) return [];
    const edits = ofRun.findLast((one) => one.kind === kind && one.at >= since);
    return [{ kind, locations: locationsIn(episode, kind), edits }];
  });
}

/**
 * The return of the ready condition, if it is one and worth a word.
 * @param settled the locations of the flapping that settles with this poll
 */
function returned(story: Story, settled: readonly string[] | undefined): Wanted[] {
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
  return settled !== undefined && locationsIn([now], 'ready').length > 0 ? [recovered] : [];
}

/** Readiness was found or told before a moment. */
function announced(run: readonly Scene[], ofRun: readonly Told[], before: number): boolean {
  const { found, rows } = run[0] as Scene;
  const isQuiet = [...rows.values()].every(({ state }) => stateIs(state, 'atRest'));
  return (found && isQuiet) || ofRun.some(({ kind, at }) => kind === 'ready' && at < before);
}

function readyLocations({ rows, E }: Scene): string[] {
  const there = [...rows].filter(([, { state }]) => state !== 'gone');
  const ready = there.filter(([, { state }]) => state === 'ready');
  const were = there.filter(([, { record }]) => record.wasReady && record.version === E);
  const named = [ready, were, there].find(({ length }) => length > 0) ?? [];
  return named.map(([location]) => location);
}

function numbered(
  { kind, locations, edits }: Wanted,
  { at, E }: Scene,
  ofE: readonly Told[],
  settledAt: number,
): Told {
  const used = ofE.filter((one) => one.kind === kind).map(({ n }) => n);
  const n = isUnsaid(edits, settledAt) ? Math.max(0, ...used) + 1 : (edits?.n ?? 0);
  const opens = edits === undefined;
  return { at, E, kind, n, locations, hidden: false, opens, covers: [], settled: false };
}

/** What was not said, or flapping stood for, has no message that could be edited. */
function isUnsaid(edits: Told | undefined, settledAt: number): boolean {
  return edits === undefined || edits.n === 0 || (edits.hidden && edits.at < settledAt);
}
