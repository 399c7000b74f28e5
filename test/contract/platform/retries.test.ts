import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';

import { describe, expect, test, vi } from 'vitest';

import { failureOf, listen, sequence, serve, startClient, startHttp } from './support.ts';

const busy = (status: number, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: JSON.stringify({ status, message: 'come again', code: 'BUSY', details: {}, id: '1' }),
});
const GIVEN_UP = { reason: 'timeout', retryable: false };

describe('a call is repeated', () => {
  test.each([429, 502, 503, 504])('after %i until it works, four times at most', async (status) => {
    const server = await sequence(busy(status), busy(status), { body: '{"ok":true}' });
    const stays = await sequence(busy(status));
    const http = startHttp(server.url);

    await expect(http.getJson('thing')).resolves.toEqual({ ok: true });
    const failure = await failureOf(startHttp(stays.url).getJson('thing'));

    expect(http.pauses).toEqual([250, 500]);
    expect(failure).toMatchObject({ status, retryable: true, message: 'come again' });
    expect([server.seen.length, stays.seen.length]).toEqual([3, 4]);
  });

  test('after a connection that is refused', async () => {
    const { url, close } = await listen(createServer());
    await close();
    const http = startHttp(url);

    const failure = await failureOf(http.getJson('thing'));

    expect(failure).toMatchObject({ reason: 'unreachable', retryable: true, status: undefined });
    expect(http.pauses).toHaveLength(3);
  });

  test.each([
    ['reset before the answer', undefined],
    ['shorter than announced', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"items":'],
    ['cut off in a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"ite\r\n'],
  ])('after an answer that is %s', async (_what, bytes) => {
    let calls = 0;
    const server = await serve((request, reply) => {
      calls += 1;
      if (calls > 1) reply.end('[]');
      else if (bytes === undefined) request.socket.resetAndDestroy();
      else request.socket.end(bytes);
    });

    await expect(startHttp(server.url).getJson('thing')).resolves.toEqual([]);
    expect(server.seen).toHaveLength(2);
  });

  test('once only by a caller that comes again anyway', async () => {
    const server = await sequence(busy(503));

    await failureOf(startHttp(server.url).getJson('thing', { attempts: 1 }));

    expect(server.seen).toHaveLength(1);
  });
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

test('a server that speaks plain HTTP where TLS is expected cannot be reached', async () => {
  const server = await sequence({});
  const http = startHttp(server.url.replace('http:', 'https:'));

  expect((await failureOf(http.getJson('thing'))).reason).toBe('unreachable');
});

const NOW = Date.UTC(2026, 9, 5, 12);

test.each([
  ['seconds', '7', 7_000],
  ['as a date', new Date(NOW + 9_000).toUTCString(), 9_000],
])('Retry-After in %s is the pause', async (_how, header, pause) => {
  const server = await sequence(busy(429, { 'retry-after': header }), { body: '[]' });
  const http = startHttp(server.url, { now: () => NOW });

  await http.getJson('thing');

  expect(http.pauses).toEqual([pause]);
});

test('a pause that would end after the deadline is not begun; the caller learns its length', async () => {
  const server = await sequence(busy(429, { 'retry-after': '300' }));
  const http = startHttp(server.url);

  const failure = await failureOf(http.getJson('thing'));

  expect(failure).toMatchObject({ reason: 'rate-limited', retryAfterMs: 300_000 });
  expect(server.seen).toHaveLength(1);
  expect(http.pauses).toEqual([]);
});

describe('a platform that falls silent', () => {
  const SHORT = { totalMs: 100 };
  const SILENCE = { silenceMs: 100, totalMs: 60_000 };
  // The first bytes of any gzip; as plain text they are as good as others.
  const DRIP = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
  const drips = (coding: string) => (reply: ServerResponse) =>
    reply.writeHead(200, { 'content-encoding': coding }).write(DRIP);

  test.each<[string, (reply: ServerResponse) => unknown, object, object]>([
    [
      'before the head of the answer',
      () => undefined,
      SILENCE,
      { message: 'the platform fell silent' },
    ],
    [
      'inside of the body',
      (reply) => reply.writeHead(200).write('{"ok"'),
      SILENCE,
      { message: 'the platform fell silent' },
    ],
    ['to the total deadline', () => undefined, SHORT, {}],
    ['in a body that drips', drips('identity'), SHORT, {}],
    ['in a packed body that drips', drips('gzip'), SHORT, {}],
    [
      'in the sentence of a refusal, which is still that refusal',
      (reply) => reply.writeHead(404).write('{"status": 404, "mess'),
      SHORT,
      { reason: 'not-found', status: 404 },
    ],
  ])('is given up: %s', async (_where, begin, limits, failure) => {
    const server = await serve((_request, reply) => void begin(reply));

    const given = await failureOf(startHttp(server.url, { limits }).getJson('thing'));

    expect(given).toMatchObject({ ...GIVEN_UP, ...failure });
    await expect.poll(() => server.sockets.size).toBe(0);
  });

  test('in the handshake of TLS is given up before the deadline', async () => {
    const mute = await listen(createServer());
    const limits = { connectMs: 100, totalMs: 60_000, attempts: 1 };
    const http = startHttp(mute.url.replace('http:', 'https:'), { limits });

    const failure = await failureOf(http.getJson('thing'));
    await mute.close();

    expect(failure).toMatchObject({ reason: 'unreachable', retryable: true });
    expect(failure.message).toContain('UND_ERR_CONNECT_TIMEOUT');
  });
});

describe('a caller can give up', () => {
  test('while the answer is awaited', async () => {
    const giveUp = new AbortController();
    const server = await serve(() => giveUp.abort());

    const call = startHttp(server.url).getJson('thing', { signal: giveUp.signal });

    expect(await failureOf(call)).toMatchObject(GIVEN_UP);
    await expect.poll(() => server.sockets.size).toBe(0);
  });

  test('during a pause', async () => {
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

  test('before the call, which is not made', async () => {
    const server = await sequence({});

    const call = startHttp(server.url).getJson('thing', { signal: AbortSignal.abort() });

    expect((await failureOf(call)).reason).toBe('timeout');
    expect(server.seen).toEqual([]);
  });

  test('by a signal that many calls share, and that lives longer than they', async () => {
    const server = await sequence({ body: '{"items":[]}' });
    const { signal } = new AbortController();
    const client = startClient(server.url);
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    const any = vi.spyOn(AbortSignal, 'any');
    const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();

    await Promise.all(Array.from({ length: 20 }, () => client.listGvc('acme', 'shop', { signal })));

    expect(added).toHaveBeenCalled();
    expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
    // Node 20 never frees the signals of AbortSignal.any.
    expect(any).not.toHaveBeenCalled();
    expect(warned).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });
});
