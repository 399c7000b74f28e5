import type { ServerResponse } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';

import { expect, test, vi } from 'vitest';

import { failureOf, sequence, serve, startClient, startHttp } from './support.ts';

const busy = (status: number, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: JSON.stringify({ status, message: 'come again', code: 'BUSY', details: {}, id: '1' }),
});

/** A port of this machine without a server. */
async function deadAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return `http://127.0.0.1:${port}`;
}

test.each([429, 502, 503, 504])('%i is asked again until it works', async (status) => {
  const server = await sequence(busy(status), busy(status), { body: '{"ok":true}' });
  const http = startHttp(server.url);

  await expect(http.getJson('thing')).resolves.toEqual({ ok: true });
  expect(server.seen).toHaveLength(3);
  expect(http.pauses).toEqual([250, 500]);
});

test.each([429, 502, 503, 504])('%i that stays is reported after four attempts', async (status) => {
  const server = await sequence(busy(status));
  const failure = await failureOf(startHttp(server.url).getJson('thing'));

  expect(failure).toMatchObject({ status, retryable: true, message: 'come again' });
  expect(server.seen).toHaveLength(4);
});

test.each([
  [400, 'bad-request'],
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not-found'],
  [409, 'conflict'],
  [410, 'bad-request'],
  [500, 'server-error'],
  [501, 'server-error'],
])('%i (%s) is reported at once', async (status, reason) => {
  const server = await sequence(busy(status));
  const http = startHttp(server.url);

  const failure = await failureOf(http.getJson('thing'));

  expect(failure).toMatchObject({ status, reason, retryable: false, message: 'come again' });
  expect(server.seen).toHaveLength(1);
  expect(http.pauses).toEqual([]);
});

test('a caller that comes again anyway asks for one attempt', async () => {
  const server = await sequence(busy(503));

  await failureOf(startHttp(server.url).getJson('thing', { attempts: 1 }));

  expect(server.seen).toHaveLength(1);
});

test('a refused connection is tried again and then reported as unreachable', async () => {
  const http = startHttp(await deadAddress());

  const failure = await failureOf(http.getJson('thing'));

  expect(failure).toMatchObject({ reason: 'unreachable', retryable: true, status: undefined });
  expect(http.pauses).toHaveLength(3);
});

test('a connection that is reset before the answer is tried again', async () => {
  let calls = 0;
  const server = await serve((request, reply) => {
    calls += 1;
    if (calls === 1) request.socket.resetAndDestroy();
    else reply.end('[]');
  });

  await expect(startHttp(server.url).getJson('thing')).resolves.toEqual([]);
  expect(server.seen).toHaveLength(2);
});

test('a server that speaks plain HTTP where TLS is expected cannot be reached', async () => {
  const server = await sequence({});
  const http = startHttp(server.url.replace('http:', 'https:'));

  expect((await failureOf(http.getJson('thing'))).reason).toBe('unreachable');
});

test('Retry-After in seconds is the pause', async () => {
  const server = await sequence(busy(429, { 'retry-after': '7' }), { body: '[]' });
  const http = startHttp(server.url);

  await http.getJson('thing');

  expect(http.pauses).toEqual([7_000]);
});

test('Retry-After as a date is the pause until then', async () => {
  const now = Date.UTC(2026, 9, 5, 12);
  const header = new Date(now + 9_000).toUTCString();
  const server = await sequence(busy(503, { 'retry-after': header }), { body: '[]' });
  const http = startHttp(server.url, { now: () => now });

  await http.getJson('thing');

  expect(http.pauses).toEqual([9_000]);
});

test('a pause that would end after the deadline is not begun; the caller learns its length', async () => {
  const server = await sequence(busy(429, { 'retry-after': '300' }));
  const http = startHttp(server.url);

  const failure = await failureOf(http.getJson('thing'));

  expect(failure).toMatchObject({ reason: 'rate-limited', retryAfterMs: 300_000 });
  expect(server.seen).toHaveLength(1);
  expect(http.pauses).toEqual([]);
});

test('an answer that never comes ends at the total deadline', async () => {
  const server = await serve(() => undefined);
  const http = startHttp(server.url, { limits: { totalMs: 100 } });

  const failure = await failureOf(http.getJson('thing'));

  expect(failure).toMatchObject({ reason: 'timeout', retryable: false });
  await expect.poll(() => server.sockets.size).toBe(0);
});

