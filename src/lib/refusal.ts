import { PurserError } from './errors.ts';

/**
 * A no to a person: one sentence that says what is wrong and what to do. It is an answer, not a
 * defect. `cause` is for a no that stands in for something that failed, which is worth a log line.
 * `why`, in a word, is for a no to who somebody is: that is worth one, too.
 */
export class Refusal extends PurserError<'refused'> {
  readonly why: string | undefined;

  constructor(sentence: string, cause?: unknown, why?: string) {
    super(sentence, { reason: 'refused', cause });
    this.why = why;
  }
}

/** Words that cannot be read as a command. The answer adds usage, an example and the nearest match. */
export class Unreadable extends PurserError<'unreadable'> {
  /** What was probably meant, ready to be typed. */
  readonly suggestion: string | undefined;
  /** How the usages begin that are of help here: `/workload plan`. Undefined: all are. */
  readonly usage: string | undefined;

  constructor(sentence: string, suggestion?: string, usage?: string) {
    super(sentence, { reason: 'unreadable' });
    this.suggestion = suggestion;
    this.usage = usage;
  }

  /** The same, where usages are of help that begin so. */
  about(usage: string): Unreadable {
    return new Unreadable(this.message, this.suggestion, usage);
  }
}
