import type { Actor } from './change.ts';

/** How many requests of one person can be open at once: more would bury those of the others. */
const MAX_OPEN = 10;

/**
 * The places of a person, who may have several accounts, among the open requests, as fields of their hash: taking one is a part of the
 * write that files a request, so two at once cannot take the same. What is ordered is never such a
 * field: it begins with a bracket.
 */
export function placesOf({ userId, email }: Pick<Actor, 'userId' | 'email'>): string[] {
  return Array.from({ length: MAX_OPEN }, (_, index) => `${email ?? userId}/${index + 1}`);
}
