import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { BareError, createBareHttp, type BareHttp } from '../../../src/platform/bare-http.ts';
import { until } from '../../support/until.ts';
import { failureOf, serve } from './support.ts';

/** Calls without a credential, against servers that mean it well or not. */

let bare: BareHttp;

beforeEach(() => {
  bare = createBareHttp();
});
afterEach(() => bare.close());

/** Records requests byte for byte, and answers with these bytes. */
async function serveRaw(answer: string) {
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', (bytes) => {
      seen.push(bytes.toString());
      socket.write(answer);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    host: `shop.apps.localhost:${port}`,
    seen,
    sockets,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Why there was no answer. */
async function whyNot(url: string, options = {}): Promise<string> {
  const failure = await failureOf(bare.get(url, options));
  return failure instanceof BareError ? failure.why : `no BareError: ${failure.message}`;
}

describe('a call without a credential', () => {
  test('is a GET with its host and the headers that it is given, and nothing else', async () => {
    const server = await serveRaw('HTTP/1.1 204 No Content\r\n\r\n');

    await bare.get(`http://ann:canary@${server.host}/a?b=c#d`, {
      headers: { 'x-svc-debug': 'true' },
    });

    expect(server.seen).toEqual([
      `GET /a?b=c HTTP/1.1\r\nhost: ${server.host}\r\nconnection: close\r\nx-svc-debug: true\r\n\r\n`,
    ]);
    server.close();
  });

  test('gives status, headers and the server’s time, whatever the status', async () => {
    const { url } = await serve((_request, reply) => {
      reply.writeHead(503, { 'X-One': ['1', '2'], date: 'Mon, 05 Oct 2026 12:00:00 GMT' }).end('x');
    });

    const answer = await bare.get(url);

    expect(answer.status).toBe(503);
    expect(answer.headers.get('x-one')).toMatch(/^1/);
    expect(answer.date).toBe(Date.UTC(2026, 9, 5, 12));
    expect(answer.ms).toBeGreaterThanOrEqual(0);
  });

  test('gives no time where the server says none that can be read', async () => {
    const { url } = await serve((_request, reply) => {
      reply.writeHead(200, { date: 'soon' }).end();
    });

    expect((await bare.get(url)).date).toBeUndefined();
  });

  test('comes on a connection of its own each time', async () => {
    const ports: (number | undefined)[] = [];
    const { url, sockets } = await serve((request, reply) => {
      ports.push(request.socket.remotePort);
      reply.end();
    });

    await bare.get(url);
    await bare.get(url);

    expect(new Set(ports).size).toBe(2);
    await until('closed connections', async () => sockets.size === 0);
  });

  test('follows no redirect', async () => {
    const elsewhere = await serve((_request, reply) => void reply.end());
    const { url } = await serve((_request, reply) => {
      reply.writeHead(302, { location: elsewhere.url }).end();
    });

    const answer = await bare.get(url);

    expect([answer.status, elsewhere.seen]).toEqual([302, []]);
  });

  test('leaves a body that never ends to itself', async () => {
    const { url, sockets } = await serve((_request, reply) => {
      const pour = () => {
        while (reply.write('x'.repeat(65_536)));
      };
      reply.on('drain', pour).on('error', () => undefined);
      pour();
    });

    expect((await bare.get(url)).status).toBe(200);
    await until('a closed connection', async () => sockets.size === 0);
  });

  test.each(['Authorization', 'cookie', 'PROXY-Authorization'])('refuses %s', async (name) => {
    const { url, seen } = await serve((_request, reply) => void reply.end());

    const failure = await failureOf(bare.get(url, { headers: { [name]: 'canary' } }));

    expect([failure.reason, failure.message.includes('canary')]).toEqual(['bad-request', false]);
    expect(seen).toEqual([]);
  });

  test.each(['', 'acme', 'ftp://127.0.0.1/', 'file:///etc/passwd'])(
    'needs an address of the web, not "%s"',
    async (address) => {
      expect(await failureOf(bare.get(address))).toMatchObject({ reason: 'bad-request' });
    },
  );
});

describe('without an answer it says why', () => {
  test('nothing listens', async () => {
    const server = await serveRaw('');
    server.close();

    expect(await whyNot(`http://${server.host}/`)).toBe('refused');
  });

  test('the name does not exist', async () => {
    // No label may be that long, so no name server has to be asked.
    expect(await whyNot(`http://${'a'.repeat(64)}.invalid/`)).toBe('unknown-name');
  });

  test('there is no HTTPS', async () => {
    const server = await serveRaw('HTTP/1.1 400 Bad Request\r\n\r\n');

    expect(await whyNot(`https://${server.host}/`)).toBe('no-tls');
    server.close();
  });

  test('nothing comes in time', async () => {
    const { url } = await serve(() => undefined);

    expect(await whyNot(url, { timeoutMs: 50 })).toBe('timeout');
  });

  test.each([
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['larger headers than anybody needs', `HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(99_999)}\r\n\r\n`],
    ['a header with a control character', 'HTTP/1.1 200 OK\r\nx-svc-replica: a\u0000b\r\n\r\n'],
  ])('it is %s', async (_what, bytes) => {
    const server = await serveRaw(bytes);

    expect(await whyNot(`http://${server.host}/`)).toBe('unreadable');
    server.close();
  });

  test('the process stops', async () => {
    const { url, seen } = await serve(() => undefined);
    const answer = failureOf(bare.get(url));
    await until('a call', async () => seen.length > 0);

    await bare.close();

    expect(await answer).toMatchObject({ reason: 'timeout' });
  });
});
