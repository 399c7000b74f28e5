import { PlatformError } from './errors.ts';

/** Runs a call as soon as the limits allow. */
export type ConcurrencyLimit = <T>(signal: AbortSignal, call: () => Promise<T>) => Promise<T>;

/** Limits how many calls run at once: of each caller, and in all. */
export interface ConcurrencyLimits {
  /** The limit of one caller: an org, or the account. */
  of(caller: string): ConcurrencyLimit;
}

/** Calls at once, of one caller and of all; an org's polls take fewer. */
const PER_CALLER = 16;
const IN_ALL = 64;
/** Reserved for callers that have no call under way. */
const KEPT = 2;

const UNSENT = 'the platform was not asked: other calls of this org or account still wait';

interface Limits {
  readonly perCaller: number;
  readonly inAll: number;
  readonly kept: number;
}

interface Waiting {
  readonly begin: () => void;
}

/**
 * A call beyond the limits waits until another has ended, within its own deadline: the signal that ends
 * the call also ends the waiting, and then the call was not sent. The waiting caller with the fewest calls
 * under way is next, so a caller whose calls hang blocks only its own share.
 */
export function createConcurrencyLimits(limits: Partial<Limits> = {}): ConcurrencyLimits {
  const { perCaller = PER_CALLER, inAll = IN_ALL, kept = KEPT } = limits;
  const running = new Map<string, number>();
  const lines = new Map<string, Waiting[]>();
  let total = 0;

  const countOf = (caller: string): number => running.get(caller) ?? 0;

  function isFree(caller: string): boolean {
    const count = countOf(caller);
    return count < perCaller && total < (count === 0 ? inAll : inAll - kept);
  }

  function add(caller: string, by: 1 | -1): void {
    total += by;
    const count = countOf(caller) + by;
    if (count === 0) running.delete(caller);
    else running.set(caller, count);
  }

  function next(): void {
    const [caller] = [...lines.keys()]
      .filter(isFree)
      .toSorted((one, other) => countOf(one) - countOf(other));
    const line = caller === undefined ? undefined : lines.get(caller);
    const first = line?.shift();
    if (caller === undefined || first === undefined) return;
    if (line?.length === 0) lines.delete(caller);
    add(caller, 1);
    first.begin();
  }

  function wait(caller: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const line = lines.get(caller) ?? [];
      lines.set(caller, line);
      function leave(): void {
        line.splice(line.indexOf(waiting), 1);
        if (line.length === 0) lines.delete(caller);
        reject(new PlatformError('timeout', UNSENT, { isUnsent: true }));
      }
      const waiting: Waiting = {
        begin() {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      line.push(waiting);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  return {
    of: (caller) => async (signal, call) => {
      signal.throwIfAborted();
      if (isFree(caller) && !lines.has(caller)) add(caller, 1);
      else await wait(caller, signal);
      try {
        return await call();
      } finally {
        add(caller, -1);
        next();
      }
    },
  };
}
