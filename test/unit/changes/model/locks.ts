import type { Actor } from './stage.ts';
import type { CallKind } from './trouble.ts';

/** A lock that is not renewed falls free after this time. */
const LOCK_MS = 15_000;

interface Lock {
  readonly actor: Actor;
  /** It is another's now. */
  isLost: boolean;
  /** When nobody renews it any more: since when. */
  leftAt?: number;
}

type Call = <T>(kind: CallKind, effect: () => T) => Promise<T>;

/** One lock for each change: renewed while its process lives, and lost when that stands still for long. */
export function createLocks(clock: { at: number }) {
  const locks = new Map<string, Lock>();

  function take(id: string, actor: Actor): Lock | undefined {
    const other = locks.get(id);
    const leftAt = other?.actor.diedAt ?? other?.leftAt ?? Infinity;
    const isFree = other === undefined || other.isLost || clock.at >= leftAt + LOCK_MS;
    if (!isFree) return undefined;
    const lock = { actor, isLost: false };
    locks.set(id, lock);
    return lock;
  }

  /** Its answer was lost, so nobody knows that it is held. */
  function leave(id: string, actor: Actor): void {
    const lock = locks.get(id);
    if (lock?.actor === actor) lock.leftAt = clock.at;
  }

  return {
    async alone<T>(
      actor: Actor,
      id: string,
      call: Call,
      work: (held: () => boolean) => Promise<T>,
    ): Promise<T | undefined> {
      try {
        const lock = await call('lock', () => take(id, actor));
        if (lock === undefined) return undefined;
        try {
          return await work(() => !lock.isLost);
        } finally {
          await call('lock', () => locks.get(id) === lock && locks.delete(id));
        }
      } finally {
        leave(id, actor);
      }
    },
    stalled(actor: Actor, ms: number): void {
      for (const lock of locks.values()) {
        if (lock.actor === actor && ms >= LOCK_MS) lock.isLost = true;
      }
    },
  };
}
