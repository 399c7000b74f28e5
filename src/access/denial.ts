import { Refusal } from '../lib/refusal.ts';

/** Why somebody may not do something, in a word for logs and the audit. */
export type Why =
  | 'bot'
  | 'stranger'
  | 'deactivated'
  | 'guest'
  /** May not read the orgs. */
  | 'orgs'
  | 'role'
  /** It is their own billing user that would be changed, or nobody can tell. */
  | 'own-user'
  /** They asked for it themselves. */
  | 'self-review'
  /** Only who asked for it may. */
  | 'not-theirs';

/** A no to who somebody is. */
export interface Denial {
  readonly why: Why;
  /** For the person: what is wrong, and what to do. */
  readonly sentence: string;
}

/** A no as it is thrown. */
export function denied(why: Why, sentence: string): Refusal {
  return new Refusal(sentence, undefined, why);
}
