import type { Secret } from '../lib/secret.ts';
import type { Change } from './change.ts';
import type { OfficeDeps } from './office.ts';

/** A secret on its way to the one person who may see it. */
export interface Taken {
  readonly change: Change;
  readonly secret: Secret;
  /** It was seen. */
  shown(): Promise<void>;
  /** It was not, or nobody knows: the token is deleted. */
  lost(): Promise<void>;
}

/** Hands a secret out: once, to the requester (design section 5). */
export interface Counter {
  /** @throws Refusal */
  take(person: { readonly userId: string; readonly teamId: string }, id: string): Promise<Taken>;
}

export function createCounter(deps: OfficeDeps): Counter {
  void deps;
  throw new Error('not there yet');
}
