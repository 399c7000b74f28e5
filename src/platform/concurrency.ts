import { LRUCache } from 'lru-cache';
import { PlatformError } from './errors.ts';

export type ConcurrencyLimit = <T>(signal: AbortSignal, call: () => Promise<T>) => Promise<T>;

export type ConcurrencyLimits = ReturnType<typeof createConcurrencyLimits>;

/** Concurrent calls of one caller and of all; an org's polls take fewer. `kept`: for callers without a running one. */
const LIMITS = { perCaller: 16, inAll: 64, kept: 2 };

const UNSENT = 'the platform was not asked: other calls of this org or account still wait';

/**
 * A call beyond the limits waits for another to end, within its own deadline: the signal that ends the call
 * also ends the wait, and then the call was not sent. The waiting caller with the fewest running calls is
 * next, so a caller whose calls hang blocks only its own share.
 */
export function createConcurrencyLimits(limits: Partial<typeof LIMITS> = {}) {
  const { perCaller, inAll, kept } = { ...LIMITS, ...limits };
  const running = new Map<string, number>();
  const lines = new Map<string, (() => void)[]>();
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
    first();
  }

  function wait(caller: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const line = lines.get(caller) ?? [];
      lines.set(caller, line);
      function leave(): void {
        line.splice(line.indexOf(begin), 1);
        if (line.length === 0) lines.delete(caller);
        reject(new PlatformError('timeout', UNSENT, { isUnsent: true }));
      }
      function begin(): void {
        signal.removeEventListener('abort', leave);
        resolve();
      }
      line.push(begin);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  return {
    /** A caller is an org, or the account. */
    of:
      (caller: string): ConcurrencyLimit =>
      async (signal, call) => {
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

/** A value with its age, which is shown for cached answers. */
export interface Reading<T> {
  readonly value: T;
  /** When the answer arrived, ms since the epoch: a new answer is not old, however slow it was. */
  readonly readAt: number;
}

export interface ReadOptions {
  /** Bypasses the cache; required for decisions. */
  readonly fresh?: boolean;
}

const MAX_BYTES = 32 * 1024 * 1024;
/** Approximate bytes of a row of a list. */
export const ROW_BYTES = 500;
/** Unused answers are dropped after this time. Milliseconds. */
const GONE_MS = 60_000;

interface Remembered {
  readonly reading: Reading<unknown>;
  /** Number of the question: a later answer is never replaced by an earlier one. */
  readonly question: number;
}

/** Default lifetime of an answer, from its arrival. Milliseconds. */
export const CACHE_MS = 15_000;

export type ReadCache = ReturnType<typeof createReadCache>;

/**
 * Caches answers for some seconds, and lets equal questions share one call. Each process has its own cache:
 * writes of another process become visible after those seconds.
 * @param options.ttlMs lifetime of an answer after its arrival (15 s)
 */
export function createReadCache(
  options: { ttlMs?: number | undefined; now?: (() => number) | undefined } = {},
) {
  const { ttlMs = CACHE_MS, now = Date.now } = options;
  const known = new LRUCache<string, Remembered>({
    max: 500,
    maxSize: MAX_BYTES,
    ttl: GONE_MS,
    ttlAutopurge: true,
  });
  const inFlight = new Map<string, Promise<Reading<unknown>>>();
  let questions = 0;
  let forgottenAt = 0;

  async function ask<T>(key: string, load: () => Promise<T>, weigh: (value: T) => number) {
    questions += 1;
    const question = questions;
    const isNewest = () => question > forgottenAt && question > (known.peek(key)?.question ?? 0);
    try {
      const value = await load();
      const reading = { value, readAt: now() };
      const size = Math.max(1, weigh(reading.value));
      if (isNewest()) known.set(key, { reading, question }, { size });
      return reading;
    } catch (error) {
      // A failed fresh read must not leave the older answer behind.
      if (isNewest()) known.delete(key);
      throw error;
    }
  }

  return {
    /**
     * @param key identifies the question completely
     * @param load queries the platform; errors are not cached
     * @param options.weigh approximate bytes of the answer (default: those of one row)
     */
    async read<T>(
      key: string,
      load: () => Promise<T>,
      {
        fresh = false,
        weigh = () => ROW_BYTES,
      }: ReadOptions & { weigh?: (value: T) => number } = {},
    ): Promise<Reading<T>> {
      if (!fresh) {
        const found = known.get(key)?.reading;
        if (found !== undefined && now() - found.readAt < ttlMs) return found as Reading<T>;
        const running = inFlight.get(key);
        if (running !== undefined) return running as Promise<Reading<T>>;
      }
      const reading = ask(key, load, weigh);
      inFlight.set(key, reading);
      try {
        return await reading;
      } finally {
        if (inFlight.get(key) === reading) inFlight.delete(key);
      }
    },
    /** To be called before and after every write: drops all answers, and those of running questions. */
    forget() {
      forgottenAt = questions;
      known.clear();
      inFlight.clear();
    },
  };
}
