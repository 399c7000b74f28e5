import { PurserError } from './errors.ts';

/**
 * A no to a person: one sentence that says what is wrong and what to do. It is an answer, not a
 * defect, so nobody logs it as an error.
 */
export class Refusal extends PurserError<'refused'> {
  constructor(sentence: string) {
    super(sentence, { reason: 'refused' });
  }
}

/** Words that cannot be read as a command. The answer adds usage, an example and the nearest match. */
export class Unreadable extends PurserError<'unreadable'> {
  /** What was probably meant, ready to be typed. */
  readonly suggestion: string | undefined;

  constructor(sentence: string, suggestion?: string) {
    super(sentence, { reason: 'unreadable' });
    this.suggestion = suggestion;
  }
}
