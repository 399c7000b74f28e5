import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';

import { expect, test } from 'vitest';

import { failureOf, sequence, serve, startHttp } from './support.ts';

const PDF = 'application/pdf';
const headers = { 'content-type': `${PDF}; charset=binary` };

test('a document is passed on byte for byte, asked for with exactly its type', async () => {
  const bytes = Buffer.from('%PDF-1.7 \u0000ÿ');
  const accepts: unknown[] = [];
  const server = await serve((request, reply) => {
    accepts.push(request.headers.accept, request.headers['content-type']);
    reply.writeHead(200, headers).end(bytes);
  });

  const stream = await startHttp(server.url).download('invoice/1', PDF);

  expect(await buffer(stream)).toEqual(bytes);
  expect(accepts).toEqual([PDF, undefined]);
});

test('a document that comes packed, although that was not requested, is unpacked', async () => {
  const server = await sequence({
    headers: { ...headers, 'content-encoding': 'gzip' },
    body: gzipSync('%PDF-1.7'),
  });

  const stream = await startHttp(server.url).download('invoice/1', PDF);

  expect((await buffer(stream)).toString()).toBe('%PDF-1.7');
});

test('until the first byte it is asked again', async () => {
  const server = await sequence({ status: 503 }, { headers, body: '%PDF' });

  const stream = await startHttp(server.url).download('invoice/1', PDF);

  expect((await buffer(stream)).toString()).toBe('%PDF');
  expect(server.seen).toHaveLength(2);
});

test('a refusal is that refusal', async () => {
  const server = await sequence({ status: 404, body: '{"code":404,"error":"no such invoice"}' });

  const failure = await failureOf(startHttp(server.url).download('invoice/1', PDF));

  expect(failure).toMatchObject({ reason: 'not-found', message: 'no such invoice' });
});

test.each([
  ['application/octet-stream'],
  ['APPLICATION/OCTET-STREAM; charset=binary'],
  [''],
  [undefined],
])('a document without a meaningful type is not refused: %j', async (type) => {
  const server = await sequence({
    headers: type === undefined ? {} : { 'content-type': type },
    body: '%PDF-1.7',
  });

  const stream = await startHttp(server.url).download('invoice/1', PDF);

  expect((await buffer(stream)).toString()).toBe('%PDF-1.7');
});

test.each([
  ['text/html', '<h1>Please log in</h1>'],
  ['application/json; charset=utf-8', '{"code":401}'],
  ['text/plain', 'later'],
])('something else than was asked for is not passed on: %s', async (type, body) => {
  const server = await serve((_request, reply) => {
    reply.writeHead(200, { 'content-type': type }).write(body);
  });

  const failure = await failureOf(startHttp(server.url).download('invoice/1', PDF));

  expect(failure.reason).toBe('malformed');
  await expect.poll(() => server.sockets.size).toBe(0);
});

test('a document that breaks off ends with an error, never as if it were whole', async () => {
  const server = await serve((request, reply) => {
    reply.writeHead(200, { ...headers, 'content-length': '100' });
    reply.write('%PDF', () => request.socket.resetAndDestroy());
  });

  const stream = await startHttp(server.url).download('invoice/1', PDF);

  expect((await failureOf(buffer(stream))).reason).toBe('unreachable');
});

test('a document beyond the largest size is cut off with an error', async () => {
  const server = await sequence({ headers, body: 'x'.repeat(1_001) });
  const http = startHttp(server.url, { limits: { maxBytes: 1_000 } });

  expect((await failureOf(buffer(await http.download('invoice/1', PDF)))).reason).toBe('too-large');
});

test('a document that stops coming ends at the total deadline', async () => {
  const server = await serve((_request, reply) => {
    reply.writeHead(200, headers).write('%PDF');
  });
  const http = startHttp(server.url, { limits: { totalMs: 200 } });

  expect((await failureOf(buffer(await http.download('invoice/1', PDF)))).reason).toBe('timeout');
  await expect.poll(() => server.sockets.size).toBe(0);
});

test('a reader that goes away takes the connection along', async () => {
  const server = await serve((_request, reply) => {
    reply.writeHead(200, headers).write('%PDF');
  });

  const stream = await startHttp(server.url).download('invoice/1', PDF);
  stream.destroy();

  await expect.poll(() => server.sockets.size).toBe(0);
  expect(stream.destroyed).toBe(true);
});
