import type { Change, Order } from './change.ts';
import type { OfficeDeps } from './office.ts';
import type { Step } from './step.ts';

/** Whoever finds that it is not their turn asks again after this time. Milliseconds. */
const TURN_MS = 2_000;

/**
 * Changes of one thing take turns: each is checked and sent when the one before it has come to its end,
 * so that it sees what that one did (ADR 13). However long that takes, waiting for it is no failure.
 */
export function createTurn({ alone, changes, clock }: OfficeDeps): (work: Step) => Step {
  /** Another call may still have its effect. Of two that were sent, should that ever be, the first goes on. */
  async function isTaken(change: Change): Promise<boolean> {
    const open = await changes.open();
    return open.some(
      (other) =>
        other.id !== change.id &&
        other.state === 'executing' &&
        placeOf(other.order) === placeOf(change.order) &&
        isBefore(other, change),
    );
  }

  return (work) => async (change, held) => {
    const turn = await alone(`place/${placeOf(change.order)}`, async (isOurs) => {
      if (await isTaken(change)) return undefined;
      return { change: await work(change, () => held() && isOurs()) };
    });
    if (turn) return turn.change;
    const at = clock.now();
    return changes.move(change, { kind: 'wait', at, until: at + TURN_MS });
  };
}

/** What is changed, as far as changes of it stand in each other's way: `alert` of `alert.create`. */
function placeOf({ kind }: Order): string {
  return kind.split('.', 1).join('');
}

/** Whether one was sent before the other; one that was not sent yet comes last. */
function isBefore(one: Change, other: Change): boolean {
  const [a, b] = [one.sentAt ?? Infinity, other.sentAt ?? Infinity];
  return a < b || (a === b && one.id < other.id);
}
