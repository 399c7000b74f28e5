import type { OfficeDeps } from './office.ts';

/** What a worker does for changes, without anybody asking. */
export interface Clerk {
  /** Does what is due for a change: reminds, expires, carries out, settles, clears away. Once at a time. */
  advance(id: string): Promise<void>;
  /** Asks for `advance` of every change for which something is due. */
  sweep(): Promise<void>;
}

export function createClerk(deps: OfficeDeps): Clerk {
  void deps;
  throw new Error('not there yet');
}
