interface PurserErrorOptions<Reason extends string> {
  readonly reason: Reason;
  /** Whether the same attempt may succeed later; false unless given. */
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

/**
 * An error that callers can act on: `reason` is one of a closed set, so that code never matches on
 * the wording of a message. Each room names its own set: `class XError extends PurserError<XReason>`.
 */
export class PurserError<Reason extends string = string> extends Error {
  readonly reason: Reason;
  readonly retryable: boolean;

  constructor(message: string, options: PurserErrorOptions<Reason>) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.reason = options.reason;
    this.retryable = options.retryable ?? false;
  }
}

/** One line that says what went wrong, whatever was thrown. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : 'unknown error';
  if (error.message !== '') return error.message;

  // Node reports a refused connection to a name with several addresses without any message.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  if (first instanceof Error && first.message !== '') return first.message;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/**
 * A no to a person: one sentence that says what is wrong and what to do. It is an answer, not a
 * defect. `cause` is for a no that stands in for something that failed, which is worth a log line.
 * `why` says in a word why this person may not: that is worth a line, too.
 */
export class Refusal extends PurserError<'refused'> {
  readonly why: string | undefined;

  constructor(sentence: string, cause?: unknown, why?: string) {
    super(sentence, { reason: 'refused', cause });
    this.why = why;
  }
}

/** The process cannot start, and only its operator can change that. The message is the whole log line. */
export class StartRefused extends PurserError<'start-refused'> {
  constructor(sentence: string) {
    super(sentence, { reason: 'start-refused' });
  }
}

/** Words that cannot be read as a command. The answer adds usage, an example and the nearest match. */
export class UsageError extends PurserError<'unreadable'> {
  /** What was probably meant, ready to be typed. */
  readonly suggestion: string | undefined;
  /** How the usages begin that are of help here: `/workload plan`. Undefined: all are. */
  readonly usage: string | undefined;
  /** Words that an example has to have, to show what is missing: `org acme`. */
  readonly wanted: string | undefined;

  constructor(sentence: string, suggestion?: string, usage?: string, wanted?: string) {
    super(sentence, { reason: 'unreadable' });
    this.suggestion = suggestion;
    this.usage = usage;
    this.wanted = wanted;
  }

  /** The same, where usages are of help that begin so. */
  about(usage: string): UsageError {
    return new UsageError(this.message, this.suggestion, usage, this.wanted);
  }

  /** The same, where only an example with these words shows what is missing. */
  wanting(words: string): UsageError {
    return new UsageError(this.message, this.suggestion, this.usage, words);
  }
}

/** A chain of causes longer than this is cut off; it may also be a circle. */
const maxCauses = 5;

/** The fields of an error that are written besides type, message and stack, if they are plain. */
const allowed = ['code', 'status', 'reason', 'retryable'] as const;

/**
 * What of an error may be written down. An allow-list, because the errors of libraries carry whole
 * requests with their headers.
 */
export function serializeError(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: errorMessage(error) };

  const fields: Record<string, unknown> = {
    type: error.name,
    message: errorMessage(error),
    stack: error.stack,
  };
  for (const name of allowed) {
    const value = (error as unknown as Record<string, unknown>)[name];
    if (['string', 'number', 'boolean'].includes(typeof value)) fields[name] = value;
  }
  if (error.cause !== undefined && depth < maxCauses) {
    fields['cause'] = serializeError(error.cause, depth + 1);
  }
  return fields;
}
