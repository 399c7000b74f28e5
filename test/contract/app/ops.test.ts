import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createMetrics, createOpsServer, type ReadinessChecks } from '../../../src/lib/metrics.ts';

let server: Server | undefined;

async function open(
  checks: ReadinessChecks = {},
  { metrics = createMetrics(), ...more }: Partial<Parameters<typeof createOpsServer>[0]> = {},
): Promise<string> {
  const opened = createOpsServer({ metrics, checks, ...more });
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

  it('/metrics is what Prometheus reads', async () => {
    const metrics = createMetrics();
    metrics.counter('purser_polls_total', 'Polls').inc({ result: 'ok' });
    const url = await open({}, { metrics });

    const answer = await fetch(`${url}/metrics`);

    expect(answer.headers.get('content-type')).toContain('version=0.0.4');
    expect(await answer.text()).toContain('purser_polls_total{result="ok"} 1');
  });

  it('leads nowhere else', async () => {
    const url = await open();

    expect((await fetch(`${url}/`)).status).toBe(404);
    expect((await fetch(`${url}/healthz`, { method: 'POST' })).status).toBe(404);
  });
});
