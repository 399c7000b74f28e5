import { errorMessage } from './errors.ts';

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
