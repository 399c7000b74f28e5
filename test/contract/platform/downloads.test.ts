import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';

import { expect, test } from 'vitest';

import type { HttpOptions } from '../../../src/platform/http.ts';
import { failureOf, sequence, serve, startHttp } from './support.ts';

const PDF = 'application/pdf';
const headers = { 'content-type': `${PDF}; charset=binary` };
const download = (url: string, options?: Partial<HttpOptions>) =>
  startHttp(url, options).download('invoice/1', PDF);

test('a document is passed on byte for byte, asked for with exactly its type', async () => {
  const bytes = Buffer.from('%PDF-1.7 \u0000ÿ');
  const accepts: unknown[] = [];
  const server = await serve((request, reply) => {
    accepts.push(request.headers.accept, request.headers['content-type']);
    reply.writeHead(200, headers).end(bytes);
  });

  expect(await buffer(await download(server.url))).toEqual(bytes);
  expect(accepts).toEqual([PDF, undefined]);
});

test.each<[string, Record<string, string>, string | Buffer]>([
  [
    'packed, although that was not requested',
    { ...headers, 'content-encoding': 'gzip' },
    gzipSync('%PDF'),
  ],
  ['as bytes', { 'content-type': 'application/octet-stream' }, '%PDF'],
  ['as BYTES', { 'content-type': 'APPLICATION/OCTET-STREAM; charset=binary' }, '%PDF'],
  ['with an empty type', { 'content-type': '' }, '%PDF'],
  ['without a type', {}, '%PDF'],
])('a document is taken that comes %s', async (_how, headers, body) => {
  const server = await sequence({ headers, body });

  expect((await buffer(await download(server.url))).toString()).toBe('%PDF');
});

test('until the first byte it is asked again', async () => {
  const server = await sequence({ status: 503 }, { headers, body: '%PDF' });

  expect((await buffer(await download(server.url))).toString()).toBe('%PDF');
  expect(server.seen).toHaveLength(2);
});

test('a refusal is that refusal', async () => {
  const server = await sequence({ status: 404, body: '{"code":404,"error":"no such invoice"}' });

  const failure = await failureOf(download(server.url));

  expect(failure).toMatchObject({ reason: 'not-found', message: 'no such invoice' });
});

test.each([
  ['text/html', '<h1>Please log in</h1>'],
  ['application/json; charset=utf-8', '{"code":401}'],
  ['text/plain', 'later'],
])('something else than was asked for is not passed on: %s', async (type, body) => {
  const server = await serve((_request, reply) => {
    reply.writeHead(200, { 'content-type': type }).write(body);
  });

  expect((await failureOf(download(server.url))).reason).toBe('malformed');
  await expect.poll(() => server.sockets.size).toBe(0);
});

test('a document that breaks off ends with an error, never as if it were whole', async () => {
  const server = await serve((request, reply) => {
    reply.writeHead(200, { ...headers, 'content-length': '100' });
    reply.write('%PDF', () => request.socket.resetAndDestroy());
  });

  expect((await failureOf(buffer(await download(server.url)))).reason).toBe('unreachable');
});

test.each([
  ['beyond the largest size', { maxBytes: 3 }, 'too-large'],
  ['that stops coming, at the total deadline', { totalMs: 200 }, 'timeout'],
])('a document is cut off %s', async (_what, limits, reason) => {
  const server = await serve((_request, reply) => {
    reply.writeHead(200, headers).write('%PDF');
  });

  const document = await download(server.url, { limits });

  expect((await failureOf(buffer(document))).reason).toBe(reason);
  await expect.poll(() => server.sockets.size).toBe(0);
});

test('a reader that goes away takes the connection along', async () => {
  const server = await serve((_request, reply) => {
    reply.writeHead(200, headers).write('%PDF');
  });

  const stream = await download(server.url);
  stream.destroy();

  await expect.poll(() => server.sockets.size).toBe(0);
  expect(stream.destroyed).toBe(true);
});
