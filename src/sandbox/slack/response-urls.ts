import type { Clock, Ids } from './ids.ts';
import { LIMITS } from './limits.ts';

/** Where a response_url leads. */
export interface ResponseTarget {
  readonly channel: string;
  readonly user: string;
  /** The message whose button was pressed; absent for commands. */
  readonly original?: { readonly ts: string };
}

interface Entry {
  readonly target: ResponseTarget;
  readonly at: number;
  uses: number;
}

type ResponseUse = ResponseTarget | { readonly error: 'used_url' | 'expired_url' };

export interface ResponseUrls {
  /** The path under the workspace's own address. */
  issue(target: ResponseTarget): string;
  /** Counts one use: five within thirty minutes. */
  use(key: string): ResponseUse;
}

export function createResponseUrls({ clock, ids }: { clock: Clock; ids: Ids }): ResponseUrls {
  const entries = new Map<string, Entry>();
  return {
    issue(target) {
      const key = ids.next('R');
      entries.set(key, { target, at: clock.now(), uses: 0 });
      return `/response/${key}`;
    },
    use(key) {
      const entry = entries.get(key);
      if (!entry || clock.now() - entry.at > LIMITS.responseUrl.lifetime) {
        return { error: 'expired_url' };
      }
      if (entry.uses >= LIMITS.responseUrl.uses) return { error: 'used_url' };
      entry.uses += 1;
      return entry.target;
    },
  };
}
