import { expect, test } from 'vitest';

import { pauseFor } from '../../../src/platform/http.ts';
import { failureOf, sequence, serve, startClient, startHttp } from './support.ts';

const GIVEN_UP = { reason: 'timeout', retryable: false };

test('closing does not wait for an answer that does not come', async () => {
  const server = await serve(() => undefined);
  const http = startHttp(server.url);
  const call = failureOf(http.getJson('thing'));
  await expect.poll(() => server.seen).toHaveLength(1);

  await http.close();

  expect(await call).toMatchObject(GIVEN_UP);
  await expect.poll(() => server.sockets.size).toBe(0);
});

test('closing does not wait for the pause before the next try', async () => {
  const server = await sequence({ status: 503, headers: { 'retry-after': '6' } }, { body: '[]' });
  const pauses: string[] = [];
  const http = startHttp(server.url, {
    async wait(ms, signal) {
      pauses.push(`${ms} ms`);
      void http.close();
      await pauseFor(ms, signal);
      pauses.push('over');
    },
  });

  const failure = await failureOf(http.getJson('thing'));

  expect(failure).toMatchObject(GIVEN_UP);
  expect(pauses).toEqual(['6000 ms']);
  expect(server.seen).toHaveLength(1);
});

test('closing ends a document that is being passed on', async () => {
  const server = await serve((_request, reply) => {
    reply.writeHead(200, { 'content-type': 'application/pdf' }).write('%PDF');
  });
  const http = startHttp(server.url);
  const document = await http.download('thing', 'application/pdf');

  await http.close();

  expect(await failureOf(document.toArray())).toMatchObject(GIVEN_UP);
});

test('a call that comes after closing is not made, whichever org it is for', async () => {
  const server = await sequence({ body: '{"items":[]}' });
  const client = startClient(server.url);
  await client.listGvc('acme', 'shop');

  await client.close();
  const known = await failureOf(client.listGvc('acme', 'shop'));
  const unknown = await failureOf(client.listGvc('globex', 'shop'));

  expect([known, unknown]).toMatchObject([GIVEN_UP, GIVEN_UP]);
  expect(server.seen).toHaveLength(1);
});
