interface PurserErrorOptions<Reason extends string> {
  readonly reason: Reason;
  /** Whether a repeat may succeed. Default: false. */
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

/**
 * An error that callers can act on: `reason` is one of a closed set, so no code matches on the wording of a
 * message. Each room names its own set: `class XError extends PurserError<XReason>`.
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

export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : 'unknown error';
  if (error.message !== '') return error.message;

  // Node reports a refused connection to a name with several addresses without any message.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  if (first instanceof Error && first.message !== '') return first.message;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/**
 * An expected refusal, shown to the user: one sentence with the problem and the next step. Set `cause` when
 * it hides a failure, so that it is logged; `why` is logged, too: in a word, the reason of an authorization
 * refusal. `roles`: the person lacks a role and can ask for it; any of these would do.
 */
export class Refusal extends PurserError<'refused'> {
  readonly why: string | undefined;
  readonly roles: readonly string[] | undefined;

  constructor(sentence: string, cause?: unknown, why?: string, roles?: readonly string[]) {
    super(sentence, { reason: 'refused', cause });
    this.why = why;
    this.roles = roles;
  }
}

/** The process cannot start until its operator changes something. The message is the whole log line. */
export class StartRefused extends PurserError<'start-refused'> {
  constructor(sentence: string) {
    super(sentence, { reason: 'start-refused' });
  }
}

/** Unreadable command input. The answer adds usage, an example and the nearest match. */
export class UsageError extends PurserError<'unreadable'> {
  readonly suggestion: string | undefined;
  /** Another command that may have been meant just as well. */
  readonly other: string | undefined;
  /** Only usages that begin like this are shown: `/workload plan`. Undefined: all. */
  readonly usage: string | undefined;
  /** Only an example with these words shows the missing part: `org acme`. */
  readonly wanted: string | undefined;

  constructor(sentence: string, suggestion?: string) {
    super(sentence, { reason: 'unreadable' });
    this.suggestion = suggestion;
  }

  /** A copy that shows only the usages beginning like this. */
  about(usage: string): UsageError {
    return this.#with({ usage });
  }

  withExample(wanted: string): UsageError {
    return this.#with({ wanted });
  }

  /** A copy with these commands as suggestions. */
  meaning(suggestion: string | undefined, other?: string): UsageError {
    return this.#with({ suggestion, other });
  }

  #with(changes: Partial<UsageError>): UsageError {
    return Object.assign(new UsageError(this.message), this, changes);
  }
}

/** Causes beyond this depth are cut off; a chain may also be circular. */
const maxCauses = 5;

const allowed = ['code', 'status', 'reason', 'retryable'] as const;

/** An allow-list, because errors of libraries carry whole requests with their headers. */
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
