const CODES: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  429: 'TOO_MANY_REQUESTS',
};

/** A refusal with its HTTP status; the API and the control routes each give it their own shape. */
export class SandboxError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'SandboxError';
    this.status = status;
  }
}

/** The error body of `{api_url}`: unlike billing's, its `code` is a word. */
export function apiErrorBody(status: number, message: string, id: string) {
  return { status, message, code: CODES[status] ?? 'INTERNAL', details: {}, id };
}
