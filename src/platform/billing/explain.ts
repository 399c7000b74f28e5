import type { Explain } from '../answer.ts';

/** What billing's refusals mean beyond their status (spec section 7). */
export function createExplain(_accountId: string): Explain {
  return () => ({});
}
