import { PurserError } from '../lib/errors.ts';
import { Refusal } from '../lib/refusal.ts';

/**
 * A report that was not made. `too-large`: it took more memory or time than it may; `busy`: too many wait
 * for theirs; `stopped`: the process ends.
 */
export class ReportFailed extends PurserError<'too-large' | 'busy' | 'stopped'> {
  constructor(reason: 'too-large' | 'busy' | 'stopped') {
    super(`a report was not made: ${reason}`, { reason });
  }

  /** What a person is told who can do nothing but ask again. */
  refusal(): Refusal {
    return new Refusal(SENTENCES[this.reason === 'busy' ? 'busy' : 'stopped']);
  }
}

const SENTENCES = {
  busy: 'Too many large questions are waiting for their answers just now: please ask again in a minute.',
  stopped: 'Purser is being restarted just now: please try again in a minute.',
} as const;
