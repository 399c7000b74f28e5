import { LRUCache } from 'lru-cache';

/** Something that was read, and when: people see the age of what comes from the cache. */
export interface Reading<T> {
  readonly value: T;
  /** When the answer had come, ms since the epoch: what has just come is not old, however slow it was. */
  readonly readAt: number;
}

export interface ReadOptions {
  /** Ask now, whatever is remembered (decisions need it). */
  readonly fresh?: boolean;
}

/**
 * Remembers for some seconds what people ask again, and lets equal questions share one call. It is of
 * this process alone: what another process writes is seen when the seconds are over.
 */
export interface ReadCache {
  /**
   * @param key says the question completely
   * @param load asks the platform; what it throws is not remembered
   * @param weigh about how many bytes the answer takes (those of one row)
   */
  read<T>(
    key: string,
    load: () => Promise<T>,
    options?: ReadOptions & { weigh?: (value: T) => number },
  ): Promise<Reading<T>>;
  /** To be called around every write: nothing that was read before it, or is being read, is remembered. */
  forget(): void;
}

/** Of all that is remembered. */
const MAX_BYTES = 32 * 1024 * 1024;
/** About what a row of a list takes. */
export const ROW_BYTES = 500;
/** What nobody asks for again gives its memory back. Milliseconds. */
const GONE_MS = 60_000;

interface Remembered {
  readonly reading: Reading<unknown>;
  /** Which question of all it answers: a later one is never replaced by an earlier one. */
  readonly turn: number;
}

/** How long an answer is good for once it has come, if nobody says it. Milliseconds. */
export const CACHE_MS = 15_000;

/** @param deps.ttlMs how long an answer is good for once it has come (15 s) */
export function createReadCache(deps: { ttlMs?: number; now?: () => number } = {}): ReadCache {
  const { ttlMs = CACHE_MS, now = Date.now } = deps;
  const known = new LRUCache<string, Remembered>({
    max: 500,
    maxSize: MAX_BYTES,
    ttl: GONE_MS,
    ttlAutopurge: true,
  });
  const inFlight = new Map<string, Promise<Reading<unknown>>>();
  let turns = 0;
  let forgottenAt = 0;

  /** Asks the platform, and remembers the answer unless something newer is known. */
  async function ask<T>(key: string, load: () => Promise<T>, weigh: (value: T) => number) {
    turns += 1;
    const turn = turns;
    const isNewest = () => turn > forgottenAt && turn > (known.peek(key)?.turn ?? 0);
    try {
      const value = await load();
      const reading = { value, readAt: now() };
      const size = Math.max(1, weigh(reading.value));
      if (isNewest()) known.set(key, { reading, turn }, { size });
      return reading;
    } catch (error) {
      // Whoever asked did not want what was known before.
      if (isNewest()) known.delete(key);
      throw error;
    }
  }

  return {
    async read<T>(
      key: string,
      load: () => Promise<T>,
      {
        fresh = false,
        weigh = () => ROW_BYTES,
      }: ReadOptions & { weigh?: (value: T) => number } = {},
    ) {
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
    forget() {
      forgottenAt = turns;
      known.clear();
      inFlight.clear();
    },
  };
}
