import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../../src/lib/metrics.ts';

describe('metrics', () => {
  it('are empty text before anything is registered', () => {
    expect(createMetrics().render()).toBe('');
  });

  it('are written in the text format of Prometheus', () => {
    const metrics = createMetrics();
    const sent = metrics.counter('messages_total', 'Messages sent.\nBy result.');
    const plain = metrics.counter('starts_total', 'Starts.');

    sent.inc({ result: 'ok' });
    sent.inc({ result: 'ok' });
    sent.inc({ result: 'say "no\\"\n' });
    plain.inc();

    expect(metrics.render()).toBe(
      [
        '# HELP messages_total Messages sent.\\nBy result.',
        '# TYPE messages_total counter',
        'messages_total{result="ok"} 2',
        'messages_total{result="say \\"no\\\\\\"\\n"} 1',
        '# HELP starts_total Starts.',
        '# TYPE starts_total counter',
        'starts_total 1',
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
    metrics.counter('calls_total', 'Calls.');

    expect(() => metrics.counter('calls_total', 'Again.')).toThrow('calls_total');
  });
});
