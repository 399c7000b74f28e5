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
