import { PlatformError } from '../platform/errors.ts';
import { Refusal } from '../lib/refusal.ts';

/** An error that crosses to another thread, where classes are lost and messages stay. */
export type PlainError =
  | ({ readonly kind: 'platform' } & Pick<
      PlatformError,
      | 'reason'
      | 'message'
      | 'status'
      | 'retryAfterMs'
      | 'hint'
      | 'credential'
      | 'earliestStart'
      | 'isUnsent'
    >)
  | { readonly kind: 'refusal'; readonly message: string; readonly cause: PlainError | undefined }
  /** Nothing that anybody foresaw. */
  | { readonly kind: 'defect'; readonly message: string; readonly stack: string | undefined };

export function plainError(error: unknown): PlainError {
  if (error instanceof PlatformError) return plainPlatformError(error);
  if (error instanceof Refusal) {
    const cause = error.cause === undefined ? undefined : plainError(error.cause);
    return { kind: 'refusal', message: error.message, cause };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { kind: 'defect', message, stack };
}

/** The error again, as whoever explains it knows it. */
export function errorOf(plain: PlainError): Error {
  switch (plain.kind) {
    case 'platform':
      return platformErrorOf(plain);
    case 'refusal':
      return new Refusal(plain.message, plain.cause && errorOf(plain.cause));
    case 'defect':
      return Object.assign(new Error(plain.message), plain.stack && { stack: plain.stack });
  }
}

export type PlainPlatformError = Extract<PlainError, { kind: 'platform' }>;

export function plainPlatformError(error: PlatformError): PlainPlatformError {
  const { reason, message, status, retryAfterMs, hint, credential, earliestStart, isUnsent } =
    error;
  return {
    kind: 'platform',
    reason,
    message,
    status,
    retryAfterMs,
    hint,
    credential,
    earliestStart,
    isUnsent,
  };
}

export function platformErrorOf({ reason, message, ...facts }: PlainPlatformError): PlatformError {
  return new PlatformError(reason, message, facts);
}
