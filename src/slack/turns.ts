/** Shows something, unless something newer is under way. */
export type ShowTurn = (show: () => Promise<void>) => Promise<void>;

/**
 * Lets the changes of a view be worked on at the same time, and what comes of them be shown one by
 * one, the newest last: what belongs to a choice that has been made anew is not shown.
 */
export function createTurns(): (
  viewId: string,
  work: (show: ShowTurn) => Promise<void>,
) => Promise<void> {
  const turns = new Map<string, { newest: symbol; showing: Promise<void> }>();
  return async (viewId, work) => {
    const mine = Symbol(viewId);
    const turn = turns.get(viewId) ?? { newest: mine, showing: Promise.resolve() };
    turn.newest = mine;
    turns.set(viewId, turn);
    try {
      await work((show) => {
        const shown = turn.showing.then(() => (turn.newest === mine ? show() : undefined));
        turn.showing = shown.catch(() => undefined);
        return shown;
      });
    } finally {
      if (turn.newest === mine) turns.delete(viewId);
    }
  };
}
