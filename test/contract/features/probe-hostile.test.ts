import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';

import { until } from '../../support/until.ts';
import { serve } from '../platform/support.ts';
import { proseOf, rowsOf, spoken } from '../../support/answer.ts';
import { startProbe } from './probe-support.ts';

/** Hostile workloads: their answers are shown, and have no further effect. */

type Reply = (reply: ServerResponse, request: IncomingMessage) => void;

/** The probe of shop/cart, where this answers. */
async function probeOf(reply: Reply) {
  const raw: string[][] = [];
  const { url } = await serve((request, response) => {
    raw.push(request.rawHeaders);
    reply(response, request);
  });
  const { port } = new URL(url);
  const { ask } = await startProbe({ globalDomain: Number(port) });
  return { answer: await ask('cart'), raw, port };
}

const named = (location: string, replica: string): Reply => {
  return (reply) =>
    void reply
      .writeHead(200, { 'x-svc-location': location, 'x-svc-replica': replica })
      .end('a body');
};

test('no credential is sent, only the request header for debug headers', async () => {
  const { raw, port } = await probeOf(named('aws', 'cart-1'));

  expect(raw).toEqual(
    Array.from({ length: 5 }, () => [
      'host',
      `cart-k3v9q2m7x1b8d.apps.localhost:${port}`,
      'connection',
      'close',
      'x-svc-debug',
      'true',
    ]),
  );
});

test('a redirect is shown, and not followed', async () => {
  const elsewhere = await serve((_request, reply) => void reply.end());
  const { answer } = await probeOf(
    (reply) => void reply.writeHead(307, { location: elsewhere.url }).end(),
  );

  expect(proseOf(answer)).toContain(
    'It redirects (307), and Purser does not follow: the redirect itself is shown',
  );
  expect(elsewhere.seen).toEqual([]);
});

test('names in headers are foreign text: nothing is a mention, a link or a line of its own', async () => {
  const { answer } = await probeOf(named('<!channel> `x` <http://evil.example|aws>', '\u009bcart'));

  expect(`${spoken(answer)} ${proseOf(answer)}`).not.toMatch(/<!channel>|<http|[\u0080-\u009f]/);
  expect(spoken(answer)).toContain('5 from &lt;!channel&gt; ˋxˋ &lt;http://evil.example|aws&gt;');
  expect(rowsOf(answer)[0]?.slice(2, 4)).toEqual([
    '<!channel> `x` <http://evil.example|aws>',
    'cart',
  ]);
});

test('a name of any length is cut', async () => {
  const { answer } = await probeOf(named('l'.repeat(8_000), 'r'.repeat(6_000)));

  expect(spoken({ blocks: answer.blocks.slice(0, 1) }).length).toBeLessThan(300);
  expect(rowsOf(answer)[0]?.map((cell) => cell.length > 80)).toEqual(
    Array.from({ length: 5 }, () => false),
  );
});

describe('a probe ends after two failures, and names the reason', () => {
  test('headers larger than anyone needs', async () => {
    const { answer, raw } = await probeOf(
      (reply) => void reply.writeHead(200, { 'x-svc-location': 'l'.repeat(99_999) }).end(),
    );

    expect(raw).toHaveLength(2);
    expect(spoken(answer)).toContain('no answer to 2 calls: no readable HTTP');
    expect(proseOf(answer)).toContain('or with headers that are too large');
  });

  test('one that answers now and then', async () => {
    let calls = 0;
    const { answer } = await probeOf((reply) => {
      calls += 1;
      if (calls % 2 === 0) reply.socket?.resetAndDestroy();
      else reply.end();
    });

    expect(rowsOf(answer).map(([, status]) => status)).toEqual([
      '200',
      'no connection',
      '200',
      'no connection',
    ]);
    expect(spoken(answer)).toContain(
      '2 of 4 calls went well, and none says where it came from\nthe others: no connection ×2',
    );
  });

  test('an address of a machine is no domain, so nothing is called', async () => {
    const { url, seen } = await serve((_request, reply) => void reply.end());
    const { ask } = await startProbe({ globalDomain: new URL(url).host });

    await expect(ask('cart')).rejects.toThrow('There is no global address to call');
    expect(seen).toEqual([]);
  });
});

test('when the process stops, so does the probe', async () => {
  const { url, seen } = await serve(() => undefined);
  const { ask, stop } = await startProbe({ globalDomain: Number(new URL(url).port) });

  const stopped = until('a call', () => seen.length > 0).then(stop);
  const [outcome] = await Promise.allSettled([ask('cart'), stopped]);

  expect(outcome).toMatchObject({
    status: 'rejected',
    reason: { message: 'the call was given up before the platform answered' },
  });
});
