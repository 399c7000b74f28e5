import { locationsIn } from './episode.ts';
import type { Scenario, Told, Wanted } from './outcomes.ts';
import type { Moment } from './record.ts';
import type { Row, Scene } from './scene.ts';

const MINUTE = 60_000;
const WINDOW = 10 * MINUTE;
const LATE = ['waiting', 'pending', 'deploying', 'unknown'];
const NOT_WAITED_FOR = ['ready', 'idle', 'suspended'];
const OUT_OF_PLAY = ['idle', 'suspended', 'gone'];
const NOT_WHILE = ['failed', 'unhealthy', 'stale', 'diverged'];

/** The outcomes that are told in a thread alone (ADR 11, "Episode"). */
export function threadOf(story: Scenario): Wanted[] {
  const { all, ofRun, now } = story;
  const rested = all.slice(0, -1).findLastIndex((_, index) => asleepAt(all, index).length === 0);
  const sinceRest = ofRun.filter(({ at }) => at > (all[rested]?.at ?? 0));
  const fell = again(sinceRest, 'suspended', suspended(story));
  // One that sleeps again while others sleep on begins a new pair of messages.
  const slept = sinceRest.filter(({ kind }) => kind === 'suspended');
  const pair = slept.slice(1).findLast(({ opens }) => opens);
  const anew = slept.length > 0 && fell.some(({ edits }) => edits === undefined);
  const sinceSleep = anew ? [] : sinceRest.filter(({ at }) => at >= (pair?.at ?? 0));
  const full = all.slice(0, -1).findLast(({ gone }) => gone.length === 0);
  const sinceFull = ofRun.filter(({ at }) => at > (full?.at ?? 0));
  return [
    ...fell,
    ...again(sinceSleep, 'resumed', resumed(story)),
    ...again(sinceFull, 'gone', now.went),
    ...once(story, 'diverged', diverged(story)),
    ...stuck(story),
    ...crashloop(story),
  ];
}

/** What is there when a rollout is found, and so is no news. */
export function knownOf(story: Scenario): Wanted[] {
  const locations = locationsIn([story.now], 'diverged');
  const known = { kind: 'diverged', locations, edits: undefined };
  return [...(locations.length > 0 ? [known] : []), ...crashloop(story)];
}

/** A location that is in the message already begins another one; any other joins it. */
function again(log: readonly Told[], kind: string, news: readonly string[]): Wanted[] {
  if (news.length === 0) return [];
  const last = log.findLast((one) => one.kind === kind);
  if (last === undefined || news.some((location) => last.locations.includes(location))) {
    return [{ kind, locations: [...news].toSorted(), edits: undefined }];
  }
  return [{ kind, locations: [...last.locations, ...news].toSorted(), edits: last }];
}

/**
 * The locations that have been suspended and not been ready since. A rollout that is found, and not
 * seen to begin, knows nothing of what was before.
 */
function asleepAt(all: readonly Scene[], index: number): string[] {
  const until = all.slice(0, index + 1);
  const seen = until.slice(
    Math.max(
      0,
      until.findLastIndex(({ found }) => found),
    ),
  );
  const names = new Set(seen.flatMap(({ rows }) => [...rows.keys()]));
  return [...names].filter((location) => {
    const states = seen.map(({ rows }) => rows.get(location)?.state);
    return states.lastIndexOf('suspended') > states.lastIndexOf('ready');
  });
}

/** Told once in an episode; a later location joins. */
function once({ ofRun, episode }: Scenario, kind: string, there: readonly string[]): Wanted[] {
  const since = (episode[0] as Scene).at;
  const last: Told | undefined = ofRun.findLast((one) => one.kind === kind && one.at >= since);
  const known = last?.locations ?? [];
  const news = there.filter((location) => !known.includes(location));
  if (news.length === 0) return [];
  return [{ kind, locations: [...known, ...news].toSorted(), edits: last }];
}

/** Once in an episode it is told anew: when all lag and none has moved for as long. That one is broadcast. */
function stuck(story: Scenario): Wanted[] {
  const { episode } = story;
  const before = episode.slice(0, -1);
  const wasStuck = before.some((_, index) => isStuck(asOf(story, before.slice(0, index + 1))));
  if (wasStuck || !isStuck(story)) return once(story, 'lagging', lagging(story));
  return [{ kind: 'lagging', locations: inPlay(story.now).toSorted(), edits: undefined }];
}

/** The story as it was with the last of these scenes. */
function asOf(story: Scenario, episode: readonly Scene[]): Scenario {
  const now = episode.at(-1) as Scene;
  return { ...story, now, episode, run: story.run.filter(({ at }) => at <= now.at) };
}

function isStuck(story: Scenario): boolean {
  const { now, run } = story;
  const there = lagging(story);
  const moved = run.findLast(
    (scene, index) => index === 0 || moves(run[index - 1] as Scene, scene),
  );
  const all = inPlay(now);
  if (all.length === 0 || !all.every((location) => there.includes(location))) return false;
  return now.at - (moved as Scene).at >= WINDOW;
}

