import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { BigNumber } from 'bignumber.js';
import { expect, test } from 'vitest';
import { failureOf, sequence, serve, startHttp, TOKEN } from '../support.ts';
import { startBillingClient } from './support.ts';

interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A server that records its requests, and answers the given statuses one after another. */
async function recorder(...statuses: number[]) {
  const received: Received[] = [];
  const record = async (request: IncomingMessage, reply: ServerResponse) => {
    const { method, url, headers } = request;
    received.push({ method, url, headers, body: await text(request) });
    const status = statuses[received.length - 1] ?? statuses.at(-1) ?? 200;
    reply.writeHead(status, { 'content-type': 'application/json' });
    reply.end(status === 204 ? undefined : '{"ok":true}');
  };
  const server = await serve((request, reply) => void record(request, reply));
  return { ...server, received };
}

test('a body travels as JSON, with the key as bearer and nothing else of us', async () => {
  const server = await recorder(201);

  const answer = await startHttp(server.url).send({
    method: 'POST',
    path: 'account/1/alert',
    body: { alert: { amount: 12.5, enabled: true } },
  });

  expect(answer).toEqual({ status: 201, body: { ok: true } });
  const [sent] = server.received;
  expect(sent).toMatchObject({ method: 'POST', url: '/account/1/alert' });
  expect(sent?.body).toBe('{"alert":{"amount":12.5,"enabled":true}}');
  expect(sent?.headers).toMatchObject({
    accept: 'application/json',
    'content-type': 'application/json',
    authorization: `Bearer ${TOKEN}`,
  });
});

test.each(['GET', 'DELETE'] as const)('a %s without a body has no Content-Type', async (method) => {
  const server = await recorder(200);

  await startHttp(server.url).send({ method, path: 'thing' });

  const [sent] = server.received;
  expect(sent?.headers).not.toHaveProperty('content-type');
  expect(sent?.headers['accept']).toBe('application/json');
});

test('the members of a query string are encoded', async () => {
  const server = await recorder(200);
  const query = { start: '2026-10-01T00:00:00Z', note: 'a&b=c d' };

  await startHttp(server.url).send({ method: 'GET', path: 'invoices', query });

  const sent = new URL(server.received[0]?.url ?? '', 'http://test');
  expect(Object.fromEntries(sent.searchParams)).toEqual(query);
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(
  'a %s is sent once, whatever becomes of the answer',
  async (method) => {
    const server = await recorder(503, 201);
    const http = startHttp(server.url);

    const failure = await failureOf(http.send({ method, path: 'token', body: {} }));

    expect(failure).toMatchObject({ reason: 'unavailable', status: 503 });
    expect(server.received).toHaveLength(1);
    expect(http.pauses).toEqual([]);
  },
);

test('a query is sent again, although it is a POST', async () => {
  const server = await recorder(502, 200);
  const query = { method: 'POST', path: 'query', body: { a: 1 }, repeatable: true } as const;

  await expect(startHttp(server.url).send(query)).resolves.toMatchObject({ status: 200 });
  expect(server.received.map(({ body }) => body)).toEqual(['{"a":1}', '{"a":1}']);
});

test('a write may be answered with nothing, a read may not', async () => {
  const server = await sequence({ status: 204, body: '' });
  const http = startHttp(server.url);

  await expect(http.send({ method: 'DELETE', path: 'thing' })).resolves.toEqual({
    status: 204,
    body: undefined,
  });
  expect((await failureOf(http.send({ method: 'GET', path: 'thing' }))).reason).toBe('malformed');
});

test('numbers arrive with every digit that was sent', async () => {
  const server = await sequence({
    body: '{"small":12.5,"count":11132555231232001,"price":0.1234567890123456789}',
  });

  const { body } = await startHttp(server.url).send({ method: 'GET', path: 'thing' });

  expect(body).toEqual({
    small: 12.5,
    count: new BigNumber('11132555231232001'),
    price: new BigNumber('0.1234567890123456789'),
  });
});

test('the API’s details of a refusal are reported with the server’s own sentence', async () => {
  const server = await sequence({
    status: 500,
    body: '{"code":500,"error":"on the hour, please"}',
  });
  const http = startHttp(server.url, {
    explain: ({ status, sentence }) =>
      status === 500 && sentence.includes('hour')
        ? { reason: 'bad-request', hint: 'round it', earliestStart: 5 }
        : {},
  });

  const failure = await failureOf(http.send({ method: 'GET', path: 'thing' }));

  expect(failure).toMatchObject({
    reason: 'bad-request',
    status: 500,
    message: 'on the hour, please',
    hint: 'round it',
    earliestStart: 5,
    retryable: false,
  });
});

test('an answer that breaks off is a failure with the status of the write that worked', async () => {
  const server = await sequence({ status: 201, body: '{"id":5' });

  const failure = await failureOf(
    startBillingClient(server.url).createToken({ name: 'ci', roles: ['billing_viewer'] }),
  );

  expect(failure).toMatchObject({ reason: 'malformed', status: 201 });
});