test.each(['identity', 'gzip'])(
  'a body (%s) that drips ends at the total deadline',
  async (coding) => {
    const server = await serve((_request, reply) => {
      reply.writeHead(200, { 'content-encoding': coding });
      // The first bytes of any gzip; as plain text they are as good as others.
      reply.write(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]));
    });
    const http = startHttp(server.url, { limits: { totalMs: 100 } });

    expect((await failureOf(http.getJson('thing'))).reason).toBe('timeout');
    await expect.poll(() => server.sockets.size).toBe(0);
  },
);

const SILENT = 'the platform fell silent';

test.each([
  ['before the head of the answer', () => undefined],
  ['inside of the body', (reply: ServerResponse) => reply.writeHead(200).write('{"ok"')],
])('a platform that falls silent %s is not waited for to the deadline', async (_where, begin) => {
  const server = await serve((_request, reply) => void begin(reply));
  const http = startHttp(server.url, { limits: { silenceMs: 100, totalMs: 60_000 } });

  const failure = await failureOf(http.getJson('thing'));

  expect(failure).toMatchObject({ reason: 'timeout', retryable: false, message: SILENT });
});

test('a connection that never comes about is given up before the deadline', async () => {
  // It listens, and never answers the handshake of TLS.
  const mute = createServer();
  await new Promise<void>((resolve) => {
    mute.listen(0, '127.0.0.1', resolve);
  });
  const { port } = mute.address() as AddressInfo;
  const limits = { connectMs: 100, totalMs: 60_000, attempts: 1 };
  const http = startHttp(`https://127.0.0.1:${port}`, { limits });

  const failure = await failureOf(http.getJson('thing'));
  mute.close();

  expect(failure).toMatchObject({ reason: 'unreachable', retryable: true });
  expect(failure.message).toContain('UND_ERR_CONNECT_TIMEOUT');
});

test('a refusal whose sentence never ends is still that refusal', async () => {
  const server = await serve((_request, reply) => {
    reply.writeHead(404).write('{"status": 404, "mess');
  });
  const http = startHttp(server.url, { limits: { totalMs: 100 } });

  const failure = await failureOf(http.getJson('thing'));

  expect(failure).toMatchObject({ reason: 'not-found', status: 404 });
  await expect.poll(() => server.sockets.size).toBe(0);
});

test('a caller can give up while the answer is awaited', async () => {
  const giveUp = new AbortController();
  const server = await serve(() => giveUp.abort());

  const failure = await failureOf(
    startHttp(server.url).getJson('thing', { signal: giveUp.signal }),
  );

  expect(failure).toMatchObject({ reason: 'timeout', retryable: false });
  await expect.poll(() => server.sockets.size).toBe(0);
});

test('a caller can give up during a pause', async () => {
  const giveUp = new AbortController();
  const server = await sequence(busy(503, { 'retry-after': '20' }));
  const client = startClient(server.url);

  const call = failureOf(client.listGvc('acme', 'shop', { signal: giveUp.signal }));
  await expect.poll(() => server.seen).toHaveLength(1);
  // The pause begins a moment after the request; giving up counts in either.
  setImmediate(() => giveUp.abort());

  expect((await call).reason).toBe('timeout');
  expect(server.seen).toHaveLength(1);
});

test('a caller that gave up before gets no call', async () => {
  const server = await sequence({});

  const failure = await failureOf(
    startHttp(server.url).getJson('thing', { signal: AbortSignal.abort() }),
  );

  expect(failure.reason).toBe('timeout');
  expect(server.seen).toEqual([]);
});

test('many calls leave nothing behind on a signal that lives long', async () => {
  const server = await sequence({ body: '{"items":[]}' });
  const { signal } = new AbortController();
  const added = vi.spyOn(signal, 'addEventListener');
  const removed = vi.spyOn(signal, 'removeEventListener');
  const any = vi.spyOn(AbortSignal, 'any');

  await startClient(server.url).listGvc('acme', 'shop', { signal });

  expect(added).toHaveBeenCalled();
  expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
  // Node 20 never frees the signals of AbortSignal.any.
  expect(any).not.toHaveBeenCalled();
  any.mockRestore();
});

test('twenty calls may share the signal of a caller', async () => {
  const server = await sequence({ body: '{"items":[]}' });
  const { signal } = new AbortController();
  const client = startClient(server.url);
  const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();

  await Promise.all(Array.from({ length: 20 }, () => client.listGvc('acme', 'shop', { signal })));

  expect(warned).not.toHaveBeenCalled();
  warned.mockRestore();
});
