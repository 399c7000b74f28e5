import type { PageEvent } from './page-protocol.ts';

export interface Hub {
  /** Everything this person may see from now on. Returns the way out. */
  subscribe(user: string, listener: (event: PageEvent) => void): () => void;
  publish(audience: (user: string) => boolean, event: PageEvent): void;
  /** To one person. */
  notify(user: string, event: PageEvent): void;
}

/** Carries what happens in the workspace to the open pages. */
export function createHub(): Hub {
  const listeners = new Set<{ user: string; listener: (event: PageEvent) => void }>();
  const publish: Hub['publish'] = (audience, event) => {
    for (const { user, listener } of listeners) if (audience(user)) listener(event);
  };
  return {
    subscribe(user, listener) {
      const entry = { user, listener };
      listeners.add(entry);
      return () => listeners.delete(entry);
    },
    publish,
    notify: (user, event) => publish((other) => other === user, event),
  };
}
