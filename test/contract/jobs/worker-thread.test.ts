import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { StartRefused } from '../../../src/lib/errors.ts';
import { createMetrics } from '../../../src/lib/metrics.ts';
import { serveMainThread, startWorkerThread } from '../../../src/jobs/worker-thread.ts';
import { until } from '../../support/until.ts';

/** A thread that runs this module. */
function thread(code: string) {
  const source = `import { parentPort as port } from 'node:worker_threads';\n${code}`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(source)}`);
  return startWorkerThread(url, () => undefined);
}

const POLLS = {
  polls: {
    type: 'counter',
    name: 'polls_total',
    help: 'Polls',
    labels: { result: ['done', 'failed'] },
    example: '',
  },
} as const;

/** Counts how often it was asked. */
const WILLING = `
let asked = 0;
port.postMessage({ kind: 'started' });
port.on('message', ({ kind }) => {
  if (kind === 'stop') process.exit(0);
  asked += 1;
  port.postMessage({ kind, values: [{ name: 'polls', values: [{ value: asked, labels: {} }] }] });
});`;

describe('the thread of the workers', () => {
  it('says that it has started, what it counted, and ends when asked', async () => {
    const workers = thread(WILLING);
    await workers.started;

    expect(await workers.metrics()).toEqual([
      { name: 'polls', values: [{ value: 1, labels: {} }] },
    ]);
    expect(await workers.metrics()).toEqual([
      { name: 'polls', values: [{ value: 2, labels: {} }] },
    ]);
    expect(await workers.stop(10_000)).toEqual({ clean: true });
  });

  it('is asked once, however many want to know before it answers', async () => {
    const workers = thread(WILLING);

    const answers = await Promise.all([workers.metrics(), workers.metrics()]);

    const once = [{ name: 'polls', values: [{ value: 1, labels: {} }] }];
    expect(answers).toEqual([once, once]);
    await workers.stop(10_000);
  });

  it.each([
    ['an error', `setTimeout(() => { throw new Error('out of luck'); });`],
    ['a promise without a waiter', `Promise.reject(new Error('out of luck'));`],
  ])('that dies of %s says so', async (_, code) => {
    const error = await new Promise((resolve) => {
      thread(code).onEnd(resolve);
    });

    expect(String(error)).toContain('out of luck');
  });

  it('that hangs is ended', async () => {
    const workers = thread(`
port.on('message', () => { for (;;); });
port.postMessage({ kind: 'started' });`);
    await workers.started;

    expect(await workers.stop(200)).toEqual({ clean: false });
  });

  it('reports the health of the workers, and counts as stuck after 20 s of silence', async () => {
    const workers = thread(`
port.postMessage({ kind: 'health', health: { unwell: 'Redis is away' } });
port.on('message', () => { for (;;); });`);
    const notYet = { unwell: 'the workers have not started yet' };
    expect(workers.health()).toEqual(notYet);
    await until('it says how they stand', () => workers.health().unwell !== notYet.unwell);
    expect(workers.health()).toEqual({ unwell: 'Redis is away' });

    const now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(now + 21_000);
    const still = 'the thread of the workers stands still';
    expect(workers.health()).toEqual({ unwell: still, stuck: still });
    clock.mockRestore();
    await workers.stop(200);
  });

  it('that must not start says why, and waits to be ended', async () => {
    const workers = thread(`
port.postMessage({ kind: 'refused', sentence: 'Redis holds newer data' });
port.on('message', () => process.exit(0));`);

    await expect(workers.started).rejects.toThrow(new StartRefused('Redis holds newer data'));
    expect(await workers.stop(10_000)).toEqual({ clean: true });
  });

  it('that ends badly is not clean', async () => {
    const workers = thread(`port.on('message', () => process.exit(1));`);

    expect(await workers.stop(10_000)).toEqual({ clean: false });
  });
});

it('a request to a thread reaches its part of the bot', async () => {
  const { port1: main, port2: own } = new MessageChannel();
  onTestFinished(() => main.close());
  const metrics = createMetrics(POLLS);
  metrics.record.polls.inc({ result: 'done' });
  let stops = 0;
  let reads = 0;

  const toMain = serveMainThread(
    {
      metrics: metrics.values,
      health: () => ({}),
      readKeys: () => void (reads += 1),
      stop: () => void (stops += 1),
    },
    own,
  );
  toMain.started();
  expect(await once(main, 'message')).toEqual([{ kind: 'started' }]);
  toMain.refused(new StartRefused('Redis holds newer data'));
  expect(await once(main, 'message')).toEqual([
    { kind: 'refused', sentence: 'Redis holds newer data' },
  ]);
  main.postMessage({ kind: 'stop' });
  main.postMessage({ kind: 'read-keys' });
  main.postMessage({ kind: 'metrics' });

  expect(await once(main, 'message')).toMatchObject([
    { kind: 'metrics', values: [{ name: 'polls_total', values: [{ value: 1 }, { value: 0 }] }] },
  ]);
  expect(await once(main, 'message')).toEqual([{ kind: 'health', health: {} }]);
  expect({ stops, reads }).toEqual({ stops: 1, reads: 1 });
});
