import { gzipSync } from 'node:zlib';

import { expect, test } from 'vitest';

import { failureOf, sequence, serve, startHttp } from './support.ts';

const SMALL_CAP = { maxBytes: 1_000, attempts: 1 };

test.each(['gzip', 'GZIP', 'x-gzip'])('an answer packed as %s is unpacked', async (coding) => {
  const body = gzipSync('{"grüße":"naïve"}');
  const server = await sequence({ headers: { 'content-encoding': coding }, body });

  await expect(startHttp(server.url).getJson('thing')).resolves.toEqual({ grüße: 'naïve' });
});

test('text that is divided inside of a character arrives whole', async () => {
  const bytes = Buffer.from('{"name":"€"}');
  const server = await serve((_request, reply) => {
    reply.write(bytes.subarray(0, 10));
    setImmediate(() => reply.end(bytes.subarray(10)));
  });

  await expect(startHttp(server.url).getJson('thing')).resolves.toEqual({ name: '€' });
});

test('an answer of exactly the largest size is read', async () => {
  const body = JSON.stringify('x'.repeat(998));
  const server = await sequence({ body });

  await expect(startHttp(server.url, { limits: SMALL_CAP }).getJson('thing')).resolves.toBe(
    JSON.parse(body),
  );
});

test('an endless answer is cut off while it is being read', async () => {
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

test('a body that is small when packed and huge when unpacked is cut off too', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
  const server = await sequence({ headers: { 'content-encoding': 'gzip' }, body: bomb });

  const failure = await failureOf(startHttp(server.url, { limits: SMALL_CAP }).getJson('thing'));

  expect(failure).toMatchObject({ reason: 'too-large', retryable: false });
  // The whole body had arrived, so the connection may be kept.
  expect(server.sockets.size).toBeLessThanOrEqual(1);
});

test.each([
  ['nothing', ''],
  ['HTML', '<!doctype html><h1>Welcome</h1>'],
  ['plain text', 'all is well'],
  ['broken JSON', '{"items":[{"name":"a"},'],
  ['two documents', '{}{}'],
])('%s with status 200 is malformed and not repeated', async (_what, body) => {
  const server = await sequence({ body });

  const failure = await failureOf(startHttp(server.url).getJson('thing'));

  expect(failure).toMatchObject({ reason: 'malformed', status: 200, retryable: false });
  expect(failure.message).toBe('the answer is not valid JSON');
  expect(server.seen).toHaveLength(1);
});

test.each([
  ['broken gzip', 'gzip', Buffer.from('this was never packed')],
  ['gzip that breaks off', 'gzip', gzipSync('{"items":[]}').subarray(0, 15)],
  ['an encoding without a request', 'br', Buffer.from([1, 2, 3])],
])('%s is malformed', async (_what, coding, body) => {
  const server = await sequence({ headers: { 'content-encoding': coding }, body });

  const failure = await failureOf(startHttp(server.url).getJson('thing'));

  expect(failure).toMatchObject({ reason: 'malformed', retryable: false });
});

test.each([
  ['shorter than announced', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"items":'],
  ['chunks that break off', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"ite\r\n'],
])('a body that is %s is a broken connection, and tried again', async (_what, bytes) => {
  let calls = 0;
  const server = await serve((request, reply) => {
    calls += 1;
    if (calls === 1) request.socket.end(bytes);
    else reply.end('{"items":[]}');
  });

  await expect(startHttp(server.url).getJson('thing')).resolves.toEqual({ items: [] });
});

test('something that is not HTTP is malformed', async () => {
  const server = await serve((request) => request.socket.end('SSH-2.0-OpenSSH_9.6\r\n'));

  expect((await failureOf(startHttp(server.url).getJson('thing'))).reason).toBe('malformed');
});

test('a refusal whose body is too large or unreadable is still that refusal', async () => {
  const tooLarge = await sequence({ status: 503, body: 'x'.repeat(1_000_000) });
  const unreadable = await sequence({
    status: 401,
    headers: { 'content-encoding': 'gzip' },
    body: 'no gzip',
  });

  expect(await failureOf(startHttp(tooLarge.url).getJson('thing'))).toMatchObject({
    reason: 'unavailable',
    status: 503,
    retryable: true,
  });
  expect(await failureOf(startHttp(unreadable.url).getJson('thing'))).toMatchObject({
    reason: 'unauthorized',
    status: 401,
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
