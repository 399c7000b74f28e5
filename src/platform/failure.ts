import { PlatformError } from './errors.ts';

/** Codes of undici that mean a connection; its others, the parser's and zlib's mean the answer. */
const CONNECTION_CODES = new Set(['UND_ERR_SOCKET', 'UND_ERR_CONNECT_TIMEOUT']);
const SILENCE_CODES = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);
const ANSWER_CODES = /^(?:UND_ERR|HPE|Z)_/;

/** What went wrong below HTTP, in our words: the library's own may quote what was sent. */
export function toPlatformError(error: unknown): PlatformError {
  if (error instanceof PlatformError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && SILENCE_CODES.has(code)) {
    return new PlatformError('timeout', 'the platform fell silent', { cause: error });
  }
  // What is left are the codes of the system and of TLS.
  if (typeof code === 'string' && (CONNECTION_CODES.has(code) || !ANSWER_CODES.test(code))) {
    const message = `the connection to the platform failed (${code})`;
    return new PlatformError('unreachable', message, { cause: error });
  }
  return new PlatformError('malformed', 'the answer broke off or cannot be read', { cause: error });
}
