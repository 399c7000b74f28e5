import { describe, expect, it } from 'vitest';
import { createMetrics, measureThread, renderMetrics } from '../../../src/lib/metrics.ts';

const TABLE = {
  sent: {
    type: 'counter',
    name: 'sent_total',
    help: 'Messages',
    labels: { result: ['ok', 'failed'] },
    example: 'rate(sent_total[5m])',
  },
  seconds: {
    type: 'histogram',
    name: 'call_seconds',
    help: 'Calls',
    labels: { result: ['ok', 'failed'] },
    series: [{ result: 'ok' }],
    buckets: [1, 10],
    example: 'call_seconds_count',
  },
  build: {
    type: 'gauge',
    name: 'build_info',
    help: 'Always 1',
    labels: { version: [] },
    series: [],
    example: 'build_info',
  },
} as const;

const render = async (...all: readonly ReturnType<typeof createMetrics<typeof TABLE>>[]) =>
  renderMetrics(await Promise.all(all.map((one) => one.values())));

describe('metrics of a table', () => {
  it('have their first series at 0 from the start', async () => {
    const text = await render(createMetrics(TABLE));

    expect(text).toContain('# HELP sent_total Messages\n# TYPE sent_total counter\n');
    expect(text).toContain('sent_total{result="ok"} 0\nsent_total{result="failed"} 0\n');
    expect(text).toContain('call_seconds_bucket{le="10",result="ok"} 0\n');
    expect(text).not.toContain('call_seconds_count{result="failed"}');
    expect(text).not.toContain('build_info{');
  });

  it('of several threads are added up', async () => {
    const [one, other] = [createMetrics(TABLE), createMetrics(TABLE)];
    one.record.sent.inc({ result: 'ok' });
    other.record.sent.inc({ result: 'ok' }, 2);
    one.record.seconds.observe({ result: 'failed' }, 3);
    one.record.build.set({ version: '1.2.3' }, 1);

    const text = await render(one, other);

    expect(text).toContain('sent_total{result="ok"} 3\n');
    expect(text).toContain('call_seconds_bucket{le="1",result="failed"} 0\n');
    expect(text).toContain('call_seconds_bucket{le="10",result="failed"} 1\n');
    expect(text).toContain('build_info{version="1.2.3"} 1\n');
  });

  it('refuse a name that is taken', () => {
    expect(() => createMetrics({ one: TABLE.sent, other: TABLE.sent })).toThrow('sent_total');
  });
});

it('the process is measured once, and each thread by itself', async () => {
  const threads = await Promise.all([measureThread('main')(), measureThread('worker')()]);

  const text = await renderMetrics(threads);

  expect(text.match(/^process_start_time_seconds(\{.*\})? /gm)).toEqual([
    'process_start_time_seconds ',
  ]);
  for (const thread of ['main', 'worker']) {
    expect(text).toContain(`nodejs_eventloop_lag_p99_seconds{thread="${thread}"}`);
  }
});
