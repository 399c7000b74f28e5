import { connect } from 'node:net';
import { CREDENTIALS } from '../../src/sandbox/bot.ts';
import { signedHeaders } from '../support/http.ts';

/** Longer than the bot waits for any sender. Milliseconds. */
const PATIENCE_MS = 30_000;

type Headers = readonly (readonly [name: string, value: string])[];

export const FORM = 'application/x-www-form-urlencoded';

/** Slack's headers for a body. @param at seconds from now */
export function signed(body: string, { type = FORM, at = 0 } = {}): Headers {
  const time = Math.floor(Date.now() / 1_000) + at;
  const headers = { ...signedHeaders(CREDENTIALS.signingSecret, body, time), 'content-type': type };
  return Object.entries(headers);
}

/** The bytes of a request, with its headers in this order, however often one is there. */
export function requestOf(
  headers: Headers,
  body: string,
  { line = 'POST /slack/events HTTP/1.1', length = String(Buffer.byteLength(body)) } = {},
): string {
  const all = [['host', 'purser'], ['content-length', length], ...headers];
  return `${line}\r\n${all.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${body}`;
}

/**
 * Sends bytes and nothing more; gives the bytes that came back until the other side closed. @throws when it does not
 */
export function sendRaw(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let answer = '';
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`not closed in ${PATIENCE_MS} ms: ${bytes.toString().slice(0, 200)}`));
    }, PATIENCE_MS);
    socket.on('data', (chunk) => void (answer += chunk.toString('latin1')));
    // Who is cut off in the middle is reset.
    socket.on('error', () => undefined);
    socket.on('end', () => socket.end());
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(answer);
    });
    socket.end(bytes);
  });
}

/** The statuses of the answers in these bytes. */
export const statusesIn = (answer: string): number[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
