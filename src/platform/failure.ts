import { PlatformError } from './errors.ts';

/** Codes of undici that mean a connection; its others, the parser's and zlib's mean the answer. */
const CONNECTION_CODES = new Set(['UND_ERR_SOCKET', 'UND_ERR_CONNECT_TIMEOUT']);
const SILENCE_CODES = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);
const ANSWER_CODES = /^(?:UND_ERR|HPE|Z)_/;

/**
 * What went wrong below HTTP, in our words and with the code. The error itself is left behind: the
 * parser's carries the bytes that it could not read, and a server may say the key back in them.
 */
export function toPlatformError(error: unknown): PlatformError {
  if (error instanceof PlatformError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code !== 'string') {
    const message = 'the answer broke off or cannot be read';
    return new PlatformError('malformed', message, { cause: error });
  }
  if (SILENCE_CODES.has(code)) return new PlatformError('timeout', 'the platform fell silent');
  // What is left are the codes of the system and of TLS.
  if (CONNECTION_CODES.has(code) || !ANSWER_CODES.test(code)) {
    return new PlatformError('unreachable', `the connection to the platform failed (${code})`);
  }
  return new PlatformError('malformed', `the answer broke off or cannot be read (${code})`);
}
