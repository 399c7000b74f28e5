import { gzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { failureOf, sequence, serve, startHttp } from './support.ts';

const SMALL_CAP = { maxBytes: 1_000, attempts: 1 };
const GZIP = { 'content-encoding': 'gzip' };
const WRITE = { method: 'DELETE', path: 'thing' } as const;

describe('an answer is read', () => {
  const LARGEST = 'x'.repeat(998);

  test.each<[string, Record<string, string>, string | Buffer, unknown]>([
    ['packed as gzip', GZIP, gzipSync('{"grüße":"naïve"}'), { grüße: 'naïve' }],
    ['packed as GZIP', { 'content-encoding': 'GZIP' }, gzipSync('{"a":1}'), { a: 1 }],
    ['packed as x-gzip', { 'content-encoding': 'x-gzip' }, gzipSync('{"a":1}'), { a: 1 }],
    ['after a byte order mark', {}, '\uFEFF{"ok":true}', { ok: true }],
    ['of exactly the largest size', {}, JSON.stringify(LARGEST), LARGEST],
  ])('%s', async (_how, headers, body, read) => {
    const server = await sequence({ headers, body });

    const answer = startHttp(server.url, { limits: SMALL_CAP }).getJson('thing');

    await expect(answer).resolves.toEqual(read);
  });

  test('divided inside of a character', async () => {
    const bytes = Buffer.from('{"name":"€"}');
    const server = await serve((_request, reply) => {
      reply.write(bytes.subarray(0, 10));
      setImmediate(() => reply.end(bytes.subarray(10)));
    });

    await expect(startHttp(server.url).getJson('thing')).resolves.toEqual({ name: '€' });
  });
});

describe('an answer is cut off', () => {
  test('that is endless, while it is being read', async () => {
    let sent = 0;
    const server = await serve((_request, reply) => {
      const more = () => {
        while (!reply.destroyed && sent < 1e9 && reply.write('x'.repeat(10_000))) sent += 10_000;
      };
      reply.on('drain', more);
      more();
    });

    const failure = await failureOf(startHttp(server.url, { limits: SMALL_CAP }).getJson('thing'));

    expect(failure).toMatchObject({ reason: 'too-large', retryable: false });
    await expect.poll(() => server.sockets.size).toBe(0);
    expect(sent).toBeLessThan(1e8);
  });

  test('that is small when packed and huge when unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
    const server = await sequence({ headers: GZIP, body: bomb });

    const failure = await failureOf(startHttp(server.url, { limits: SMALL_CAP }).getJson('thing'));

    expect(failure).toMatchObject({ reason: 'too-large', retryable: false });
    // The whole body had arrived, so the connection may be kept.
    expect(server.sockets.size).toBeLessThanOrEqual(1);
  });
});

describe('an answer is malformed and not repeated', () => {
  const NO_JSON = 'the answer is not valid JSON';

  test.each<[string, Record<string, string>, string | Buffer, string]>([
    ['nothing', {}, '', NO_JSON],
    ['HTML', {}, '<!doctype html><h1>Welcome</h1>', NO_JSON],
    ['plain text', {}, 'all is well', NO_JSON],
    ['broken JSON', {}, '{"items":[{"name":"a"},', NO_JSON],
    ['two documents', {}, '{}{}', NO_JSON],
    ['broken gzip', GZIP, 'this was never packed', 'cannot be read'],
    ['gzip that breaks off', GZIP, gzipSync('{"items":[]}').subarray(0, 15), 'cannot be read'],
    ['packed unasked', { 'content-encoding': 'br' }, Buffer.from([1, 2, 3]), NO_JSON],
  ])('that is %s', async (_what, headers, body, message) => {
    const server = await sequence({ headers, body });

    const failure = await failureOf(startHttp(server.url).getJson('thing'));

    expect(failure).toMatchObject({ reason: 'malformed', retryable: false });
    expect(failure.message).toContain(message);
    expect(server.seen).toHaveLength(1);
  });

  test('that is not HTTP', async () => {
    const server = await serve((request) => request.socket.end('SSH-2.0-OpenSSH_9.6\r\n'));

    expect((await failureOf(startHttp(server.url).getJson('thing'))).reason).toBe('malformed');
  });
});

test.each<[string, number, Record<string, string>, string | Buffer, object?]>([
  ['nothing, said to be packed', 204, GZIP, ''],
  ['nothing of a known length, said to be packed', 200, { ...GZIP, 'content-length': '0' }, ''],
  ['a line break', 200, {}, '\r\n'],
  ['a word, where only the status counts', 200, {}, 'OK', { answer: 'ignored' }],
  ['a page, where only the status counts', 200, {}, '<h1>Done</h1>', { answer: 'ignored' }],
  [
    'garbage that claims to be packed, where only the status counts',
    200,
    GZIP,
    gzipSync('"x"').subarray(0, 12),
    { answer: 'ignored' },
  ],
])('a write may be answered with %s', async (_what, status, headers, body, call = {}) => {
  const server = await sequence({ status, headers, body });

  const answer = startHttp(server.url).send({ ...WRITE, ...call });

  await expect(answer).resolves.toEqual({ status, body: undefined });
});

describe('a refusal is that refusal', () => {
  test.each([
    ['whose body is too large', 503, {}, 'x'.repeat(1_000_000), 'unavailable'],
    ['whose body cannot be read', 401, GZIP, 'no gzip', 'unauthorized'],
    ['also where the body is ignored', 409, {}, '{"code":409,"error":"it exists"}', 'conflict'],
  ])('%s', async (_what, status, headers, body, reason) => {
    const server = await sequence({ status, headers, body });

    const failure = await failureOf(startHttp(server.url).send({ ...WRITE, answer: 'ignored' }));

    expect(failure).toMatchObject({ reason, status });
  });
});

test('failures leave no connection behind', async () => {
  let calls = 0;
  const server = await serve((_request, reply) => {
    calls += 1;
    reply.writeHead([200, 404, 500, 302][calls % 4] ?? 200).end('<html>'.repeat(50_000));
  });
  const http = startHttp(server.url, { limits: { attempts: 1, maxBytes: 10_000 } });

  for (let call = 0; call < 40; call += 1) await failureOf(http.getJson('thing'));

  await expect.poll(() => server.sockets.size).toBeLessThanOrEqual(1);
});
