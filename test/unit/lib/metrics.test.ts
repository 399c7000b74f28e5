import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../../src/lib/metrics.ts';

describe('metrics', () => {
  it('are empty text before anything is registered', () => {
    expect(createMetrics().render()).toBe('');
  });

  it('are written in the text format of Prometheus', () => {
    const metrics = createMetrics();
    const sent = metrics.counter('messages_total', 'Messages sent.\nBy result.');
    const depth = metrics.gauge('queue_depth', 'Waiting jobs.');
    const took = metrics.histogram('call_seconds', 'Length of calls.', [0.1, 1]);

    sent.inc({ result: 'ok' });
    sent.inc({ result: 'ok' }, 2);
    sent.inc({ result: 'say "no\\"\n' });
    depth.set(3);
    depth.set(Infinity, { queue: 'rollouts' });
    took.observe(0.1, { api: 'usage' });
    took.observe(0.5, { api: 'usage' });
    took.observe(9, { api: 'usage' });

    expect(metrics.render()).toBe(
      [
        '# HELP messages_total Messages sent.\\nBy result.',
        '# TYPE messages_total counter',
        'messages_total{result="ok"} 3',
        'messages_total{result="say \\"no\\\\\\"\\n"} 1',
        '# HELP queue_depth Waiting jobs.',
        '# TYPE queue_depth gauge',
        'queue_depth 3',
        'queue_depth{queue="rollouts"} +Inf',
        '# HELP call_seconds Length of calls.',
        '# TYPE call_seconds histogram',
        'call_seconds_bucket{api="usage",le="0.1"} 1',
        'call_seconds_bucket{api="usage",le="1"} 2',
        'call_seconds_bucket{api="usage",le="+Inf"} 3',
        'call_seconds_sum{api="usage"} 9.6',
        'call_seconds_count{api="usage"} 3',
        '',
      ].join('\n'),
    );
  });

  it('are one series whatever the order of the labels', () => {
    const metrics = createMetrics();
    const calls = metrics.counter('calls_total', 'Calls.');

    calls.inc({ a: '1', b: '2' });
    calls.inc({ b: '2', a: '1' });

    expect(metrics.render()).toContain('calls_total{a="1",b="2"} 2\n');
  });

  it('refuse a name that is taken', () => {
    const metrics = createMetrics();
    metrics.gauge('queue_depth', 'Waiting jobs.');

    expect(() => metrics.counter('queue_depth', 'Again.')).toThrow('queue_depth');
  });
});
