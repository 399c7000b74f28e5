import { locationsIn, MINUTE, OUT_OF_PLAY } from './scene.ts';
import type { Scene } from './scene.ts';
import type { Story, Told, Wanted } from './outcomes.ts';
import type { RowState } from '../../../../../src/rollouts/engine/states.ts';

const WINDOW = 10 * MINUTE;
const HOUR = 60 * MINUTE;
const LATE: readonly RowState[] = ['waiting', 'pending', 'deploying', 'unknown'];
const NOT_WAITED_FOR: readonly RowState[] = ['ready', 'idle', 'suspended'];
const NOT_WHILE = ['failed', 'unhealthy', 'stale', 'diverged'] as const;

/** The outcomes that are told in a thread alone (ADR 11, "Episode"). */
export function threadOf(story: Story): Wanted[] {
  const { all, ofRun, now } = story;
  const before = all.slice(0, -1);
  const since = (scene: Scene | undefined): Told[] =>
    ofRun.filter(({ at }) => at > (scene?.at ?? 0));
  const asleep = asleepIn(before);
  const fell = locationsIn([now], 'suspended').filter(
    (location) => !asleep.includes(location) && before.some(({ rows }) => rows.has(location)),
  );
  const woke = locationsIn([now], 'ready').filter((location) => asleep.includes(location));
  const went = now.gone.filter((location) => before.at(-1)?.gone.includes(location) === false);
  const sinceRest = since(
    before.findLast((_, index) => asleepIn(all.slice(0, index + 1)).length === 0),
  );
  const suspended = again(sinceRest, 'suspended', fell);
  // One that sleeps again while others sleep on begins a new pair of messages.
  const slept = sinceRest.filter(({ kind }) => kind === 'suspended');
  const pair = slept.slice(1).findLast(({ opens }) => opens);
  const anew = slept.length > 0 && suspended.some(({ edits }) => edits === undefined);
  const sinceSleep = anew ? [] : sinceRest.filter(({ at }) => at >= (pair?.at ?? 0));
  return [
    ...suspended,
    ...again(sinceSleep, 'resumed', woke),
    ...again(since(before.findLast(({ gone }) => gone.length === 0)), 'gone', went),
    ...once(story, 'diverged', diverged(now)),
    ...stuck(story),
    ...crashloop(story),
  ];
}

/** What is there when a rollout is found, and so is no news. */
export function knownOf(story: Story): Wanted[] {
  const locations = locationsIn([story.now], 'diverged');
  const known = { kind: 'diverged', locations, edits: undefined };
  return [...(locations.length > 0 ? [known] : []), ...crashloop(story)];
}

/** A location that is in the message already begins another one; any other joins it. */
function again(log: readonly Told[], kind: string, news: readonly string[]): Wanted[] {
  if (news.length === 0) return [];
  const last = log.findLast((one) => one.kind === kind);
  const joins = last !== undefined && !news.some((location) => last.locations.includes(location));
  const locations = [...(joins ? last.locations : []), ...news].toSorted();
  return [{ kind, locations, edits: joins ? last : undefined }];
}

/**
 * The locations that have been suspended and not been ready since. A rollout that is found, and not
 * seen to begin, knows nothing of what was before.
 */
function asleepIn(scenes: readonly Scene[]): string[] {
  const seen = scenes.slice(
    Math.max(
      0,
      scenes.findLastIndex(({ found }) => found),
    ),
  );
  return locationsIn(seen, 'suspended').filter((location) => {
    const states = seen.map(({ rows }) => rows.get(location)?.state);
    return states.lastIndexOf('suspended') > states.lastIndexOf('ready');
  });
}

/** Told once in an episode; a later location joins. */
function once({ ofRun, episode }: Story, kind: string, there: readonly string[]): Wanted[] {
  const since = (episode[0] as Scene).at;
  const last = ofRun.findLast((one) => one.kind === kind && one.at >= since);
  const known = last?.locations ?? [];
  const news = there.filter((location) => !known.includes(location));
  if (news.length === 0) return [];
  return [{ kind, locations: [...known, ...news].toSorted(), edits: last }];
}

/** It is told anew when it holds everywhere and the message did not say so: that one is broadcast. */
function stuck(story: Story): Wanted[] {
  const there = lagging(story);
  const inPlay = [...story.now.rows].filter(([, { state }]) => !OUT_OF_PLAY.includes(state));
  const all = inPlay.map(([location]) => location);
  const isAll = all.every((location) => there.includes(location));
  return once(story, 'lagging', there).map((one) =>
    isAll && one.edits !== undefined ? { ...one, locations: all, edits: undefined } : one,
  );
}

/** Nothing is known of a location that the last list lacked until it is there again, or gone. */
function isLacking({ rows }: Scene, location: string): boolean {
  return (rows.get(location)?.record.missing ?? 0) > 0;
}

function diverged(now: Scene): string[] {
  return locationsIn([now], 'diverged').filter(
    (location) =>
      !isLacking(now, location) && now.at - (now.rows.get(location)?.record.since ?? 0) >= WINDOW,
  );
}

function lagging({ now, run, episode }: Story): string[] {
  if (NOT_WHILE.some((state) => locationsIn([now], state).length > 0)) return [];
  const earlier = run.slice(0, run.length - episode.length);
  return LATE.flatMap((state) => locationsIn([now], state)).filter((location) => {
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

/** Three restarts within ten minutes; told until an hour without a restart has ended it. */
function crashloop(story: Story): Wanted[] {
  const { now, ofRun } = story;
  const said = ofRun.findLast(({ kind }) => kind === 'crashloop');
  const going = (said?.locations ?? []).filter((location) => goesOn(story, location));
  const isLate = (location: string): boolean =>
    now.at - (climbs(story, location).at(-1) ?? 0) >= HOUR;
  const news = [...now.rows]
    .filter(([location, { state }]) => state !== 'waiting' && !going.includes(location))
    .map(([location]) => location)
    .filter((location) => {
      const [third = 0, , last] = climbs(story, location).slice(-3);
      return last !== undefined && last - third <= WINDOW && !isLate(location);
    });
  if (news.length === 0) return [];
  const joins = going.some((location) => !isLate(location));
  const locations = [...(joins ? going : []), ...news].toSorted();
  return [{ kind: 'crashloop', locations, edits: joins ? said : undefined }];
}

/** When the restart count of a location rose in the rollout that it is in. */
function climbs({ all }: Story, location: string): number[] {
  const memories = all.map(({ records, at }) => ({ at, climbs: records[location]?.climbs ?? [] }));
  const begins = memories.findLastIndex((one) => one.climbs.length === 0);
  return memories
    .slice(begins + 1)
    .filter((one) => one.climbs.at(-1) === one.at)
    .map(({ at }) => at);
}

/** It is the loop that was told: the same rollout, and since then no hour without a restart. */
function goesOn(story: Story, location: string): boolean {
  const told = story.ofRun.findLast(
    ({ kind, locations }) => kind === 'crashloop' && locations.includes(location),
  );
  const all = climbs(story, location);
  const index = all.findLastIndex((at) => at <= (told?.at ?? 0));
  const since = all.slice(index);
  return index !== -1 && since.every((at, next) => at - (since[next - 1] ?? at) < HOUR);
}
