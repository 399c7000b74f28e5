import { gzipSync } from 'node:zlib';

import { expect, test } from 'vitest';

import { failureOf, sequence, startHttp } from './support.ts';

const WRITE = { method: 'DELETE', path: 'thing' } as const;

test.each([
  ['nothing, said to be packed', 204, { 'content-encoding': 'gzip' }, ''],
  [
    'nothing of a known length, said to be packed',
    200,
    { 'content-encoding': 'gzip', 'content-length': '0' },
    '',
  ],
  ['a line break', 200, {}, '\r\n'],
])('a write may be answered with %s', async (_what, status, headers, body) => {
  const server = await sequence({ status, headers, body });

  await expect(startHttp(server.url).send(WRITE)).resolves.toEqual({ status, body: undefined });
});

test.each([
  ['a word', 'OK'],
  ['a page', '<h1>Done</h1>'],
  ['garbage that claims to be packed', gzipSync('"x"').subarray(0, 12)],
])('where only the status counts, the body may be %s', async (_what, body) => {
  const headers = typeof body === 'string' ? {} : { 'content-encoding': 'gzip' };
  const server = await sequence({ status: 200, headers, body });

  const call = startHttp(server.url).send({ ...WRITE, answer: 'ignored' });

  await expect(call).resolves.toEqual({ status: 200, body: undefined });
});

test('a refusal is one, also where the body is ignored', async () => {
  const server = await sequence({ status: 409, body: '{"code":409,"error":"it exists"}' });

  const failure = await failureOf(startHttp(server.url).send({ ...WRITE, answer: 'ignored' }));

  expect(failure).toMatchObject({ reason: 'conflict', message: 'it exists' });
});

test('a byte order mark before the document is ignored', async () => {
  const server = await sequence({ body: '\uFEFF{"ok":true}' });

  await expect(startHttp(server.url).getJson('thing')).resolves.toEqual({ ok: true });
});
