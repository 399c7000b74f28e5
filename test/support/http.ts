import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  connect,
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import { text } from 'node:stream/consumers';

type Json = Record<string, unknown>;

export function sendJson(address: string, body: object): Promise<Response> {
  return fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Posts JSON; gives the answer. @throws for the status of an error, and for a call that Slack's stand-in refuses */
export async function post(address: string, body: object): Promise<Json> {
  const answer = await sendJson(address, body);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${text}`);
  const said = JSON.parse(text) as Json;
  if (said['ok'] === false) throw new Error(`${address}: ${text}`);
  return said;
}

export async function get<T>(address: string): Promise<T> {
  return (await (await fetch(address)).json()) as T;
}

/** Slack's headers for a body. @param at seconds since the epoch */
export function signedHeaders(
  secret: string,
  body: string,
  at = Math.floor(Date.now() / 1_000),
): Record<string, string> {
  const hash = createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex');
  return {
    'content-type': 'application/x-www-form-urlencoded',
    'x-slack-request-timestamp': String(at),
    'x-slack-signature': `v0=${hash}`,
  };
}

/**
 * A server on a free port of the loopback. Where `answer` fails it hangs up, and `close` throws the first
 * failure, unless failures belong to the test.
 */
export async function listen(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => unknown,
  { mayFail = false } = {},
) {
  const failures: unknown[] = [];
  const server = createServer((request, response) => {
    const work = async () => {
      // The caller may go away before its body is read.
      const body = await text(request).catch(() => undefined);
      if (body !== undefined) await answer(request, response, body);
    };
    work().catch((error: unknown) => {
      if (!mayFail) failures.push(error);
      response.destroy();
    });
  });
  const url = `http://127.0.0.1:${await portOf(server)}`;
  return {
    url,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** Passes on the bytes of one connection, on their way to the server and back. */
type Passing = Record<'there' | 'back', (chunk: Buffer, near: Socket, far: Socket) => void>;

/** Passes everything on. */
const transparent: Passing = {
  there: (chunk, _near, far) => void far.write(chunk),
  back: (chunk, near) => void near.write(chunk),
};

/** A way to a TCP server that can be cut. @param target the address for the next connection */
export async function startProxy(target: () => URL, open: () => Passing = () => transparent) {
  const sockets = new Set<Socket>();
  const server = createTcpServer((near) => {
    const far = connect(Number(target().port || 6379), target().hostname);
    const passing = open();
    near.on('data', (chunk: Buffer) => passing.there(chunk, near, far));
    far.on('data', (chunk: Buffer) => passing.back(chunk, near, far));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.setNoDelay(true);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  const port = await portOf(server);
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    close: () => {
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      for (const socket of sockets) socket.destroy();
      return closed;
    },
  };
}

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
