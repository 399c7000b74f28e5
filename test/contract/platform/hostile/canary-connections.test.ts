import { createServer } from 'node:net';

import { describe, expect, onTestFinished, test } from 'vitest';

import { listen, serve } from '../support.ts';
import { CALLS, failEach, MOST } from './failing.ts';
import { CANARIES } from './texts.ts';

describe('a credential is in no error', () => {
  test.each<[string, (said: string) => string]>([
    ['an invalid status line', (said) => `HTTP/1.1 ${said} 200\r\n\r\n`],
    ['an invalid header', (said) => `HTTP/1.1 200 OK\r\nBad\u0001: ${said}\r\n\r\n`],
    ['no HTTP at all', (said) => `${said}\r\n\r\n`],
    [
      'an invalid chunk',
      (said) => `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${said}\r\n`,
    ],
    [
      'a body that is shorter than it says',
      (said) => `HTTP/1.1 400 No\r\nContent-Length: 999\r\n\r\n{"error":"${said}"`,
    ],
    ['a head that breaks off', (said) => `HTTP/1.1 400 No\r\nX-Said: ${said}`],
  ])('of broken HTTP: %s', async (_what, answerOf) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (request) => {
        const said = /^authorization: (.*)\r$/im.exec(request.toString())?.[1] ?? '';
        socket.end(answerOf(said));
      });
    });
    const { url, close } = await listen(server);
    onTestFinished(close);

    const { failed, areOurs, leaks } = await failEach(url);

    expect({ areOurs, leaks }).toEqual({ areOurs: true, leaks: [] });
    expect(failed).toBeGreaterThanOrEqual(MOST);
  });

  test('of a connection that is cut', async () => {
    const server = await serve((_request, reply) => reply.destroy());

    expect(await failEach(server.url)).toMatchObject({ failed: CALLS, areOurs: true, leaks: [] });
  });

  test('of a port without a server', async () => {
    const { url, close } = await listen(createServer());
    await close();

    const reported = await failEach(url);

    expect(reported).toMatchObject({ failed: CALLS, areOurs: true, leaks: [] });
  });

  test('of an answer that never comes', async () => {
    const server = await serve(() => undefined);

    const reported = await failEach(server.url, { limits: { totalMs: 200 } });

    expect(reported).toMatchObject({ failed: CALLS, areOurs: true, leaks: [] });
  });

  test('of a credential that no header can carry', async () => {
    const broken = (secret: string) => `${secret}\n${secret}`;
    const server = await serve((_request, reply) => reply.end('{}'));
    const tokens = {
      account: broken(CANARIES.account),
      user: broken(CANARIES.user),
      org: broken(CANARIES.org),
    };

    const reported = await failEach(server.url, { tokens });

    expect(reported).toMatchObject({ failed: CALLS, areOurs: true, leaks: [] });
    expect(server.seen).toEqual([]);
  });
});
