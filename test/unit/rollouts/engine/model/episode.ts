import type { Row, Scene } from './scene.ts';

export const TROUBLE = ['failed', 'unhealthy', 'stale'] as const;
/** What is told like trouble: `blocked` is none for flapping and for the incidents of locations. */
export const BROADCAST = [...TROUBLE, 'blocked'] as const;

/**
 * The scenes since the ready condition was lost, up to the last one.
 * @param run the scenes of one rollout
 */
export function episodeOf(run: readonly Scene[]): readonly Scene[] {
  const before = run.slice(0, -1);
  return run.slice(before.findLastIndex((scene) => scene.holds) + 1);
}

/** The locations that were in a state, or blocked, in any of the scenes. */
export function locationsIn(scenes: readonly Scene[], state: Row['state'] | 'blocked'): string[] {
  const all = scenes.flatMap(({ rows }) =>
    [...rows]
      .filter(([, row]) => (state === 'blocked' ? row.blocked : row.state === state))
      .map(([location]) => location),
  );
  return [...new Set(all)].toSorted();
}

/** The scenes in which trouble began that nobody had seen, or in which an episode with trouble ended. */
export function changesIn(run: readonly Scene[]): Scene[] {
  return run.filter((scene, index) => {
    const episode = episodeOf(run.slice(0, index + 1));
    const before = inTrouble(episode.slice(0, -1));
    if (scene.holds) return before;
    return !before && !scene.found && inTrouble([scene]) && !bringsTrouble(scene);
  });
}

/** Trouble that is known is older than any other of the poll. */
function bringsTrouble({ rows }: Scene): boolean {
  return [...rows.values()].some(
    (row) => TROUBLE.some((kind) => kind === row.state) && isKnown(row),
  );
}

function inTrouble(scenes: readonly Scene[]): boolean {
  return TROUBLE.some((kind) => locationsIn(scenes, kind).length > 0);
}

/** Adopted so, or listed again at the version and in the state in which it was listed last. */
export function isKnown({ moment }: Row): boolean {
  const { adopted, back } = moment;
  return adopted || (back !== undefined && back.E === moment.E && back.state === moment.state);
}
