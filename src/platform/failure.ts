import { PlatformError } from './errors.ts';

/** Codes of undici that mean a connection; its others, the parser's and zlib's mean the answer. */
const CONNECTION_CODES = new Set(['UND_ERR_SOCKET', 'UND_ERR_CONNECT_TIMEOUT']);
const SILENCE_CODES = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);
const ANSWER_CODES = /^(?:UND_ERR|HPE|Z)_/;

const UNREADABLE = 'the answer broke off or cannot be read';

/**
 * What went wrong below HTTP, in our words and with the code. The error itself is left behind: the
 * parser's carries the bytes that it could not read, and a server may say the key back in them.
 */
export function toPlatformError(error: unknown): PlatformError {
  if (error instanceof PlatformError) return error;
  if (!(error instanceof Error) || !('code' in error)) {
    // Nothing of the network, but of ours.
    return new PlatformError('malformed', UNREADABLE, { cause: error });
  }
  const code = typeof error.code === 'string' ? error.code : undefined;
  if (code === undefined) return new PlatformError('malformed', UNREADABLE);
  if (code === 'UND_ERR_INVALID_ARG') {
    // Addresses are checked before, so it is what no header can carry.
    return new PlatformError('bad-request', 'the credential cannot be sent: it is no single word');
  }
  if (SILENCE_CODES.has(code)) return new PlatformError('timeout', 'the platform fell silent');
  // What is left are the codes of the system and of TLS.
  if (CONNECTION_CODES.has(code) || !ANSWER_CODES.test(code)) {
    return new PlatformError('unreachable', `the connection to the platform failed (${code})`);
  }
  return new PlatformError('malformed', `${UNREADABLE} (${code})`);
}
