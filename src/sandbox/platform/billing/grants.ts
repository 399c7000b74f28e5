import type { SandboxClock } from '../clock.ts';

/**
 * The authorization cache of spec sections 5 and 8: the rights of a token on a target
 * holds for five minutes, be it good or bad.
 */
export interface Grants {
  /** The result of `look`, at most five minutes old. */
  get<T>(token: string, target: string, look: () => T): T;
  /** The next question about anything is looked up again. */
  clear(): void;
}

const KEPT_MS = 5 * 60_000;

export function createGrants(clock: SandboxClock): Grants {
  const known = new Map<string, { value: unknown; until: number }>();

  return {
    get<T>(token: string, target: string, look: () => T): T {
      const key = `${token} ${target}`;
      const entry = known.get(key);
      if (entry !== undefined && clock.now() < entry.until) return entry.value as T;
      const value = look();
      known.set(key, { value, until: clock.now() + KEPT_MS });
      return value;
    },
    clear: () => known.clear(),
  };
}