function inPlay({ rows }: Scene): string[] {
  return [...rows].filter(([, { state }]) => !OUT_OF_PLAY.includes(state)).map(([name]) => name);
}

/** A location has come, or is in another state, or has more or fewer replicas ready. */
function moves(before: Scene, after: Scene): boolean {
  return [...after.rows].some(([location, { state, ready }]) => {
    const was = before.rows.get(location);
    return was?.state !== state || was.ready !== ready;
  });
}

function sleeps({ all }: Scenario, location: string): boolean {
  return asleepAt(all, all.length - 2).includes(location);
}

function suspended(story: Scenario): string[] {
  return locationsIn([story.now], 'suspended').filter(
    (location) =>
      !sleeps(story, location) && story.all.slice(0, -1).some(({ rows }) => rows.has(location)),
  );
}

function resumed(story: Scenario): string[] {
  return locationsIn([story.now], 'ready').filter((location) => sleeps(story, location));
}

/** The rollout of the location has diverged for so long. */
function diverged({ now, all }: Scenario): string[] {
  return locationsIn([now], 'diverged').filter((location) => {
    if (isLacking(now, location)) return false;
    const moments = momentsOf(all, location);
    const begins = moments.findLastIndex((one) => one.begins);
    const other = moments.findLastIndex(({ state }) => state !== 'diverged');
    const since = moments[Math.max(begins, other + 1)]?.at ?? now.at;
    return now.at - since >= WINDOW;
  });
}

function momentsOf(all: readonly Scene[], location: string): Moment[] {
  return all.map(({ rows }) => rows.get(location)?.moment).filter((moment) => moment !== undefined);
}

/** Nothing is known of a location that the last list lacked until it is there again, or gone. */
function isLacking({ rows }: Scene, location: string): boolean {
  return rows.get(location)?.moment.absent === true;
}

function lagging({ now, run, episode }: Scenario): string[] {
  if (NOT_WHILE.some((state) => locationsIn([now], state as Row['state']).length > 0)) return [];
  const earlier = run.slice(0, run.length - episode.length);
  return [...now.rows]
    .filter(([, { state }]) => LATE.includes(state))
    .map(([location]) => location)
    .filter((location) => {
      if (isLacking(now, location)) return false;
      const held = heldAfterWord(episode, location) ?? heldAfterWord(earlier, location);
      if (held === now) return false;
      const free = run.findLastIndex(
        (scene) =>
          scene === held ||
          scene.gone.includes(location) ||
          NOT_WAITED_FOR.includes(scene.rows.get(location)?.state ?? 'waiting'),
      );
      const since = run.slice(free + 1).find(({ rows }) => rows.has(location)) as Scene;
      return now.at - since.at >= WINDOW;
    });
}

/** The last of the scenes in which it was held, and had been told as blocked. */
function heldAfterWord(scenes: readonly Scene[], location: string): Scene | undefined {
  const told = scenes.findIndex(({ rows }) => rows.get(location)?.blocked === true);
  if (told === -1) return undefined;
  return scenes.slice(told).findLast(({ rows }) => rows.get(location)?.held === true);
}

/** Told until an hour without a restart has ended it. */
function crashloop(story: Scenario): Wanted[] {
  const { now, ofRun } = story;
  const said = ofRun.findLast(({ kind }) => kind === 'crashloop');
  const going = (said?.locations ?? []).filter((location) => goesOn(story, location));
  const news = [...now.rows]
    .filter(([location, { state }]) => state !== 'waiting' && !going.includes(location))
    .map(([location]) => location)
    .filter((location) => {
      const [third = 0, , last = 0] = climbs(story, location).slice(-3);
      return last - third <= WINDOW && now.at - last < 60 * MINUTE && last > 0;
    });
  if (news.length === 0) return [];
  const lately = going.some(
    (location) => now.at - (climbs(story, location).at(-1) ?? 0) < 60 * MINUTE,
  );
  const edits = lately ? said : undefined;
  return [{ kind: 'crashloop', locations: [...(lately ? going : []), ...news].toSorted(), edits }];
}

/** When the restart count of a location rose in the rollout that it is in. */
function climbs({ all }: Scenario, location: string): number[] {
  const moments = momentsOf(all, location);
  return moments
    .slice(
      Math.max(
        0,
        moments.findLastIndex(({ begins }) => begins),
      ),
    )
    .filter(({ climbed }) => climbed)
    .map(({ at }) => at);
}

/** It is the loop that was told: the same rollout, and since then no hour without a restart. */
function goesOn(story: Scenario, location: string): boolean {
  const told = story.ofRun.findLast(
    ({ kind, locations }) => kind === 'crashloop' && locations.includes(location),
  );
  const all = climbs(story, location);
  const index = all.findLastIndex((at) => at <= (told?.at ?? 0));
  const since = all.slice(index);
  return index !== -1 && since.every((at, next) => at - (since[next - 1] ?? at) < 60 * MINUTE);
}
