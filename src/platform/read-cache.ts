import { LRUCache } from 'lru-cache';

/** Something that was read, and when: people see the age of what comes from the cache. */
export interface Reading<T> {
  readonly value: T;
  /** When the platform was asked, ms since the epoch. */
  readonly readAt: number;
}

export interface ReadOptions {
  /** Ask now, whatever is remembered (decisions need it). */
  readonly fresh?: boolean;
}

/** Remembers for some seconds what people ask again, and lets equal questions share one call. */
export interface ReadCache {
  /**
   * @param key says the question completely
   * @param load asks the platform; what it throws is not remembered
   * @param weigh about how many rows the answer has (1)
   */
  read<T>(
    key: string,
    load: () => Promise<T>,
    options?: ReadOptions & { weigh?: (value: T) => number },
  ): Promise<Reading<T>>;
  /** To be called around every write: nothing that was read before it, or is being read, is remembered. */
  forget(): void;
}

const MAX_ROWS = 200_000;

/** @param deps.ttlMs how long an answer is good for (15 s) */
export function createReadCache(deps: { ttlMs?: number; now?: () => number } = {}): ReadCache {
  const { ttlMs = 15_000, now = Date.now } = deps;
  const known = new LRUCache<string, Reading<unknown>>({ max: 500, maxSize: MAX_ROWS });
  const inFlight = new Map<string, Promise<Reading<unknown>>>();
  let era = 0;

  return {
    async read<T>(
      key: string,
      load: () => Promise<T>,
      options: ReadOptions & { weigh?: (value: T) => number } = {},
    ) {
      if (options.fresh !== true) {
        const found = known.get(key);
        if (found !== undefined && now() - found.readAt < ttlMs) return found as Reading<T>;
        const running = inFlight.get(key);
        if (running !== undefined) return running as Promise<Reading<T>>;
      }
      const begunIn = era;
      const readAt = now();
      const reading = load().then((value) => {
        const read = { value, readAt };
        const size = Math.max(1, options.weigh?.(value) ?? 1);
        // An answer can be overtaken by one that was asked for later.
        const isNewest = readAt >= (known.peek(key)?.readAt ?? readAt);
        if (era === begunIn && isNewest) known.set(key, read, { size });
        return read;
      });
      inFlight.set(key, reading);
      try {
        return await reading;
      } finally {
        if (inFlight.get(key) === reading) inFlight.delete(key);
      }
    },
    forget() {
      era += 1;
      known.clear();
      inFlight.clear();
    },
  };
}
