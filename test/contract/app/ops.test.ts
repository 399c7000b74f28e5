import type { Server } from 'node:http';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../support/until.ts';
import { createOpsServer, type ReadinessChecks } from '../../../src/lib/ops-server.ts';

let server: Server | undefined;

async function open(
  checks: ReadinessChecks = {},
  {
    scrape = () => Promise.resolve(''),
    ...more
  }: Partial<Parameters<typeof createOpsServer>[0]> = {},
): Promise<string> {
  const opened = createOpsServer({ scrape, checks, ...more });
  server = opened;
  await new Promise<void>((resolve) => {
    opened.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(opened.address() as AddressInfo).port}`;
}

afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

const counted = (sockets: readonly Socket[]): number =>
  sockets.filter(({ readyState }) => readyState === 'open').length;

describe('the door of those who run the bot', () => {
  it('/healthz says that the process lives, whatever is wrong around it', async () => {
    const url = await open({ redis: () => 'it does not answer' });

    const answer = await fetch(`${url}/healthz?from=probe`);

    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ status: 'ok' });
  });

  it('/healthz is red when only a new process helps, and says why', async () => {
    const url = await open({}, { stuck: () => 'the event loop stood still' });

    const answer = await fetch(`${url}/healthz`);

    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({ status: 'stuck', because: 'the event loop stood still' });
  });

  it('/readyz is 200 when every check is well', async () => {
    const url = await open({ redis: () => Promise.resolve(undefined), slack: () => undefined });

    const answer = await fetch(`${url}/readyz`);

    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ ready: true, checks: { redis: true, slack: true } });
  });

  it('/readyz of a process without workers stays 200 and says that none is running', async () => {
    const notes = () => ({ worker: 'none for 2 min' });
    const url = await open({ redis: () => undefined }, { notes });

    const answer = await fetch(`${url}/readyz`);

    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      ready: true,
      checks: { redis: true },
      worker: 'none for 2 min',
    });
  });

  it.each<[string, string, ReadinessChecks[string]]>([
    ['says why not', 'it takes no writes (OOM)', () => 'it takes no writes (OOM)'],
    ['throws', 'it does not answer', () => Promise.reject(new Error('redis://user:password@host'))],
    [
      'throws at once',
      'it does not answer',
      () => {
        throw new Error('x');
      },
    ],
    ['never answers', 'it does not answer', () => new Promise<undefined>(() => {})],
  ])('/readyz is 503 when a check %s, and says which part is unwell', async (_, why, check) => {
    const url = await open({ redis: check, slack: () => undefined });

    const answer = await fetch(`${url}/readyz`);

    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({
      ready: false,
      checks: { redis: false, slack: true },
      unwell: { redis: why },
    });
  });

  it('/metrics is readable by Prometheus', async () => {
    const text = 'purser_polls_total{result="done"} 1';
    const url = await open({}, { scrape: () => Promise.resolve(text) });

    const answer = await fetch(`${url}/metrics`);

    expect(answer.headers.get('content-type')).toContain('version=0.0.4');
    expect(await answer.text()).toBe(text);
  });

  it('cuts off a sender that is slow with its headers', { timeout: 20_000 }, async () => {
    const { port } = new URL(await open());
    const began = performance.now();
    const slow = connect(Number(port), '127.0.0.1');
    slow.resume().write('GET /healthz HTTP/1.1\r\nhost: ops\r\n');

    await once(slow, 'close');

    expect(performance.now() - began).toBeGreaterThan(4_000);
    expect(performance.now() - began).toBeLessThan(12_000);
  });

  it('takes at most 50 connections at once', async () => {
    const { port } = new URL(await open());
    const held: Socket[] = [];
    for (let count = 0; count < 50; count += 1) {
      held.push(connect(Number(port), '127.0.0.1').on('error', () => undefined));
    }
    await until('the connections', () => counted(held) === 50);
    const began = performance.now();
    const more = connect(Number(port), '127.0.0.1').on('error', () => undefined);
    more.resume();

    // At once, and not after the 5 seconds of a slow sender.
    await once(more, 'close');
    expect(performance.now() - began).toBeLessThan(3_000);

    for (const one of held) one.destroy();
    await until('room', async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
      return answer?.ok;
    });
  });

  it('leads nowhere else', async () => {
    const url = await open();

    expect((await fetch(`${url}/`)).status).toBe(404);
    expect((await fetch(`${url}/healthz`, { method: 'POST' })).status).toBe(404);
  });
});
